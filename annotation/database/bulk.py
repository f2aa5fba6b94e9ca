"""Adds many rows at once: by COPY on PostgreSQL, by prepared inserts on SQLite, in short transactions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection, models, transaction

T = TypeVar("T")
Row = Sequence[Any]  # values as the database's driver takes them
# SQLite writes some 300,000 narrow rows a second: a chunk of this size holds its one write lock for under 200 ms.
ROWS_A_CHUNK = 20_000


def chunks(rows: Iterable[T], size: int = ROWS_A_CHUNK) -> Iterator[list[T]]:
    iterator = iter(rows)
    while chunk := list(islice(iterator, size)):
        yield chunk


def insert_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]) -> int:
    """Inserts rows of values as the database keeps them, in the order of `columns`; returns how many."""
    count = 0
    for chunk in chunks(rows):
        with transaction.atomic():
            insert_chunk(model, columns, chunk)
        count += len(chunk)
    return count


def insert_chunk(model: type[models.Model], columns: Sequence[str], rows: list[Row]) -> None:
    """The same for rows that one transaction takes, which is the caller's."""
    write = _copy if connection.vendor == "postgresql" else _insert
    write(model._meta.db_table, columns, rows)


def _copy(table: str, columns: Sequence[str], rows: list[Row]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    statement = f'COPY "{table}" ({names}) FROM STDIN'
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _insert(table: str, columns: Sequence[str], rows: list[Row]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)  # noqa: S608
