"""Up to which number rows can be read for good: none with a lower number is still to come.

Rows get their numbers before they are committed, and not in the order in which they are: a reader who goes on behind
the highest number that it saw would pass over what commits a moment later.
"""

import time

from django.db import connection, models
from django.db.models import Max

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


def settled_up_to(model: type[models.Model]) -> int:
    """The highest number behind which nothing is still under way; 0 where there is none yet.

    On PostgreSQL: the highest number that is there, and then the end of every transaction that was writing to the table
    after it had been read. What began later gets higher numbers. Where one of them takes too long, 0: nobody can say.
    On SQLite there is one writer at a time, so that numbers are committed in order.
    """
    last: int = model._default_manager.aggregate(last=Max("pk"))["last"] or 0
    if connection.vendor != "postgresql" or not last:
        return last
    table = model._meta.db_table
    under_way = _writers(table)
    end = time.monotonic() + PATIENCE_SECONDS
    while under_way:
        if time.monotonic() > end:
            return 0
        time.sleep(STEP_SECONDS)
        under_way &= _writers(table)
    return last


def _writers(table: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS, [table])
        return {row[0] for row in cursor.fetchall()}
