"""The rules that data must obey are the database's own, so that no interface can forget them."""

from typing import Any

import pytest
from django.apps import apps
from django.db import DataError, IntegrityError, transaction
from django.utils.choices import CallableChoiceIterator

from annotation.answering.judging import open_assignment
from annotation.models import AssignedItem, AuditEntry, Item, Judgment, Label, Study, Tombstone
from tests.factories import a_person, a_small_study, an_answer

pytestmark = pytest.mark.both

OURS = [model for app in ("annotation", "agreement") for model in apps.get_app_config(app).get_models()]
# Pairs of fields of which one without the other says nothing.
PAIRS = [("scale_low", "scale_high"), ("pay", "currency"), ("amount", "currency"), ("low", "high"),
         ("consented_at", "consent_version")]  # fmt: skip


@pytest.fixture
def place() -> AssignedItem:
    study = a_small_study(items=2, items_per_assignment=2)
    return open_assignment(participation=a_person(study)).assigned_items.get(position=1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"number": 5.0, "label": "a"},
        {"number": float("nan")},
        {"number": float("inf")},
        {"number": float("-inf")},
        {"label": ""},
        {"text": ""},
        {"labels": []},
        {"labels": {}},
        {"labels": "red"},
        {"properties": []},
        {"numbers": []},
        {"numbers": 3},
        {"could_not_see": False},
        {"number": 5.0, "revision": 0},
        {"number": 5.0, "input_kind": "telepathy"},
    ],
)
def test_the_database_refuses_an_answer_that_is_none(place: AssignedItem, answer: dict[str, Any]) -> None:
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        Judgment.objects.create(assigned_item=place, **answer)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "answer",
    [{"number": -3.5}, {"label": "red"}, {"labels": ["red"]}, {"numbers": {"red": 1}}, {"properties": ["is red"]},
     {"text": "A fern."}, {"could_not_see": True}],
)  # fmt: skip
def test_the_database_takes_each_kind_of_answer(place: AssignedItem, answer: dict[str, Any]) -> None:
    Judgment.objects.create(assigned_item=place, **answer)

    stored = Judgment.objects.get()
    assert {name: getattr(stored, name) for name in answer} == answer


@pytest.mark.django_db
def test_a_place_is_held_once(place: AssignedItem) -> None:
    other = open_assignment(participation=a_person(place.item.study))
    taken = other.assigned_items.get(item=place.item)

    with pytest.raises(IntegrityError), transaction.atomic():
        AssignedItem.objects.filter(pk=taken.pk).update(slot=place.slot)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "check"},
        {"check_name": "self"},
        {"min": 5.0},
        {"kind": "check", "check_name": "self", "min": 9.0, "max": 5.0},
        {"kind": "nonsense"},
        {"item_id": ""},
        {"kind": "check", "check_name": "self", "expected": {"a": 1}},
    ],
)
def test_the_database_refuses_an_item_that_contradicts_itself(changes: dict[str, Any]) -> None:
    study = a_small_study(items=1)

    with pytest.raises(IntegrityError), transaction.atomic():
        Item.objects.create(study=study, position=9, **{"item_id": "new", **changes})


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changes",
    [{"scale_low": None}, {"scale_low": None, "scale_high": None}, {"scale_low": 100}, {"pay": 3}, {"status": "alive"},
     {"judgments_per_item": 0}, {"question": ""}, {"platform": "nowhere"}, {"pay": -1, "currency": "GBP"}],
)  # fmt: skip
def test_the_database_refuses_a_study_that_contradicts_itself(changes: dict[str, Any]) -> None:
    study = a_small_study(items=1)

    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(**changes)


@pytest.mark.django_db
def test_a_label_has_no_bar_and_stands_once() -> None:
    study = a_small_study(items=1)
    Label.objects.create(study=study, value="red", display_text="Red", position=1)

    for values in ({"value": "a|b", "position": 2}, {"value": "red", "position": 2}, {"value": "blue", "position": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Label.objects.create(study=study, **{"display_text": "x", **values})


@pytest.mark.django_db
def test_the_audit_and_tombstones_can_only_be_added_to(place: AssignedItem) -> None:
    an_answer(place.assignment, 1)
    Tombstone.objects.create(judgment_uuid=Judgment.objects.get().uuid, study=place.item.study)

    for change in (
        lambda: AuditEntry.objects.update(why="another story"),
        lambda: AuditEntry.objects.all().delete(),
        lambda: Tombstone.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_paired_fields_have_their_constraint(subtests: pytest.Subtests) -> None:
    for model in OURS:
        with subtests.test(model=model):
            fields = {field.name for field in model._meta.fields}
            names = {constraint.name for constraint in model._meta.constraints}

            for first, second in PAIRS:
                if {first, second} <= fields:
                    assert f"{model._meta.model_name}_{first}_with_{second}" in names


def test_every_choice_is_held_by_the_database(subtests: pytest.Subtests) -> None:
    for model in OURS:
        with subtests.test(model=model):
            names = {constraint.name for constraint in model._meta.constraints}

            for field in model._meta.local_fields:
                if field.choices and not isinstance(field.choices, CallableChoiceIterator):
                    assert f"{model._meta.model_name}_{field.name}_known" in names
