"""Researchers' sessions: twelve hours at most, and two without use. Annotators' pages have none and pay for none."""

import datetime as dt
import time
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.people.retention import purge
from annotation.web import middleware
from tests.integration.annotation.answering.views.people import a_study_of, begin, save
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def after(client: Client, *, since_log_in: float, since_use: float) -> Any:
    session = client.session
    session[middleware.LOGGED_IN_AT] = int(time.time() - since_log_in)
    session[middleware.SEEN_AT] = int(time.time() - since_use)
    session.save()
    return client.get(reverse("admin:index"), follow=True)


@pytest.mark.parametrize(
    ("since_log_in", "since_use", "said"),
    [
        (12 * 3600, 10, "logged in for twelve hours"),
        (3 * 3600, 2 * 3600, "Nobody has used this session for two hours"),
    ],
)
def test_session_ends_after_a_workday_and_after_two_idle_hours(
    since_log_in: float, since_use: float, said: str
) -> None:
    client = signed_in(a_researcher())
    page = after(client, since_log_in=since_log_in, since_use=since_use)
    assert page.redirect_chain[-1][0].startswith(reverse("admin:login"))
    assert said in page.text
    assert "_auth_user_id" not in client.session


def test_session_that_is_used_goes_on() -> None:
    client = signed_in(a_researcher())
    page = after(client, since_log_in=11.9 * 3600, since_use=1.9 * 3600)
    assert (page.status_code, page.redirect_chain) == (200, [])
    assert time.time() - client.session[middleware.SEEN_AT] < 60
    assert Session.objects.get().expire_date.timestamp() - time.time() > 1.9 * 3600


def test_request_of_an_ended_session_is_not_carried_out() -> None:
    client = signed_in(a_researcher())
    after(client, since_log_in=0, since_use=0)
    session = client.session
    session[middleware.LOGGED_IN_AT] -= 12 * 3600
    session.save()
    answer = client.post(
        reverse("admin:annotation_study_from_preset"), {"preset": "spatial-similarity", "slug": "late"}
    )
    assert answer.headers["Location"] == reverse("admin:login")


def test_use_is_noted_once_in_five_minutes() -> None:
    client = signed_in(a_researcher())
    client.get(reverse("admin:index"))
    with CaptureQueriesContext(connection) as asked:
        client.get(reverse("admin:index"))
    assert [query["sql"] for query in asked.captured_queries if query["sql"].startswith("UPDATE")] == []


def test_sessions_that_have_ended_are_deleted() -> None:
    over, going_on = signed_in(a_researcher()), signed_in(a_researcher())
    Session.objects.filter(pk=over.session.session_key).update(expire_date=timezone.now() - dt.timedelta(seconds=1))
    purge(now=timezone.now())
    assert [session.pk for session in Session.objects.all()] == [going_on.session.session_key]


def test_session_from_before_there_was_a_limit_gets_one() -> None:
    client = Client()
    client.force_login(a_researcher())
    assert client.get(reverse("admin:index")).status_code == 200
    assert middleware.LOGGED_IN_AT in client.session


def test_researcher_on_an_annotators_page_asks_no_session(django_assert_num_queries: Any) -> None:
    """The session's cookie is there, and nobody reads it."""
    client = signed_in(a_researcher())
    address = begin(client, a_study_of("slider"))
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
        assert save(client, address, number="30").status_code == 200
    told = " ".join(query["sql"] for query in asked.captured_queries)
    assert "django_session" not in told
    assert "annotation_user" not in told
    assert "loginattempt" not in told


ADDRESSES = ["/", "/health", "/admin/login/", "/admin", "/nowhere/", "/join/x/", "/static/nothing"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_asks_a_browser_for_nothing(address: str) -> None:
    policy = Client().get(address).headers["Permissions-Policy"]
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(policy.split(", "))


def test_saved_answer_and_researchers_page_ask_for_nothing_either() -> None:
    client = signed_in(a_researcher())
    address = begin(client, a_study_of("slider"))
    answers = [save(client, address, number="30"), client.get(address), client.get(reverse("admin:index"))]
    assert ["camera=()" in answer.headers["Permissions-Policy"] for answer in answers] == [True] * 3
