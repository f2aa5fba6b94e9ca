"""Whose answers look careless, on the pages People and Clean, and in what is published: there never."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from agreement.cli.verifying import verify
from annotation.models import AuditEntry, Study
from annotation.pages.people_to_look_at import open_suspects
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.drawing_reports import draw_here
from annotation.releases.actions.releasing import published_names
from annotation.releases.exports.bundle_zip import bundle, published_bundle
from annotation.releases.summaries import figures_of
from annotation.releases.verdicts import verdict_of_question
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db

PEOPLE = ("ann", "ben", "cat", "dan", "eva", "fay")
CARELESS = "dan"  # leaves the slider at 50


@pytest.fixture
def study() -> Study:
    rng = np.random.default_rng(2)
    items = [f"i{number:02}" for number in range(14)]
    study = a_study_of("slider", [{"item_id": item} for item in items], judgments_per_item=6)
    truth = rng.uniform(10, 90, len(items))
    for name in PEOPLE:
        value = np.full(len(items), 50.0) if name == CARELESS else np.clip(truth + rng.normal(0, 6, len(items)), 0, 100)
        answers(came(study, name), "number", dict(zip(items, value.round(1).tolist(), strict=True)))
    return study


def editing(study: Study) -> Client:
    return signed_in(a_researcher(study, "editor"))


def test_people_lists_them_with_what_speaks_against_them(study: Study) -> None:
    client = editing(study)

    page = client.get(reverse("agreement:people", args=[study.uuid]))
    only = client.get(reverse("agreement:people", args=[study.uuid]), {"show": "suspects"})
    person = client.get(reverse("agreement:person", args=[study.uuid, CARELESS]))
    other = client.get(reverse("agreement:person", args=[study.uuid, "ann"]))

    assert [one.worker for one in page.context["suspects"]] == [CARELESS]
    assert "Gave 50, the middle of the scale, to all 14 items" in page.text
    assert "Nobody is excluded by this" in page.text
    assert [row.pseudonym for row in only.context["page"].rows] == [CARELESS]
    assert "Gave 50, the middle of the scale, to all 14 items" in person.text
    assert "look careless" not in other.text


def test_one_button_previews_rules_that_exclude_them_and_changes_nothing(study: Study) -> None:
    client = editing(study)
    before = client.get(reverse("agreement:clean", args=[study.uuid]))
    assert 'name="screening"' in before.text

    answer = client.post(reverse("agreement:change_rules", args=[study.uuid]), {"screening": "1"})

    assert answer.status_code == 200
    assert answer.context["form"].rule_set.name == "screening"
    assert [each["worker"] for each in answer.context["result"]["excluded"]] == [CARELESS]
    assert "raises agreement by itself" in answer.text
    assert not study.releases.exists()


def test_who_may_only_look_sees_no_button_and_may_not_press_it(study: Study) -> None:
    client = signed_in(a_researcher(study, "viewer"))

    assert 'name="screening"' not in client.get(reverse("agreement:clean", args=[study.uuid])).text
    pressed = client.post(reverse("agreement:change_rules", args=[study.uuid]), {"screening": "1"})
    assert pressed.status_code in {403, 404}


def test_a_study_without_enough_answers_says_why_nobody_is_screened() -> None:
    study = a_study_of("slider", [{"item_id": "i1"}])
    answers(came(study, "ann"), "number", {"i1": 10.0})

    page = editing(study).get(reverse("agreement:people", args=[study.uuid]))

    assert "Nobody was screened: nobody answered 10 items" in page.text


def test_the_bundle_of_a_study_has_them_and_the_published_one_does_not(study: Study, tmp_path: Path) -> None:
    release = clean_and_release(study=study, replicates=20)
    draw_here(release)
    ours, everybodys = tmp_path / "ours.zip", tmp_path / "everybodys.zip"
    ours.write_bytes(b"".join(bundle(release)))
    everybodys.write_bytes(b"".join(published_bundle(release, names=published_names(release=release))))

    with zipfile.ZipFile(ours) as archive:
        report = json.loads(archive.read("report.json"))
        assert [one["worker"] for one in report["suspects"]] == [CARELESS]
        assert archive.read("workers.csv").splitlines()[0].endswith(b",suspect_of")
        assert b"constant" in archive.read("tables/screening.csv")
        assert "look careless" in archive.read("report.html").decode()
    with zipfile.ZipFile(everybodys) as archive:
        assert "suspects" not in json.loads(archive.read("report.json"))
        assert "tables/screening.csv" not in archive.namelist()
        for name in archive.namelist():
            content = archive.read(name)
            assert not any(word in content for word in (b"suspect", b"look careless", b"Gave 50")), name
    for path in (ours, everybodys):
        found = verify(path)
        assert (found.words, found.differences, found.notes) == ("identical", [], [])


def test_what_is_downloaded_of_workers_says_it_too(study: Study) -> None:
    release = clean_and_release(study=study, replicates=20)

    answer = editing(study).get(reverse("agreement:download", args=[study.uuid, release.number, "workers"]))
    content = b"".join(answer) if answer.streaming else answer.content

    rows = io.StringIO(content.decode()).read().splitlines()
    assert [line.rpartition(",")[2] for line in rows] == [
        "suspect_of",
        *["constant" if n == CARELESS else "" for n in PEOPLE],
    ]


def test_the_api_gives_what_the_page_shows_and_nothing_to_who_has_no_part_in_the_study(study: Study) -> None:
    viewer = Script(a_researcher(study, "viewer"))

    answer = viewer.get(f"studies/{study.slug}/suspects/").json()

    assert [(one["worker"], one["kinds"]) for one in answer["suspects"]] == [(CARELESS, ["constant"])]
    assert "Gave 50, the middle of the scale, to all 14 items" in answer["suspects"][0]["sentence"]
    assert answer["undefined"] == ""
    assert "no ground for withholding pay" in answer["caution"]
    assert Script(a_researcher()).get(f"studies/{study.slug}/suspects/").status_code == 404


def test_the_api_previews_the_rules_that_exclude_them(study: Study) -> None:
    script = Script(a_researcher(study, "editor"))

    answer = script.post(f"studies/{study.slug}/cleaning/preview/", {"rules": "screening"})

    assert list(answer.json()["excluded"]) == [CARELESS]
    assert not study.releases.exists()


def keep(study: Study, client: Client, **sent: str) -> str:
    address = reverse("agreement:keep_person", args=[study.uuid, CARELESS])
    return str(client.post(address, sent).headers.get("Location", ""))


def test_who_was_looked_at_and_kept_is_no_longer_to_be_looked_at(study: Study) -> None:
    client = editing(study)
    clean_and_release(study=study, seed=3, replicates=50)
    figures = figures_of(study)
    assert verdict_of_question(study).next_step.key == "look-at-people"
    assert [one.worker for one in open_suspects(study, figures)] == [CARELESS]

    assert keep(study, client).endswith("#to-look-at")

    assert open_suspects(study, figures) == []
    assert verdict_of_question(study).next_step.key != "look-at-people"
    page = client.get(reverse("agreement:people", args=[study.uuid]))
    assert "looked at, kept" in page.text
    assert reverse("agreement:keep_person", args=[study.uuid, CARELESS]) not in page.text
    entry = AuditEntry.objects.get(study=study, action="changed")
    assert entry.detail == {"looked at": CARELESS, "kept": True}

    assert keep(study, client, again="1") == reverse("agreement:person", args=[study.uuid, CARELESS])
    assert [one.worker for one in open_suspects(study, figures)] == [CARELESS]


def test_keeping_leads_on_to_the_next_who_is_there(study: Study) -> None:
    client = editing(study)
    assert keep(study, client, next="ann") == reverse("agreement:person", args=[study.uuid, "ann"])
    assert keep(study, client, next="nobody").endswith("#to-look-at")


def test_excluding_somebody_leads_back_to_the_others(study: Study) -> None:
    address = reverse("agreement:exclude", args=[study.uuid])
    sent = {"pseudonym": CARELESS, "reason": "the middle of the scale, always"}
    answer = editing(study).post(f"{address}?pseudonym={CARELESS}", sent)
    assert answer.headers["Location"] == reverse("agreement:people", args=[study.uuid])
    assert open_suspects(study, figures_of(study)) == []


def test_who_may_only_look_keeps_nobody(study: Study) -> None:
    client = signed_in(a_researcher(study, "viewer"))
    assert client.post(reverse("agreement:keep_person", args=[study.uuid, CARELESS])).status_code == 403
    assert not study.participations.filter(looked_at__isnull=False).exists()
