"""Every reason why a file is refused, kept as row numbers and made into sentences only when they are read."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..errors import COMMAND, PLACE_ENDS, LazySentences, Refused, sentence_for

LONGEST_SHOWN = 60


def quote_cell(value: str) -> str:
    r"""A cell as a message quotes it: on one line, control characters spelt out, bytes that are no text as question
    marks, and short.

    >>> quote_cell("ninety"), quote_cell(b"caf\xe9".decode(errors="surrogateescape"))
    ("'ninety'", "'caf?'")
    """
    short = value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…"
    return repr(short.encode(errors="replace").decode())


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Rows that break one limit in one column; `sentence(i)` says it of the i-th of them."""

    rows: npt.NDArray[np.int64]
    sentence: Callable[[int], str]


def _row(row: int) -> str:
    return f"row {row}"


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """How a message says where: `where` of a row's number, `names` the file's own for columns that have ours here.

    Where one row of the file is many of the table, `where` names the answer's column too.
    """

    where: Callable[[int], str] = _row
    names: Mapping[str, str] = field(default_factory=dict)
    names_the_answer: bool = False

    def say(self, row: int, sentence: str) -> str:
        column, colon, rest = sentence.removeprefix("column ").partition(": ")
        if not colon or not sentence.startswith("column "):
            return f"{self.where(row)}{PLACE_ENDS}, {sentence}"
        if column == "value" and self.names_the_answer:
            return f"{self.where(row)}{PLACE_ENDS}: {rest}"
        return f"{self.where(row)}, column {self.names.get(column, column)}{PLACE_ENDS}: {rest}"


AS_ROWS = Places()


class Problems(LazySentences):
    """The reasons found in one file, in order of row. A million bad rows take two small arrays, not a million texts."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._whole: list[str] = []
        self._groups: list[_Group] = []
        self._loose_rows: list[int] = []
        self._loose: list[str] = []
        self._index: _Index | None = None
        self.places = AS_ROWS

    def whole(self, message: str) -> None:
        """The file as such is refused."""
        self._whole.append(f"{self.file}{PLACE_ENDS}: {message}")

    def row(self, row: int, message: str) -> None:
        """One row is refused, whatever its columns hold."""
        self._loose_rows.append(row)
        self._loose.append(sys.intern(message))
        self._index = None

    def cells(
        self, rows: npt.NDArray[np.int64], column: str, codes: npt.NDArray[np.int32], values: Sequence[str], limit: str
    ) -> None:
        """Cells of `column` break `limit`: row `rows[i]` holds `values[codes[i]]`."""
        self._add(rows, lambda i: f"column {column}: {quote_cell(values[codes[i]])} {limit}")

    def each(self, rows: npt.NDArray[np.int64], column: str, sentence: Callable[[int], str]) -> None:
        """Cells of `column` break a limit that differs from row to row."""
        self._add(rows, lambda i: f"column {column}: {sentence(i)}")

    def include(self, other: Problems) -> None:
        """Take over what was found in another file."""
        self._whole.extend(other.marked)

    def _add(self, rows: npt.NDArray[np.int64], sentence: Callable[[int], str]) -> None:
        if len(rows):
            self._groups.append(_Group(rows, sentence))
            self._index = None

    def __len__(self) -> int:
        return len(self._whole) + len(self._loose) + sum(len(group.rows) for group in self._groups)

    def sentence(self, index: int) -> str:
        return sentence_for(self._marked_sentence(index), COMMAND)

    @property
    def marked(self) -> Sequence[str]:
        """The same for who doesn't know yet where they are read: see `agreement/errors.py`."""
        return _Marked(len(self), self._marked_sentence)

    def _marked_sentence(self, index: int) -> str:
        if index < len(self._whole):
            return self._whole[index]
        if self._index is None:
            loose = _Group(np.array(self._loose_rows, dtype=np.int64), self._loose.__getitem__)
            self._index = _Index.of([loose, *self._groups])
        row, sentence = self._index.find(index - len(self._whole))
        return f"{self.file}, {self.places.say(row, sentence)}."


@dataclass(frozen=True, slots=True, eq=False)
class _Marked(LazySentences):
    length: int
    say: Callable[[int], str]

    def __len__(self) -> int:
        return self.length

    def sentence(self, index: int) -> str:
        return self.say(index)


@dataclass(frozen=True, slots=True, eq=False)
class _Index:
    """The rows of all groups in order: `order` gives the place of each among the groups one after the other."""

    groups: list[_Group]
    starts: list[int]
    order: npt.NDArray[np.intp]

    @classmethod
    def of(cls, groups: list[_Group]) -> _Index:
        starts = np.cumsum([0, *(len(group.rows) for group in groups[:-1])]).tolist()
        return cls(groups, starts, np.argsort(np.concatenate([group.rows for group in groups]), kind="stable"))

    def find(self, index: int) -> tuple[int, str]:
        """The row, and what is said of it, that comes at `index`."""
        place = int(self.order[index])
        group_number = bisect_right(self.starts, place) - 1
        group, i = self.groups[group_number], place - self.starts[group_number]
        return int(group.rows[i]), group.sentence(i)


class ChainedProblems(LazySentences):
    """The reasons of several files one after the other."""

    def __init__(self, parts: Sequence[Sequence[str]]) -> None:
        self._parts = [part for part in parts if len(part)]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def sentence(self, index: int) -> str:
        for part in self._parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError(index)


def refuse_if_any(*problems: Problems | None) -> None:
    """Raise `Refused` with every reason of every file, if there is one."""
    reasons = ChainedProblems([each.marked for each in problems if each is not None])
    if len(reasons):
        raise Refused(reasons)
