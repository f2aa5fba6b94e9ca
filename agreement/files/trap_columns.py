"""Columns of items.csv that describe a trap, a perceptual check that people pass and models don't: for researchers.

A trap is a check called `trap` with a right answer of its own. What is known of it may tell it from other items, so
that no page of annotators and no file of gold has these columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from .cell_texts import split_bars
from .numbers import PER_CENT, decimal_of
from .problems import Problems
from .table import Column, Table

if TYPE_CHECKING:
    import pandas as pd

TRAP = "trap"
VERSION, DATE, MODELS, PASSED = "trap_version", "trap_date", "trap_models", "trap_passed"
TRAP_COLUMNS = (VERSION, DATE, MODELS, PASSED)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Trap:
    """`models` are those it was tried on, `passed` the per cent of people who passed it; blank: not said."""

    item: str
    version: str
    date: str
    models: tuple[str, ...]
    passed: str

    def __str__(self) -> str:
        parts = [
            f"version {self.version}" if self.version else "",
            f"of {self.date}" if self.date else "",
            f"tried on {', '.join(self.models)}" if self.models else "tried on no model that is named",
            f"passed by {self.passed} % of people" if self.passed else "",
        ]
        return f"{self.item} ({'; '.join(filter(None, parts))})"


def trap_of(item_id: str, check: str, fields: Mapping[str, object]) -> Trap | None:
    """What is known of an item that is a trap; nothing for any other.

    >>> str(trap_of("t1", "trap", {"trap_version": "2", "trap_models": "m-1|m-2", "trap_passed": "97"}))
    't1 (version 2; tried on m-1, m-2; passed by 97 % of people)'
    """
    if check != TRAP:
        return None
    version, day, models, passed = (str(fields.get(name, "")).strip() for name in TRAP_COLUMNS)
    return Trap(item_id, version, day, tuple(split_bars(models)) if models else (), passed)


def traps_of(items: pd.DataFrame) -> tuple[Trap, ...]:
    """The traps of a table with a row an item, in its order."""
    rows = items[items["check"] == TRAP].to_dict("records") if len(items) else []
    traps = (trap_of(str(row["item_id"]), TRAP, {str(name): value for name, value in row.items()}) for row in rows)
    return tuple(trap for trap in traps if trap is not None)


def refuse_wrong_traps(table: Table, check: Column, problems: Problems) -> None:
    """A trap has a right answer, and only traps are described."""
    is_trap = check.text() == TRAP
    has_answer = np.zeros(len(table), dtype=np.bool_)
    for name in ("expected", "min", "max"):
        if name in table.columns:
            has_answer[table.columns[name].rows_where(lambda text: bool(text.strip()))] = True
    sentence = "names a trap, which needs a right answer of its own: fill in expected, min or max"
    lacking = np.flatnonzero(is_trap & ~has_answer)
    problems.each(table.rows[lacking], "check", lambda _: sentence)
    for name in TRAP_COLUMNS:
        if name not in table.columns:
            continue
        column = table.columns[name]
        filled = column.rows_where(lambda text: bool(text.strip()))
        others = filled[~is_trap[filled]]
        limit = f"describes a trap, but the item's check is not called {TRAP}"
        problems.cells(table.rows[others], name, column.codes[others], column.values, limit)
        wrong = [(code, why) for code, text in enumerate(column.values) for why in _wrong(name, text.strip())]
        for code, why in wrong:
            rows = np.flatnonzero(column.codes == code)
            problems.cells(table.rows[rows], name, column.codes[rows], column.values, why)


def _wrong(name: str, text: str) -> Iterator[str]:
    if not text:
        return
    if name == DATE and not _is_day(text):
        yield "is not a day such as 2026-11-20"
    number = decimal_of(text) if name == PASSED else None
    if name == PASSED and (number is None or not PER_CENT.low <= number <= PER_CENT.high):
        yield "is not a number from 0 to 100 (per cent of people who pass)"
    if name == MODELS and "" in split_bars(text):
        yield "has nothing on one side of a |"


def _is_day(text: str) -> bool:
    try:
        return bool(DAY.fullmatch(text)) and bool(date.fromisoformat(text))
    except ValueError:
        return False
