"""Judgments that were gathered elsewhere: read for one study, stored as imported, never over what is there."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from uuid import uuid4, uuid5

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from agreement.errors import Refused
from agreement.files.column_mapping import ColumnMapping
from agreement.files.numbers import Scale
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.judgments.judgments_file import Judgments, read_judgments
from agreement.judgments.repeated_judgments import Repeats
from agreement.kinds.data import data_of
from agreement.kinds.options import values_of_options
from agreement.typed_json import Json
from annotation.database.rows import insert_rows
from annotation.models import (
    AssignedItem,
    Assignment,
    AuditEntry,
    Judgment,
    OpenPlace,
    Participation,
    Study,
    User,
    Worker,
)
from annotation.models.participation import IMPORTED as NEVER_HERE
from annotation.people.leaving import ids_of_person


@dataclass(frozen=True, slots=True, eq=False)
class ForeignJudgments:
    """J answers: `worker` [J] as the file calls them, `item` [J] as the study does, `stored` [J] as the database keeps
    them; `response_ms` and `submitted_at` as the file has them, blank where it has none.
    """

    source: str
    sha256: str
    format: str
    read: Judgments
    worker: list[str]
    item: list[str]
    stored: list[Json]

    def problems(self) -> Problems:
        """An empty list of problems that says where as the reader did."""
        problems = Problems(self.source)
        problems.places = self.read.places
        return problems

    def by_worker(self) -> Iterator[tuple[str, list[int]]]:
        """Each worker with the positions of their answers, in the order of the file."""
        rows: dict[str, list[int]] = {}
        for position, worker in enumerate(self.worker):
            rows.setdefault(worker, []).append(position)
        yield from rows.items()


def read_for_study(path: Path, study: Study, mapping: ColumnMapping, repeats: Repeats = "refuse") -> ForeignJudgments:
    """`Refused` with every row that the study can't take; practice items are none of its items here."""
    scale = None if study.scale_low is None or study.scale_high is None else _scale(study.scale_low, study.scale_high)
    read = read_judgments(
        path,
        kind=study.question_kind.name,
        scale=scale,
        labels=tuple(study.labels.order_by("position").values_list("value", flat=True)),
        repeats=repeats,
        synonyms=study.synonyms,
        mapping=mapping,
    )
    ids = read.items.frame["item_id"].to_numpy()[read.item]
    stored = data_of(read.kind).stored(read.answers, read.labels)
    content = path.read_bytes() if path.is_file() else b"".join(each.read_bytes() for each in sorted(path.rglob("*.*")))
    foreign = ForeignJudgments(
        source=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        format=mapping.export or "judgments.csv",
        read=read,
        worker=[str(worker) for worker in read.worker.text()],
        item=[str(item) for item in ids],
        stored=stored,
    )
    _refuse_unfit(foreign, study)
    return foreign


def _scale(low: Decimal, high: Decimal) -> Scale:
    """0.0000, as a decimal column gives it, is the 0 that a person wrote."""
    return Scale(Decimal(f"{low.normalize():f}"), Decimal(f"{high.normalize():f}"))


def _refuse_unfit(foreign: ForeignJudgments, study: Study) -> None:
    problems, rows = foreign.problems(), foreign.read.table.rows
    known = set(study.items.within_results().values_list("item_id", flat=True))
    unknown = [position for position, item in enumerate(foreign.item) if item not in known]
    limit = f"is not an item of {study.slug}; manage.py import_items brings items in"
    problems.each(
        rows[np.array(unknown, dtype=np.intp)], "item_id", lambda i: f"{quote_cell(foreign.item[unknown[i]])} {limit}"
    )
    _refuse_strange_options(foreign, study, problems)
    empty = [position for position, value in enumerate(foreign.stored) if isinstance(value, (list, dict)) and not value]
    problems.each(
        rows[np.array(empty, dtype=np.intp)], "value", lambda _: "an answer of nothing can't be stored in a study"
    )
    refuse_if_any(problems)


def _refuse_strange_options(foreign: ForeignJudgments, study: Study, problems: Problems) -> None:
    """Of items that have labels of their own, answers that are none of them."""
    if not study.question_kind.takes_options or study.labels.exists():
        return
    own = {item_id: values_of_options(fields) for item_id, fields in study.items.values_list("item_id", "fields")}
    answers = list(zip(foreign.item, foreign.stored, strict=True))
    strange = [at for at, (item, value) in enumerate(answers) if item in own and value not in own[item]]
    rows = foreign.read.table.rows[np.array(strange, dtype=np.intp)]

    def sentence(i: int) -> str:
        item, value = answers[strange[i]]
        return f"{quote_cell(str(value))} is not one of the item's own labels ({', '.join(own[item])})"

    problems.each(rows, "value", sentence)


# Brings judgments that were gathered elsewhere into a study: marked as imported, never over what is there.

IMPORTED = Judgment.InputKind.IMPORTED


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What came in; what was there already; answers of people who have withdrawn, which stay out; and answers beyond
    what the study asks for per item.
    """

    people: int
    judgments: int
    there_already: int
    withdrawn: int
    beyond: int


@dataclass(frozen=True, slots=True)
class _Person:
    """A worker of the file with the participation that they have, if any, and the answers that are new."""

    name: str
    participation: Participation | None
    new: Sequence[int]


def import_judgments(
    *,
    study: Study,
    foreign: ForeignJudgments,
    platform: str,
    by: User | None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> ImportCounts:
    """All rows are checked before the first is written. Then each person is one short transaction, so that nobody who
    answers meanwhile waits; what was cut off is completed by running it again, which stores nothing twice.
    """
    if study.status == Study.Status.DRAFT:
        raise Refused(f"{study.slug} is a draft, whose question may still change: open it first.")
    items = dict(study.items.within_results().values_list("item_id", "pk"))
    people, already_stored, withdrawn = _new_answers(study, foreign, platform)
    targets = set(study.items.targets().values_list("pk", flat=True))
    beyond = judgments = 0
    for number, person in enumerate(people, start=1):
        beyond += _store_person(study, foreign, person, platform, items, targets)
        judgments += len(person.new)
        progress(number, len(people))
    counts = ImportCounts(len(people), judgments, already_stored, withdrawn, beyond)
    if judgments:
        detail = {
            "judgments": judgments, "people": len(people), "from": foreign.source, "sha256": foreign.sha256,
            "format": foreign.format, "platform": platform,
        }  # fmt: skip
        AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.IMPORTED, detail=detail)
    return counts


def _new_answers(study: Study, foreign: ForeignJudgments, platform: str) -> tuple[list[_Person], int, int]:
    """Who has answers that aren't stored, and how many are, or are of people who have withdrawn.

    Refused by row: another answer than the one that is stored, and people who took part in the study itself.
    """
    problems, rows = foreign.problems(), foreign.read.table.rows
    known = _participations(study, platform)
    stored = _stored_answers(study)
    given_here = Judgment.objects.of_study(study.pk).exclude(input_kind=IMPORTED)
    own = set(given_here.values_list("assigned_item__participation", flat=True))
    people, already_stored, withdrawn = [], 0, 0
    differs: list[int] = []
    took_part: list[int] = []
    for name, answers in foreign.by_worker():
        person = next((known[one] for one in ids_of_person(study, name) if one in known), None)
        if person is not None and person.status in {Participation.Status.WITHDRAWN, Participation.Status.DECLINED}:
            withdrawn += len(answers)
            continue
        theirs = stored.get(person.pk, {}) if person is not None else {}
        if person is not None and (person.pk in own or not theirs):
            took_part.append(answers[0])
            continue
        new = [position for position in answers if foreign.item[position] not in theirs]
        differs += [
            position
            for position in answers
            if foreign.item[position] in theirs and theirs[foreign.item[position]] != foreign.stored[position]
        ]
        already_stored += len(answers) - len(new)
        if new:
            people.append(_Person(name, person, new))
    problems.each(
        rows[np.array(differs, dtype=np.intp)],
        "value",
        lambda i: (
            f"{quote_cell(foreign.worker[differs[i]])} has another answer to this item, and answers stay as they are"
        ),
    )
    problems.each(
        rows[np.array(took_part, dtype=np.intp)],
        "worker_id",
        lambda i: (
            f"{quote_cell(foreign.worker[took_part[i]])} takes part in this study here; import other people's answers"
        ),
    )
    refuse_if_any(problems)
    return people, already_stored, withdrawn


def _participations(study: Study, platform: str) -> Mapping[str, Participation]:
    of_platform = study.participations.filter(worker__platform=platform, worker__platform_id__isnull=False)
    return {str(each.worker.platform_id): each for each in of_platform.select_related("worker")}


def _stored_answers(study: Study) -> dict[int, dict[str, Json]]:
    """By participation and item, as the file's are written."""
    column = study.question_kind.column
    by_person: dict[int, dict[str, Json]] = {}
    rows = Judgment.objects.current().of_study(study.pk).filter(input_kind=IMPORTED)
    for person, item, value in rows.values_list(
        "assigned_item__participation", "assigned_item__item__item_id", column
    ).iterator(2_000):
        by_person.setdefault(person, {})[item] = value
    return by_person


def _store_person(
    study: Study, foreign: ForeignJudgments, person: _Person, platform: str, items: Mapping[str, int], targets: set[int]
) -> int:
    """One person's answers; returns how many of them are beyond what the study asks for per item."""
    now = timezone.now()
    with transaction.atomic():
        participation = person.participation or _create_participation(study, platform, person.name, now)
        # The race: the person withdraws while their answers come in; whoever is second sees what the first has done.
        participation = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        if participation.status == Participation.Status.WITHDRAWN:
            return 0
        assignment = Assignment.objects.create(
            participation=participation,
            number=1 + participation.assignments.count(),
            status=Assignment.Status.SUBMITTED,
            expires_at=now,
            ended_at=now,
        )
        slots = _slots([items[foreign.item[answer]] for answer in person.new])
        places = AssignedItem.objects.bulk_create(
            AssignedItem(
                assignment=assignment,
                participation=participation,
                item_id=items[foreign.item[answer]],
                slot=slots.get(items[foreign.item[answer]]),
                position=position,
            )
            for position, answer in enumerate(person.new, start=1)
        )
        judgments = [_row(study, foreign, answer, place, now) for answer, place in zip(person.new, places, strict=True)]
        insert_rows(Judgment, _columns(study), judgments)
    return sum(place.slot is None and place.item_id in targets for place in places)


def _create_participation(study: Study, platform: str, name: str, now: dt.datetime) -> Participation:
    """Finished, without a consent of this site's, and verified by nobody."""
    worker, _ = Worker.objects.get_or_create(platform=platform, platform_id=name)
    return Participation.objects.create(
        study=study,
        worker=worker,
        status=Participation.Status.FINISHED,
        is_verified=False,
        session_digest=NEVER_HERE,
        is_pilot=study.status == Study.Status.PILOTING,
        finished_at=now,
        ended_at=now,
    )


def _slots(items: Sequence[int]) -> dict[int, int]:
    """An open place for each item that has one, which is open no more.

    The race: somebody claims a place at this moment. Places that a claim has locked are passed over.
    """
    free = OpenPlace.objects.select_for_update(skip_locked=True).filter(item__in=items).order_by("item", "slot")
    taken: dict[int, OpenPlace] = {}
    for place in free:
        taken.setdefault(place.item_id, place)
    OpenPlace.objects.filter(pk__in=[place.pk for place in taken.values()]).delete()
    return {item: place.slot for item, place in taken.items()}


def _columns(study: Study) -> list[str]:
    return [
        "uuid", "assigned_item_id", "revision", "client_key", study.question_kind.column, "is_direction_reversed",
        "is_word_order_swapped", "is_untouched_middle", "is_late", "input_kind", "response_ms", "created_at",
    ]  # fmt: skip


def _row(study: Study, foreign: ForeignJudgments, position: int, place: AssignedItem, now: dt.datetime) -> list[object]:
    """As the database keeps it. The key follows from who answered what, so that a second run can't store it again."""
    value = foreign.stored[position]
    stored = json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value
    ms = foreign.read.response_ms[position]
    fields = {field.name: field for field in Judgment._meta.local_fields}
    key = uuid5(study.uuid, f"{foreign.worker[position]}\n{foreign.item[position]}")
    values = {
        "uuid": uuid4(), "client_key": key, "response_ms": None if np.isnan(ms) else round(float(ms)),
        "created_at": _moment(foreign, position) or now,
    }  # fmt: skip
    ready = {name: fields[name].get_db_prep_save(one, connection) for name, one in values.items()}
    return [
        ready["uuid"], place.pk, 1, ready["client_key"], stored, False, False, False, False, str(IMPORTED),
        ready["response_ms"], ready["created_at"],
    ]  # fmt: skip


def _moment(foreign: ForeignJudgments, position: int) -> dt.datetime | None:
    """When the answer was given, if the file says so as ISO does; in UTC where it names no zone."""
    column = foreign.read.table.columns.get("submitted_at")
    text = "" if column is None else str(column.values[column.codes[position]]).strip()
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
