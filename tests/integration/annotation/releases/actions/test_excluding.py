"""Excluding workers by hand and including them again: their places open, and close again."""

from typing import Any

import pytest

from agreement.errors import Refused
from annotation.answering.judging import NothingLeft, finish_and_open_next, open_assignment
from annotation.entry.entering import StudyFull
from annotation.models import (
    AssignedItem,
    Assignment,
    AuditEntry,
    Judgment,
    OpenPlace,
    Participation,
    Payment,
    Study,
    User,
)
from annotation.people.leaving import leave
from annotation.places.allocation import answers_beyond_target, open_places
from annotation.releases.actions.rule_sets import AlreadyExcluded, AlreadyLifted, exclude, lift
from tests.factories import a_person, a_small_study, a_study, an_answer, per_assignment_done
from tests.integration.agreement.crowds import a_slider_crowd

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study() -> Study:
    return a_slider_crowd()


@pytest.fixture
def ann(study: Study) -> Participation:
    return study.participations.get(pseudonym="ann")


def test_exclusion_opens_places_and_changes_no_answer_and_no_pay(ann: Participation) -> None:
    payment = Payment.objects.create(participation=ann)
    before = list(Judgment.objects.order_by("pk").values())
    boss = User.objects.create_user("boss")
    exclusion = exclude(participation=ann, reason=" a colleague ", by=boss)
    assert (exclusion.reason, exclusion.created_by, exclusion.run) == ("a colleague", boss, None)
    assert OpenPlace.objects.count() == 3
    assert list(Judgment.objects.order_by("pk").values()) == before
    payment.refresh_from_db()
    assert payment.status == "due"
    assert AuditEntry.objects.get().detail == {"participation": "ann", "places_opened": 3}


def test_second_exclusion_is_refused_and_opens_nothing(ann: Participation) -> None:
    exclude(participation=ann, reason="a colleague", by=None)
    with pytest.raises(AlreadyExcluded):
        exclude(participation=ann, reason="again", by=None)
    assert AuditEntry.objects.count() == 1


def test_lifting_closes_the_places_again_and_is_recorded(ann: Participation) -> None:
    lifted = lift(exclusion=exclude(participation=ann, reason="a colleague", by=None), reason="she isn't", by=None)
    exclusion = lifted.exclusion
    assert (exclusion.lift_reason, exclusion.lifted_at is not None) == ("she isn't", True)
    assert (lifted.places_closed, lifted.surplus) == (3, 0)
    assert AuditEntry.objects.get(action="lifted").detail == {
        "participation": "ann", "places_closed": 3, "surplus": 0,
    }  # fmt: skip
    assert not OpenPlace.objects.exists()
    with pytest.raises(AlreadyLifted):
        lift(exclusion=exclusion, reason="again", by=None)
    exclude(participation=ann, reason="she is after all", by=None)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_reason_is_needed(ann: Participation, reason: str) -> None:
    with pytest.raises(Refused, match="needs a reason"):
        exclude(participation=ann, reason=reason, by=None)
    exclusion = exclude(participation=ann, reason="x", by=None)
    with pytest.raises(Refused, match="needs a reason"):
        lift(exclusion=exclusion, reason=reason, by=None)


def test_whoever_is_set_aside_ends_what_was_begun_and_gets_nothing_new_until_taken_back() -> None:
    study = a_small_study(items=6, items_per_assignment=2, assignments_per_worker=3)
    person = a_person(study)
    first = open_assignment(participation=person)

    exclusion = exclude(participation=person, reason="clicks through", by=None)

    assert study.open_places.count() == 6 * study.judgments_per_item, "what they held is open again"
    for position in first.assigned_items.values_list("position", flat=True):
        an_answer(first, position)
    assert finish_and_open_next(assignment=first) is None
    person.refresh_from_db()
    assert person.status == "finished"
    Participation.objects.filter(pk=person.pk).update(status="working", finished_at=None, ended_at=None)
    with pytest.raises(NothingLeft):
        open_assignment(participation=person)
    lift(exclusion=exclusion, reason="was a mistake", by=None)
    assert open_assignment(participation=person).number == 2


def a_full_study(people: int = 2, items: int = 4, **changes: Any) -> tuple[Study, list[Assignment]]:
    """Everybody has judged every item, and every place is filled."""
    study = a_small_study(items=items, judgments_per_item=people, items_per_assignment=items, **changes)
    return study, [per_assignment_done(study) for _ in range(people)]


def places(study: Study) -> tuple[int, int]:
    """How many are held, and how many are open."""
    held = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    return held.count(), study.open_places.count()


def test_full_study_stays_full_when_somebody_is_excluded_and_included_again() -> None:
    study, (first, _) = a_full_study()
    exclusion = exclude(participation=first.participation, reason="clicks through", by=None)
    assert places(study) == (4, 4)
    lifted = lift(exclusion=exclusion, reason="was a mistake", by=None)
    assert places(study) == (8, 0)
    assert (lifted.places_closed, lifted.surplus, answers_beyond_target(study)) == (4, 0, 0)
    with pytest.raises(StudyFull):
        a_person(study)


def test_checks_are_released_and_given_back_with_the_places_around_them() -> None:
    study = a_study()
    theirs = per_assignment_done(study).assigned_items
    exclusion = exclude(participation=theirs.get(position=1).participation, reason="clicks through", by=None)
    assert not theirs.filter(released_at=None).exists()
    assert AuditEntry.objects.get(action="excluded").detail["places_opened"] == 10
    assert lift(exclusion=exclusion, reason="was a mistake", by=None).places_closed == 10
    assert not theirs.exclude(released_at=None).exists()


def test_places_that_others_filled_meanwhile_are_a_surplus_that_is_told() -> None:
    study, (first, _) = a_full_study()
    exclusion = exclude(participation=first.participation, reason="clicks through", by=None)
    Study.objects.filter(pk=study.pk).update(items_per_assignment=3)
    per_assignment_done(study)
    lifted = lift(exclusion=exclusion, reason="was a mistake", by=None)
    assert (lifted.places_closed, lifted.surplus) == (1, 3)
    assert places(study) == (8, 0)
    assert answers_beyond_target(study) == 3
    assert AuditEntry.objects.get(action="lifted").detail["surplus"] == 3


def test_surplus_is_gone_when_its_giver_is_excluded_again() -> None:
    study, (first, _) = a_full_study()
    exclusion = exclude(participation=first.participation, reason="clicks through", by=None)
    per_assignment_done(study)
    lift(exclusion=exclusion, reason="was a mistake", by=None)
    assert (places(study), answers_beyond_target(study)) == ((8, 0), 4)
    exclude(participation=first.participation, reason="it wasn't", by=None)
    assert (places(study), answers_beyond_target(study)) == ((8, 0), 0)


def test_who_was_in_the_middle_gets_their_unanswered_places_back() -> None:
    study = a_small_study(items=4, judgments_per_item=1, items_per_assignment=4)
    assignment = open_assignment(participation=a_person(study))
    an_answer(assignment, 1)
    exclusion = exclude(participation=assignment.participation, reason="clicks through", by=None)
    an_answer(assignment, 2)  # late: its place had been given away
    assert lift(exclusion=exclusion, reason="was a mistake", by=None).places_closed == 3
    assert places(study) == (3, 1)
    assert not an_answer(assignment, 3).is_late


def test_who_has_left_or_was_a_pilot_gets_no_place_back() -> None:
    study, (first, second) = a_full_study()
    exclusions = [exclude(participation=each.participation, reason="x", by=None) for each in (first, second)]
    leave(participation=first.participation, status="returned")
    Participation.objects.filter(pk=second.participation_id).update(is_pilot=True)
    for exclusion in exclusions:
        assert lift(exclusion=exclusion, reason="y", by=None).places_closed == 0
    assert places(study) == (0, 8)


def test_target_lowered_meanwhile_leaves_a_surplus_and_opens_nothing() -> None:
    study, (first, _) = a_full_study()
    exclusion = exclude(participation=first.participation, reason="x", by=None)
    Study.objects.filter(pk=study.pk).update(judgments_per_item=1)
    study.refresh_from_db()
    open_places(study=study)
    lift(exclusion=exclusion, reason="y", by=None)
    held, still_open = places(study)
    assert still_open == 0
    assert held + answers_beyond_target(study) == 8
