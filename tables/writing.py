"""Writing tables as CSV: formulas escaped, each distinct text made into a cell once, rows joined in chunks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from tables.table import Column

# Spreadsheet formulas: text that a spreadsheet would run is written with a leading ', and read back without it.

# A run of ' before a character that starts a formula: written with one more, read with one less, so that any text,
# even one that itself begins with '=, comes back as it was.
_STARTS_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def escaped(text: str) -> str:
    """`text` as a cell that no spreadsheet runs; a plain number is left alone (+1 is a text: nobody writes 1 so).

    >>> [escaped(text) for text in ("=1+1", "'=1+1", "-5", "green")]
    ["'=1+1", "''=1+1", '-5', 'green']
    """
    if _STARTS_FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def unescaped(cell: str) -> str:
    """The text that a cell stands for: the inverse of `escaped`.

    >>> [unescaped(cell) for cell in ("'=1+1", "''=1+1", "'tis")]
    ['=1+1', "'=1+1", "'tis"]
    """
    return cell[1:] if _ESCAPED.match(cell) else cell


# Cells and rows.

_CHUNK = 1 << 14
_NEEDS_QUOTES = frozenset(',"\r\n')


def csv_cell(text: str) -> str:
    """A text as a cell: escaped against formulas, quoted where RFC 4180 wants it.

    >>> print(csv_cell('=1+1'), csv_cell('so "green", so round'), csv_cell("-5"))
    '=1+1 "so ""green"", so round" -5
    """
    cell = escaped(text)
    if _NEEDS_QUOTES.isdisjoint(cell):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def csv_chunks(
    columns: Mapping[str, Column], keep: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None
) -> Iterator[bytes]:
    """The table as CSV in chunks: a header, then the rows, or those of them that `keep` marks."""
    yield (",".join(map(csv_cell, columns)) + "\n").encode()
    cells = [
        np.array([*(column.values if column.is_plain else map(csv_cell, column.values)), ""], dtype=object)
        for column in columns.values()
    ]
    codes = [column.codes if keep is None else column.codes[keep] for column in columns.values()]
    size = len(codes[0]) if codes else 0
    # A table of one column whose cell is blank would be a blank line, which a reader skips.
    if len(cells) == 1:
        cells = [np.array([cell or '""' for cell in cells[0]], dtype=object)]
    for start in range(0, size, _CHUNK):
        part = slice(start, start + _CHUNK)
        rows = zip(*(cell[code[part]].tolist() for cell, code in zip(cells, codes, strict=True)), strict=True)
        yield ("\n".join(map(",".join, rows)) + "\n").encode()
