"""Judgments as columns: by COPY and pandas' own reader on PostgreSQL, by a plain cursor on SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.db import connection
from django.db.models import Case, F, FloatField, Func, IntegerField, When
from django.db.models.sql.compiler import SQLCompiler

from annotation.models import Judgment, Study
from annotation.models.judgment import JudgmentQuerySet

ROWS_A_CHUNK = 50_000
ROWS_A_FETCH = 2_000
_KEYS = ("id", "assigned_item__participation_id", "assigned_item__item_id", "assigned_item__assignment_id")
Longs = npt.NDArray[np.int64]


class Moment(Func):
    """A time as microseconds where the database can count them exactly, else as its own text; numpy reads both fast."""

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, Any]:
        return self.as_sql(compiler, connection, template="(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint")

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, Any]:
        return self.as_sql(compiler, connection, template="%(expressions)s")


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
    answers: npt.NDArray[Any]


# As a number, which both databases write alike.
_IS_SIMULATED = Case(When(input_kind=Judgment.InputKind.SIMULATED, then=1), default=0, output_field=IntegerField())
_COLUMNS = tuple(field.name for field in fields(Rows))
_TYPES: Mapping[str, Any] = {"response_ms": np.float64, "created_at": "datetime64[us]"}  # the others are whole numbers
_NOTHING: Mapping[str, Any] = dict.fromkeys(_COLUMNS, np.empty(0, dtype=np.int64))


def read_rows(judgments: JudgmentQuerySet, study: Study) -> Rows:
    """All of them at once."""
    parts = list(rows_in_parts(judgments, study))
    return _joined(parts) if parts else _rows(_NOTHING, is_number=_is_number(study))


def rows_in_parts(judgments: JudgmentQuerySet, study: Study, size: int = ROWS_A_CHUNK) -> Iterator[Rows]:
    """So many at a time, so that they need not all be in memory."""
    answer, is_number = study.question_kind.column, _is_number(study)
    query = judgments.order_by("pk").values_list(*_KEYS, "response_ms", Moment(F("created_at")), _IS_SIMULATED, answer)
    sql, parameters = query.query.sql_with_params()
    read = _copied if connection.vendor == "postgresql" else _fetched
    for columns in read(sql, parameters, size, is_number=is_number):
        yield _rows(columns, is_number=is_number)


def _is_number(study: Study) -> bool:
    return isinstance(Judgment._meta.get_field(study.question_kind.column), FloatField)


def _rows(columns: Mapping[str, Any], *, is_number: bool) -> Rows:
    return Rows(
        judgment=np.asarray(columns["judgment"], dtype=np.int64),
        participation=np.asarray(columns["participation"], dtype=np.int64),
        item=np.asarray(columns["item"], dtype=np.int64),
        assignment=np.asarray(columns["assignment"], dtype=np.int64),
        response_ms=np.asarray(columns["response_ms"], dtype=np.float64),  # None becomes nan
        created_at=np.asarray(columns["created_at"]).astype("datetime64[us]"),
        is_simulated=np.asarray(columns["is_simulated"], dtype=np.bool_),
        answers=np.asarray(columns["answers"], dtype=np.float64 if is_number else object),
    )


def _joined(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return Rows(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS})


def _copied(sql: str, parameters: Any, size: int, *, is_number: bool) -> Iterator[Mapping[str, Any]]:
    """The server sends a message for each row, so that a part ends between two rows."""
    query = connection.ops.compose_sql(sql, parameters)  # type: ignore[attr-defined]  # PostgreSQL's alone has it
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT csv)") as copy:
        while content := b"".join(islice(copy, size)):
            frame = pd.read_csv(
                BytesIO(content),
                header=None,
                names=list(_COLUMNS),
                dtype={
                    **dict.fromkeys(_COLUMNS, np.int64),
                    "response_ms": np.float64,
                    "answers": np.float64 if is_number else str,
                },
                keep_default_na=False,  # a label may well be "NA"
                na_values={"response_ms": [""]},
            )
            yield {name: frame[name] for name in _COLUMNS}


def _fetched(sql: str, parameters: Any, size: int, *, is_number: bool) -> Iterator[Mapping[str, Any]]:
    """Few rows are objects of Python's at a time: with fifty thousand it took half as long again."""
    few = min(size, ROWS_A_FETCH)
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        portions = (_columns(rows, is_number=is_number) for rows in iter(lambda: cursor.fetchmany(few), []))
        while part := list(islice(portions, size // few)):
            yield {name: np.concatenate([portion[name] for portion in part]) for name in _COLUMNS}


def _columns(rows: Sequence[tuple[Any, ...]], *, is_number: bool) -> Mapping[str, npt.NDArray[Any]]:
    *others, answers = zip(*rows, strict=True)
    given = np.array(answers, dtype=np.float64) if is_number else _objects(answers)
    types = (_TYPES.get(name, np.int64) for name in _COLUMNS)  # named, since numpy would look at each value
    read = (np.array(column, dtype=of) for column, of in zip(others, types, strict=False))
    return dict(zip(_COLUMNS, [*read, given], strict=True))


def _objects(values: tuple[Any, ...]) -> npt.NDArray[np.object_]:
    """[R] without numpy making a matrix of lists that happen to be of one length."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
