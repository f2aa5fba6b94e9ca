"""How much of a database its queries look at, by its own account: neither seconds nor the names of a plan's steps."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

STEPS_A_CALL = 10
_COPIED = re.compile(r"COPY \((.*)\) TO STDOUT.*", re.DOTALL)


@dataclass
class Visited:
    """Rows that were looked at, by table, and blocks of 8 kB, each as often as it was asked for."""

    rows: Counter[str] = field(default_factory=Counter)
    blocks: int = 0

    def rows_per_row(self, returned: int) -> float:
        """Of the table of which most rows were looked at."""
        return max(self.rows.values()) / returned

    def blocks_per_row(self, returned: int) -> float:
        return self.blocks / returned


def visited(queries: Iterable[Mapping[str, str]]) -> Visited:
    """By the captured queries that read, which PostgreSQL runs again for it."""
    total = Visited()
    with connection.cursor() as cursor:
        for query in queries:
            copied = _COPIED.fullmatch(query["sql"])
            select = copied[1] if copied else query["sql"]
            if select.startswith("SELECT"):
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {select}")
                [[[explained]]] = cursor.fetchall()
                _add(total, explained["Plan"])
    return total


def _add(total: Visited, top: Mapping[str, Any]) -> None:
    total.blocks += sum(count for name, count in top.items() if name.endswith((" Hit Blocks", " Read Blocks")))
    for node in _nodes(top):
        if table := node.get("Relation Name"):
            removed = sum(count for name, count in node.items() if name.startswith("Rows Removed by"))
            total.rows[table] += round((node["Actual Rows"] + removed) * node["Actual Loops"])


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for below in node.get("Plans", []):
        yield from _nodes(below)


@contextmanager
def counted_steps() -> Iterator[Counter[str]]:
    """The steps of SQLite's virtual machine meanwhile, a few for each row that it looks at; none elsewhere."""
    counts: Counter[str] = Counter()

    def count() -> int:
        counts["steps"] += STEPS_A_CALL
        return 0

    if connection.vendor != "sqlite":
        yield counts
        return
    connection.ensure_connection()
    connection.connection.set_progress_handler(count, STEPS_A_CALL)
    try:
        yield counts
    finally:
        connection.connection.set_progress_handler(None, 0)
