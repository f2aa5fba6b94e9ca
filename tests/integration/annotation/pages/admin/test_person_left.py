"""A person's page: managers record that somebody returned, timed out or was rejected on the platform."""

import pytest
from django.urls import reverse

from annotation.models import AuditEntry, Participation, Payment
from annotation.people.paying import mark_paid
from tests.integration.annotation.pages.admin.payers import a_study_to_pay, statuses
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("status", "payment"), [("returned", "waived"), ("timed-out", "waived"), ("rejected", "rejected")]
)
def test_manager_records_how_a_person_left_the_platform(status: str, payment: str) -> None:
    study, client = a_study_to_pay(1)
    person = study.participations.get()
    address = reverse("admin:annotation_participation_leave", args=[person.pk, status])
    own_page = reverse("admin:annotation_participation_change", args=[person.pk])
    assert address in client.get(own_page).text
    assert f"Their open payment becomes {payment}." in client.get(address).text
    assert client.post(address, {"why": ""}).status_code == 422
    client.post(address, {"why": "the platform says so"})
    person.refresh_from_db()
    assert (person.status, statuses(study)) == (status, [payment])
    assert AuditEntry.objects.get(detail__status=status).why == "the platform says so"
    assert address not in client.get(own_page).text


@pytest.mark.parametrize("level", ["viewer", "editor"])
def test_how_a_person_left_is_offered_to_managers_alone(level: str) -> None:
    study, _ = a_study_to_pay(1)
    person = study.participations.get()
    client = signed_in(a_researcher(study, level))
    page = client.get(reverse("admin:annotation_participation_change", args=[person.pk]))
    assert page.context["endings"] == []


@pytest.mark.parametrize("ended", Participation.GAVE_BACK)
def test_who_has_ended_otherwise_stays_so_and_the_page_says_it(ended: str) -> None:
    study, client = a_study_to_pay(1)
    person = study.participations.get()
    Participation.objects.update(status=ended)
    assert client.get(reverse("admin:annotation_participation_change", args=[person.pk])).context["endings"] == []
    address = reverse("admin:annotation_participation_leave", args=[person.pk, "timed-out"])
    page = client.post(address, {"why": "x"})
    assert page.status_code == 422
    assert f"{person} has ended already: {Participation.Status(ended).label.lower()}." in page.text
    person.refresh_from_db()
    assert (person.status, statuses(study)) == (ended, ["due"])


def test_who_was_paid_is_not_offered_to_be_rejected_and_refused_in_a_sentence() -> None:
    study, client = a_study_to_pay(1)
    person = study.participations.get()
    mark_paid(payments=Payment.objects.all(), by=None)
    own_page = client.get(reverse("admin:annotation_participation_change", args=[person.pk]))
    assert [status for status, _ in own_page.context["endings"]] == ["returned", "timed-out"]
    page = client.post(reverse("admin:annotation_participation_leave", args=[person.pk, "rejected"]), {"why": "x"})
    assert page.status_code == 422
    assert "has already been paid and can&#x27;t be rejected." in page.text
