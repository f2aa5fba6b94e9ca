"""Decisions on pay: each in one go, with one entry in the record, and none twice."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from annotation.actions.entering import decline, enter
from annotation.actions.leaving import leave
from annotation.actions.paying import Figures, FiguresChanged, Moved, approve, mark_paid, reject, waive
from annotation.actions.studies import change_status
from annotation.actions.withdrawing import withdraw
from annotation.errors import Refused
from annotation.models import Assignment, AuditEntry, OpenPlace, Participation, Payment, Study, User
from annotation.pay_groups import GROUPS, ids_kept, offers, standing_of
from annotation.settling import FROM
from tests.factories import a_person, a_small_study, an_answer, an_assignment_done

pytestmark = pytest.mark.django_db
LONG = (
    "Five of the five check items were answered at the wrong end of the line, in less than a second for each of them."
)
ACTIONS: dict[str, Callable[..., Moved]] = {
    "approved": approve,
    "paid": mark_paid,
    "rejected": reject,
    "waived": waive,
}


def a_paid_study(**changes: Any) -> Study:
    return a_small_study(items=4, **{"target": 9, "items_an_assignment": 4, "pay": 2, "currency": "GBP", **changes})


def all_of(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(participation__study=study)


def entries(study: Study) -> QuerySet[AuditEntry]:
    return study.audit_entries.filter(detail__has_key="payments").order_by("pk")


def as_it_stands(payment: Payment, status: str) -> None:
    settled: dict[str, Any] = {} if status in Payment.OPEN else {"settled_at": timezone.now(), "platform_id": None}
    Payment.objects.filter(pk=payment.pk).update(status=status, reason="x" if status == "rejected" else "", **settled)


@pytest.mark.parametrize("to", ACTIONS)
def test_decision_changes_all_and_is_one_entry_in_the_record(to: str) -> None:
    study, boss = a_paid_study(), User.objects.create_user("boss")
    people = [an_assignment_done(study).participation for _ in range(3)]

    moved = ACTIONS[to](payments=all_of(study), by=boss, why="as agreed")

    assert moved == Moved(Figures(3, "6.00 GBP"), {})
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
        assert moved == Moved(Figures(1, "2.00 GBP"), {})
        assert all_of(study).get().status == to
    else:
        assert moved == Moved(Figures(0, "no amount"), {stands: (person.pseudonym,)})
        (sentence,) = moved.sentences
        assert sentence.endswith(f"already and not changed: {person.pseudonym}.")
        assert all_of(study).values().get() == before
        assert not entries(study).exists()


def test_settled_again_has_no_second_effect() -> None:
    study = a_paid_study()
    an_assignment_done(study)
    mark_paid(payments=all_of(study), by=None)
    settled_at = all_of(study).get().settled_at

    assert mark_paid(payments=all_of(study), by=None).figures.count == 0

    assert all_of(study).get().settled_at == settled_at
    assert entries(study).count() == 1


def test_some_that_may_change_do_and_the_others_are_named() -> None:
    study = a_paid_study()
    first, second = (an_assignment_done(study).participation for _ in range(2))
    mark_paid(payments=all_of(study).filter(participation=first), by=None)

    moved = approve(payments=all_of(study), by=None)

    assert moved.figures == Figures(1, "2.00 GBP")
    assert moved.sentences == [f"1 was paid already and not changed: {first.pseudonym}."]
    assert entries(study).last().detail["participations"] == [second.pseudonym]  # type: ignore[union-attr]


def test_payments_of_two_studies_at_once_are_refused() -> None:
    for study in (a_paid_study(), a_paid_study()):
        a_person(study)
    with pytest.raises(Refused, match="of 2 studies: choose those of one study"):
        approve(payments=Payment.objects.all(), by=None)
    assert set(Payment.objects.values_list("status", flat=True)) == {"due"}


def test_another_sum_than_was_shown_changes_nothing() -> None:
    study = a_paid_study()
    an_assignment_done(study)
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
    study = a_paid_study(target=1)
    person = an_assignment_done(study).participation
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
            an_assignment_done(study)
        with django_assert_num_queries(18):
            reject(payments=all_of(study), by=None, why="x")


@pytest.mark.parametrize(("to", "queries"), [("approved", 5), ("paid", 5), ("waived", 7)])
def test_paying_many_costs_the_same_queries_as_paying_few(
    to: str, queries: int, django_assert_num_queries: Any
) -> None:
    for count in (1, 5):
        study = a_paid_study()
        for _ in range(count):
            an_assignment_done(study)
        with django_assert_num_queries(queries):
            ACTIONS[to](payments=all_of(study), by=None)


def test_rejecting_who_has_withdrawn_leaves_them_withdrawn() -> None:
    study = a_paid_study()
    person = an_assignment_done(study).participation
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
    said = "Prolific takes a rejection only with a message of 100 characters or more: this reason has 99."
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
    person = an_assignment_done(study).participation
    as_it_stands(person.payment, stands)

    assert leave(participation=person, status=left, why=LONG)

    payment = all_of(study).get()
    assert (payment.status, payment.reason) == (becomes, LONG if becomes == "rejected" else "")
    assert study.audit_entries.get(detail__has_key="status").detail["payment"] == becomes


@pytest.mark.parametrize("left", ["returned", "timed-out"])
def test_leaving_changes_no_payment_that_is_settled(left: str) -> None:
    study = a_paid_study()
    person = an_assignment_done(study).participation
    mark_paid(payments=all_of(study), by=None)

    assert leave(participation=person, status=left)

    assert all_of(study).get().status == "paid"
    assert "payment" not in study.audit_entries.get(detail__has_key="status").detail


def test_who_was_paid_can_not_be_rejected() -> None:
    study = a_paid_study(target=1)
    person = an_assignment_done(study).participation
    mark_paid(payments=all_of(study), by=None)

    with pytest.raises(Refused, match=f"^{person} has been paid already: who was paid can't be rejected.$"):
        leave(participation=person, status="rejected", why="x")
    assert reject(payments=all_of(study), by=None, why="x").figures.count == 0

    person.refresh_from_db()
    assert (person.status, OpenPlace.objects.count()) == ("finished", 0)


def test_declining_leaves_nothing_owed_and_no_ids() -> None:
    study = a_paid_study()
    decline(participation=enter(study=study, platform="direct", platform_id="PID-1"))
    payment = all_of(study).get()
    assert (payment.status, payment.platform_id, payment.settled_at is None) == ("waived", None, False)


# Groups


def a_day_later() -> None:
    """Whoever has not finished can't any more."""
    before = timezone.now() - dt.timedelta(days=2)
    Assignment.objects.update(expires_at=before)
    Participation.objects.update(entered_at=before)


def offered(study: Study) -> dict[str, Figures]:
    return {key: figures for key, _, figures in offers(study)}


def test_groups_count_who_finished_who_is_excluded_and_who_went() -> None:
    from annotation.actions.judging import open_assignment

    study = a_paid_study()
    kept, excluded = (an_assignment_done(study).participation for _ in range(2))
    Participation.objects.filter(pk=excluded.pk).update(set_aside_at=timezone.now())
    enter(study=study, platform="direct", platform_id="came")
    an_answer(open_assignment(participation=a_person(study)), 1)
    a_day_later()
    approved = an_assignment_done(study).participation
    approve(payments=all_of(study).filter(participation=approved), by=None)
    a_person(study)  # has just come, and may finish

    assert offered(study) == {
        "approve-finished-not-excluded": Figures(1, "2.00 GBP"),
        "approve-finished": Figures(2, "4.00 GBP"),
        "pay-approved": Figures(1, "2.00 GBP"),
        "pay-finished": Figures(2, "4.00 GBP"),
        "waive-unfinished": Figures(2, "4.00 GBP"),
    }
    assert GROUPS["approve-finished-not-excluded"].of(study).get().participation == kept
    assert standing_of(study).to_decide_excluded == 1


def test_who_may_still_finish_is_not_offered_to_be_waived() -> None:
    from annotation.actions.judging import open_assignment

    study = a_paid_study()
    open_assignment(participation=a_person(study))
    a_person(study)
    assert offered(study) == {}
    Participation.objects.update(entered_at=timezone.now() - dt.timedelta(days=2))
    assert offered(study)["waive-unfinished"].count == 1  # came without beginning; the other is still at it
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=23))
    assert offered(study)["waive-unfinished"].count == 1
    Assignment.objects.update(expires_at=timezone.now() - dt.timedelta(hours=25))
    assert offered(study)["waive-unfinished"].count == 2


def test_who_handed_in_a_part_is_offered_to_be_approved_and_not_to_be_waived() -> None:
    from annotation.actions.judging import finish_and_go_on, open_assignment

    study = a_paid_study(items_an_assignment=2, assignments_a_worker=2)
    first = open_assignment(participation=a_person(study))
    for position in (1, 2):
        an_answer(first, position)
    assert finish_and_go_on(assignment=first) is not None
    a_day_later()
    assert list(offered(study)) == ["approve-part"]


def test_who_finishes_after_being_waived_is_told_of() -> None:
    from annotation.actions.judging import finish, open_assignment

    study = a_paid_study()
    assignment = open_assignment(participation=a_person(study))
    for position in (1, 2, 3, 4):
        an_answer(assignment, position)
    waive(payments=all_of(study), by=None)
    assert standing_of(study).finished_when_waived == 0
    finish(assignment=assignment)
    assert standing_of(study).finished_when_waived == 1


def test_standing_is_by_status_with_sums() -> None:
    study = a_paid_study()
    for _ in range(3):
        an_assignment_done(study)
    mark_paid(payments=all_of(study).filter(pk=all_of(study).first().pk), by=None)  # type: ignore[union-attr]
    assert standing_of(study).lines == (("Due", Figures(2, "4.00 GBP")), ("Paid", Figures(1, "2.00 GBP")))


# Platform ids


def closed_so_long_ago(study: Study, days: int) -> Study:
    change_status(study=study, status="closed")
    Study.objects.filter(pk=study.pk).update(closed_at=timezone.now() - dt.timedelta(days=days))
    study.refresh_from_db()
    return study


def test_sentence_says_whose_ids_are_kept_and_until_when() -> None:
    study = a_paid_study(retention_days=30)
    assert ids_kept(study) == "No platform id of anybody in this study is kept."
    an_assignment_done(study)
    assert ids_kept(study) == (
        "The platform id of 1 person is kept: the study isn't closed. 30 days after it is closed, they go, once no "
        "payment is open."
    )
    an_assignment_done(study)
    closed_so_long_ago(study, 10)
    until = timezone.now() + dt.timedelta(days=20)
    date = f"{until.day} {until:%B %Y}"
    people = "The platform ids of 2 people are kept"
    assert ids_kept(study) == f"{people}: 2 payments are open. They are kept until {date} at least."
    mark_paid(payments=all_of(study), by=None)
    assert ids_kept(study) == f"{people} until {date}, 30 days after the study was closed."
    Study.objects.update(closed_at=timezone.now() - dt.timedelta(days=31))
    study.refresh_from_db()
    assert ids_kept(study).startswith(f"{people} and go within the hour")
