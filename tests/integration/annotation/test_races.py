"""What must hold when two things happen at the same moment, whichever comes first."""

import datetime as dt
import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from agreement.errors import Refused
from annotation.answering.judging import NothingLeft, finish_assignment, open_assignment
from annotation.answering.saving_answers import AssignmentClosed
from annotation.entry.entering import ShutOut, StudyFull, enter, give_consent
from annotation.models import AssignedItem, Assignment, Judgment, OpenPlace, Participation, Payment, Study
from annotation.people.leaving import leave, withdraw
from annotation.people.paying import StatusChange, mark_paid, reject, waive
from annotation.places.allocation import expire_overdue, hold_status, open_places, release_silent
from annotation.releases.actions.rule_sets import exclude, lift
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person, a_small_study, an_answer, per_assignment_done
from tests.integration.annotation.at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both, pytest.mark.concurrent]


def held(study: Study) -> int:
    return AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True).count()


def held_and_open() -> int:
    """Places that are both: such a one would be claimed first and fail for everybody."""
    return OpenPlace.objects.filter(
        item__assigned_items__slot=F("slot"), item__assigned_items__released_at__isnull=True
    ).count()


def test_raising_the_target_while_people_claim_opens_no_held_place() -> None:
    study = a_small_study(items=30, judgments_per_item=2, items_per_assignment=5)
    people = [a_person(study) for _ in range(8)]
    Study.objects.filter(pk=study.pk).update(judgments_per_item=4)
    study.refresh_from_db()

    raised = at_once(
        *(partial(open_assignment, participation=person) for person in people),
        *(partial(open_places, study=study) for _ in range(3)),
    )

    assert raised == []
    assert held_and_open() == 0
    assert held(study) + study.open_places.count() == 30 * 4


def test_nothing_of_a_person_who_withdraws_while_answering_stays() -> None:
    study = a_small_study(items=12, judgments_per_item=1, items_per_assignment=12)
    for _ in range(4):
        assignment = open_assignment(participation=a_person(study))

        def answer(positions: range, assignment: Assignment = assignment) -> None:
            for position in positions:
                an_answer(assignment, position)

        raised = at_once(
            partial(answer, range(1, 7)),
            partial(answer, range(7, 13)),
            partial(withdraw, participation=assignment.participation),
        )

        assert {type(failure) for failure in raised} <= {AssignmentClosed}
        assert not Judgment.objects.filter(assigned_item__assignment=assignment).exists()
        assert study.open_places.count() == 12


@pytest.mark.parametrize("ending", ["withdraw", "leave", "expire"])
def test_handing_in_while_something_else_ends_it_blocks_nobody_and_loses_no_place(ending: str) -> None:
    study = a_small_study(items=6, judgments_per_item=1, items_per_assignment=6)
    for _ in range(4):
        assignment = open_assignment(participation=a_person(study))
        for position in range(1, 7):
            an_answer(assignment, position)
        endings: dict[str, Callable[[], object]] = {
            "withdraw": partial(withdraw, participation=Participation.objects.get(pk=assignment.participation_id)),
            "leave": partial(
                leave, participation=Participation.objects.get(pk=assignment.participation_id), status="returned"
            ),
            "expire": partial(expire_overdue, now=timezone.now() + dt.timedelta(days=1)),
        }
        other = endings[ending]

        raised = at_once(
            partial(finish_assignment, assignment=assignment), partial(an_answer, assignment, 3, 99.0), other
        )

        assert {type(failure) for failure in raised} <= {AssignmentClosed}
        assert held(study) + study.open_places.count() == 6
        assert assignment.participation.assignments.get().status != Assignment.Status.OPEN
        OpenPlace.objects.all().delete()
        AssignedItem.objects.filter(released_at__isnull=True).update(released_at=timezone.now())
        study.refresh_from_db()
        open_places(study=study)


def test_an_answer_and_an_expiry_at_once_either_keep_the_place_or_make_it_late() -> None:
    study = a_small_study(items=10, judgments_per_item=1, items_per_assignment=10)
    assignment = open_assignment(participation=a_person(study))

    raised = at_once(
        *(partial(an_answer, assignment, position) for position in range(1, 6)),
        partial(expire_overdue, now=timezone.now() + dt.timedelta(hours=2)),
    )

    assert raised == []
    for judgment in Judgment.objects.select_related("assigned_item"):
        assert judgment.is_late == (judgment.assigned_item.released_at is not None)
    in_time = Judgment.objects.filter(is_late=False).count()
    assert (held(study), study.open_places.count()) == (in_time, 10 - in_time)


def test_two_tabs_get_one_assignment() -> None:
    study = a_small_study(items=20, judgments_per_item=1, items_per_assignment=5, assignments_per_worker=3)
    person = a_person(study)

    raised = at_once(*(partial(open_assignment, participation=person) for _ in range(6)))

    assert raised == []
    assert Assignment.objects.count() == 1
    assert held(study) == 5


def test_two_studies_that_shut_each_other_out_let_in_one_of_two_tabs() -> None:
    for round_ in range(4):
        first, second = a_small_study(items=2), a_small_study(items=2)
        first.shuts_out.add(second)
        second.shuts_out.add(first)
        who = f"both-{round_}"

        raised = at_once(
            *(partial(enter, study=study, platform="direct", platform_id=who) for study in (first, second))
        )

        assert [type(failure) for failure in raised] == [ShutOut]
        assert Participation.objects.filter(worker__platform_id=who).count() == 1


def test_a_capacity_lets_in_as_many_as_it_says() -> None:
    study = a_small_study(items=5, judgments_per_item=5, capacity=3)

    raised = at_once(*(partial(enter, study=study, platform="direct", platform_id=f"crowd-{k}") for k in range(8)))

    assert [type(failure) for failure in raised] == [StudyFull] * 5
    assert study.participations.count() == 3


def test_a_pause_and_a_claim_at_once_leave_no_claim_after_the_pause() -> None:
    study = a_small_study(items=40, judgments_per_item=1, items_per_assignment=4)
    people = [a_person(study) for _ in range(6)]

    def pause() -> None:
        change_status(study=study, status="paused")
        claimed.append(Assignment.objects.count())

    claimed: list[int] = []
    raised = at_once(pause, *(partial(open_assignment, participation=person) for person in people))

    assert {type(failure) for failure in raised} <= {NothingLeft}
    assert [Assignment.objects.count()] == claimed


def test_going_live_while_pilots_claim_leaves_them_no_place() -> None:
    study = a_small_study(items=40, judgments_per_item=1, items_per_assignment=4, live=False)
    change_status(study=study, status="piloting")
    people = [a_person(study) for _ in range(5)]

    raised = at_once(
        partial(change_status, study=study, status="live"),
        *(partial(open_assignment, participation=person) for person in people),
    )

    assert raised == []
    holding = AssignedItem.objects.filter(released_at__isnull=True, slot__isnull=False)
    assert not holding.filter(participation__is_pilot=True).exists()
    assert held(study) + study.open_places.count() == 40


def test_imports_at_once_give_every_item_a_position_and_its_places() -> None:
    study = a_small_study(items=3, judgments_per_item=2)
    files: list[list[NewItem]] = [
        [{"item_id": f"{name}{k}", "fields": {"left": "a", "right": "b"}} for k in range(20)] for name in "xyz"
    ]

    raised = at_once(*(partial(add_items, study=study, items=items, source="a test") for items in files))

    assert raised == []
    assert study.items.count() == 63
    assert study.open_places.count() == 126


def payments_of(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(participation__study=study)


def test_two_who_settle_the_same_payments_at_once_settle_each_once() -> None:
    for _ in range(4):
        study = a_small_study(items=1, judgments_per_item=20, items_per_assignment=1, pay=2, currency="GBP")
        for _ in range(6):
            a_person(study)
        moved: list[StatusChange] = []

        def pay(study: Study = study, moved: list[StatusChange] = moved) -> None:
            moved.append(mark_paid(payments=payments_of(study), by=None))

        def drop(study: Study = study, moved: list[StatusChange] = moved) -> None:
            moved.append(waive(payments=payments_of(study), by=None))

        assert at_once(pay, drop, pay, drop) == []
        assert sorted(each.figures.count for each in moved) == [0, 0, 0, 6]
        assert payments_of(study).values("status").distinct().count() == 1
        assert study.audit_entries.filter(detail__has_key="payments").count() == 1


def test_rejecting_paying_and_leaving_at_once_block_nobody_and_reject_nobody_who_is_paid() -> None:
    for _ in range(4):
        study = a_small_study(items=3, judgments_per_item=6, items_per_assignment=3)
        people = [per_assignment_done(study).participation for _ in range(3)]

        raised = at_once(
            partial(reject, payments=payments_of(study), by=None, why="x"),
            partial(mark_paid, payments=payments_of(study), by=None),
            *(partial(leave, participation=person, status="rejected", why="y") for person in people),
        )

        assert {type(failure) for failure in raised} <= {Refused}
        ended = set(payments_of(study).values_list("status", "participation__status"))
        assert ended <= {("paid", "finished"), ("rejected", "rejected")}
        assert held(study) + study.open_places.count() == 18


def test_who_hands_in_while_those_who_did_not_finish_are_waived_is_not_waived() -> None:
    """The group is read before the person hands in, and is waived after it: on PostgreSQL it waits for the person."""
    for _ in range(4):
        study = a_small_study(items=1, judgments_per_item=5, items_per_assignment=1, pay=2, currency="GBP")
        assignment = open_assignment(participation=a_person(study))
        an_answer(assignment, 1)
        unfinished = payments_of(study).filter(participation__finished_at__isnull=True)

        assert (
            at_once(partial(finish_assignment, assignment=assignment), partial(waive, payments=unfinished, by=None))
            == []
        )

        payment = payments_of(study).select_related("participation").get()
        finished_at = payment.participation.finished_at
        assert finished_at is not None
        assert payment.status == "due" or (payment.settled_at is not None and payment.settled_at < finished_at)


@pytest.mark.postgres
def test_a_person_who_is_handing_in_is_waited_for_before_they_are_waived() -> None:
    study = a_small_study(items=1, judgments_per_item=5, items_per_assignment=1, pay=2, currency="GBP")
    assignment = open_assignment(participation=a_person(study))
    an_answer(assignment, 1)
    unfinished = payments_of(study).filter(participation__finished_at__isnull=True)
    handed_in, moved = threading.Event(), []

    def hand_in() -> None:
        with transaction.atomic():
            finish_assignment(assignment=assignment)
            handed_in.set()
            threading.Event().wait(0.5)  # committed only after the other has read whom it would waive

    def drop() -> None:
        handed_in.wait(60)
        moved.append(waive(payments=unfinished, by=None).figures.count)

    assert at_once(hand_in, drop) == []
    assert moved == [0]
    assert payments_of(study).get().status == "due"


@pytest.mark.postgres
def test_the_last_places_are_waited_for_while_another_may_still_let_go_of_them() -> None:
    """Somebody's claim has locked the last place, and fails: who came meanwhile must get it, not be sent away."""
    study = a_small_study(items=1, judgments_per_item=1, items_per_assignment=1)
    person = a_person(study)
    locked, looked = threading.Event(), threading.Event()

    def fail_to_claim() -> None:
        with transaction.atomic():
            list(OpenPlace.objects.select_for_update())
            locked.set()
            looked.wait(0.5)
            transaction.set_rollback(True)

    def come() -> None:
        locked.wait(60)
        open_assignment(participation=person)

    assert at_once(fail_to_claim, come) == []
    assert held(study) == 1


@pytest.mark.postgres
def test_entering_does_not_wait_for_claims() -> None:
    """A claim holds the study's status; who comes in meanwhile takes another lock on the same row."""
    study = a_small_study(items=2, judgments_per_item=2, items_per_assignment=1)

    def enter_quickly() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        give_consent(participation=enter(study=study, platform="direct", platform_id="quick"))

    with transaction.atomic():
        hold_status(study.pk)
        assert at_once(enter_quickly) == []


def test_lifting_an_exclusion_while_people_claim_gives_no_place_to_two() -> None:
    study = a_small_study(items=20, judgments_per_item=1, items_per_assignment=20)
    assignment = open_assignment(participation=a_person(study))
    for position in range(1, 21):
        an_answer(assignment, position)
    finish_assignment(assignment=assignment)
    exclusion = exclude(participation=assignment.participation, reason="a test", by=None)
    Study.objects.filter(pk=study.pk).update(items_per_assignment=3)
    people = [a_person(study) for _ in range(4)]

    raised = at_once(
        partial(lift, exclusion=exclusion, reason="a mistake", by=None),
        *(partial(open_assignment, participation=person) for person in people),
    )

    assert {type(failure) for failure in raised} <= {NothingLeft}
    assert held_and_open() == 0
    assert (held(study), study.open_places.count()) == (20, 0)


def test_of_several_who_begin_at_once_a_capacity_lets_begin_as_many_as_it_has() -> None:
    study = a_small_study(items=20, judgments_per_item=3, items_per_assignment=4, capacity=2)
    people = []
    for number in range(6):
        people.append(a_person(study, platform_id=f"slow{number}", is_verified=False))
        Participation.objects.update(consented_at=timezone.now() - dt.timedelta(minutes=6))

    raised = at_once(*(partial(open_assignment, participation=person) for person in people))

    assert [type(failure) for failure in raised] == [NothingLeft] * 4
    assert Assignment.objects.count() == 2


def test_silent_person_who_answers_while_another_claims_shares_no_place() -> None:
    study = a_small_study(items=6, judgments_per_item=1, items_per_assignment=6)
    for _ in range(4):
        silent = open_assignment(participation=a_person(study, is_verified=False))
        Assignment.objects.filter(pk=silent.pk).update(claimed_at=timezone.now() - dt.timedelta(minutes=6))
        assert release_silent(now=timezone.now()) == 1
        other = a_person(study)

        raised = at_once(partial(an_answer, silent, 1), partial(open_assignment, participation=other))

        assert {type(failure) for failure in raised} <= {NothingLeft}
        assert held_and_open() == 0
        assert held(study) + study.open_places.count() == 6
        for person in (silent.participation, other):
            leave(participation=person, status="returned")
