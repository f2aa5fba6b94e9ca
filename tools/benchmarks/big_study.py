"""A study of as many judgments as one likes in the database at hand: sliders, 10 people per item, checks among them.

Written as rows, for a million answers by the site's own pages take half an hour; every constraint holds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import numpy as np

PER_ITEM, PER_ASSIGNMENT, CHECKS, WORKERS = 10, 50, 20, 1_000
BEGAN = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
Claimed = tuple[int, int, int, dt.datetime]  # an assignment's key, its person's key and number, and when it began


def make_study(slug: str, judgments: int) -> int:
    """How many judgments it has: `judgments` of targets, and two of checks in each of the first ten assignments."""
    from annotation.models import Study
    from annotation.studies import presets
    from annotation.studies.item_files import NewItem
    from annotation.studies.study_life import add_items

    preset = presets.load("spatial-similarity")
    study = Study.objects.create(**{**preset.study, "slug": slug, "seed": 5, "judgments_per_item": PER_ITEM})
    new: list[NewItem] = [
        {"item_id": f"pair-{k}", "fields": {"left": f"word {k}", "right": f"other {k}"}}
        for k in range(judgments // PER_ITEM)
    ]
    for k in range(CHECKS):
        check: NewItem = {"item_id": f"check-{k}", "kind": "check", "fields": {"left": f"a{k}", "right": f"b{k}"}}
        low: NewItem = {**check, "check_name": "unrelated", "max": 20.0}
        high: NewItem = {**check, "check_name": "self", "min": 80.0}
        new.append(low if k % 2 else high)
    add_items(study=study, items=new, source="a benchmark")
    Study.objects.filter(pk=study.pk).update(status=Study.Status.LIVE)  # opening it would make a million open places
    return _write(_answers(study, _assignments(study, judgments // WORKERS)))


def _assignments(study: Any, per_person: int) -> list[Claimed]:
    """Everybody begins one every quarter of an hour."""
    from annotation.models import Assignment, Participation, Worker

    people = Worker.objects.bulk_create(Worker(platform="direct", platform_id=f"big-{k}") for k in range(WORKERS))
    since = {"status": "finished", "finished_at": BEGAN, "consented_at": BEGAN, "consent_version": "1"}
    came = Participation.objects.bulk_create(
        Participation(study=study, worker=worker, session_digest=str(worker.pk), **since) for worker in people
    )
    begun = [
        Assignment(participation=person, number=number + 1, status="submitted", items_per_page=10,
                   expires_at=BEGAN + dt.timedelta(days=9), ended_at=BEGAN + dt.timedelta(days=8))
        for number in range(-(-per_person // PER_ASSIGNMENT))
        for person in came
    ]  # fmt: skip
    Assignment.objects.bulk_create(begun, batch_size=2_000)
    for at, assignment in enumerate(begun):
        assignment.claimed_at = BEGAN + dt.timedelta(minutes=15 * (at // WORKERS), seconds=at % WORKERS)
    Assignment.objects.bulk_update(begun, ["claimed_at"], batch_size=2_000)
    return [(each.pk, each.participation_id, at // WORKERS, each.claimed_at) for at, each in enumerate(begun)]


def _answers(study: Any, assignments: list[Claimed]) -> list[tuple[Any, ...]]:
    """Assignment, person, item, place of the item, position, answer and time, in the order of their times."""
    targets, checks = (
        list(study.items.filter(kind=kind).order_by("pk").values_list("pk", flat=True)) for kind in ("target", "check")
    )
    rng = np.random.default_rng(20_190_613)
    each = len(targets) * PER_ITEM // WORKERS
    truth, bias = rng.uniform(0, 100, len(targets)), rng.normal(0, 5, WORKERS)
    is_careless = rng.random(WORKERS) < 0.05
    care = np.where(is_careless, 60.0, rng.uniform(8, 25, WORKERS))
    given: list[tuple[Any, ...]] = []
    for at, (assignment, person, number, claimed) in enumerate(assignments):
        k = at % WORKERS
        # Everybody walks over the items from a place of their own, so that nobody sees one twice.
        steps = np.arange(number * PER_ASSIGNMENT, min((number + 1) * PER_ASSIGNMENT, each))
        places = (k * each + steps) % len(targets)
        values = np.clip(np.rint(truth[places] + bias[k] + rng.normal(0, care[k], len(places))), 0, 100)
        slots = (k * each + steps) // len(targets) + 1
        asked: list[tuple[int, int | None, float]] = [
            (targets[place], slot, value)
            for place, slot, value in zip(places.tolist(), slots.tolist(), values.tolist(), strict=True)
        ]
        wrong = is_careless[k] and rng.random() < 0.7
        right = zip(checks[2 * number : 2 * number + 2], (95.0, 5.0), strict=False)
        asked += [(item, None, 50.0 if wrong else value) for item, value in right]
        for position, (item, slot, value) in enumerate(asked, start=1):
            moment = claimed + dt.timedelta(seconds=11 * position, microseconds=int(rng.integers(1_000_000)))
            given.append((assignment, person, item, slot, position, value, moment))
    return sorted(given, key=lambda answer: answer[-1])


def _write(given: list[tuple[Any, ...]]) -> int:
    from django.db import connection

    from annotation.database.rows import insert_rows
    from annotation.models import AssignedItem, Judgment

    rng = np.random.default_rng(1)
    is_sqlite = connection.vendor == "sqlite"
    first = 1 + (AssignedItem.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)

    def uuid() -> Any:
        made = UUID(bytes=rng.bytes(16), version=4)
        return made.hex if is_sqlite else made

    def assigned() -> Iterator[tuple[Any, ...]]:
        for at, (assignment, person, item, slot, position, *_) in enumerate(given):
            yield first + at, uuid(), assignment, person, item, slot, position, False, False

    def judged() -> Iterator[tuple[Any, ...]]:
        for at, (*_, value, moment) in enumerate(given):
            when = moment.strftime("%Y-%m-%d %H:%M:%S.%f") if is_sqlite else moment
            took = int(rng.integers(900, 12_000))
            yield uuid(), first + at, 1, uuid(), value, False, False, False, False, "mouse", took, when

    insert_rows(
        AssignedItem,
        ["id", "uuid", "assignment_id", "participation_id", "item_id", "slot", "position", "is_direction_reversed",
         "is_word_order_swapped"],
        assigned(),
    )  # fmt: skip
    return insert_rows(
        Judgment,
        ["uuid", "assigned_item_id", "revision", "client_key", "number", "is_direction_reversed",
         "is_word_order_swapped", "is_untouched_middle", "is_late", "input_kind", "response_ms", "created_at"],
        judged(),
    )  # fmt: skip
