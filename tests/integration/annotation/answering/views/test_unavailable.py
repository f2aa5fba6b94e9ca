"""A database that fails is said so: by the page's decorator, or by middleware where a page has none."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from annotation.answering.views.access import page
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = pytest.mark.both


def fails(_request: HttpRequest) -> HttpResponse:
    raise OperationalError("could not extend file: No space left on device")


@page
def annotators_page(_request: HttpRequest) -> HttpResponse:
    raise InterfaceError("connection already closed")


def has_a_mistake(_request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


urlpatterns = [
    path("admin/", admin.site.urls),
    path("results/x", fails),
    path("api/x", fails),
    path("page", annotators_page),
    path("mistake", has_a_mistake),
    path("", include("annotation.answering.urls")),
]


@pytest.fixture
def browser(settings: Any) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(("address", "is_json"), [("/results/x", False), ("/api/x", True), ("/page", False)])
def test_a_failing_database_is_a_503_with_a_sentence(browser: Client, address: str, is_json: bool) -> None:  # noqa: FBT001
    reply = browser.get(address)

    assert reply.status_code == 503
    said = json.loads(reply.content)["detail"] if is_json else reply.content.decode()
    assert "try again in a minute" in said
    assert "No space left" not in said


@pytest.mark.parametrize("address", ["/results/x", "/page"])
def test_the_reason_stands_in_the_log(browser: Client, address: str, caplog: pytest.LogCaptureFixture) -> None:
    browser.get(address)
    assert {"/page": "InterfaceError: connection already closed"}.get(address, "No space left on device") in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("disk I/O error"), InterfaceError("connection already closed")])
def test_answer_that_can_t_be_stored_is_a_503_and_the_reason_stands_in_the_log(
    error: Exception, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    address = begin(client, a_study_of("slider"))

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr("annotation.answering.views.judging.save_answer", fail)
    assert save(client, address, number="5").status_code == 503
    assert str(error) in caplog.text


@pytest.mark.django_db
def test_log_does_not_quote_the_row_that_was_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    address = begin(client, a_study_of("slider"))

    def fail(**_: object) -> None:
        raise IntegrityError("Failing row contains (5, what a person wrote)")

    monkeypatch.setattr("annotation.answering.views.judging.save_answer", fail)
    assert save(client, address, number="5").status_code == 503
    assert "IntegrityError: a row was refused" in caplog.text
    assert "what a person wrote" not in caplog.text


def test_a_mistake_of_ours_is_no_503(browser: Client) -> None:
    assert browser.get("/mistake").status_code == 500
