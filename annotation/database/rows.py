"""Rows: many written at once, those that can be read for good, and two of one name at the same moment."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Max

from agreement.errors import Refused

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
    write = _copy_rows if connection.vendor == "postgresql" else _insert_in_statements
    write(model._meta.db_table, columns, rows)


def _copy_rows(table: str, columns: Sequence[str], rows: list[Row]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    statement = f'COPY "{table}" ({names}) FROM STDIN'
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _insert_in_statements(table: str, columns: Sequence[str], rows: list[Row]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)  # noqa: S608


# Up to which number rows can be read for good: none with a lower number is still to come. Rows get their
# numbers before they are committed, and not in the order in which they are: a reader who goes on behind the
# highest number that it saw would pass over what commits a moment later.

# Transactions that write are short (200 ms at most); who waits longer gets what was there, and asks again.
PATIENCE_SECONDS = 1.0
STEP_SECONDS = 0.005
# Whoever inserts into a table holds this lock from before it takes a number until it has committed or given up.
_WRITERS = """
    SELECT DISTINCT virtualtransaction FROM pg_locks
    WHERE locktype = 'relation' AND relation = %s::regclass AND mode = 'RowExclusiveLock' AND granted
        AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def last_settled_key(model: type[models.Model]) -> int:
    """The highest number behind which nothing is still under way; 0 where there is none yet.

    On PostgreSQL: the highest number that is there, and then the end of every transaction that was writing to the table
    after it had been read. What began later gets higher numbers. Where one of them takes too long, 0: nobody can say.
    On SQLite there is one writer at a time, so that numbers are committed in order.
    """
    last: int = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    if connection.vendor != "postgresql" or not last:
        return last
    table = model._meta.db_table
    under_way = _writing_transactions(table)
    end = time.monotonic() + PATIENCE_SECONDS
    while under_way:
        if time.monotonic() > end:
            return 0
        time.sleep(STEP_SECONDS)
        under_way &= _writing_transactions(table)
    return last


def _writing_transactions(table: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS, [table])
        return {row[0] for row in cursor.fetchall()}


# Two requests that store the same name or id at the same moment: the second is told, as if it had come later.

OF_POSTGRESQL = "23505"
OF_SQLITE = {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"}


def is_doubled(error: BaseException) -> bool:
    """Whether the database says that what has to be unique is there already."""
    cause = error.__cause__
    codes = getattr(cause, "sqlstate", ""), getattr(cause, "sqlite_errorname", "")
    return isinstance(error, IntegrityError) and (codes[0] == OF_POSTGRESQL or codes[1] in OF_SQLITE)


@contextmanager
def refused_if_doubled(sentence: str) -> Iterator[None]:
    """The race: both have looked, and found nothing of that name."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if is_doubled(error):
            raise Refused(sentence) from error
        raise
