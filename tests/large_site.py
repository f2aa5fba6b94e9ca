"""A site of several studies whose answers came in turns, with a database that knows how many rows each table has."""

import datetime as dt
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection

from annotation.database.rows import insert_rows
from annotation.models import AssignedItem, Assignment, Item, Judgment, Participation, Study, User, Worker
from tests.integration.agreement.crowds import a_study_of

SIZES = (20_000, 4_000, 1_000)  # so many that PostgreSQL takes the way that it takes with a million
PEOPLE, PER_ITEM = 100, 10
CAME = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
RNG = np.random.default_rng(20_260_302)


def a_large_site(owner: User, sizes: Sequence[int] = SIZES) -> list[Study]:
    """A study for each number of judgments, and one without answers whose items are half of all: what share of the
    items a study has says little of its judgments.
    """
    studies = [_a_study_with_items(owner, size // PER_ITEM) for size in sizes]
    _a_study_with_items(owner, sum(sizes) // PER_ITEM)
    places = [place for study in studies for place in _places(study)]
    keys = _insert_places(places)
    _insert_judgments([keys[at] for at in RNG.permutation(len(keys)).tolist()])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return studies


def _a_study_with_items(owner: User, items: int) -> Study:
    return a_study_of("slider", ({"item_id": f"i{k}"} for k in range(items)), owner=owner, judgments_per_item=PER_ITEM)


def _places(study: Study) -> list[tuple[Any, ...]]:
    """Assignment, person, item, slot and position: each person answers every tenth item, and ten each item."""
    ended: dict[str, Any] = {"status": "submitted", "items_per_page": 10, "expires_at": CAME, "ended_at": CAME}
    workers = Worker.objects.bulk_create(Worker(platform="direct") for _ in range(PEOPLE))
    people = Participation.objects.bulk_create(
        Participation(study=study, worker=worker, status="finished", finished_at=CAME) for worker in workers
    )
    assignments = Assignment.objects.bulk_create(Assignment(participation=person, **ended) for person in people)
    items = list(Item.objects.filter(study=study).order_by("position").values_list("pk", flat=True))
    return [
        (assignment.pk, assignment.participation_id, item, number // PER_ITEM + 1, position)
        for number, assignment in enumerate(assignments)
        for position, item in enumerate(items[number % PER_ITEM :: PER_ITEM], start=1)
    ]


def _insert_places(places: list[tuple[Any, ...]]) -> list[int]:
    columns = ("uuid", "assignment_id", "participation_id", "item_id", "slot", "position")
    same = ("is_direction_reversed", "is_word_order_swapped")
    insert_rows(AssignedItem, columns + same, ((_uuid(), *place, False, False) for place in places))
    return list(AssignedItem.objects.order_by("pk").values_list("pk", flat=True))


def _insert_judgments(places: list[int]) -> None:
    no = ("is_direction_reversed", "is_word_order_swapped", "is_untouched_middle", "is_late")
    columns = ("uuid", "assigned_item_id", "revision", "client_key", "number", *no, "input_kind", "created_at")
    when = CAME.strftime("%Y-%m-%d %H:%M:%S.%f") if connection.vendor == "sqlite" else CAME
    numbers = RNG.integers(0, 100, len(places)).tolist()
    rows = (
        (_uuid(), place, 1, _uuid(), number, *[False] * len(no), "mouse", when)
        for place, number in zip(places, numbers, strict=True)
    )
    insert_rows(Judgment, columns, rows)


def _uuid() -> Any:
    uuid = UUID(bytes=RNG.bytes(16), version=4)
    return uuid.hex if connection.vendor == "sqlite" else uuid
