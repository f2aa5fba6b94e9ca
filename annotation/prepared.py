"""Statements that PostgreSQL plans once a connection and not for each answer: planning took longer than the work."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

from django.db import DEFAULT_DB_ALIAS, ProgrammingError, connections

UNKNOWN_STATEMENT, KNOWN_ALREADY = "26000", "42P05"
KEPT = "_touchstone_kept"  # where Django's own object of a thread's connection carries what is kept of it


@dataclass
class _Kept:
    """What one connection knows already, and a cursor of it that has met the types of our values."""

    connection: Any
    cursor: Any
    statements: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Statement:
    """One statement that returns at most one row; `text` gives it, with %s for its values, for a database's kind."""

    name: str
    types: Callable[[], Sequence[str]]
    text: Callable[[str], str]

    def fetch(self, values: Sequence[Any]) -> tuple[Any, ...] | None:
        database = connections[DEFAULT_DB_ALIAS]  # looked up once: `connection` does so at every use
        if database.vendor != "postgresql":
            with database.cursor() as cursor:
                return _row(cursor, self.text(database.vendor), values)
        kept = _kept(database)
        self._prepare(kept, database)
        try:
            return _row(_wrapped(kept.cursor, database), self._execution, values)
        except ProgrammingError as error:
            # A pooler between us and the database has handed us another's connection since.
            if database.in_atomic_block or getattr(error.__cause__, "sqlstate", "") != UNKNOWN_STATEMENT:
                raise
            kept.statements.clear()
            self._prepare(kept, database)
            return _row(_wrapped(kept.cursor, database), self._execution, values)

    @cached_property
    def _execution(self) -> str:
        return f"EXECUTE {self.name} ({', '.join(['%s'] * len(self.types()))})"

    @cached_property
    def _preparation(self) -> str:
        numbers = count(1)
        body = re.sub("%s", lambda _: f"${next(numbers)}", self.text("postgresql"))
        return f"PREPARE {self.name} ({', '.join(self.types())}) AS {body}"

    def _prepare(self, kept: _Kept, database: Any) -> None:
        if self.name in kept.statements:
            return
        try:
            with database.wrap_database_errors:
                kept.cursor.execute(self._preparation)
        except ProgrammingError as error:
            if database.in_atomic_block or getattr(error.__cause__, "sqlstate", "") != KNOWN_ALREADY:
                raise
        kept.statements.add(self.name)


def _kept(database: Any) -> _Kept:
    database.ensure_connection()
    kept: _Kept | None = getattr(database, KEPT, None)
    if kept is None or kept.connection is not database.connection:
        kept = _Kept(database.connection, database.create_cursor())
        setattr(database, KEPT, kept)
    return kept


def _wrapped(cursor: Any, database: Any) -> Any:
    """As `connection.cursor()` would wrap it, so that queries are counted and errors are Django's."""
    return database.make_debug_cursor(cursor) if database.queries_logged else database.make_cursor(cursor)


def _row(cursor: Any, statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    cursor.execute(statement, values)
    row: tuple[Any, ...] | None = cursor.fetchone()
    return row
