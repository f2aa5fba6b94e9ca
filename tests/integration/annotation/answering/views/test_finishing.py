"""The page before handing in: what is still open, and by when."""

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Assignment, Participation
from tests.integration.annotation.answering.views.people import a_study_of, base_of, begin, save

pytestmark = [pytest.mark.django_db, pytest.mark.both]
ALL_SAVED = "All your answers are saved"


def finish_page(client: Client, address: str) -> str:
    return client.get(f"{base_of(address)}finish/").text


def ends_in(**left: int) -> None:
    Assignment.objects.update(expires_at=timezone.now() + dt.timedelta(**left))


def test_open_questions_are_listed_with_links(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    save(client, address, position=2, number="50")
    html = finish_page(client, address)
    assert ALL_SAVED not in html
    assert "That was the last question" not in html
    links = re.findall(r'<a href="[^"]+/(\d+)/#i\d+">(Question \d+)</a>', html)
    assert links == [("1", "Question 1"), ("3", "Question 3")]
    assert "Submit" not in html


def test_open_practice_is_told_from_the_questions(client: Client) -> None:
    items = [
        {"item_id": "try", "kind": "practice", "fields": {"thing": "chair", "feedback": "Most say 10."}},
        {"item_id": "one", "fields": {"thing": "fern"}},
    ]
    html = finish_page(client, begin(client, a_study_of("slider", items=items)))
    assert re.findall(r">((?:Practice|Question) \d+)</a>", html) == ["Practice 1", "Question 1"]


def test_all_is_called_saved_once_it_is(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    for position in (1, 2, 3):
        save(client, address, position=position, number="50")
    html = finish_page(client, address)
    assert ALL_SAVED in html
    assert "Some questions have no answer yet" not in html


def test_long_after_the_deadline_the_open_questions_lead_nowhere(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    save(client, address, position=1, number="50")
    ends_in(hours=-25)
    html = finish_page(client, address)
    assert "The time for these questions has run out" in html
    assert ALL_SAVED not in html
    assert "/2/#i2" not in html
    assert "Question 2" in html


def test_deadline_is_a_clock_time_without_script(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    deadline = Assignment.objects.get().expires_at
    html = client.get(address).text
    found = re.search(r'Please finish by <time datetime="([^"]+)">[^<]+ UTC</time> \(about (?:59|60) minutes\)', html)
    assert found
    assert dt.datetime.fromisoformat(found[1]) == deadline.replace(microsecond=0)
    assert "Less than five minutes" not in html.replace('data-say-soon="Less than five minutes', "")


def test_deadline_in_five_minutes_is_a_warning(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    ends_in(minutes=4)
    html = client.get(address).text
    assert re.search(r'role="status" data-warning>\s*<p class="notice">Less than five minutes are left', html)


def test_deadline_that_has_passed_is_said_and_answers_are_still_taken(client: Client) -> None:
    address = begin(client, a_study_of("slider"))
    ends_in(minutes=-1)
    html = client.get(address).text
    assert re.search(r'role="status" data-warning>\s*<p class="notice">The time ended at <time', html)
    assert save(client, address, number="50").json()["saved"]
    assert Participation.objects.get().status == Participation.Status.WORKING
