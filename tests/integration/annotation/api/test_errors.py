"""Whatever goes wrong under /api/, unforeseen errors too: application/problem+json, and nothing of the error itself."""

from typing import Any

import pytest
from django.test import Client

from annotation.api.resources.me import Me
from annotation.web import unavailable
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
SECRET = "postgres://user:password@host/ and a row"


def fails(*_args: object, **_more: object) -> Any:
    raise RuntimeError(SECRET)


def hold_problem(answer: Any, status: int) -> None:
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert answer.json().keys() == {"type", "title", "status", "detail", "errors", "more_errors"}
    assert SECRET not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()


def test_an_unforeseen_error_of_a_view(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    script = Script(a_researcher(), client=Client(raise_request_exception=False))
    monkeypatch.setattr(Me, "get", fails)
    hold_problem(script.get("me/"), 500)
    assert any(record.exc_info and SECRET in str(record.exc_info[1]) for record in caplog.records)


def test_an_unforeseen_error_of_a_middleware(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(a_researcher(), client=Client(raise_request_exception=False))
    monkeypatch.setattr(unavailable.TriggersInPlace, "__call__", fails)
    hold_problem(script.get("me/"), 500)


def test_an_unforeseen_error_of_a_page_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unavailable.TriggersInPlace, "__call__", fails)
    answer = Client(raise_request_exception=False).get("/admin/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "text/html; charset=utf-8")
    assert SECRET not in answer.content.decode()


def test_a_host_that_is_not_ours_and_an_address_that_is_none() -> None:
    hold_problem(Client().get("/api/v1/me/", headers={"Host": "other.example"}), 400)
    hold_problem(Client().get("/api/v2/"), 404)
    hold_problem(Client().get("/api/v1/nothing/"), 404)
    hold_problem(Client().post("/api/v1/me/"), 401)
