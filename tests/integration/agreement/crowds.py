"""Crowds whose every answer a test names: rows put in directly, under pseudonyms that read as names."""

import datetime as dt
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from annotation.models import AssignedItem, Assignment, Item, Judgment, Label, Participation, Study, Worker

NOW = dt.datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=dt.UTC)
_numbers = count(1)
_SCALE = {"scale_low": 0, "scale_high": 100}


def a_study_of(kind: str, items: Iterable[Mapping[str, Any]], labels: Iterable[str] = (), **changes: Any) -> Study:
    number = next(_numbers)
    scale = _SCALE if kind in {"slider", "sliders"} else {}
    values = {"title": "A study", "question": "?", "status": "live", "judgments_per_item": 2, **scale, **changes}
    study = Study.objects.create(slug=f"crowd-{number}", kind=kind, **values)
    Label.objects.bulk_create(
        Label(study=study, value=label, display_text=label.title(), position=at)
        for at, label in enumerate(labels, start=1)
    )
    Item.objects.bulk_create(Item(study=study, position=at, **item) for at, item in enumerate(items, start=1))
    return study


def came(study: Study, name: str, **changes: Any) -> Participation:
    worker = Worker.objects.create(platform="direct", platform_id=f"{name}-{next(_numbers)}")
    values = {"status": "finished", "finished_at": NOW, **changes}
    return Participation.objects.create(study=study, worker=worker, pseudonym=name, **values)


def answers(person: Participation, field: str, given: Mapping[str, Any], **changes: Any) -> list[Judgment]:
    """The person's answers, item by item; each holds the first free place of its item."""
    study = person.study
    assignment = Assignment.objects.create(
        participation=person, number=person.assignments.count() + 1, status="submitted", expires_at=NOW, ended_at=NOW
    )
    made = []
    for position, (item_id, answer) in enumerate(given.items(), start=1):
        item = study.items.get(item_id=item_id)
        held = AssignedItem.objects.filter(item=item, released_at__isnull=True).values_list("slot", flat=True)
        slot = min(set(range(1, 100)) - set(held)) if item.kind == "target" else None
        place = AssignedItem.objects.create(
            assignment=assignment, participation=person, item=item, slot=slot, position=position
        )
        made.append(judged(place, field, answer, **changes))
    return made


def judged(place: AssignedItem, field: str, answer: Any, **changes: Any) -> Judgment:
    return Judgment.objects.create(**{"assigned_item": place, field: answer, "response_ms": 1500, **changes})


def a_slider_crowd(**changes: Any) -> Study:
    """Three items, an unrelated and a self check; ann and ben are careful, eve fails both checks, zoe the first."""
    study = a_study_of(
        "slider",
        [
            {"item_id": "i1", "fields": {"left": "above", "right": "over"}},
            {"item_id": "i2", "fields": {"left": "above", "right": "below"}},
            {"item_id": "i3", "fields": {"left": "near", "right": "by"}},
            {"item_id": "u1", "kind": "check", "check_name": "unrelated", "max": 60.0,
             "fields": {"left": "above", "right": "green"}},
            {"item_id": "s1", "kind": "check", "check_name": "self", "min": 90.0,
             "fields": {"left": "above", "right": "above"}},
            {"item_id": "p1", "kind": "practice", "fields": {"left": "a", "right": "b"}},
        ],
        **{"judgments_per_item": 4, "preset": "spatial-similarity", **changes},
    )  # fmt: skip
    for name, given in {
        "ann": (90, 10, 70, 60, 90, 50),
        "ben": (80, 20, 75.5, 0, 100, 50),
        "eve": (50, 50, 50, 61, 50, 50),
        "zoe": (0, 100, 20, 100, 95, 50),
    }.items():
        answers(came(study, name), "number", dict(zip(("i1", "i2", "i3", "u1", "s1", "p1"), given, strict=True)))
    return study
