"""Statements that PostgreSQL plans once a connection and not for each answer: planning took longer than the work."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from django.db import ProgrammingError, connection

# Which of the statements a connection knows. A new connection knows none, and an old one takes its own with it.
_known: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
UNKNOWN_STATEMENT, KNOWN_ALREADY = "26000", "42P05"


@dataclass(frozen=True)
class Statement:
    """One statement that returns at most one row; `text` gives it, with %s for its values, for a database's kind."""

    name: str
    types: Callable[[], Sequence[str]]
    text: Callable[[str], str]

    def fetch(self, values: Sequence[Any]) -> tuple[Any, ...] | None:
        if connection.vendor != "postgresql":
            return _row(self.text(connection.vendor), values)
        self._prepare()
        try:
            return _row(self._execution, values)
        except ProgrammingError as error:
            # A pooler between us and the database has handed us another's connection since.
            if connection.in_atomic_block or getattr(error.__cause__, "sqlstate", "") != UNKNOWN_STATEMENT:
                raise
            _known.pop(connection.connection, None)
            self._prepare()
            return _row(self._execution, values)

    @cached_property
    def _execution(self) -> str:
        return f"EXECUTE {self.name} ({', '.join(['%s'] * len(self.types()))})"

    @cached_property
    def _preparation(self) -> str:
        numbers = count(1)
        body = re.sub("%s", lambda _: f"${next(numbers)}", self.text("postgresql"))
        return f"PREPARE {self.name} ({', '.join(self.types())}) AS {body}"

    def _prepare(self) -> None:
        connection.ensure_connection()
        known = _known.setdefault(connection.connection, set())
        if self.name in known:
            return
        try:
            with connection.wrap_database_errors:
                connection.connection.execute(self._preparation)
        except ProgrammingError as error:
            if connection.in_atomic_block or getattr(error.__cause__, "sqlstate", "") != KNOWN_ALREADY:
                raise
        known.add(self.name)


def _row(statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
