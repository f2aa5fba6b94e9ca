"""Judgments as columns: by COPY on PostgreSQL, by a plain cursor on SQLite, in chunks that fit the memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import connection
from django.db.models import F, Func
from django.db.models.sql.compiler import SQLCompiler

from agreement.frames.counting import ANSWER_COLUMN
from annotation.bulk import chunks
from annotation.models import Study
from annotation.models.judgment import JudgmentQuerySet

ROWS_A_CHUNK = 50_000
_KEYS = ("id", "assigned_item__participation_id", "assigned_item__item_id", "assigned_item__assignment_id")
# What PostgreSQL's binary COPY must be told to read its own answer columns.
_TYPES = {"number": "float8", "label": "text", "labels": "jsonb", "numbers": "jsonb", "properties": "jsonb"}

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
    `created_at` [J] in microseconds, `answers` [J] as the database keeps them.
    """

    judgment: Longs
    participation: Longs
    item: Longs
    assignment: Longs
    response_ms: npt.NDArray[np.float64]
    created_at: npt.NDArray[np.datetime64]
    answers: npt.NDArray[Any]


def read_rows(judgments: JudgmentQuerySet, study: Study) -> Rows:
    answer = ANSWER_COLUMN[Study.Kind(study.kind)]
    query = judgments.order_by("pk").values_list(*_KEYS, "response_ms", Moment(F("created_at")), answer)
    sql, parameters = query.query.sql_with_params()
    source = _copied if connection.vendor == "postgresql" else _fetched
    parts = [_part(chunk, answer) for chunk in chunks(source(sql, parameters, answer), ROWS_A_CHUNK)]
    parts = parts or [_part([], answer)]
    return Rows(*(np.concatenate([part[at] for part in parts]) for at in range(len(parts[0]))))


def _copied(sql: str, parameters: Any, answer: str) -> Iterator[tuple[Any, ...]]:
    types = ["int8", "int8", "int8", "int8", "int4", "int8", _TYPES.get(answer, "text")]
    query = connection.ops.compose_sql(sql, parameters)  # type: ignore[attr-defined]  # PostgreSQL's alone has it
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(types)
        yield from copy.rows()


def _fetched(sql: str, parameters: Any, answer: str) -> Iterator[tuple[Any, ...]]:  # noqa: ARG001
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(ROWS_A_CHUNK):
            yield from rows


def _part(rows: list[tuple[Any, ...]], answer: str) -> tuple[npt.NDArray[Any], ...]:
    *keys, response, created, answers = zip(*rows, strict=True) if rows else ((),) * 7
    return (
        *(np.array(key, dtype=np.int64) for key in keys),
        np.array(response, dtype=np.float64),  # None becomes nan
        np.array(created).astype("datetime64[us]"),
        np.array(answers, dtype=np.float64) if answer == "number" else _objects(answers),
    )


def _objects(values: tuple[Any, ...]) -> npt.NDArray[np.object_]:
    """[R] without numpy making a matrix of lists that happen to be of one length."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
