"""An export that fails midway is an error, and not a file that ends too early; nothing is entered in the record."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.api.resources import exports
from annotation.models import AuditEntry
from annotation.pages import result_downloads as views
from annotation.web.responses import IN_MEMORY, Download
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_released_study

pytestmark = pytest.mark.django_db


def fails_midway(*_args: Any, **_options: Any) -> Iterator[bytes]:
    yield b"x" * (2 * IN_MEMORY)
    raise KeyError("by_earlier_runs")


@pytest.mark.parametrize("what", ["gold", "bundle"])
def test_download_of_the_site_that_fails_is_an_error(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study, release, client = a_released_study()
    monkeypatch.setattr(views, "stream", fails_midway)
    refuse_unless_error(client, reverse("agreement:download", args=[study.uuid, release.number, what]))


def test_participants_that_fail_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    study, _release, client = a_released_study()
    monkeypatch.setattr(views, "stream", fails_midway)
    refuse_unless_error(client, reverse("agreement:participants", args=[study.uuid]))


@pytest.mark.parametrize("what", ["judgments", "published-bundle"])
def test_export_of_the_api_that_fails_is_an_error(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study, _release, client = a_released_study()
    assert study.owner is not None
    monkeypatch.setattr(exports, "stream", fails_midway)
    token = Script(study.owner).text
    headers = {"Authorization": f"Bearer {token}"}
    refuse_unless_error(client, f"/api/v1/studies/{study.slug}/exports/{what}/", headers=headers)


def refuse_unless_error(client: Client, address: str, **options: Any) -> None:
    client.raise_request_exception = False
    answer = client.get(address, **options)
    assert answer.status_code == 500
    assert "Content-Disposition" not in answer.headers
    assert b"xxxx" not in answer.content
    assert not AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED).exists()


@pytest.mark.parametrize("size", [0, 10, 3 * IN_MEMORY])
def test_download_says_its_size(size: int) -> None:
    download = Download([b"x" * (size // 2), b"x" * (size - size // 2)], name="gold.csv")
    assert download.headers["Content-Length"] == str(size)
    assert download.headers["Content-Disposition"] == 'attachment; filename="gold.csv"'
    assert download.getvalue() == b"x" * size
    download.close()
