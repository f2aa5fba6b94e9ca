"""Reading items.csv: unique ids, kinds, checks and their right answers, and the fields that the question names."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from .cell_texts import is_blank, refuse_lookalikes, split_bars
from .numbers import PER_CENT, decimal_of
from .problems import Problems, quote_cell
from .reading import Source, read_table, without_empty_rows
from .table import Column, Table, encode
from .trap_columns import refuse_wrong_traps

if TYPE_CHECKING:
    import pandas as pd

# The columns with a meaning of their own; every other column is one of the item's own fields.
ITEM_COLUMNS = ("item_id", "kind", "check", "expected", "min", "max", "reference")
# Each field of an item is stored with it, and may be shown: a file with more columns is not one of items.
MOST_ITEM_COLUMNS = 1_000
# Answers to these enter nothing: people are trained by the first, and admitted by the second.
OUTSIDE_RESULTS = ("practice", "qualification")
ITEM_KINDS = ("target", "check", *OUTSIDE_RESULTS)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """A study's items: `frame` has a row an item, the columns of `ITEM_COLUMNS` first, `rows` its row in the file."""

    name: str
    frame: pd.DataFrame
    table: Table


def read_items_table(path: Source, problems: Problems) -> Table | None:
    """The table of an items file, yet to be looked at; rows without anything in them are passed over and counted."""
    table = read_table(path, problems, most_columns=MOST_ITEM_COLUMNS)
    return None if table is None else without_empty_rows(table)


def parse_items(table: Table, problems: Problems, *, ids_checked: bool = False) -> Items | None:
    """The items of a table that has a row an item; what is wrong goes to `problems`."""
    if not table.columns and len(problems):  # JSON Lines of which no row could be read: which columns, nobody knows
        return None
    if "item_id" not in table.columns:
        problems.whole(f"the column item_id is missing; every item needs an id of its own; {columns_found(table)}")
        return None
    if not len(table):
        if not len(problems):
            problems.whole("it has no items")
        return None
    if not ids_checked:
        _refuse_bad_ids(table, problems)
    empty = encode([""] * len(table), len(table))
    columns = {name: table.columns.get(name, empty) for name in ITEM_COLUMNS}
    check = columns["check"].mapped(str.strip)
    kind = _kinds(columns["kind"], check, table, problems)
    bounds = {name: _bounds(columns[name], name, table, problems) for name in ("min", "max")}
    _refuse_crossed(bounds["min"], bounds["max"], table, problems)
    _refuse_empty_labels(columns, table, problems)
    _refuse_right_answers_of_targets(columns, kind, table, problems)
    _refuse_qualification_without_answer(columns, kind, table, problems)
    refuse_wrong_traps(table, check, problems)
    import pandas as pd

    frame = pd.DataFrame(
        {
            "item_id": columns["item_id"].text(),
            "kind": kind,
            "check": check.text(),
            "expected": columns["expected"].text(),
            **bounds,
            "reference": columns["reference"].text(),
            **{name: column.text() for name, column in table.columns.items() if name not in ITEM_COLUMNS},
        },
        dtype=object,
    )
    return Items(table.name, frame, table)


MOST_NAMED = 12


def columns_found(table: Table) -> str:
    """Which columns there are, for whoever misses one."""
    names = [quote_cell(name) for name in table.columns]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"the columns found are {', '.join(names[:MOST_NAMED])}{more}"


def _refuse_bad_ids(table: Table, problems: Problems) -> None:
    ids = table.columns["item_id"]
    blank = ids.rows_where(is_blank)
    problems.cells(table.rows[blank], "item_id", ids.codes[blank], ids.values, "is not an id")
    _, first, which = np.unique(ids.codes, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which] != np.arange(len(ids)))
    again = again[~np.isin(again, blank)]

    def sentence(i: int) -> str:
        value, row = ids.values[ids.codes[again[i]]], table.rows[first[which[again[i]]]]
        return f"{quote_cell(value)} is already the id in row {row}; ids are unique in a study"

    problems.each(table.rows[again], "item_id", sentence)
    refuse_lookalikes(ids, "item_id", table, problems)


def _kinds(
    kind: Column, check: Column, table: Table, problems: Problems
) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """A blank kind is target, or check where a check is named: a check item must never slip into gold."""
    kind = kind.mapped(lambda value: value.strip().lower())
    unknown = kind.rows_where(lambda value: value not in ("", *ITEM_KINDS))
    limit = f"is not one of {', '.join(ITEM_KINDS)}"
    problems.cells(table.rows[unknown], "kind", kind.codes[unknown], kind.values, limit)
    kinds, named = kind.text(), check.text() != ""
    odd = np.flatnonzero(named & (kinds != "") & (kinds != "check") & np.isin(kinds.astype(str), ITEM_KINDS))
    problems.cells(table.rows[odd], "check", check.codes[odd], check.values, "names a check, but the kind is not check")
    nameless = np.flatnonzero(~named & (kinds == "check"))
    problems.cells(
        table.rows[nameless],
        "check",
        check.codes[nameless],
        check.values,
        "is not a name; an item of kind check needs one",
    )
    return np.where(kinds != "", kinds, np.where(named, "check", "target")).astype(object)


def _bounds(column: Column, name: str, table: Table, problems: Problems) -> list[Decimal | None]:
    parsed = [decimal_of(value) for value in column.values]
    fine = np.array(
        [
            not value.strip() or (number is not None and PER_CENT.low <= number <= PER_CENT.high)
            for number, value in zip(parsed, column.values, strict=True)
        ]
    )
    bad = np.flatnonzero(~fine[column.codes])
    limit = "is not a number from 0 to 100 (bounds are per cent of the scale)"
    problems.cells(table.rows[bad], name, column.codes[bad], column.values, limit)
    return [parsed[code] for code in column.codes.tolist()]


def _refuse_crossed(low: list[Decimal | None], high: list[Decimal | None], table: Table, problems: Problems) -> None:
    pairs = enumerate(zip(low, high, strict=True))
    crossed = np.array([row for row, (a, b) in pairs if a is not None and b is not None and a > b], dtype=np.intp)
    problems.each(table.rows[crossed], "min", lambda i: f"{low[crossed[i]]} is above max {high[crossed[i]]}")


def _refuse_empty_labels(columns: dict[str, Column], table: Table, problems: Problems) -> None:
    for name in ("expected", "reference"):
        column = columns[name]
        bad = column.rows_where(lambda value: bool(value.strip()) and "" in split_bars(value))
        problems.cells(table.rows[bad], name, column.codes[bad], column.values, "has nothing on one side of a |")


def _refuse_right_answers_of_targets(
    columns: dict[str, Column], kind: np.ndarray[tuple[int], np.dtype[np.object_]], table: Table, problems: Problems
) -> None:
    """Whoever forgets the column check would have check items that exclude nobody and are part of the gold."""
    is_target = np.asarray(kind == "target", dtype=np.bool_)
    for name in ("expected", "min", "max"):
        column = columns[name]
        bad = np.intersect1d(column.rows_where(lambda value: bool(value.strip())), np.flatnonzero(is_target))
        limit = "is a right answer, but the item is not a check; name its check in the column check, or leave it blank"
        problems.cells(table.rows[bad], name, column.codes[bad], column.values, limit)


def _refuse_qualification_without_answer(
    columns: dict[str, Column], kind: np.ndarray[tuple[int], np.dtype[np.object_]], table: Table, problems: Problems
) -> None:
    """Nobody could answer such an item right, so that nobody would qualify by it."""
    is_blank_row = np.asarray(kind == "qualification", dtype=np.bool_)
    for name in ("expected", "min", "max"):
        is_blank_row[columns[name].rows_where(lambda value: bool(value.strip()))] = False
    sentence = "is blank, as min and max are; a qualification item needs its right answer"
    problems.each(table.rows[np.flatnonzero(is_blank_row)], "expected", lambda _: sentence)
