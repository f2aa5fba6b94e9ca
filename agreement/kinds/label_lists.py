"""Labels in cells, in the database and in right answers: what the kinds that have labels share. No Django."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import TouchstoneError, option
from ..files.cell_texts import refuse_lookalikes, split_bars
from ..files.problems import Problems, quote_cell
from ..files.table import Column, Table

MOST_LABELS = 1_000
MOST_GUESSED_LABELS = 100

Labels = tuple[str, ...]


class UnknownLabel(TouchstoneError):
    """The database holds an answer that the study does not offer (any more)."""


# In cells of judgments.csv.


def refuse_blanks(column: Column, table: Table, problems: Problems) -> None:
    blank = column.rows_where(lambda value: not value.strip())
    problems.cells(table.rows[blank], "value", column.codes[blank], column.values, "is not an answer")


def refuse_rows(column: Column, table: Table, bad: npt.NDArray[np.intp], limit: str, problems: Problems) -> None:
    problems.cells(table.rows[bad], "value", column.codes[bad], column.values, limit)


def refuse_too_many(labels: Labels, problems: Problems) -> None:
    if len(labels) > MOST_LABELS:
        problems.whole(
            f"column value: {len(labels):,} different labels are more than {MOST_LABELS:,};"
            f" is this {option('kind', 'text')}?"
        )


def parse_labels(table: Table, allowed: Sequence[str], problems: Problems) -> tuple[npt.NDArray[np.int32], Labels]:
    """[J] one label in each row's cell, as codes."""
    refuse_blanks(table.columns["value"], table, problems)
    column = table.columns["value"].mapped(str.strip)
    refuse_lookalikes(column, "value", table, problems)
    with_bar = column.rows_where(lambda value: "|" in value)
    refuse_rows(column, table, with_bar, "holds a |, which separates labels (kind choices takes several)", problems)
    labels = tuple(allowed) or tuple(sorted(value for value in column.values if value and "|" not in value))
    code = {label: number for number, label in enumerate(labels)}
    if allowed:
        unknown = column.rows_where(lambda value: bool(value) and "|" not in value and value not in code)
        refuse_rows(column, table, unknown, f"is not one of the labels {', '.join(map(quote_cell, labels))}", problems)
    recode = np.array([*(code.get(value, -1) for value in column.values), -1], dtype=np.int32)
    refuse_too_many(labels, problems)
    return recode[column.codes], labels


def label_cells(codes: npt.NDArray[np.int32], labels: Labels) -> dict[str, Column]:
    return {"value": Column(codes.astype(np.int32), list(labels))}


def distinct_values(table: Table) -> set[str]:
    return {value.strip() for value in table.columns["value"].values}


# In the database.


def label_values(codes: npt.NDArray[np.int32], labels: Labels) -> list[Any]:
    return [labels[code] for code in codes.tolist()]


def parsed(stored: npt.NDArray[Any]) -> list[Any]:
    """PostgreSQL gives JSON parsed, SQLite as its text."""
    return [json.loads(answer) if isinstance(answer, str) else answer for answer in stored]


def all_labels(labels: Labels, used_labels: Iterable[str]) -> Labels:
    """The study's labels, or those that were given where it names none; sorted then."""
    used = set(used_labels)
    if labels and (unknown := used - set(labels)):
        raise UnknownLabel(
            f"Some answers are {', '.join(sorted(unknown))}, which the study's labels ({', '.join(labels)}) do not"
            " have: give the study these labels back, for answers are never changed."
        )
    return labels or tuple(sorted(used))


def stored_labels(stored: npt.NDArray[Any], labels: Labels) -> tuple[npt.NDArray[np.int32], Labels]:
    """[J] one label of each judgment, as codes."""
    labels = all_labels(labels, stored.tolist())
    code = {label: number for number, label in enumerate(labels)}
    return np.fromiter(map(code.__getitem__, stored), dtype=np.int32, count=len(stored)), labels


# In right answers.


def not_among_labels(labels: Sequence[str], expected: str) -> str | None:
    """Labels that aren't known yet, as in a draft without any, refuse nothing.

    >>> not_among_labels(["red"], "rde")
    "'rde' is not among the answers' labels ('red')"
    """
    if labels and any(part and part not in labels for part in split_bars(expected)):
        return f"{quote_cell(expected)} is not among the answers' labels ({', '.join(map(quote_cell, labels))})"
    return None
