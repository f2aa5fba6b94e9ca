"""Saving an answer: once for each key, never over another, in two statements."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from agreement.kinds.answers import Answer
from annotation.answering.judging import Unanswered, finish_assignment, open_assignment
from annotation.answering.saving_answers import AssignmentClosed, NoSuchItem, load_question
from annotation.models import Assignment, Judgment, Participation
from annotation.models.judgment import GRACE
from annotation.places.allocation import expire_overdue
from tests.factories import a_person, a_small_study, a_study, an_answer, per_assignment_done

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def assignment() -> Assignment:
    return open_assignment(participation=a_person(a_small_study(items=3, judgments_per_item=2, items_per_assignment=3)))


def test_saving_takes_two_statements(assignment: Assignment, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):
        an_answer(assignment, 1, 12.5)

    judgment = Judgment.objects.get()
    assert (judgment.number, judgment.revision, judgment.is_late) == (12.5, 1, False)


def test_the_same_key_again_changes_nothing(assignment: Assignment) -> None:
    key = uuid4()
    an_answer(assignment, 1, 10, client_key=key)

    again = an_answer(assignment, 1, 90, client_key=key)

    assert again.is_repeat
    assert Judgment.objects.get().number == 10


def test_a_changed_answer_is_a_new_revision(assignment: Assignment) -> None:
    an_answer(assignment, 1, 10)
    saved = an_answer(assignment, 1, 20)

    assert saved.revision == 2
    assert Judgment.objects.current().get().number == 20
    assert Judgment.objects.count() == 2


def test_a_judgment_is_never_overwritten(assignment: Assignment) -> None:
    an_answer(assignment, 1, 10)

    with pytest.raises(IntegrityError), transaction.atomic():
        Judgment.objects.update(number=99)

    assert Judgment.objects.get().number == 10


@pytest.mark.parametrize(
    ("changes", "position"), [({"token_version": 2}, 1), ({"assignment_uuid": uuid4()}, 1), ({}, 9)]
)
def test_a_revoked_link_a_foreign_one_and_an_unknown_question_are_refused(
    assignment: Assignment, changes: dict[str, Any], position: int
) -> None:
    with pytest.raises(NoSuchItem):
        an_answer(assignment, position, **changes)

    assert not Judgment.objects.exists()


def test_an_answer_after_its_place_was_given_away_is_late(assignment: Assignment) -> None:
    an_answer(assignment, 1)
    expire_overdue(now=assignment.expires_at + dt.timedelta(minutes=1))

    assert an_answer(assignment, 2).is_late
    assert not an_answer(assignment, 1, 60).is_late


def test_after_the_grace_nothing_is_taken_but_a_repeat_is_still_acknowledged(assignment: Assignment) -> None:
    key = uuid4()
    an_answer(assignment, 1, client_key=key)
    Assignment.objects.update(expires_at=timezone.now() - GRACE - dt.timedelta(minutes=1))

    with pytest.raises(AssignmentClosed):
        an_answer(assignment, 2)
    assert an_answer(assignment, 1, client_key=key).is_repeat


def test_a_finished_assignment_takes_no_more_answers() -> None:
    assignment = per_assignment_done(a_small_study(items=2, items_per_assignment=2))

    with pytest.raises(AssignmentClosed):
        an_answer(assignment, 1, 99)


def test_finishing_waits_for_every_answer_and_happens_once(assignment: Assignment) -> None:
    an_answer(assignment, 1)
    an_answer(assignment, 3)

    with pytest.raises(Unanswered) as refusal:
        finish_assignment(assignment=assignment)
    assert refusal.value.positions == [2]

    an_answer(assignment, 2)
    first = finish_assignment(assignment=assignment).finished_at
    assert finish_assignment(assignment=assignment).finished_at == first
    assert assignment.participation.status == Participation.Status.FINISHED


def test_what_was_shown_is_stored_beside_the_answer() -> None:
    study = a_study(word_order="counterbalanced", scale_direction="counterbalanced")
    shown = set()
    for _ in range(4):
        assignment = open_assignment(participation=a_person(study))
        an_answer(assignment, 1)
        judgment = Judgment.objects.get(assigned_item__assignment=assignment)
        shown.add((judgment.is_direction_reversed, judgment.is_word_order_swapped))

    assert len(shown) == 4


def test_all_that_a_question_needs_is_known_after_one_statement(
    assignment: Assignment, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        question = load_question(assignment_uuid=assignment.uuid, token_version=1, position=1)

    facts = question.facts
    assert (question.kind, facts.low, facts.high, facts.labels) == ("slider", 0, 100, ())


def test_an_answer_has_exactly_one_part() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        Answer()
    with pytest.raises(ValueError, match="exactly one"):
        Answer(number=1, label="a")
