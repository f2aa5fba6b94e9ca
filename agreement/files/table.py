"""A table as a file has it: columns of text, each distinct text kept once, and the number of every row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Row r holds `values[codes[r]]`; the values are distinct, so a check of them is a check of every row.

    `is_plain` says that the values are numbers or the like, which need neither quotes nor escapes when written;
    `has_lists` that some of them were lists, which are no ids.
    """

    codes: Codes
    values: Sequence[str]
    is_plain: bool = False
    has_lists: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def text(self) -> npt.NDArray[np.object_]:
        """[R] the text of every row."""
        return np.array([*self.values, ""], dtype=object)[self.codes]

    def rows_where(self, test: Callable[[str], bool]) -> npt.NDArray[np.intp]:
        """Positions of the rows whose text passes `test`."""
        passes = np.fromiter(map(test, self.values), dtype=np.bool_, count=len(self.values))
        return np.flatnonzero(passes[self.codes]) if passes.any() else np.empty(0, dtype=np.intp)

    def mapped(self, change: Callable[[str], str]) -> Column:
        """The column with every text changed; texts that become equal share a code."""
        changed = encode(map(change, self.values), len(self.values))
        return Column(changed.codes[self.codes], changed.values, has_lists=self.has_lists)

    def sorted(self) -> Column:
        """The same texts with codes in the order of the texts, unused ones dropped."""
        used = np.flatnonzero(np.bincount(self.codes, minlength=len(self.values)))
        order = sorted(used.tolist(), key=self.values.__getitem__)
        recode = np.empty(len(self.values), dtype=np.int32)
        recode[order] = np.arange(len(order), dtype=np.int32)
        return Column(recode[self.codes], [self.values[code] for code in order], has_lists=self.has_lists)

    def used(self) -> Column:
        """The same texts in the same order, without those that no row holds."""
        used = np.bincount(self.codes, minlength=len(self.values)) > 0
        if used.all():
            return self
        recode = (np.cumsum(used) - 1).astype(np.int32)
        values = [self.values[code] for code in np.flatnonzero(used).tolist()]
        return Column(recode[self.codes], values, self.is_plain, self.has_lists)

    def first_rows(self) -> npt.NDArray[np.intp]:
        """[V] the first row of each value; all are in use."""
        first = np.empty(len(self.values), dtype=np.intp)
        first[self.codes[::-1]] = np.arange(len(self.codes))[::-1]  # of a value's rows the last to be set is the first
        return first

    def take(self, keep: Mask | npt.NDArray[np.intp]) -> Column:
        """The column at some of its rows."""
        return Column(self.codes[keep], self.values, self.is_plain, self.has_lists)


def encode(texts: Iterable[str], count: int) -> Column:
    """A column of `count` texts."""
    encoder = Encoder()
    encoder.extend(texts, count)
    return encoder.column()


class Encoder:
    """Builds a column chunk by chunk, keeping each distinct text once."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = _Numbering()
        self._chunks: list[Codes] = []

    def extend(self, texts: Iterable[str], count: int) -> None:
        """Add the next `count` texts."""
        self._chunks.append(np.fromiter(map(self._codes.__getitem__, texts), dtype=np.int32, count=count))

    def extend_blank(self, count: int) -> None:
        """Add so many blank texts."""
        if count:
            self._chunks.append(np.full(count, self._codes[""], dtype=np.int32))

    def column(self) -> Column:
        """The column of all that was added."""
        codes = np.concatenate(self._chunks) if self._chunks else np.empty(0, dtype=np.int32)
        return Column(codes, list(self._codes))


class _Numbering(dict[str, int]):
    """A dictionary that gives each new key the next number."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A file's rows: `rows` are their numbers as a spreadsheet shows them, the header being row 1.

    `empty_rows` counts rows that were passed over because no cell of theirs holds anything; `notes` are sentences on
    what else of the file is no row.
    """

    name: str
    rows: Rows
    columns: dict[str, Column]
    empty_rows: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, keep: Mask | npt.NDArray[np.intp]) -> Table:
        """The table at some of its rows."""
        columns = {name: column.take(keep) for name, column in self.columns.items()}
        return replace(self, rows=self.rows[keep], columns=columns)

    def without_unused(self) -> Table:
        """The table without texts that only rows which were left out have: such a text is no label."""
        return replace(self, columns={name: column.used() for name, column in self.columns.items()})
