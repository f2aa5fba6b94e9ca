"""What the API gives to read, of a study with a release."""

from collections.abc import Iterator
from typing import Any

import pytest

from agreement.report.verdict_rules import STANDINGS
from annotation.api.views import cursor_text
from annotation.entry.links import make_invitations
from annotation.models import Role
from tests.factories import a_study
from tests.integration.annotation.api.scripts import V1, Script
from tests.integration.researchers import a_released_study, a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
LISTS = (
    "items", "participants", "assignments", "judgments", "judgments/withdrawn", "payments", "cleaning", "exclusions",
    "releases", "probes", "history", "jobs", "links", "pictures",
)  # fmt: skip


@pytest.fixture
def released() -> tuple[Any, Script]:
    study, _release, _client = a_released_study()
    make_invitations(study=study, count=3)
    assert study.owner is not None
    return study, Script(study.owner)


def pages(script: Script, path: str, limit: int) -> Iterator[list[Any]]:
    cursor = ""
    while cursor is not None:
        found = script.get(f"{path}?limit={limit}&cursor={cursor}").json()
        yield found["results"]
        cursor = found["next_cursor"]


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_the_same_whole_and_in_pages(name: str, released: tuple[Any, Script]) -> None:
    study, script = released
    answer = script.get(f"studies/{study.slug}/{name}/?limit=1000")
    assert answer.status_code == 200, answer.content
    whole = answer.json()["results"]
    assert whole == [row for page in pages(script, f"studies/{study.slug}/{name}/", 3) for row in page]


def test_a_place_at_or_behind_the_end_of_a_list_is_an_empty_last_page(released: tuple[Any, Script]) -> None:
    study, script = released
    script.post(f"studies/{study.slug}/webhooks/", {"address": "https://example.org/", "events": ["job.ended"]})
    here = f"studies/{study.slug}"
    hook = script.get(f"{here}/webhooks/").json()["results"][0]["id"]
    run = script.get(f"{here}/cleaning/").json()["results"][0]["id"]
    paths = ["studies/", *(f"{here}/{name}/" for name in LISTS)]
    paths += [f"{here}/webhooks/", f"{here}/webhooks/{hook}/deliveries/", f"{here}/cleaning/{run}/verdicts/"]
    paths = [f"{path}?cursor" for path in paths] + [f"{here}/judgments/?since"]
    got = {
        (path, place): (answer.status_code, answer.json().get("next_cursor", ""))
        for path in paths
        for place in (0, 1, 2**31 - 1, 2**31, 2**63 - 1)
        for answer in [script.get(f"{path}={cursor_text(place)}&limit=1000")]
    }
    assert {key: answer for key, answer in got.items() if answer != (200, None)} == {}


@pytest.mark.parametrize(
    "path",
    [
        "", "checklist/", "progress/", "suspects/", "labels/", "check-quotas/", "end-questions/",
        "comprehension-questions/",
        "rule-sets/", "verdict/", "releases/1/", "releases/1/report/", "leaderboard/", "scores/", "links/platform/",
    ],
)  # fmt: skip
def test_single_things_are_there(path: str, released: tuple[Any, Script]) -> None:
    study, script = released
    assert script.get(f"studies/{study.slug}/{path}").status_code == 200


@pytest.mark.parametrize("what", ["gold", "judgments", "workers", "participants", "payments", "wide", "bundle"])
def test_exports_are_streamed(what: str, released: tuple[Any, Script]) -> None:
    study, script = released
    answer = script.get(f"studies/{study.slug}/exports/{what}/")
    assert answer.status_code == 200, answer.content
    assert answer.streaming
    assert len(b"".join(answer.streaming_content)) > 20


def test_key_to_a_published_bundle_is_for_who_may_change_the_study(released: tuple[Any, Script]) -> None:
    study, script = released
    viewer = a_researcher()
    Role.objects.create(study=study, user=viewer, level="viewer")
    path = f"studies/{study.slug}/exports"

    assert Script(viewer).get(f"{path}/published-key/").status_code == 403
    bundle = Script(viewer).get(f"{path}/published-bundle/")
    assert (bundle.status_code, bundle.getvalue()[:2]) == (200, b"PK")
    assert script.get(f"{path}/published-key/").status_code == 200


def test_everything_about_the_token_and_the_site(released: tuple[Any, Script]) -> None:
    study, script = released
    assert script.get("me/").json()["username"] == study.owner.username
    assert {one["slug"] for one in script.get("studies/").json()["results"]} == {study.slug}
    assert len(script.get("presets/").json()) >= 10
    assert script.get("presets/spatial-similarity/").json()["rules"] == "spatial-2019"
    assert script.client.get(f"{V1}schema/").json()["openapi"] == "3.1.0"
    assert script.client.get(f"{V1}docs/").status_code == 200
    assert script.get("nothing/at/all/").json()["status"] == 404


def test_verdict_of_a_release_and_of_its_study_say_the_same(released: tuple[Any, Script]) -> None:
    study, script = released
    verdict = script.get(f"studies/{study.slug}/verdict/").json()
    assert verdict == script.get(f"studies/{study.slug}/releases/1/").json()["verdict"]
    assert verdict["level"] in STANDINGS
    assert len(verdict["next"]) == 1
    published = script.get(f"studies/{study.slug}/releases/1/report/").json()["verdict"]
    assert published["sentence"] == verdict["sentence"]


def test_verdict_of_a_study_without_a_release_says_why_there_is_none() -> None:
    owner = a_researcher()
    verdict = Script(owner).get(f"studies/{a_study(owner=owner).slug}/verdict/").json()
    assert (verdict["level"], verdict["sentence"]) == ("none", "Nobody has answered yet.")
    assert verdict["next"] == [{"key": "collect", "sentence": "Collect answers.", "count": None}]


def test_public_link_of_a_leaderboard(released: tuple[Any, Script]) -> None:
    study, script = released
    made = script.post(f"studies/{study.slug}/leaderboard/public/")
    assert made.status_code == 201
    assert script.client.get(made.json()["address"]).status_code == 200
    assert script.ask("DELETE", f"studies/{study.slug}/leaderboard/public/").status_code == 204
    assert script.client.get(made.json()["address"]).status_code == 404
