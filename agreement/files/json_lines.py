"""JSON Lines as the table that a CSV would give; and lines of any file, none longer than fits in memory."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .cell_texts import join_bars
from .problems import Problems, quote_cell
from .table import Column, Encoder, Table

LONGEST_LINE = 1 << 20
MOST_COLUMNS = 20_000
ROWS_AT_ONCE = 1 << 9  # few enough to stay in the processor's cache


class LineTooLongError(Exception):
    """A line passed `LONGEST_LINE` bytes; raised while streaming, before the line is in memory."""


class _BoundedStream(io.RawIOBase):
    """A byte stream that fails as soon as a line grows past `LONGEST_LINE`."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._since_newline = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        block = self._raw.read(len(buffer))
        size = len(block)
        buffer[:size] = block
        end = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._since_newline = self._since_newline + size if end < 0 else size - end - 1
        if self._since_newline > LONGEST_LINE:
            raise LineTooLongError
        return size


def text_lines(stream: BinaryIO) -> io.TextIOWrapper:
    """The stream as text, line ends as they are; bytes that are no UTF-8 become lone surrogates, named later."""
    bounded = io.BufferedReader(_BoundedStream(stream), buffer_size=LONGEST_LINE)  # type: ignore[type-var]
    return io.TextIOWrapper(bounded, encoding="utf-8-sig", errors="surrogateescape", newline="")


def too_many_columns(most: int) -> str:
    """The beginning of a refusal."""
    return f"a file like this has at most {most:,} columns"


# JSON Lines, as the table that a CSV would give: one object per line, numbers kept as they were written.

# A row has a blank cell in every column that other rows name, and however few bytes itself.
MOST_LEFT_OUT = 50_000_000


class _Number(str):
    """A JSON number, as the text it was written as."""

    __slots__ = ()


class _NotJsonError(ValueError):
    """A line that isn't one object of plain values."""


def read_jsonl(path: Path, problems: Problems, *, most_columns: int = MOST_COLUMNS) -> Table | None:
    """The table in `path`; lines that are not one object of plain values go to `problems` and are left out."""
    rows: list[int] = []
    columns = _ColumnsOfObjects()
    with path.open("rb", buffering=0) as stream:
        try:
            numbered = _objects(enumerate(text_lines(stream), start=1), problems)
            while chunk := list(islice(numbered, ROWS_AT_ONCE)):
                rows.extend(number for number, _ in chunk)
                columns.extend([cells for _, cells in chunk])
                if too_large := columns.too_large(most_columns):
                    problems.whole(too_large)
                    return None
        except LineTooLongError:
            problems.whole(f"a line is longer than {LONGEST_LINE:,} bytes; JSON Lines has one judgment per line")
            return None
    if not rows and not len(problems):
        problems.whole("the file is empty")
        return None
    return Table(path.name, np.array(rows, dtype=np.int64), columns.columns())


def _objects(lines: Iterable[tuple[int, str]], problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in lines:
        if line.strip():
            try:
                yield number, _object(line)
            except _NotJsonError as error:
                problems.row(number, str(error))


class _ColumnsOfObjects:
    """Builds a column for each name of the objects; an object that hasn't the name has a blank cell in it."""

    def __init__(self) -> None:
        self._encoders: dict[str, Encoder] = {}
        self._rows = self._cells = 0

    def extend(self, objects: list[dict[str, str]]) -> None:
        names = dict.fromkeys(name for cells in objects for name in cells)
        for name in names:
            if name not in self._encoders:
                self._encoders[name] = Encoder()
                self._encoders[name].extend_blank(self._rows)
        for name, encoder in self._encoders.items():
            if name in names:
                encoder.extend((cells.get(name, "") for cells in objects), len(objects))
            else:
                encoder.extend_blank(len(objects))
        self._rows += len(objects)
        self._cells += sum(map(len, objects))

    def too_large(self, most_columns: int) -> str:
        """Why this is more than one table holds, or nothing."""
        width = len(self._encoders)
        if width > most_columns:
            return f"{too_many_columns(most_columns)}: its first {self._rows:,} rows have {width:,} different names"
        if self._rows * width - self._cells > MOST_LEFT_OUT:
            return (
                f"its first {self._rows:,} rows have {width:,} different names, and leave out {MOST_LEFT_OUT:,} cells"
                " or more; leave out the columns that few rows have, or split the file"
            )
        return ""

    def columns(self) -> dict[str, Column]:
        return {name: encoder.column() for name, encoder in self._encoders.items()}


def _object(line: str) -> dict[str, str]:
    try:
        parsed = json.loads(
            line, parse_float=_Number, parse_int=_Number, parse_constant=_refuse_constant, object_pairs_hook=_distinct
        )
    except json.JSONDecodeError as error:
        raise _NotJsonError(f"not JSON ({error.msg} at character {error.pos + 1})") from error
    except RecursionError:
        raise _NotJsonError("nested too deeply; a column's value is a text, a number or a list of texts") from None
    if not isinstance(parsed, dict):
        raise _NotJsonError(f"{quote_cell(line.strip())} is not an object with the columns' names")
    return {name.strip(): _text_of_value(name, value) for name, value in parsed.items()}


def _text_of_value(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return join_bars(value)
    if not isinstance(value, str):
        raise _NotJsonError(f"column {name}: {quote_cell(json.dumps(value))} is no text, number or list of texts")
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise _NotJsonError(f"column {name}: {quote_cell(value)} holds a NUL character or bytes that are not UTF-8")
    return value


def _distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in pairs:
        if name in cells:
            raise _NotJsonError(f"the name {quote_cell(name)} occurs twice")
        cells[name] = value
    return cells


def _refuse_constant(name: str) -> None:
    raise _NotJsonError(f"{name} is not a number")
