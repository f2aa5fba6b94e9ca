"""No log holds a link that opens anything, nor an id that a platform sent."""

import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.integration.pages.people import a_study_of, arrival, base_of, begin

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
