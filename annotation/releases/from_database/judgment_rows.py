"""Judgments as columns: those that count, by COPY in its binary form on PostgreSQL, by a plain cursor on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from django.db import connection
from django.db.models import Case, Count, F, FloatField, IntegerField, Max, Q, TextField, When
from django.db.models.functions import Cast, Coalesce

from agreement.files.cell_texts import join_bars
from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.stimuli.blocks import media_fields
from annotation.models import AssignedItem, Item, Judgment, Participation, Study
from annotation.models.judgment import PASSED_OVER, JudgmentQuerySet
from annotation.releases.models import CleaningRun

# Which judgments count: the current answer of each person, in time unless the researcher says otherwise.

# They left with their work undone and their places were given to others: what they had answered counts as late.
LEFT_EARLY = (Participation.Status.RETURNED, Participation.Status.TIMED_OUT)


def counted_judgments(study: Study) -> JudgmentQuerySet:
    """The judgments of a study's question that a cleaning run may look at.

    Never: items that lack another question's answer, practice, pictures that could not be seen, earlier revisions,
    people who gave no consent, failed comprehension, were rejected or withdrew; the pilot's answers once the study is
    live.
    """
    return _judgments_that_count(_answered_judgments(study), study)


def most_judgments(study: Study) -> int:
    """No more of a study's judgments can count: to count the places of its people takes no time."""
    return AssignedItem.objects.filter(participation__study=study).count()


def unseen_judgments(study: Study) -> JudgmentQuerySet:
    """The answers "I can't see the picture" of the same people, under the same conditions: no judgments."""
    # By their keys, of which an index knows: else SQLite looks at every item, which took 1.3 s for a million judgments.
    unseen: JudgmentQuerySet = Judgment.objects.filter(
        pk__in=Judgment.objects.filter(could_not_see=True).order_by().values("pk")
    )
    return _judgments_that_count(unseen, study)


def without_answer(study: Study) -> JudgmentQuerySet:
    """Where the same people, under the same conditions, didn't know, weren't asked or left the question empty."""
    of_the_question = Judgment.objects.filter(no_answer__isnull=False).exclude(no_answer__in=PASSED_OVER)
    return _judgments_that_count(of_the_question, study)


def unfinished_judgments(study: Study) -> JudgmentQuerySet:
    """Answers that would count, were it not that another question of their item lacks one."""
    unfinished = _answered_judgments(study).filter(assigned_item__questions__gt=1, assigned_item__done_at=None)
    return _judgments_that_count(unfinished, study, are_done=False)


def _judgments_that_count(judgments: JudgmentQuerySet, study: Study, *, are_done: bool = True) -> JudgmentQuerySet:
    # A check answered late still says how careful the person was, and enters nothing itself.
    on_time = Q(is_late=False) | Q(assigned_item__item__kind=Item.Kind.CHECK)
    in_time = on_time & ~Q(assigned_item__participation__status__in=LEFT_EARLY)
    never = set(Participation.GAVE_BACK) - set(LEFT_EARLY)
    current = judgments.current().of_study(study.pk)
    return (current.of_done_items() if are_done else current).filter(
        Q(question=study.asked_number),
        # A check of another question says nothing of this one.
        ~Q(assigned_item__item__kind=Item.Kind.CHECK) | Q(assigned_item__item__check_question=study.asked_number),
        Q() if study.counts_late_answers else in_time,
        ~Q(assigned_item__participation__status__in=never),
        Q() if study.status == Study.Status.PILOTING else Q(assigned_item__participation__is_pilot=False),
        ~Q(assigned_item__item__kind__in=OUTSIDE_RESULTS),
    )


def unseen_by_person(study: Study) -> dict[str, int]:
    """At how many items each person could not see the picture, by pseudonym; nobody who saw them all."""
    by_person = unseen_judgments(study).order_by().values_list("assigned_item__participation__pseudonym")
    return dict(by_person.annotate(items=Count("pk")).order_by("assigned_item__participation__pseudonym"))


def unseen_by_person_in(source: Study | CleaningRun) -> dict[str, int]:
    """The same as it was when a run froze its judgments."""
    return unseen_by_person(source) if isinstance(source, Study) else dict(source.counts.get("could_not_see", {}))


def frozen_judgments(run: CleaningRun) -> JudgmentQuerySet:
    """The answered judgments of a run's study up to the last that the run froze: its own ones, but for those that
    their givers have withdrawn since, and others, which `frozen_keys` tells apart.

    A query with all of the keys is slow: PostgreSQL expected 200 of them, and looked a million judgments up one by one.
    """
    last = run.frozen.aggregate(last=Max("last_key"))["last"] or 0
    answered = _answered_judgments(run.study).of_study(run.study_id)
    return answered.filter(pk__lte=last, question=run.study.asked_number)


def _answered_judgments(study: Study) -> JudgmentQuerySet:
    judgments: JudgmentQuerySet = Judgment.objects.filter(**{f"{study.question_kind.column}__isnull": False})
    return judgments


ROWS_A_CHUNK = 20_000  # of which a part takes some 5 MB
ROWS_A_FETCH = 2_000
OWN_OF_THE_SITE = 5  # at least one in so many judgments of the site is the study's
_KEYS = ("id", "assigned_item__participation_id", "assigned_item__item_id", "assigned_item__assignment_id")
Longs = npt.NDArray[np.int64]
AnyColumn: TypeAlias = "npt.NDArray[np.generic]"
Message: TypeAlias = "bytes | memoryview"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """J judgments in the order in which they were given: keys [J], `response_ms` [J] (nan where none),
    `created_at` [J] in microseconds, `is_simulated` [J], `answers` [J] as the database keeps them.
    """

    judgment: Longs
    participation: Longs
    item: Longs
    assignment: Longs
    response_ms: npt.NDArray[np.float64]
    created_at: npt.NDArray[np.datetime64]
    is_simulated: npt.NDArray[np.bool_]
    answers: AnyColumn

    def among(self, keys: Longs) -> Rows:
        """Those alone that have one of these keys, which are in order."""
        places = np.searchsorted(keys, self.judgment)
        is_among = keys.take(places, mode="clip") == self.judgment if len(keys) else np.zeros(len(places), np.bool_)
        if is_among.all():
            return self
        return Rows(**{name: getattr(self, name)[is_among] for name in _COLUMNS})


_COLUMNS = tuple(field.name for field in fields(Rows))
_NOTHING: Mapping[str, Longs] = dict.fromkeys(_COLUMNS, np.empty(0, dtype=np.int64))
# As numbers, which both databases write alike; -1 for no time at all.
_IS_SIMULATED = Case(When(input_kind=Judgment.InputKind.SIMULATED, then=1), default=0, output_field=IntegerField())
_RESPONSE_MS = Coalesce("response_ms", -1)


def read_rows(judgments: JudgmentQuerySet, study: Study, *, only: Longs | None = None, are_named: bool = False) -> Rows:
    """All of them at once, as `rows_in_parts` reads them."""
    parts = list(rows_in_parts(judgments, study, only=only, are_named=are_named))
    return _joined_rows(parts) if parts else no_rows(study)


def no_rows(study: Study) -> Rows:
    return _rows(_NOTHING, is_number=_is_number(study))


def rows_in_parts(
    judgments: JudgmentQuerySet,
    study: Study,
    size: int = ROWS_A_CHUNK,
    *,
    only: Longs | None = None,
    are_named: bool = False,
) -> Iterator[Rows]:
    """So many at a time, so that they need not all be in memory.

    `only`: those alone that have one of these keys, which are in order. `are_named`: the query itself lists few keys.
    """
    is_number, is_postgresql = _is_number(study), connection.vendor == "postgresql"
    # SQLite would make an object of each time; its text numpy reads as well.
    moment = F("created_at") if is_postgresql else Cast("created_at", TextField())
    answer = F(study.question_kind.column) if is_number else Cast(study.question_kind.column, TextField())
    query = judgments.order_by("pk").values_list(*_KEYS, _RESPONSE_MS, moment, _IS_SIMULATED, answer)
    sql, parameters = query.query.sql_with_params()
    if not (is_postgresql or are_named) and _is_much_of_the_site(study):
        sql = sql.replace(" INNER JOIN ", " CROSS JOIN ")  # SQLite joins the tables of a CROSS JOIN in their order
    read = _copied_columns if is_postgresql else _fetched_columns
    for columns in read(sql, parameters, size, is_number=is_number):
        rows = _rows(columns, is_number=is_number)
        part = rows if only is None else rows.among(only)
        if len(part.judgment):
            yield part


# What is kept beside an answer is read before its rows are: PostgreSQL answers nothing else while it copies.


def has_own_labels(study: Study) -> bool:
    """Whether the items have labels of their own, in the place of the study's."""
    return study.question_kind.takes_options and not study.labels.exists()


@dataclass(frozen=True, slots=True, eq=False)
class BesideAnswers:
    """By a judgment's key: where the chosen label stood and the order in which labels were shown, where items have
    labels of their own; how sure people said they were, from 1 to 5, where they are asked; and what they did with
    sounds and videos, as JSON, where blocks show media. None where they aren't.
    """

    shown: Mapping[int, tuple[int | None, list[str] | None]] | None
    confidence: Mapping[int, int | None] | None
    media_use: Mapping[int, str] | None

    @classmethod
    def of(cls, study: Study) -> BesideAnswers:
        answers = Judgment.objects.of_study(study.pk).filter(question=study.asked_number).order_by()
        shown = confidence = None
        if has_own_labels(study):
            rows = answers.filter(shown_order__isnull=False).values_list("pk", "shown_position", "shown_order")
            shown = {pk: (position, order) for pk, position, order in rows}
        if study.asks_confidence:
            confidence = dict(answers.filter(confidence__isnull=False).values_list("pk", "confidence"))
        media_use = None
        if media_fields(study.blocks):
            used = answers.filter(media_use__isnull=False).values_list("pk", "media_use")
            media_use = {pk: json.dumps(use, sort_keys=True) for pk, use in used}
        return cls(shown, confidence, media_use)

    @classmethod
    def of_none(cls, study: Study) -> BesideAnswers:
        """Which of them there are, without any answer."""
        return cls(
            {} if has_own_labels(study) else None,
            {} if study.asks_confidence else None,
            {} if media_fields(study.blocks) else None,
        )

    def shown_of(self, judgments: Longs) -> tuple[npt.NDArray[np.float64], list[str]] | None:
        """[J] nan and "" where nobody knows."""
        if self.shown is None:
            return None
        rows = [self.shown.get(key, (None, None)) for key in judgments.tolist()]
        positions = np.array([np.nan if position is None else position for position, _ in rows], dtype=np.float64)
        return positions, [join_bars(order or []) for _, order in rows]

    def confidence_of(self, judgments: Longs) -> npt.NDArray[np.float64] | None:
        """[J] nan where they didn't say."""
        if self.confidence is None:
            return None
        return np.array([self.confidence.get(key, np.nan) for key in judgments.tolist()], dtype=np.float64)

    def media_use_of(self, judgments: Longs) -> list[str] | None:
        """[J] "" where nothing was told."""
        return None if self.media_use is None else [self.media_use.get(key, "") for key in judgments.tolist()]


def _is_much_of_the_site(study: Study) -> bool:
    """Whether to walk along all judgments of the site in the order of their keys, beside which other tables are looked
    up. SQLite itself starts from the study's items and sorts: 4.6 s of a processor and not 1.6 s for a million
    judgments. A million of other studies cost 0.5 s on the walk.
    """
    last = Judgment.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return last <= OWN_OF_THE_SITE * most_judgments(study)


def _is_number(study: Study) -> bool:
    return isinstance(Judgment._meta.get_field(study.question_kind.column), FloatField)


def _rows(columns: Mapping[str, AnyColumn], *, is_number: bool) -> Rows:
    return Rows(
        judgment=np.asarray(columns["judgment"], dtype=np.int64),
        participation=np.asarray(columns["participation"], dtype=np.int64),
        item=np.asarray(columns["item"], dtype=np.int64),
        assignment=np.asarray(columns["assignment"], dtype=np.int64),
        response_ms=_without_none(np.asarray(columns["response_ms"], dtype=np.float64)),
        created_at=np.asarray(columns["created_at"]).astype("datetime64[us]"),
        is_simulated=np.asarray(columns["is_simulated"], dtype=np.bool_),
        answers=np.asarray(columns["answers"], dtype=np.float64 if is_number else object),
    )


def _joined_rows(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return Rows(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS})


def _without_none(response_ms: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(response_ms < 0, np.nan, response_ms)


# PostgreSQL: rows as COPY writes them in binary, each value after its length, so that numpy reads them as they are. A
# million rows take 0.2 s of a processor so, beside 1.2 s as text.

_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)  # no flags, no extension
_TRAILER = b"\xff\xff"
_TYPES = (">i8", ">i8", ">i8", ">i8", ">i4", ">i8", ">i4")
_SINCE = np.datetime64("2000-01-01", "us")


def _row_type(types: Sequence[str]) -> np.dtype[np.void]:
    """How many values there are, then each with its length."""
    values = [(f"{name} length", ">i4", name, of) for name, of in zip(_COLUMNS, types, strict=False)]
    return np.dtype([("values", ">i2"), *((name, of) for pair in values for name, of in (pair[:2], pair[2:]))])


_WITH_NUMBER = _row_type([*_TYPES, ">f8"])
_BEFORE_TEXT = _row_type(_TYPES)


def _copied_columns(
    sql: str, parameters: Sequence[str | int], size: int, *, is_number: bool
) -> Iterator[Mapping[str, AnyColumn]]:
    """The server sends a message for each row, so that a part ends between two rows."""
    query = connection.ops.compose_sql(sql, parameters)  # type: ignore[attr-defined]  # PostgreSQL's alone has it
    row_type = _WITH_NUMBER if is_number else _BEFORE_TEXT
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)") as copy:
        rows = _without_frame(copy)
        for part, texts in _numbers(rows, size) if is_number else _numbers_and_texts(rows, size):
            read = np.frombuffer(part, dtype=row_type)
            yield {
                **{name: read[name] for name in _COLUMNS[:-1]},
                "created_at": _SINCE + read["created_at"].astype("timedelta64[us]"),
                "answers": read["answers"] if is_number else _objects(texts),
            }


def _numbers(rows: Iterator[Message], size: int) -> Iterator[tuple[bytearray, list[str]]]:
    """Parts of so many rows in one piece of memory, which is several times as fast as a list of them."""
    for first in rows:
        part = bytearray(first)
        for row in islice(rows, size - 1):
            part += row
        yield part, []


def _numbers_and_texts(rows: Iterator[Message], size: int) -> Iterator[tuple[bytearray, list[str]]]:
    """The same, and apart from it the text that each row ends with, after its length."""
    end = _BEFORE_TEXT.itemsize
    for first in rows:
        part, texts = bytearray(first[:end]), [str(first[end + 4 :], "utf-8")]
        for row in islice(rows, size - 1):
            part += row[:end]
            texts.append(str(row[end + 4 :], "utf-8"))
        yield part, texts


def _without_frame(copy: Iterable[Message]) -> Iterator[Message]:
    """The rows alone: the header comes before the first, or before the trailer if there is none."""
    messages = iter(copy)
    first = bytes(next(messages))
    if not first.startswith(_HEADER):
        raise ValueError(f"the server's COPY begins with {first[: len(_HEADER)]!r}")
    if first[len(_HEADER) :] not in (_TRAILER, b""):
        yield first[len(_HEADER) :]
    for message in messages:
        if len(message) > len(_TRAILER):
            yield message


def _fetched_columns(
    sql: str, parameters: Sequence[str | int], size: int, *, is_number: bool
) -> Iterator[Mapping[str, AnyColumn]]:
    """Few rows are objects of Python's at a time: with fifty thousand it took half as long again."""
    few = min(size, ROWS_A_FETCH)
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        portions = (_columns(rows, is_number=is_number) for rows in iter(lambda: cursor.fetchmany(few), []))
        while part := list(islice(portions, size // few)):
            yield {name: np.concatenate([portion[name] for portion in part]) for name in _COLUMNS}


# The other columns are whole numbers. Types are named, since numpy would look at each value.
_NO_WHOLE_NUMBERS: Mapping[str, npt.DTypeLike] = {"response_ms": np.float64, "created_at": "datetime64[us]"}


def _columns(rows: Sequence[tuple[object, ...]], *, is_number: bool) -> Mapping[str, AnyColumn]:
    *others, answers = zip(*rows, strict=True)
    values = np.array(answers, dtype=np.float64) if is_number else _objects(answers)
    types = (_NO_WHOLE_NUMBERS.get(name, np.int64) for name in _COLUMNS)
    read = (np.array(column, dtype=of) for column, of in zip(others, types, strict=False))
    return dict(zip(_COLUMNS, [*read, values], strict=True))


def _objects(values: Sequence[object]) -> npt.NDArray[np.object_]:
    """[R] without numpy making a matrix of lists that happen to be of one length."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
