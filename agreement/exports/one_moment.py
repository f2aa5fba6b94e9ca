"""An export sees the database as it was at one moment, however long it takes, and keeps nobody from saving."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from django.db import connection

# Reading alone: SQLite's own way to begin, and not the site's, which takes the one lock for writing at once.
BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN DEFERRED"}


@contextmanager
def one_moment() -> Iterator[None]:
    """Nothing can be written by this connection meanwhile. Inside of a transaction it is that one's moment."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


def in_one_moment(pieces: Callable[[], Iterator[bytes]]) -> Generator[bytes, None, None]:
    """The pieces, begun when the first is asked for; a download that is broken off ends the moment too."""
    with one_moment():
        yield from pieces()
