"""The items that judgments are of: each judgment has one, and what two files say of an item is the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..files.items_file import ITEM_COLUMNS, Items, parse_items
from ..files.numbers import decimal_of
from ..files.problems import Problems, quote_cell
from ..files.table import Codes, Column, Mask, Table
from ..kinds.data import (
    given_bounds,
    wrong_right_answer,
)
from ..kinds.kind import QuestionKind
from ..kinds.options import (
    OPTIONS,
    labels_of_item,
)
from ..kinds.registry import KINDS

# Columns of judgments.csv that say something of the item, not of the judgment.
OF_THE_ITEM = (*ITEM_COLUMNS[1:], "left", "right")


def items_from_judgments(table: Table, problems: Problems) -> tuple[Items | None, Codes]:
    """The items that the judgments name, sorted by id, and [J] the row of them that each judgment is of.

    What the judgments say of an item must be the same in all its rows.
    """
    ids = table.columns["item_id"].sorted()
    first = ids.first_rows()
    for name in OF_THE_ITEM:
        if (column := table.columns.get(name)) is not None:
            _refuse_differing(column, name, first[ids.codes], table, problems)
    names = [name for name in ("item_id", *OF_THE_ITEM) if name in table.columns]
    by_item = Table(table.name, table.rows, {name: table.columns[name] for name in names}).take(first)
    return parse_items(by_item, problems, ids_checked=True), ids.codes


def _refuse_differing(column: Column, name: str, first: npt.NDArray[np.intp], table: Table, problems: Problems) -> None:
    differs = np.flatnonzero(column.codes != column.codes[first])

    def sentence(i: int) -> str:
        row, before = differs[i], first[differs[i]]
        here, other = column.values[column.codes[row]], column.values[column.codes[before]]
        where = problems.places.where(int(table.rows[before]))
        return f"{quote_cell(here)} differs from {quote_cell(other)} in {where}, which is the same item"

    problems.each(table.rows[differs], name, sentence)


def match_items(table: Table, items: Items, problems: Problems) -> Codes:
    """[J] the row of `items` that each judgment is of; unknown items and contradictions go to `problems`."""
    row_of = {item_id: row for row, item_id in enumerate(items.frame["item_id"])}
    ids = table.columns["item_id"]
    rows = np.array([*(row_of.get(value, -1) for value in ids.values), -1], dtype=np.int32)[ids.codes]
    is_blank = np.array([*(not value.strip() for value in ids.values), False])
    unknown = np.flatnonzero((rows < 0) & ~is_blank[ids.codes])  # blank ids are named already
    problems.cells(table.rows[unknown], "item_id", ids.codes[unknown], ids.values, f"is not an item of {items.name}")
    for name in OF_THE_ITEM:
        if name in table.columns and name in items.frame.columns:
            _refuse_contradictions(table, items, name, rows, problems)
    return rows


def _refuse_contradictions(
    table: Table, items: Items, name: str, rows: npt.NDArray[np.int32], problems: Problems
) -> None:
    column = table.columns[name]
    stated = np.array([_comparable(name, value) for value in [*items.frame[name], ""]], dtype=object)
    values = np.array([_comparable(name, value) for value in [*column.values, ""]], dtype=object)
    differs = np.flatnonzero((rows >= 0) & (values[column.codes] != "") & (values[column.codes] != stated[rows]))

    def sentence(i: int) -> str:
        row = differs[i]
        value, expected = column.values[column.codes[row]], str(stated[rows[row]])
        return f"{quote_cell(value)} differs from {quote_cell(expected)} in {items.name}"

    problems.each(table.rows[differs], name, sentence)


def _comparable(name: str, value: object) -> str:
    """A cell in the form in which two files are compared: 90 and 90.0 are the same bound, none is no statement."""
    text = "" if value is None else str(value).strip()
    if name in ("min", "max") and (number := decimal_of(text)) is not None:
        return f"{number.normalize():f}"
    return text


def refuse_wrong_checks(
    items: Items,
    kind: QuestionKind,
    labels: Sequence[str],
    problems: Problems,
    *,
    hint: str = "",
    only: Mask | None = None,
) -> None:
    """Bounds fit the kind of question, and an expected label is one of `labels`; `hint` says how to name more. With
    `only` those rows are looked at.
    """
    frame, item_problems = items.frame, Problems(items.name) if items.name != problems.file else problems
    wrong: dict[str, dict[int, str]] = {"expected": {}, "min": {}, "max": {}}
    options = list(frame[OPTIONS]) if OPTIONS in frame else [""] * len(frame)
    for row, (expected, low, high) in enumerate(zip(frame["expected"], frame["min"], frame["max"], strict=True)):
        if (only is None or only[row]) and (expected or low is not None or high is not None):
            own = labels_of_item(kind, labels, {OPTIONS: options[row]})
            for column, why in wrong_right_answer(kind, own, str(expected), given_bounds(low, high)):
                wrong[column][row] = why + (hint if column == "expected" and KINDS[kind].has_labels else "")
    for column, reasons in wrong.items():
        rows = np.fromiter(reasons, dtype=np.intp, count=len(reasons))
        item_problems.each(items.table.rows[rows], column, list(reasons.values()).__getitem__)
    if item_problems is not problems:
        problems.include(item_problems)
