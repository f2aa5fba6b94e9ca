"""Places: filled evenly, never over the target, given back when a person goes."""

import datetime as dt
import threading
from collections import Counter

import numpy as np
import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.answering.judging import NothingLeft, open_assignment
from annotation.models import AssignedItem, Assignment, Judgment, Study
from annotation.people.leaving import withdraw
from annotation.places.allocation import expire_overdue, open_places, release_places
from annotation.studies.study_life import change_status
from tests.factories import a_person, a_small_study, a_study, an_answer, per_assignment_done

pytestmark = [pytest.mark.both, pytest.mark.concurrent]


def held_places(study: Study) -> Counter[int]:
    held = AssignedItem.objects.filter(item__study=study, slot__isnull=False, released_at__isnull=True)
    return Counter(held.values_list("item__pk", flat=True))


@pytest.mark.django_db
def test_opening_places_twice_opens_each_once() -> None:
    study = a_small_study(items=5, judgments_per_item=3)

    assert study.open_places.count() == 15
    assert open_places(study=study) == 0


@pytest.mark.django_db
def test_raising_the_target_opens_the_difference() -> None:
    study = a_small_study(items=5, judgments_per_item=3, items_per_assignment=5)
    open_assignment(participation=a_person(study))
    study.judgments_per_item = 4
    study.save()

    assert open_places(study=study) == 5


@pytest.mark.django_db
@pytest.mark.parametrize("at_once", [1, 12, 1_000])
def test_layers_opened_together_have_the_places_of_one_after_the_other(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.places.allocation.PLACES_AT_ONCE", at_once)
    study = a_small_study(items=5, live=False, judgments_per_item=3)
    study.items.filter(item_id="i0").update(judgments_per_item=5)
    study.items.filter(item_id="i1").update(judgments_per_item=1)
    change_status(study=study, status=Study.Status.LIVE)
    open_assignment(participation=a_person(study))
    lost = study.open_places.first()
    assert lost
    lost.delete()

    assert open_places(study=study) == 1

    held = AssignedItem.objects.filter(item__study=study).values_list("item__item_id", "slot")
    there = [*study.open_places.values_list("item__item_id", "slot"), *held]
    wanted = {"i0": 5, "i1": 1, "i2": 3, "i3": 3, "i4": 3}
    assert sorted(there) == [(item, slot) for item, count in wanted.items() for slot in range(1, count + 1)]
    ranks = {(place.item.item_id, place.slot): place.rank for place in study.open_places.select_related("item")}
    expected = {slot: np.random.default_rng([study.seed, slot]).permutation(5).tolist() for slot in range(1, 6)}
    assert ranks == {(item, slot): expected[slot][int(item[1:])] for item, slot in ranks}


@pytest.mark.django_db
def test_items_fill_evenly() -> None:
    study = a_small_study(items=10, judgments_per_item=4, items_per_assignment=4)

    for _ in range(5):
        open_assignment(participation=a_person(study))

    assert set(held_places(study).values()) == {2}


@pytest.mark.django_db
def test_a_person_never_gets_an_item_twice_and_the_target_is_never_passed() -> None:
    study = a_small_study(items=3, judgments_per_item=2, items_per_assignment=3, assignments_per_worker=5)
    first = a_person(study)
    open_assignment(participation=first)
    Assignment.objects.update(status=Assignment.Status.SUBMITTED, ended_at=timezone.now())

    with pytest.raises(NothingLeft):
        open_assignment(participation=first)

    open_assignment(participation=a_person(study))
    assert set(held_places(study).values()) == {2}
    assert not study.open_places.exists()


@pytest.mark.django_db
def test_checks_are_given_to_everyone_and_hold_no_place() -> None:
    study = a_study()

    assignment = open_assignment(participation=a_person(study))

    kinds = Counter(assignment.assigned_items.values_list("item__check_name", flat=True))
    assert kinds == {None: 10, "self": 1, "unrelated": 1}
    assert not assignment.assigned_items.filter(item__kind="check", slot__isnull=False).exists()


@pytest.mark.django_db
def test_an_expired_assignment_gives_back_what_was_not_answered() -> None:
    study = a_small_study(items=4, judgments_per_item=1, items_per_assignment=4)
    assignment = open_assignment(participation=a_person(study))
    an_answer(assignment, 1)

    ended = expire_overdue(now=timezone.now() + dt.timedelta(days=2))

    assert ended == 1
    assert study.open_places.count() == 3
    assert sum(held_places(study).values()) == 1
    assert expire_overdue(now=timezone.now() + dt.timedelta(days=2)) == 0


@pytest.mark.django_db
def test_an_excluded_persons_places_open_again_and_are_filled_first() -> None:
    study = a_small_study(items=6, judgments_per_item=2, items_per_assignment=3)
    gone = per_assignment_done(study)
    items_of_the_gone = set(gone.assigned_items.values_list("item__pk", flat=True))

    assert release_places(participation=gone.participation, moment=timezone.now()) == 3

    successor = open_assignment(participation=a_person(study))
    assert set(successor.assigned_items.values_list("item__pk", flat=True)) == items_of_the_gone


@pytest.mark.django_db
def test_withdrawal_erases_answers_leaves_tombstones_and_reopens_places() -> None:
    study = a_small_study(items=3, judgments_per_item=1, items_per_assignment=3)
    assignment = per_assignment_done(study)
    uuids = set(Judgment.objects.values_list("uuid", flat=True))

    assert withdraw(participation=assignment.participation) == 3

    assert not Judgment.objects.exists()
    assert set(study.tombstones.values_list("judgment_uuid", flat=True)) == uuids
    assert study.open_places.count() == 3
    assert study.audit_entries.filter(action="withdrew").count() == 1
    assert withdraw(participation=assignment.participation) == 0
    assert study.audit_entries.filter(action="withdrew").count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("items", [30, 600])
def test_claiming_asks_the_same_few_queries_whatever_the_size(
    items: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    study = a_small_study(items=items, judgments_per_item=3, items_per_assignment=20)
    person = a_person(study)

    with django_assert_max_num_queries(15):
        open_assignment(participation=person)


@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_never_share_a_place() -> None:
    study = a_small_study(items=8, judgments_per_item=3, items_per_assignment=6)
    people = [a_person(study) for _ in range(6)]
    failures: list[BaseException] = []

    def come(person: object) -> None:
        try:
            open_assignment(participation=person)  # type: ignore[arg-type]
        except NothingLeft:
            pass
        except BaseException as failure:  # noqa: BLE001  a thread's failure must reach the test
            failures.append(failure)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert not failures
    held = held_places(study)
    assert max(held.values()) <= 3
    assert sum(held.values()) + study.open_places.count() == 24
