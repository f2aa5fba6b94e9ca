"""What else must go when a person withdraws: copies of answers, and SQLite's write-ahead log."""

from collections.abc import Callable
from typing import TypeAlias

from django.conf import settings
from django.db import connection

from annotation.models import Participation

# Whoever keeps copies of answers registers here how they are erased when a person withdraws.

Erase: TypeAlias = Callable[[Participation], None]

_ERASERS: list[Erase] = []


def also_erases(erase: Erase) -> Erase:
    """Registers a function that is called inside every withdrawal's transaction; it may be called twice."""
    _ERASERS.append(erase)
    return erase


def erase_copies(participation: Participation) -> None:
    for erase in _ERASERS:
        erase(participation)


# Empties SQLite's write-ahead log, in which erased rows stand until it is written over.

# Writers wait while the log is emptied, so that it is given up after so long; the next purge tries again.
PATIENCE_MS = 100


def empty_write_ahead_log() -> bool:
    """Whether the log is empty now. PostgreSQL's holds no row that a query could reach: nothing is done there.

    The first checkpoint copies what it can and stops nobody; the second has little left to do, and needs a moment in
    which nobody reads what was there before.
    """
    if connection.vendor != "sqlite":
        return False
    patience = int(settings.DATABASES["default"].get("OPTIONS", {}).get("timeout") or 5)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            was_busy, _pages, _copied = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
    return not was_busy
