"""Who may come in, how many, from where; and what is forgotten of them."""

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotation.answering.judging import open_assignment
from annotation.entry.entering import AlreadyEnded, LinkUsedUp, StudyFull, TooManyAtOnce, decline, enter, give_consent
from annotation.entry.links import make_open_link, network_of
from annotation.models import AuditEntry, EntryLink, OpenEntry, Participation, Payment, Study, Worker
from annotation.people.paying import approve, mark_paid
from annotation.people.retention import purge
from annotation.places.allocation import expire_overdue
from annotation.studies.study_life import change_status
from tests.factories import a_person, a_small_study, a_study, per_assignment_done

pytestmark = [pytest.mark.django_db, pytest.mark.both]
HOUR = dt.timedelta(hours=1)


def come(study: Study, who: str, **more: Any) -> Participation:
    return enter(study=study, platform="direct", platform_id=who, **more)


def test_who_left_without_a_word_makes_room_for_another() -> None:
    study = a_small_study(items=4, judgments_per_item=4, items_per_assignment=2, capacity=1)
    first = come(study, "first")
    with pytest.raises(StudyFull):
        come(study, "second")

    Participation.objects.filter(pk=first.pk).update(entered_at=timezone.now() - 2 * HOUR)
    second = come(study, "second")
    give_consent(participation=second)
    open_assignment(participation=second)
    with pytest.raises(StudyFull):
        come(study, "third")

    expire_overdue(now=timezone.now() + dt.timedelta(days=1))
    come(study, "third")


def test_who_has_finished_counts_for_ever() -> None:
    study = a_small_study(items=4, judgments_per_item=4, items_per_assignment=2, capacity=1)
    per_assignment_done(study)

    with pytest.raises(StudyFull):
        come(study, "another")


def test_places_whose_time_is_over_are_given_to_who_comes_though_no_clock_runs() -> None:
    study = a_small_study(items=2, judgments_per_item=1, items_per_assignment=2)
    late = open_assignment(participation=a_person(study))
    late.expires_at = timezone.now() - HOUR
    late.save()

    assert open_assignment(participation=a_person(study)).assigned_items.count() == 2


def test_an_open_link_lets_in_a_networks_people_a_few_an_hour() -> None:
    study = a_study()
    link = make_open_link(study=study, capacity=None)
    EntryLink.objects.update(most_per_hour=2)
    for who in ("a", "b"):
        come(study, who, entry_link=link, network="one")

    with pytest.raises(TooManyAtOnce):
        come(study, "c", entry_link=link, network="one")
    come(study, "d", entry_link=link, network="other")

    OpenEntry.objects.update(at=timezone.now() - 2 * HOUR)
    come(study, "c", entry_link=link, network="one")
    assert study.participations.count() == 4


def test_coming_back_by_an_open_link_is_not_coming_again() -> None:
    study = a_study()
    link = make_open_link(study=study, capacity=None)
    EntryLink.objects.update(most_per_hour=1)

    assert come(study, "a", entry_link=link, network="one") == come(study, "a", entry_link=link, network="one")


def test_pressing_an_open_links_button_twice_is_coming_once_and_another_page_is_another_person(client: Client) -> None:
    study = a_study()
    address = reverse("annotation:join", kwargs={"link_token": make_open_link(study=study, capacity=None).token})
    names = [re.findall('name="came_as" value="([^"]+)"', client.get(address).content.decode())[0] for _ in range(2)]

    places = [client.post(address, {"came_as": name})["Location"] for name in (names[0], names[0], names[1])]

    assert places[0] == places[1] != places[2]
    assert study.participations.unverified().count() == 2
    client.post(address, {"came_as": "somebody-else"})
    assert not Worker.objects.filter(platform_id__contains="somebody-else").exists()


def test_a_link_opens_its_own_study_alone() -> None:
    link = make_open_link(study=a_study(), capacity=None)

    with pytest.raises(LinkUsedUp):
        come(a_study(), "a", entry_link=link)


def test_a_network_is_a_digest_of_an_address_or_of_ipv6s_first_half(settings: Any) -> None:
    def network(address: str, **more: Any) -> str:
        return network_of(RequestFactory().get("/", REMOTE_ADDR=address, **more))

    assert network("192.0.2.7") == network("::ffff:192.0.2.7") != network("192.0.2.8")
    assert network("2001:db8::1") == network("2001:db8::ffff") != network("2001:db8:0:1::1")
    assert "192.0.2.7" not in network("192.0.2.7")
    assert network("unix:") == ""

    forwarded: dict[str, Any] = {"HTTP_X_FORWARDED_FOR": "198.51.100.1, 192.0.2.7"}
    assert network("127.0.0.1", **forwarded) == network("127.0.0.1")
    settings.BEHIND_PROXY = True
    assert network("127.0.0.1", **forwarded) == network("192.0.2.7")


def test_who_has_declined_is_not_brought_back_by_the_other_tab() -> None:
    person = come(a_study(), "a")
    other_tab = Participation.objects.get(pk=person.pk)
    decline(participation=person)

    give_consent(participation=other_tab)

    assert (other_tab.status, other_tab.consented_at) == (Participation.Status.DECLINED, None)
    with pytest.raises(AlreadyEnded):
        come(person.study, "a")


def closed_long_ago(study: Study) -> None:
    change_status(study=study, status="closed")
    Study.objects.filter(pk=study.pk).update(closed_at=timezone.now() - dt.timedelta(days=366))


def test_platform_ids_are_purged_when_the_last_study_that_needs_them_is_past_its_date() -> None:
    first, second = a_study(), a_study()
    for study in (first, second):
        come(study, "in-both", session_id="a-session")
    come(second, "in-one")
    closed_long_ago(second)

    assert purge(now=timezone.now()) == 1
    assert set(Worker.objects.values_list("platform_id", flat=True)) == {"in-both", None}

    closed_long_ago(first)
    assert purge(now=timezone.now()) == 1
    assert purge(now=timezone.now()) == 0
    assert not Worker.objects.filter(platform_id__isnull=False).exists()
    assert not Payment.objects.filter(platform_id__isnull=False).exists()
    assert first.audit_entries.filter(action=AuditEntry.Action.PURGED).get().detail == {"platform ids": 1}


def test_platform_ids_stay_while_something_is_owed() -> None:
    study = a_study(pay=2, currency="GBP")
    person = come(study, "unpaid")
    Participation.objects.update(status="finished", finished_at=timezone.now())
    closed_long_ago(study)
    assert purge(now=timezone.now()) == 0

    mark_paid(payments=Payment.objects.filter(participation=person), by=None)
    assert purge(now=timezone.now()) == 1


def test_platform_ids_of_the_approved_stay_until_they_are_paid() -> None:
    study = a_study(pay=2, currency="GBP")
    person = come(study, "unpaid")
    payments = Payment.objects.filter(participation=person)
    approve(payments=payments, by=None)
    closed_long_ago(study)
    assert purge(now=timezone.now()) == 0

    mark_paid(payments=payments, by=None)
    assert purge(now=timezone.now()) == 1
    person.worker.refresh_from_db()
    assert person.worker.platform_id is None


def test_networks_are_forgotten_after_a_day() -> None:
    study = a_study()
    link = make_open_link(study=study, capacity=None)
    come(study, "a", entry_link=link, network="one")

    purge(now=timezone.now() + dt.timedelta(hours=23))
    assert OpenEntry.objects.count() == 1
    purge(now=timezone.now() + dt.timedelta(hours=25))
    assert OpenEntry.objects.count() == 0
