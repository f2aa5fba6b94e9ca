"""What was begun may be finished; what nobody could judge, or judged as a pilot, is judged by another."""

import datetime as dt

import pytest
from django.utils import timezone

from annotation.answering.judging import NothingLeft, finish_and_open_next, finish_assignment, open_assignment
from annotation.models import AssignedItem, Assignment, Judgment, OpenPlace, Participation, Study
from annotation.people.leaving import leave
from annotation.places.allocation import open_places
from annotation.studies.study_life import change_status
from tests.factories import a_person, a_small_study, an_answer, per_assignment_done
from tests.integration.annotation.answering.views.people import a_picture

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def answered(assignment: Assignment) -> Assignment:
    for position in assignment.assigned_items.values_list("position", flat=True):
        an_answer(assignment, position)
    return assignment


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_a_study_that_stops_lets_people_finish_and_nobody_begin(status: str) -> None:
    study = a_small_study(items=4, judgments_per_item=2, items_per_assignment=2)
    begun, waiting = open_assignment(participation=a_person(study)), a_person(study)
    change_status(study=study, status=status)

    assert finish_assignment(assignment=answered(begun)).status == Participation.Status.FINISHED
    assert not Judgment.objects.filter(is_late=True).exists()
    with pytest.raises(NothingLeft, match=status):
        open_assignment(participation=waiting)


def test_nothing_is_begun_after_the_end_of_a_study() -> None:
    study = a_small_study(items=4, judgments_per_item=2, items_per_assignment=2)
    waiting = a_person(study)
    Study.objects.filter(pk=study.pk).update(ends_at=timezone.now() - dt.timedelta(seconds=1))

    with pytest.raises(NothingLeft, match="closed"):
        open_assignment(participation=waiting)


def test_one_assignment_leads_to_the_next_until_the_last() -> None:
    study = a_small_study(items=6, judgments_per_item=1, items_per_assignment=2, assignments_per_worker=2)
    first = answered(open_assignment(participation=a_person(study)))

    second = finish_and_open_next(assignment=first)

    assert second is not None
    assert finish_and_open_next(assignment=first) == second  # a double click
    assert first.participation.assignments.count() == 2
    assert AssignedItem.objects.values("item").distinct().count() == 4
    assert finish_and_open_next(assignment=answered(second)) is None
    assert Participation.objects.get().status == Participation.Status.FINISHED


def test_who_would_go_on_where_nothing_is_left_has_finished() -> None:
    study = a_small_study(items=2, judgments_per_item=1, items_per_assignment=2, assignments_per_worker=3)
    only = answered(open_assignment(participation=a_person(study)))

    assert finish_and_open_next(assignment=only) is None
    assert Participation.objects.get().status == Participation.Status.FINISHED


def test_who_has_left_gets_no_more_places() -> None:
    study = a_small_study(items=4, judgments_per_item=1, items_per_assignment=2, assignments_per_worker=2)
    person = a_person(study)
    open_assignment(participation=person)
    leave(participation=person, status="returned")

    with pytest.raises(NothingLeft, match="has ended"):
        open_assignment(participation=person)
    assert study.open_places.count() == 4


def test_a_picture_that_could_not_be_seen_is_for_another_to_judge() -> None:
    study = a_small_study(items=3, judgments_per_item=1, items_per_assignment=3)
    study.items.update(image=a_picture())
    assignment = open_assignment(participation=a_person(study))
    an_answer(assignment, 1)
    an_answer(assignment, 2, fields={"could_not_see": "1"})
    an_answer(assignment, 3, fields={"could_not_see": "1"})
    an_answer(assignment, 3)  # it came at last

    finish_assignment(assignment=assignment)

    unseen = assignment.assigned_items.get(position=2)
    assert [place.item_id for place in study.open_places.all()] == [unseen.item_id]


def test_a_pilots_places_are_free_when_the_study_goes_live() -> None:
    study = a_small_study(items=4, judgments_per_item=2, items_per_assignment=4, live=False)
    change_status(study=study, status="piloting")
    per_assignment_done(study)
    half_way = open_assignment(participation=a_person(study))
    an_answer(half_way, 1)
    change_status(study=study, status="live")

    assert study.open_places.count() == 8
    assert Judgment.objects.filter(assigned_item__participation__is_pilot=True).count() == 5
    assert an_answer(half_way, 2).is_late
    assert not a_person(study).is_pilot


def test_who_came_to_a_pilot_and_begins_in_the_live_study_is_no_pilot() -> None:
    study = a_small_study(items=4, judgments_per_item=1, items_per_assignment=2, live=False)
    change_status(study=study, status="piloting")
    person = a_person(study)
    change_status(study=study, status="live")

    open_assignment(participation=person)

    person.refresh_from_db()
    assert not person.is_pilot


def test_a_lowered_target_closes_the_places_beyond_it_and_none_of_them_comes_back() -> None:
    study = a_small_study(items=2, judgments_per_item=3, items_per_assignment=2)
    people = [open_assignment(participation=a_person(study)) for _ in range(3)]
    Study.objects.filter(pk=study.pk).update(judgments_per_item=1)
    study.refresh_from_db()

    open_places(study=study)
    for assignment in people:
        leave(participation=assignment.participation, status="returned")

    assert list(study.open_places.values_list("slot", flat=True)) == [1, 1]
    Study.objects.filter(pk=study.pk).update(judgments_per_item=3)
    study.refresh_from_db()
    assert open_places(study=study) == 4
    assert OpenPlace.objects.count() == 6
