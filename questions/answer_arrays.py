"""Answers as typed arrays, by kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from questions.kinds import QuestionKind, Scale
from tables.cell_texts import refuse_lookalikes, split_bars
from tables.numbers import numbers
from tables.problems import Problems, shown
from tables.table import Column, Mask, Table


@dataclass(frozen=True, slots=True, eq=False)
class Properties:
    """Answers of kind `list`: judgment j named `names[property[offsets[j]:offsets[j + 1]]]`, each at most once."""

    offsets: npt.NDArray[np.int64]
    property: npt.NDArray[np.int32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, j: int) -> list[str]:
        """The properties that judgment `j` named, in the order given."""
        return [self.names[code] for code in self.property[self.offsets[j] : self.offsets[j + 1]]]

    def take(self, keep: Mask) -> Properties:
        """The answers of the judgments that `keep` marks."""
        return self.at(np.flatnonzero(keep))

    def at(self, which: npt.NDArray[np.intp]) -> Properties:
        """The answers of some judgments, in that order."""
        lengths = np.diff(self.offsets)[which]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.repeat(self.offsets[which] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Properties(offsets, self.property[places], self.names)


Answers: TypeAlias = npt.NDArray[Any] | Properties
LABEL_COLUMN = "v:"
MOST_LABELS = 1_000
_TRUE_FALSE = ("false", "true")


def parse_answers(
    table: Table, kind: QuestionKind, scale: Scale | None, labels: Sequence[str], problems: Problems
) -> tuple[Answers, tuple[str, ...]]:
    """The answers of a table's rows and the labels they are made of; `labels` are those allowed, none given: any."""
    if kind == "sliders":
        return _sliders(table, scale, labels, problems)
    column = table.columns["value"]
    if kind == "slider":
        return numbers(column, "value", table.rows, problems, scale), ()
    if kind == "list":
        return _properties(column), ()
    _refuse_blanks(column, table, problems)
    if kind == "text":
        return column.text(), ()
    if kind == "verify" and not labels and len({value.strip() for value in column.values}) > 2:
        labels = _TRUE_FALSE
    read = _label_sets if kind == "choices" else _labels
    answers, found = read(column, table, labels, problems)
    if len(found) > MOST_LABELS:
        problems.whole(
            f"column value: {len(found):,} different labels are more than {MOST_LABELS:,}; is this --kind text?"
        )
    return answers, found


def _sliders(
    table: Table, scale: Scale | None, allowed: Sequence[str], problems: Problems
) -> tuple[Answers, tuple[str, ...]]:
    found = sorted(name.removeprefix(LABEL_COLUMN) for name in table.columns if name.startswith(LABEL_COLUMN))
    for label in found:
        if not label or "|" in label:
            problems.whole(f"column {LABEL_COLUMN}{label}: a label needs a name without |")
        elif allowed and label not in allowed:
            problems.whole(f"column {LABEL_COLUMN}{label}: the labels are {', '.join(allowed)}")
    for label in allowed:
        if label not in found:
            problems.whole(f"the column {LABEL_COLUMN}{label} is missing; kind sliders has one number per label")
    labels = tuple(label for label in allowed or found if label in found)
    columns = [LABEL_COLUMN + label for label in labels]
    answers = [numbers(table.columns[name], name, table.rows, problems, scale) for name in columns]
    return np.column_stack(answers) if answers else np.empty((len(table), 0)), labels


def _refuse_blanks(column: Column, table: Table, problems: Problems) -> None:
    blank = column.rows_where(lambda value: not value.strip())
    problems.cells(table.rows[blank], "value", column.codes[blank], column.values, "is not an answer")


def _unknown(column: Column, table: Table, bad: npt.NDArray[np.intp], limit: str, problems: Problems) -> None:
    problems.cells(table.rows[bad], "value", column.codes[bad], column.values, limit)


def _labels(
    column: Column, table: Table, allowed: Sequence[str], problems: Problems
) -> tuple[Answers, tuple[str, ...]]:
    column = column.mapped(str.strip)
    refuse_lookalikes(column, "value", table, problems)
    with_bar = column.rows_where(lambda value: "|" in value)
    _unknown(column, table, with_bar, "holds a |, which separates labels (kind choices takes several)", problems)
    labels = tuple(allowed) or tuple(sorted(value for value in column.values if value and "|" not in value))
    code = {label: number for number, label in enumerate(labels)}
    if allowed:
        unknown = column.rows_where(lambda value: bool(value) and "|" not in value and value not in code)
        _unknown(column, table, unknown, f"is not one of the labels {', '.join(map(shown, labels))}", problems)
    recode = np.array([*(code.get(value, -1) for value in column.values), -1], dtype=np.int32)
    return recode[column.codes], labels


def _label_sets(
    column: Column, table: Table, allowed: Sequence[str], problems: Problems
) -> tuple[Answers, tuple[str, ...]]:
    sets = [[part.strip() for part in value.split("|")] for value in column.values]
    empty = np.array([*("" in parts and any(parts) for parts in sets), False])[column.codes]
    _unknown(column, table, np.flatnonzero(empty), "has nothing on one side of a |", problems)
    labels = tuple(allowed) or tuple(sorted({part for parts in sets for part in parts if part}))
    code = {label: number for number, label in enumerate(labels)}
    if allowed:
        unknown = np.array([*(any(part and part not in code for part in parts) for parts in sets), False])[column.codes]
        limit = f"holds other labels than {', '.join(map(shown, labels))}"
        _unknown(column, table, np.flatnonzero(unknown), limit, problems)
    chosen = np.zeros((len(sets) + 1, len(labels)), dtype=np.bool_)
    for row, parts in enumerate(sets):
        chosen[row, [code[part] for part in parts if part in code]] = True
    return chosen[column.codes], labels


def _properties(column: Column) -> Properties:
    code: dict[str, int] = {}
    given = [[part for part in dict.fromkeys(split_bars(value)) if part] for value in column.values]
    codes = [np.array([code.setdefault(part, len(code)) for part in parts], dtype=np.int32) for parts in given]
    lengths = np.array([*map(len, codes), 0], dtype=np.int64)[column.codes]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    named = [codes[row] for row in column.codes.tolist()]
    return Properties(offsets, np.concatenate(named) if named else np.empty(0, dtype=np.int32), tuple(code))
