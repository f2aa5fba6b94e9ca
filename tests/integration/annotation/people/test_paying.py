"""Decisions on pay: each in one go, with one entry in the record, and none twice."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from agreement.errors import Refused
from annotation.entry.entering import decline, enter
from annotation.models import AuditEntry, OpenPlace, Participation, Payment, Study, User
from annotation.people.leaving import leave, withdraw
from annotation.people.paying import Figures, FiguresChanged, StatusChange, approve, mark_paid, reject, waive
from annotation.people.payment_lists import FROM
from tests.factories import a_person, per_assignment_done
from tests.integration.annotation.payments import a_paid_study, all_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]
LONG = (
    "Five of the five check items were answered at the wrong end of the line, in less than a second for each of them."
)
ACTIONS: dict[str, Callable[..., StatusChange]] = {
    "approved": approve,
    "paid": mark_paid,
    "rejected": reject,
    "waived": waive,
}


def entries(study: Study) -> QuerySet[AuditEntry]:
    return study.audit_entries.filter(detail__has_key="payments").order_by("pk")


def as_it_stands(payment: Payment, status: str) -> None:
    settled: dict[str, Any] = {} if status in Payment.OPEN else {"settled_at": timezone.now(), "platform_id": None}
    Payment.objects.filter(pk=payment.pk).update(status=status, reason="x" if status == "rejected" else "", **settled)


@pytest.mark.parametrize("to", ACTIONS)
def test_decision_changes_all_and_is_one_entry_in_the_record(to: str) -> None:
    study, boss = a_paid_study(), User.objects.create_user("boss")
    people = [per_assignment_done(study).participation for _ in range(3)]

    moved = ACTIONS[to](payments=all_of(study), by=boss, why="as agreed")

    assert moved == StatusChange(Figures(3, "6.00 GBP"), {})
    assert set(all_of(study).values_list("status", flat=True)) == {to}
    entry = entries(study).get()
    assert (entry.action, entry.by, entry.why) == ("paid" if to == "paid" else "changed", boss, "as agreed")
    assert entry.detail["to"] == to
    assert (entry.detail["payments"], entry.detail["total"]) == (3, "6.00 GBP")
    assert sorted(entry.detail["participations"]) == sorted(person.pseudonym for person in people)


@pytest.mark.parametrize("to", ACTIONS)
def test_settling_removes_the_ids_from_the_pay_row_and_approving_keeps_them(to: str) -> None:
    study = a_paid_study()
    a_person(study, platform_id="PID-1", session_id="SES-1")

    ACTIONS[to](payments=all_of(study), by=None, why="x")

    payment = all_of(study).get()
    is_open = to == "approved"
    assert (payment.platform_id, payment.session_id) == (("PID-1", "SES-1") if is_open else (None, None))
    assert (payment.settled_at is None) == is_open
    assert "PID-1" not in str(list(study.audit_entries.values()))


@pytest.mark.parametrize("to", ACTIONS)
@pytest.mark.parametrize("stands", Payment.Status.values)
def test_payment_moves_only_where_it_may_and_the_caller_is_told(stands: str, to: str) -> None:
    study = a_paid_study()
    person = a_person(study)
    as_it_stands(all_of(study).get(), stands)
    before = all_of(study).values().get()

    moved = ACTIONS[to](payments=all_of(study), by=None, why="x")

    if stands in FROM[to]:
        assert moved == StatusChange(Figures(1, "2.00 GBP"), {})
        assert all_of(study).get().status == to
    else:
        assert moved == StatusChange(Figures(0, "no amount"), {stands: (person.pseudonym,)})
        (sentence,) = moved.sentences
        assert sentence.endswith(f"already and not changed: {person.pseudonym}.")
        assert all_of(study).values().get() == before
        assert not entries(study).exists()


def test_settled_again_has_no_second_effect() -> None:
    study = a_paid_study()
    per_assignment_done(study)
    mark_paid(payments=all_of(study), by=None)
    settled_at = all_of(study).get().settled_at

    assert mark_paid(payments=all_of(study), by=None).figures.count == 0

    assert all_of(study).get().settled_at == settled_at
    assert entries(study).count() == 1


def test_some_that_may_change_do_and_the_others_are_named() -> None:
    study = a_paid_study()
    first, second = (per_assignment_done(study).participation for _ in range(2))
    mark_paid(payments=all_of(study).filter(participation=first), by=None)

    moved = approve(payments=all_of(study), by=None)

    assert moved.figures == Figures(1, "2.00 GBP")
    assert moved.sentences == [f"1 was paid already and not changed: {first.pseudonym}."]
    assert entries(study).last().detail["participations"] == [second.pseudonym]  # type: ignore[union-attr]


def test_payments_of_two_studies_at_once_are_refused() -> None:
    for study in (a_paid_study(), a_paid_study()):
        a_person(study)
    with pytest.raises(Refused, match="belong to 2 studies: choose payments of one study"):
        approve(payments=Payment.objects.all(), by=None)
    assert set(Payment.objects.values_list("status", flat=True)) == {"due"}


def test_another_sum_than_was_shown_changes_nothing() -> None:
    study = a_paid_study()
    per_assignment_done(study)
    for expected in (Figures(2, "2.00 GBP"), Figures(1, "3.00 GBP")):
        with pytest.raises(FiguresChanged) as changed:
            approve(payments=all_of(study), by=None, expected=expected)
        assert changed.value.figures == Figures(1, "2.00 GBP")
    assert all_of(study).get().status == "due"
    approve(payments=all_of(study), by=None, expected=Figures(1, "2.00 GBP"))
    assert all_of(study).get().status == "approved"


def test_sums_are_by_currency() -> None:
    study = a_paid_study()
    a_person(study)
    Study.objects.filter(pk=study.pk).update(pay=Decimal("1.50"), currency="USD")
    study.refresh_from_db()
    a_person(study)
    assert approve(payments=all_of(study), by=None).figures.total == "2.00 GBP and 1.50 USD"


# Rejecting


def test_rejecting_records_the_person_as_rejected_and_opens_the_places_in_one_entry() -> None:
    study = a_paid_study(judgments_per_item=1)
    person = per_assignment_done(study).participation
    assert study.open_places.count() == 0

    reject(payments=all_of(study), by=None, why=" not one item was read ")

    person.refresh_from_db()
    assert (person.status, study.open_places.count()) == ("rejected", 4)
    assert all_of(study).get().reason == "not one item was read"
    assert entries(study).get().detail["places"] == 4
    assert study.audit_entries.filter(detail__has_key="status").count() == 0


def test_rejecting_many_costs_the_same_queries_as_rejecting_few(django_assert_num_queries: Any) -> None:
    for count in (1, 5):
        study = a_paid_study()
        for _ in range(count):
            per_assignment_done(study)
        with django_assert_num_queries(17):
            reject(payments=all_of(study), by=None, why="x")


@pytest.mark.parametrize(("to", "queries"), [("approved", 5), ("paid", 5), ("waived", 7)])
def test_paying_many_costs_the_same_queries_as_paying_few(
    to: str, queries: int, django_assert_num_queries: Any
) -> None:
    for count in (1, 5):
        study = a_paid_study()
        for _ in range(count):
            per_assignment_done(study)
        with django_assert_num_queries(queries):
            ACTIONS[to](payments=all_of(study), by=None)


def test_rejecting_who_has_withdrawn_leaves_them_withdrawn() -> None:
    study = a_paid_study()
    person = per_assignment_done(study).participation
    withdraw(participation=person)

    reject(payments=all_of(study), by=None, why="x")

    person.refresh_from_db()
    assert (person.status, all_of(study).get().status) == ("withdrawn", "rejected")


@pytest.mark.parametrize("reason", ["", "  "])
def test_rejection_needs_a_reason(reason: str) -> None:
    study = a_paid_study()
    person = a_person(study)
    with pytest.raises(Refused, match="A rejection needs a reason"):
        reject(payments=all_of(study), by=None, why=reason)
    with pytest.raises(Refused, match="A rejection needs a reason"):
        leave(participation=person, status="rejected", why=reason)
    person.refresh_from_db()
    assert (person.status, all_of(study).get().status) == ("working", "due")


def test_prolific_takes_no_short_reason_and_the_sentence_says_the_limit_and_the_length() -> None:
    study = a_paid_study(platform="prolific")
    person = enter(study=study, platform="prolific", platform_id="one")
    said = "Prolific needs a message of 100 characters or more for a rejection: this reason has 99."
    with pytest.raises(Refused) as refused:
        reject(payments=all_of(study), by=None, why="x" * 99)
    assert list(refused.value.reasons) == [said]
    with pytest.raises(Refused, match="this reason has 99"):
        leave(participation=person, status="rejected", why="x" * 99)
    assert (all_of(study).get().status, Participation.objects.get().status) == ("due", "entered")
    reject(payments=all_of(study), by=None, why="x" * 100)
    assert all_of(study).get().status == "rejected"


# Leaving settles an open payment


@pytest.mark.parametrize(
    ("left", "becomes"), [("returned", "waived"), ("timed-out", "waived"), ("rejected", "rejected")]
)
@pytest.mark.parametrize("stands", Payment.OPEN)
def test_leaving_settles_an_open_payment(stands: str, left: str, becomes: str) -> None:
    study = a_paid_study()
    person = per_assignment_done(study).participation
    as_it_stands(person.payment, stands)

    assert leave(participation=person, status=left, why=LONG)

    payment = all_of(study).get()
    assert (payment.status, payment.reason) == (becomes, LONG if becomes == "rejected" else "")
    assert study.audit_entries.get(detail__has_key="status").detail["payment"] == becomes


@pytest.mark.parametrize("left", ["returned", "timed-out"])
def test_leaving_changes_no_payment_that_is_settled(left: str) -> None:
    study = a_paid_study()
    person = per_assignment_done(study).participation
    mark_paid(payments=all_of(study), by=None)

    assert leave(participation=person, status=left)

    assert all_of(study).get().status == "paid"
    assert "payment" not in study.audit_entries.get(detail__has_key="status").detail


def test_who_was_paid_can_not_be_rejected() -> None:
    study = a_paid_study(judgments_per_item=1)
    person = per_assignment_done(study).participation
    mark_paid(payments=all_of(study), by=None)

    with pytest.raises(Refused, match=f"^{person} has already been paid and can't be rejected.$"):
        leave(participation=person, status="rejected", why="x")
    assert reject(payments=all_of(study), by=None, why="x").figures.count == 0

    person.refresh_from_db()
    assert (person.status, OpenPlace.objects.count()) == ("finished", 0)


def test_declining_leaves_nothing_owed_and_no_ids() -> None:
    study = a_paid_study()
    decline(participation=enter(study=study, platform="direct", platform_id="PID-1"))
    payment = all_of(study).get()
    assert (payment.status, payment.platform_id, payment.settled_at is None) == ("waived", None, False)
