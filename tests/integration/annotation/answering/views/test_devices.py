"""The kind of device that a person came with: kept whatever the entrance, and nothing else of the user agent."""

from typing import Any

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse

from annotation.models import EntryLink, Participation
from annotation.people.leaving import withdraw
from tests.integration.annotation.answering.views.people import a_study_of, come_in, here
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1"
)
LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"


def browser(user_agent: str, **headers: str) -> Client:
    return Client(headers={"User-Agent": user_agent, **headers})


def device() -> Any:
    return Participation.objects.get().device


def test_device_is_kept_of_who_comes_from_a_platform() -> None:
    come_in(browser(IPHONE), a_study_of("slider"))
    assert device() == "phone"


@pytest.mark.parametrize("kind", EntryLink.Kind.values)
def test_device_is_kept_of_who_comes_by_a_link(kind: str) -> None:
    study = a_study_of("slider", platform="direct")
    link = EntryLink.objects.create(study=study, kind=kind, capacity=1)
    browser(LINUX).post(f"/join/{link.token}/")
    assert device() == "computer"


def test_device_follows_the_hint_of_the_browser() -> None:
    come_in(browser(LINUX, **{"Sec-CH-UA-Mobile": "?1"}), a_study_of("slider"))
    assert device() == "phone"


def test_device_is_none_where_no_user_agent_was_sent() -> None:
    come_in(Client(), a_study_of("slider"))
    assert device() is None


def test_device_stays_that_of_the_first_visit() -> None:
    study = a_study_of("slider")
    for user_agent in (IPHONE, LINUX):
        come_in(browser(user_agent), study, "5f1d")
    assert device() == "phone"


def test_device_is_all_that_is_kept_of_the_user_agent() -> None:
    come_in(browser(IPHONE), a_study_of("slider"))
    person = Participation.objects.get()
    stored = serializers.serialize("json", [person, person.worker, person.payment])
    assert '"device": "phone"' in stored
    assert not [word for word in ("iPhone", "Safari", "17_5", "Mozilla") if word in stored]


def test_device_is_forgotten_when_the_person_declines_or_withdraws() -> None:
    study, client = a_study_of("slider"), browser(IPHONE)
    client.post(here(come_in(client, study, "declines")), {"consent": "no"})
    come_in(client, study, "withdraws")
    withdraw(participation=Participation.objects.get(worker__platform_id="withdraws"))
    assert list(Participation.objects.order_by("pk").values_list("status", "device")) == [
        ("declined", None), ("withdrawn", None),
    ]  # fmt: skip


def test_device_stands_on_the_page_of_the_person() -> None:
    study = a_study_of("slider")
    come_in(browser(IPHONE), study)
    client = signed_in(a_researcher(study, "viewer"))
    address = reverse("admin:annotation_participation_change", args=[Participation.objects.get().pk])
    assert "Phone" in client.get(address).text
    Participation.objects.update(device=None)
    assert "Phone" not in client.get(address).text
