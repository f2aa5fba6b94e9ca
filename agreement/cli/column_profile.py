"""What the columns of a file of judgments seem to be, for `look`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from ..files.binary_tables import cell_text
from ..files.cell_texts import is_blank, one_line
from ..files.column_mapping import ColumnMapping
from ..files.column_words import candidates, is_rater
from ..files.json_lines import flattened
from ..files.layout import JudgmentTable
from ..files.marked_rows import marks_in
from ..files.nested import looks_like_lists, peek
from ..files.numbers import count_text, decimal_of
from ..files.platform_ids import is_platform_id
from ..files.problems import Problems
from ..files.reading import JSON, read_table
from ..files.response_times import time_column
from ..files.table import Column, Table, encode
from ..judgments.unused_columns import looks_like_checks, names_media
from .file_command import without_ids

MOST_COLUMNS, LONGEST_EXAMPLE = 60, 40
MOST_ALIKE = 4
MOST_LABELS = 12
OURS = {"worker_id": "worker", "item_id": "item", "value": "answer", "response_ms": "response times in milliseconds"}


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """A column, what it seems to be, how many different texts it holds, and how many cells are blank."""

    name: str
    seems: str
    different: int
    missing: int
    example: str


def raw_table(path: Path, mapping: ColumnMapping) -> Table | None:
    """The file's own columns; of objects the first rows alone, with a list as it is written."""
    if path.is_dir():
        return None
    if path.suffix.lower() in JSON:
        rows = [flattened(row) for row in peek(path)]
        names = dict.fromkeys(name for row in rows for name in row)
        cells = {name: encode([cell_text(row.get(name)) for row in rows], len(rows)) for name in names}
        lists = {name for name in names if any(isinstance(row.get(name), list) for row in rows)}
        columns = {name: Column(each.codes, each.values, has_lists=name in lists) for name, each in cells.items()}
        return Table(path.name, np.arange(len(rows)), columns)
    return read_table(path, Problems(path.name), sheet=mapping.sheet)


def profile_of(name: str, column: Column, laid: JudgmentTable | None) -> ColumnProfile:
    texts = [value for value in column.used().values if not is_blank(value)]
    example = one_line(without_ids(texts[0])) if texts else ""
    return ColumnProfile(
        name=without_ids(name),
        seems=_seems(name, column, texts, laid),
        different=len(texts),
        missing=len(column.rows_where(is_blank)),
        example=example if len(example) <= LONGEST_EXAMPLE else f"{example[: LONGEST_EXAMPLE - 1]}…",
    )


def _seems(name: str, column: Column, texts: list[str], laid: JudgmentTable | None) -> str:
    """By what it is read as, else by its name and what it holds."""
    if laid is not None:
        read_as = {theirs: role for role, theirs in laid.named.items()}
        if part := read_as.get(name) or OURS.get(name):
            return part
    by_name = [
        (not texts, "nothing: every cell is blank"),
        (looks_like_lists(column), "lists, one element per judgment"),
        (time_column(name) is not None, "response times"),
        (looks_like_checks(name), "checks, which aren't read as such"),
        (bool(marks_in({name: texts})), "a platform's mark of what is valid"),
        (bool(texts) and all(map(is_platform_id, texts)), "ids of people on a platform"),
        (names_media(column), "names of media"),
        (is_rater(name), f"a rater's answers: {values_in_words(texts)}"),
        (bool(candidates("worker_id", [name])), "maybe worker"),
        (bool(candidates("item_id", [name])), "maybe item"),
        (bool(candidates("value", [name])), f"maybe answers: {values_in_words(texts)}"),
    ]
    return next((words for holds, words in by_name if holds), values_in_words(texts))


def values_in_words(texts: list[str]) -> str:
    numbers = [number for text in texts if (number := decimal_of(text)) is not None]
    if texts and len(numbers) == len(texts):
        low, high = min(numbers), max(numbers)
        return f"numbers from {low:f} to {high:f}" if low < high else f"the number {low:f} alone"
    return count_text(len(texts), "label") if len(texts) <= MOST_LABELS else "texts"


def columns_in_words(path: Path, rows: int, columns: list[ColumnProfile]) -> str:
    if not columns:
        return f"{path.name}:"
    counted = f"{count_text(rows, 'row')}{' or more' if path.suffix.lower() in JSON and rows >= 200 else ''}"
    heads = ("column", "seems to be", "different", "missing", "for example")
    cells = list(islice(_rows_of_columns(columns), MOST_COLUMNS))
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *cells)
    ]
    more = ["…"] if len(cells) == MOST_COLUMNS else []
    head = f"{path.name}: {counted}, {count_text(len(columns), 'column')}"
    return "\n".join([head, *(f"  {line}" for line in [*lines, *more])])


def _rows_of_columns(columns: list[ColumnProfile]) -> Iterator[tuple[str, str, str, str, str]]:
    """A row per column; of many whose names differ by their numbers alone the first two, and how many more."""
    for _, alike in groupby(columns, key=lambda each: re.sub(r"\d+", "#", each.name)):
        group = list(alike)
        shown = group if len(group) <= MOST_ALIKE else group[:2]
        for each in shown:
            yield each.name, each.seems, f"{each.different:,}", f"{each.missing:,}", each.example
        if len(shown) < len(group):
            missing = sum(each.missing for each in group[2:])
            yield f"… {group[-1].name}", f"{len(group) - 2:,} more columns like these", "", f"{missing:,}", ""
