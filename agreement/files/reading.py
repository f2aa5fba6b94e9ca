"""Reads tables strictly and in bounded memory: CSV, or JSON, Excel and Parquet wherever CSV is taken."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ..errors import option
from .binary_tables import PARQUET, is_workbook, read_parquet, workbook_records
from .column_mapping import ADVICE, joined_names, other_width
from .json_lines import (
    LONGEST_LINE,
    MOST_COLUMNS,
    ROWS_AT_ONCE,
    LineTooLongError,
    read_jsonl,
    text_lines,
    too_many_columns,
)
from .problems import Problems, quote_cell, refuse_if_any
from .table import Column, Encoder, Rows, Table
from .writing import unescape_formula

# CSV: quotes as in RFC 4180, UTF-8, and every malformed row named.


def read_csv(path: Path, problems: Problems, *, most_columns: int = MOST_COLUMNS) -> Table | None:
    """The table in `path`; malformed rows go to `problems` and are left out. None where there is no table at all."""
    with path.open("rb", buffering=0) as stream:
        lines = text_lines(stream)
        try:
            first = next(lines, "")
            records = _records(csv.reader(chain([first], lines), delimiter=delimiter_of(first), strict=True))
            return _table_of_records(path.name, records, problems, most_columns)
        except LineTooLongError:
            problems.whole(
                f"a line is longer than {LONGEST_LINE:,} bytes; is this a CSV file with one judgment per row?"
            )
            return None


def _table_of_records(
    name: str, records: Iterator[list[str] | csv.Error], problems: Problems, most_columns: int
) -> Table | None:
    header = _header(records, problems, most_columns)
    return None if header is None else _body(name, header, records, problems)


def without_empty_rows(table: Table) -> Table:
    """Without the rows whose cells are all empty, as spreadsheets leave them at the end."""
    candidates = np.arange(len(table))
    for column in table.columns.values():
        if not len(candidates):
            return table
        blank = np.array([*(not value.strip() for value in column.values), False])
        candidates = candidates[blank[column.codes[candidates]]]
    if not len(candidates):
        return table
    keep = np.ones(len(table), dtype=np.bool_)
    keep[candidates] = False
    return replace(table.take(keep).without_unused(), empty_rows=len(candidates))


def read_workbook(path: Path, problems: Problems, *, sheet: str, most_columns: int) -> Table | None:
    """The table of a sheet, held to the same as a CSV."""
    records = workbook_records(path, sheet, problems)
    table = None if records is None else _table_of_records(path.name, records, problems, most_columns)
    return None if table is None else without_empty_rows(table)


def delimiter_of(first_line: str) -> str:
    r"""What stands between the cells: commas, or semicolons or tabs where the first line has them and, outside of
    quotes, no commas.

    >>> [delimiter_of(line) for line in ("item_id,left", "item_id;left", "item_id\tleft", "item_id", "a;b,c")]
    [',', ';', '\t', ',', ',']
    """
    outside = "".join(first_line.split('"')[::2])
    return next((mark for mark in "\t;" if mark in outside), ",") if "," not in outside else ","


def _records(reader: Iterator[list[str]]) -> Iterator[list[str] | csv.Error]:
    """The reader's records, with an error in the place of each record that it can't read."""
    while True:
        try:
            yield from reader
        except csv.Error as error:
            yield error
        else:
            return


def _header(records: Iterator[list[str] | csv.Error], problems: Problems, most_columns: int) -> list[str] | None:
    first = next(records, None)
    if first is None or first == []:
        problems.whole("the file is empty; its first row must name the columns")
        return None
    if isinstance(first, csv.Error):
        problems.row(1, f"the names of the columns: {_explained(first)}")
        return None
    if foreign := _foreign(first):
        problems.row(1, foreign)
        return None
    if len(first) > most_columns:
        problems.row(1, f"{too_many_columns(most_columns)}: this row names {len(first):,}")
        return None
    names = [unescape_formula(name).strip() for name in first]
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name:
            problems.row(1, f"column {position} has no name; give it one, or delete it if it is empty or counts rows")
        elif name in seen:
            problems.row(1, f"column {position}: the name {quote_cell(name)} occurs twice")
        elif parts := joined_names(name):
            sentence = f"{quote_cell(name)} is the names of {len(parts)} columns in one cell ({', '.join(parts)})"
            problems.row(1, f"column {position}: {sentence}; {ADVICE}")
        elif not _is_clean(name):
            problems.row(1, f"column {position}: the name {quote_cell(name)} holds a NUL or bytes that are not UTF-8")
        seen.add(name)
    return names if len(problems) == 0 else None


def _foreign(first: list[str]) -> str:
    """What the first row is where it isn't one of columns' names parted by commas, or nothing."""
    start = first[0].strip()
    if start.lower().startswith("sep="):
        return f"{quote_cell(start)} is a line that only Excel reads; delete it, and separate the cells by commas"
    if start == "[" or start.startswith(("{", "[{")):
        return (
            "it looks like JSON, which is read from a file whose name ends in .json, or in .jsonl where it has one"
            " object per line"
        )
    return ""


def _body(name: str, header: list[str], records: Iterator[list[str] | csv.Error], problems: Problems) -> Table:
    encoders = [Encoder() for _ in header]
    numbers: list[Rows] = []
    width, next_row = len(header), 2
    unfit: list[tuple[int, int]] = []  # rows with another number of cells, and that number
    while chunk := list(islice(records, ROWS_AT_ONCE)):
        rows = np.arange(next_row, next_row + len(chunk), dtype=np.int64)
        next_row += len(chunk)
        columns = _columns(chunk)
        if len(columns) != width:
            keep = [
                _well_formed(record, width, int(row), unfit, problems) for record, row in zip(chunk, rows, strict=True)
            ]
            rows = rows[np.array(keep, dtype=np.bool_)]
            columns = _columns([record for record, kept in zip(chunk, keep, strict=True) if kept])
        numbers.append(rows)
        for encoder, cells in zip(encoders, columns, strict=False):
            encoder.extend(cells, len(rows))
    rows = np.concatenate(numbers) if numbers else np.empty(0, dtype=np.int64)
    _refuse_unfit(unfit, header, problems, has_others=len(rows) > 0)
    read = {column: encoder.column() for column, encoder in zip(header, encoders, strict=True)}
    return Table(name, rows, {column: _text(cells, column, rows, problems) for column, cells in read.items()})


def _columns(records: list[list[str] | csv.Error]) -> list[tuple[str, ...]]:
    """The records' cells column by column; none where they aren't all records of one width."""
    try:
        return list(zip(*records, strict=True))  # an error is no iterable
    except (TypeError, ValueError):
        return []


def _well_formed(
    record: list[str] | csv.Error, width: int, row: int, unfit: list[tuple[int, int]], problems: Problems
) -> bool:
    if isinstance(record, csv.Error):
        problems.row(row, _explained(record))
        return False
    if record and len(record) != width:
        unfit.append((row, len(record)))
    return len(record) == width


def _refuse_unfit(unfit: list[tuple[int, int]], header: list[str], problems: Problems, *, has_others: bool) -> None:
    """By row, unless the header fits none of the rows and these are alike: then it is the header that is wrong."""
    if not has_others and len(unfit) > 1 and len({cells for _, cells in unfit}) == 1:
        problems.row(1, other_width(header, unfit[0][1]))
        return
    for row, cells in unfit:
        width = "1 cell" if cells == 1 else f"{cells} cells"
        problems.row(row, f"{width} where the header names {len(header)} column{'' if len(header) == 1 else 's'}")


def _explained(error: csv.Error) -> str:
    text = str(error)
    if "field limit" in text or "field larger" in text:
        return f"a cell is longer than {csv.field_size_limit():,} characters; is a quote left open?"
    if "unexpected end" in text:
        return "a quote is opened and never closed"
    return f"the quotes are not those of RFC 4180 ({text}); a quote inside a quoted cell is written twice"


def _text(column: Column, name: str, rows: Rows, problems: Problems) -> Column:
    """The column as text: what is not UTF-8 is named, and the escapes of formulas are undone."""
    text = "".join(column.values)
    if not (text.isascii() and "\0" not in text):
        bad = column.rows_where(lambda value: not _is_clean(value))
        limit = "holds a NUL character or bytes that are not UTF-8; save the file as UTF-8 (in Excel: CSV UTF-8)"
        problems.cells(rows[bad], name, column.codes[bad], column.values, limit)
    return column.mapped(unescape_formula) if "'" in text else column


def _is_clean(value: str) -> bool:
    return (value.isascii() and "\0" not in value) or not any("\ud800" <= c <= "\udfff" or c == "\0" for c in value)


# One or the other, by the file's name.

_FOREIGN = {
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"PK\x03\x04": "a zip archive or a spreadsheet of another program than Excel; unpack it, or save it as CSV",
    b"\x1f\x8b": "gzip; unpack it first",
}


def foreign(start: bytes) -> str:
    """What a file that begins so is, where it is no text in UTF-8, and what to do; else nothing."""
    return next((file_type for magic, file_type in _FOREIGN.items() if start.startswith(magic)), "")


JSON = frozenset({".json", ".jsonl", ".ndjson"})
Source: TypeAlias = Path | Table  # a file, or what somebody has in memory


def stem_of(source: Source) -> str:
    return source.stem if isinstance(source, Path) else source.name


def read_table(path: Source, problems: Problems, *, most_columns: int = MOST_COLUMNS, sheet: str = "") -> Table | None:
    """The table in `path`, with what is wrong added to `problems`; None where nothing could be read. Of a workbook with
    several sheets `sheet` says which.
    """
    if isinstance(path, Table):
        return path
    start = first_bytes(path, problems)
    if start is not None and is_workbook(path, start):
        return read_workbook(path, problems, sheet=sheet, most_columns=most_columns)
    if sheet and start is not None:
        problems.whole(f"{option('sheet', sheet)}: only Excel's workbooks have sheets")
    elif start is not None and (file_type := foreign(start)):
        problems.whole(f"the file is {file_type}")
    elif start is not None:
        is_json = path.suffix.lower() in JSON
        read = read_parquet if start.startswith(PARQUET) else read_jsonl if is_json else read_csv
        return read(path, problems, most_columns=most_columns)
    return None


def first_bytes(path: Path, problems: Problems) -> bytes | None:
    """The first four bytes of a file, by which its kind is told."""
    if path.exists() and not path.is_file():
        problems.whole("it is not a file; save the output of a pipe to a file first, because it is read more than once")
        return None
    try:
        with path.open("rb") as stream:
            return stream.peek(4)[:4]
    except OSError as error:
        problems.whole(f"can't be read ({error.strerror})")
        return None


def required_table(
    path: Source, problems: Problems, columns: Iterable[str] = (), why: str = "", *, most_columns: int = MOST_COLUMNS
) -> Table:
    """The table in `path` with these columns at least, or `Refused` with every reason; `why` says what a row is."""
    table = read_table(path, problems, most_columns=most_columns)
    if table is not None:
        for name in columns:
            if name not in table.columns:
                problems.whole(f"the column {name} is missing; {why}")
    refuse_if_any(problems)
    assert table is not None  # noqa: S101 - without a table there is a problem, and it was just raised
    return table
