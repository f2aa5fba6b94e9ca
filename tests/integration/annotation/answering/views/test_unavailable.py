"""A database that fails is said so: by the page's decorator, or by middleware where a page has none."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.db import IntegrityError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from annotation.answering.views.access import page
from annotation.database import triggers
from annotation.models import Judgment
from annotation.web.unavailable import FORM
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

    monkeypatch.setattr("annotation.answering.views.judging.save_sent", fail)
    assert save(client, address, number="5").status_code == 503
    assert str(error) in caplog.text


@pytest.mark.django_db
def test_log_does_not_quote_the_row_that_was_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    address = begin(client, a_study_of("slider"))

    def fail(**_: object) -> None:
        raise IntegrityError("Failing row contains (5, what a person wrote)")

    monkeypatch.setattr("annotation.answering.views.judging.save_sent", fail)
    assert save(client, address, number="5").status_code == 503
    assert "IntegrityError: a row was refused" in caplog.text
    assert "what a person wrote" not in caplog.text


def test_a_mistake_of_ours_is_no_503(browser: Client) -> None:
    assert browser.get("/mistake").status_code == 500


@pytest.fixture
def _without_triggers(transactional_db: None, settings: Any) -> Iterator[None]:
    settings.TRIGGERS_CHECKED_EVERY_SECONDS = 0
    triggers.remove_triggers(connection)
    yield
    triggers.install_triggers(connection)


@pytest.mark.usefixtures("_without_triggers")
@pytest.mark.parametrize("address", ["/", "/admin/", "/api/v1/studies/", "/p/x/"])
def test_site_without_its_triggers_says_so_on_every_page_until_they_are_back(client: Client, address: str) -> None:
    reply = client.get(address)
    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "60")
    assert client.get("/health").status_code == 503

    triggers.install_triggers(connection)
    assert client.get(address).status_code != 503
    assert client.get("/health").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_answer_without_script_is_kept_on_the_page_and_can_be_sent_again(settings: Any) -> None:
    settings.TRIGGERS_CHECKED_EVERY_SECONDS = 0
    client = Client()
    address = begin(client, a_study_of("text"))
    form = client.get(address).text
    names = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    field = re.findall(r'<textarea[^>]* name="([^"]+)"', form)[0]
    typed = """<b>a "dog" & 'cat'</b>"""

    triggers.remove_triggers(connection)
    try:
        reply = client.post(address, urlencode({**names, field: typed}), content_type=FORM)
    finally:
        triggers.install_triggers(connection)
    assert reply.status_code == 503
    assert "<b>" not in reply.text
    sent = {name: html.unescape(value) for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', reply.text)}
    assert sent[field] == typed

    assert client.post(address, sent).status_code in (200, 302)
    assert Judgment.objects.get().text == typed


@pytest.mark.usefixtures("_without_triggers")
def test_password_is_in_no_page_that_says_so(client: Client) -> None:
    sent = urlencode({"username": "ada", "password": "wall-nut-tree-9"})
    reply = client.post("/admin/login/", sent, content_type=FORM)
    assert reply.status_code == 503
    assert "no-store" in reply.headers["Cache-Control"]
    assert "wall-nut-tree-9" not in reply.text
