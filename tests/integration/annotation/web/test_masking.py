"""No log holds a link that opens anything, nor an id that a platform sent."""

import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from annotation.entry.links import make_open_link
from annotation.models import Participation, Role, User
from annotation.releases.actions.scoring_probes import publish_leaderboard, unpublish_leaderboard
from tests.integration.annotation.answering.views.people import a_study_of, arrival, base_of, begin, links_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the site's own handler writes."""
    handler = next(one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler)
    before = handler.setStream(StringIO())
    assert isinstance(handler.stream, StringIO)
    yield handler.stream
    handler.setStream(before or handler.stream)


def test_every_handler_masks() -> None:
    handlers: dict[str, Any] = settings.LOGGING["handlers"]  # type: ignore[assignment]
    assert all("masked" in handler["filters"] for handler in handlers.values())


def test_token_in_an_address_that_is_not_there_is_masked(client: Client, log: StringIO) -> None:
    address = begin(client, a_study_of("slider"))
    client.get(f"{base_of(address)}77/")
    told = log.getvalue()
    assert "Not Found: /a/" in told
    assert base_of(address).split("/")[2] not in told


def test_token_in_a_traceback_is_masked(client: Client, log: StringIO) -> None:
    address = begin(client, a_study_of("slider"))
    nothing: dict[str, str] = {}
    try:
        nothing[f"{address}?PROLIFIC_PID=5f1dSECRET"]
    except KeyError:
        logging.getLogger("annotation").exception("failed at %s", address)
    told = log.getvalue()
    assert "Traceback" in told
    assert base_of(address).split("/")[2] not in told
    assert "SECRET" not in told


def test_platforms_ids_are_masked(client: Client, log: StringIO) -> None:
    study = a_study_of("slider", unverified_per_hour=1)
    for person in ("firstSECRET", "secondSECRET"):
        query = "&".join(f"{k}={v}" for k, v in arrival(person, "sessionSECRET").items())
        client.post(f"/take/{study.slug}/?{query}")
    told = log.getvalue()
    assert "Forbidden: /take/" in told
    assert "SECRET" not in told


@pytest.mark.parametrize("damage", ["{} ", " {}", "{}=", "{}%0A", "{}.", "{}%2F", "{}%22", "{}%3F", "{}\u00e9"])
def test_damaged_tokens_are_masked(client: Client, log: StringIO, damage: str) -> None:
    address = begin(client, a_study_of("slider"))
    links = links_of(Participation.objects.get())
    for link in (*links.values(), f"{address.rsplit('/', 2)[0]}/1/"):
        _, page, token, *rest = link.split("/")
        middle = len(token) // 2
        for damaged in (damage.format(token), damage.format(token[:middle]) + token[middle:]):
            client.get("/".join(("", page, damaged, *rest)))
        told = log.getvalue()
        assert f"Not Found: /{page}/" in told
        assert token[6:middle] not in told
        assert token[middle + 2 :] not in told


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//{page}/{token}/",
        "/{page}//{token}/",
        "/x/{page}/{token}/",
        "/{PAGE}/{token}/",
        "/static/{token}",
        "/{token}/",
    ],
)
def test_tokens_at_addresses_that_are_nearly_right_are_masked(client: Client, log: StringIO, elsewhere: str) -> None:
    study = a_study_of("slider")
    begin(client, study)
    links = [
        *links_of(Participation.objects.get()).values(),
        f"/join/{make_open_link(study=study, capacity=None).token}/",
    ]
    for link in links:
        _, page, token, *_rest = link.split("/")
        middle = len(token) // 2
        for damaged in (token, f"{token}=", f"{token[:middle]}/{token[middle:]}", f"{token[:middle]} {token[middle:]}"):
            client.get(f"http://testserver{elsewhere.format(page=page, PAGE=page.upper(), token=damaged)}")
        told = log.getvalue()
        assert "Not Found: /" in told
        assert token[6:middle] not in told
        assert token[middle + 6 :] not in told


@pytest.mark.parametrize("name", ["PROLIFIC_PID", "prolific_pid", "Session_Id", "SURVEY_CODE"])
def test_platforms_ids_are_masked_however_they_are_spelt(client: Client, log: StringIO, name: str) -> None:
    for address in (f"/take/x/{name}=5f1dSECRET/", f"/take/x/&{name}=5f1dSECRET"):
        client.get(address)
    assert "Not Found: /take/x/" in log.getvalue()
    assert "SECRET" not in log.getvalue()


@pytest.mark.parametrize("is_revoked", [True, False])
def test_tokens_of_leaderboards_are_masked(client: Client, log: StringIO, *, is_revoked: bool) -> None:
    study, somebody = a_study_of("slider"), User.objects.create_user("somebody")
    link = publish_leaderboard(study=study, by=somebody)
    if is_revoked:
        unpublish_leaderboard(study=study, by=somebody)
    token = link.token
    for address in (f"/leaderboard/{token}/", f"/leaderboard/{token} /", f"/leaderboard/{token}x/?metric=no"):
        client.get(address)
    logging.getLogger("annotation").warning("GET /leaderboard/%s HTTP/1.1", token)
    told = log.getvalue()
    assert "Not Found: /leaderboard/" in told
    assert token[:12] not in told
    assert token[12:] not in told


def test_refusals_take_one_line_that_says_why(client: Client, log: StringIO) -> None:
    study = a_study_of("slider")
    viewer = User.objects.create_user("viewer", is_staff=True)
    Role.objects.create(study=study, user=viewer, level="viewer")
    client.force_login(viewer)
    assert client.post(f"/admin/results/{study.uuid}/models/publish/").status_code == 403
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    lines = log.getvalue().splitlines()
    assert len(lines) <= 3
    assert "Your role in this study does not allow that." in lines[0]
    assert not any("Traceback" in line for line in lines)
