"""Rows that a platform itself marks as not valid: found by its columns' names, and left out by --leave-out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import option, remedy
from .problems import Problems, quote_cell
from .table import Codes, Column, Mask, Table

# What such columns hold, by their names without capitals and signs: Mechanical Turk, CloudResearch, Prolific,
# Qualtrics, Toloka and Appen.
NOT_VALID: Mapping[str, frozenset[str]] = {
    "assignmentstatus": frozenset({"rejected", "skipped", "expired", "returned", "abandoned"}),
    "approvalstatus": frozenset({"rejected"}),
    "submissionstatus": frozenset({"rejected", "returned", "timed-out", "timed_out", "timed out"}),
    "status": frozenset({
        "rejected", "returned", "timed-out", "timed_out", "timed out", "screened out", "survey preview", "survey test",
        "spam", "survey preview spam", "imported spam", "offline survey preview",
    }),
    "finished": frozenset({"false", "0"}),
    "tainted": frozenset({"true"}),
}  # fmt: skip
# Codes of Qualtrics, which say that only beside one of its other columns.
QUALTRICS = frozenset({"progress", "responseid", "recordeddate"})
STATUS_CODES = frozenset({"1", "2", "8", "9", "12", "17"})
YES_OR_NO = frozenset({"true", "false", "0", "1", ""})
MOST_LISTED = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """A column, and the code and text of a value of it that says of its rows that they aren't valid."""

    column: str
    code: int
    value: str

    def __str__(self) -> str:
        return f"{self.column}={self.value}"


def marks_in(columns: Mapping[str, Sequence[str]]) -> list[Mark]:
    """The marks among the distinct values of columns.

    >>> [str(mark) for mark in marks_in({"AssignmentStatus": ["Approved", "Rejected"], "Status": ["1", "left"]})]
    ['AssignmentStatus=Rejected']
    """
    return list(_marks(columns))


def _marks(columns: Mapping[str, Sequence[str]]) -> Iterator[Mark]:
    plain = {name: re.sub("[^a-z]", "", name.casefold()) for name in columns}
    for name, values in columns.items():
        bad = NOT_VALID.get(plain[name], frozenset())
        if plain[name] == "status" and QUALTRICS & set(plain.values()):
            bad |= STATUS_CODES
        texts = [str(value).strip().casefold() for value in values] if bad else []
        if plain[name] == "finished" and not set(texts) <= YES_OR_NO:
            continue
        yield from (Mark(name, code, values[code]) for code, value in enumerate(texts) if value in bad)


def marked_in_words(columns: Mapping[str, Column], worker: Codes, counts: Mask | None = None) -> str:
    """How many judgments [J], of those that count, are in such rows, and what leaves them out; "" where none do."""
    held = np.ones(len(worker), dtype=np.bool_) if counts is None else counts
    any_of = np.zeros(len(worker), dtype=np.bool_)
    marks: list[tuple[Mark, int]] = []
    for mark in marks_in({name: column.values for name, column in columns.items()}):
        here = held & (columns[mark.column].codes == mark.code)
        any_of |= here
        marks += [(mark, int(here.sum()))] if here.any() else []
    if not marks:
        return ""
    n, people = int(any_of.sum()), len(np.unique(worker[any_of]))
    each = ", ".join(f"{mark.column} {mark.value}: {count:,}" for mark, count in marks)
    rows = "|".join(str(mark) for mark, _ in marks)
    one = n == 1
    return (
        f"{n:,} of the {int(held.sum()):,} judgments, by {people:,} worker{'' if people == 1 else 's'},"
        f" {'is' if one else 'are'} in rows that the platform marks as not valid ({each}), and"
        f" {'counts' if one else 'count'} like all others; {leave_out(rows)}."
    )


def leave_out(rows: str) -> str:
    """What leaves out the rows that `COLUMN=VALUE|…` names."""
    return remedy(
        command=f"--leave-out '{rows}' leaves such rows out",
        python="drop such rows of the frame to leave them out",
        page="leave such rows out of the file to leave them out here",
    )


def without_rows_of(table: Table, leave_out: Sequence[str], problems: Problems) -> tuple[Table, tuple[str, ...]]:
    """The table without the rows that `leave_out` names by COLUMN=VALUE, and a sentence on how many each were."""
    keep = np.ones(len(table), dtype=np.bool_)
    notes: list[str] = []
    for one in leave_out:
        name, _, value = (part.strip() for part in one.partition("="))
        column = table.columns.get(name)
        if column is None:
            examples = ", ".join(list(table.columns)[:MOST_LISTED])
            problems.whole(f"{option('leave-out', one)}: there is no column {name}; the first columns are {examples}")
            continue
        gone = column.rows_where(lambda text, value=value: text.strip() == value)  # type: ignore[misc]
        if not len(gone):
            examples = ", ".join(map(quote_cell, column.values[:MOST_LISTED]))
            problems.whole(
                f"{option('leave-out', one)}: no row has {quote_cell(value)} in the column {name}; it holds {examples}"
            )
        keep[gone] = False
        notes.append(f"{len(gone):,} {'row' if len(gone) == 1 else 'rows'} with {name} {value} left out.")
    return (table if keep.all() else table.take(keep)), tuple(notes)
