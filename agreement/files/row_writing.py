"""Rows of a table as bytes: each distinct text is written once, padded, and put into its rows by numpy.

A million rows of twelve columns take 0.15 s of a processor so, and 0.6 s joined one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from .table import Codes, Column, Mask

ROWS_A_PIECE = 1 << 14
# Bytes that no text has in UTF-8: what fills a cell up to its column's width, and what stands for a long one.
FILLS, LONG = b"\xff", b"\xfe"
LONGEST_PADDED = 48

Write = Callable[[str], str]  # what a text looks like in its row, with all that stands before and after it


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """A column's texts as they are written, the last one for codes of -1; `long` are the texts beyond the width."""

    padded: npt.NDArray[np.void]
    is_long: Mask | None
    long: Sequence[bytes]

    @classmethod
    def of(cls, texts: Sequence[str], write: Write) -> _Cells:
        cells = [write(text).encode() for text in (*texts, "")]
        short = [cell if len(cell) <= LONGEST_PADDED else LONG for cell in cells]
        width = max(map(len, short))
        padded = np.frombuffer(b"".join(cell.ljust(width, FILLS) for cell in short), dtype=f"V{max(width, 1)}")
        if LONG not in short:
            return cls(padded, None, ())
        return cls(padded, np.array([cell is LONG for cell in short], dtype=np.bool_), cells)


class RowWriter:
    """Writes tables that have the same columns, one after the other; `writes` says how each column is written.

    Texts that come again, as the same list, are not written again.
    """

    def __init__(self, writes: Callable[[Mapping[str, Column]], Sequence[Write]]) -> None:
        self._writes = writes
        self._written: dict[str, tuple[Sequence[str], _Cells]] = {}

    def rows(self, columns: Mapping[str, Column], keep: Mask | None = None) -> Iterator[bytes]:
        """The rows, or those that `keep` marks, in pieces."""
        codes = [column.codes if keep is None else column.codes[keep] for column in columns.values()]
        if not codes or not len(codes[0]):
            return
        writes = self._writes(columns)
        cells = [
            self._cells(name, column, write) for (name, column), write in zip(columns.items(), writes, strict=True)
        ]
        for start in range(0, len(codes[0]), ROWS_A_PIECE):
            yield _joined(cells, [code[start : start + ROWS_A_PIECE] for code in codes])

    def _cells(self, name: str, column: Column, write: Write) -> _Cells:
        texts, cells = self._written.get(name, (None, None))
        if cells is None or texts is not column.values:
            cells = _Cells.of(column.values, write)
            self._written[name] = column.values, cells
        return cells


def _joined(cells: Sequence[_Cells], codes: Sequence[Codes]) -> bytes:
    row = np.dtype([(str(at), column.padded.dtype) for at, column in enumerate(cells)])
    rows = np.empty(len(codes[0]), dtype=row)
    for at, (column, code) in enumerate(zip(cells, codes, strict=True)):
        rows[str(at)] = column.padded.take(code)
    written = rows.tobytes().translate(None, FILLS)
    long = _long_ones(cells, codes)
    if not long:
        return written
    return b"".join(chain.from_iterable(zip(written.split(LONG), [*long, b""], strict=True)))


def _long_ones(cells: Sequence[_Cells], codes: Sequence[Codes]) -> list[bytes]:
    """In the order in which they stand in the rows."""
    places: list[npt.NDArray[np.int64]] = []
    texts: list[Iterable[bytes]] = []
    for at, (column, code) in enumerate(zip(cells, codes, strict=True)):
        if column.is_long is not None:
            rows = np.flatnonzero(column.is_long[code])
            places.append(rows * len(cells) + at)
            texts.append([column.long[which] for which in code[rows].tolist()])
    found = list(chain.from_iterable(texts))
    return [found[at] for at in np.argsort(np.concatenate(places)).tolist()] if found else []
