"""A database that fails is said so: by the page's decorator, or by middleware where a page has none."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from annotation.views.access import page


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
    path("", include("annotation.urls")),
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


def test_a_mistake_of_ours_is_no_503(browser: Client) -> None:
    assert browser.get("/mistake").status_code == 500
