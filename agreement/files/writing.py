"""Writing tables as CSV: formulas escaped, each distinct text made into a cell once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from .row_writing import RowWriter, Write
from .table import Column, Mask

SUMS = "SHA256SUMS"  # the file of checksums in a bundle, as `sha256sum --check` reads it

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


def csv_chunks(columns: Mapping[str, Column], keep: Mask | None = None) -> Iterator[bytes]:
    """The table as CSV in chunks: a header, then the rows, or those of them that `keep` marks."""
    yield csv_header(columns)
    yield from csv_rows().rows(columns, keep)


def csv_header(names: Iterable[str]) -> bytes:
    return (",".join(map(csv_cell, names)) + "\n").encode()


def csv_rows() -> RowWriter:
    """Writes the rows of tables that have the same columns."""
    return RowWriter(_writes)


def _writes(columns: Mapping[str, Column]) -> list[Write]:
    if len(columns) == 1:
        return [_of_one_column]
    ends = [*[","] * (len(columns) - 1), "\n"]
    return [_write(column, end) for column, end in zip(columns.values(), ends, strict=True)]


def _write(column: Column, end: str) -> Write:
    if column.is_plain:
        return lambda text: text + end
    return lambda text: csv_cell(text) + end


def _of_one_column(text: str) -> str:
    """A blank cell would be a blank line, which a reader skips."""
    return (csv_cell(text) or '""') + "\n"
