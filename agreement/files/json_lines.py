"""JSON and JSON Lines as the table that a CSV would give; lines of any file, none longer than fits in memory."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

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


MOST_JSON = 1 << 28  # bytes of a file that is one JSON value, which is in memory as a whole
Row: TypeAlias = dict[str, Any]
_PARSED: ContextVar[dict[Path, object] | None] = ContextVar("the values of JSON files that were parsed", default=None)


@contextmanager
def parsed_once() -> Iterator[None]:
    """Within it a file that is one JSON value is parsed once, however many readers look at it."""
    if _PARSED.get() is not None:
        yield
        return
    token = _PARSED.set({})
    try:
        yield
    finally:
        _PARSED.reset(token)


class _Number(str):
    """A JSON number, as the text it was written as."""

    __slots__ = ()


class NotJsonError(ValueError):
    """A line that isn't one object, or a value that no cell holds."""


def read_jsonl(path: Path, problems: Problems, *, most_columns: int = MOST_COLUMNS) -> Table | None:
    """The table in `path`; lines that are not one object of plain values go to `problems` and are left out."""
    lists: set[str] = set()
    return table_of_cells(path.name, _cells(json_rows(path, problems), lists, problems), problems, lists, most_columns)


def _cells(
    rows: Iterable[tuple[int, Row]], lists: set[str], problems: Problems
) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in rows:
        try:
            flat = flattened(row)
            yield number, {name: _text_of_value(name, value) for name, value in flat.items()}
        except NotJsonError as error:
            problems.row(number, str(error))
        else:
            lists.update(name for name, value in flat.items() if isinstance(value, list))


def flattened(row: Mapping[str, object], whole: Collection[str] = ()) -> Row:
    """The row with the fields of objects as columns of their own; those of `whole` stay.

    >>> flattened({"id": 1, "meta": {"source": "a", "by": {"x": 2}}})
    {'id': 1, 'meta.source': 'a', 'meta.by.x': 2}
    """
    flat: Row = {}
    for name, value in row.items():
        if isinstance(value, dict) and name not in whole:
            inner = {f"{name}.{key}": one for key, one in value.items()}
            flat |= flattened(inner, whole) if inner else {name: ""}
        else:
            flat[name] = value
    return flat


def table_of_cells(
    name: str,
    cells: Iterator[tuple[int, dict[str, str]]],
    problems: Problems,
    lists: Collection[str] = (),
    most_columns: int = MOST_COLUMNS,
) -> Table | None:
    """The table of rows that came one by one, each with its number; `lists` are columns that held lists."""
    rows: list[int] = []
    columns = _ColumnsOfObjects()
    while chunk := list(islice(cells, ROWS_AT_ONCE)):
        rows.extend(number for number, _ in chunk)
        columns.extend([of_row for _, of_row in chunk])
        if too_large := columns.too_large(most_columns):
            problems.whole(too_large)
            return None
    if not rows and not len(problems):
        problems.whole("the file is empty")
        return None
    return Table(name, np.array(rows, dtype=np.int64), columns.columns(lists))


def json_rows(path: Path, problems: Problems, *, most_bytes: int | None = None) -> Iterator[tuple[int, Row]]:
    """The objects of a file with their lines, or, where the file is one JSON value, their places in its list."""
    if path.suffix.lower() == ".json":
        yield from enumerate(_rows_of_value(path, problems, most_bytes or MOST_JSON), start=1)
        return
    with path.open("rb", buffering=0) as stream:
        try:
            for number, line in enumerate(text_lines(stream), start=1):
                if line.strip():
                    try:
                        yield number, json_object(line)
                    except NotJsonError as error:
                        problems.row(number, str(error))
        except LineTooLongError:
            problems.whole(f"a line is longer than {LONGEST_LINE:,} bytes; JSON Lines has one judgment per line")


def _rows_of_value(path: Path, problems: Problems, most_bytes: int) -> list[Row]:
    """Of a list of objects, of an object that holds one, or of an object of objects, each by its id."""
    if path.stat().st_size > most_bytes:
        problems.whole(
            f"it is larger than {most_bytes >> 20} MiB, and JSON that is one value is read as a whole; save it as JSON"
            " Lines, one object per line, in a file whose name ends in .jsonl"
        )
        return []
    value = _value_of(path, problems)
    if isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
        return [{"id": key, **one} for key, one in value.items()]
    if isinstance(value, dict):
        value = next((one for one in value.values() if _is_list_of_objects(one)), value)
    if not _is_list_of_objects(value):
        if not len(problems):
            problems.whole("this is not a list of objects, each with the columns' names")
        return []
    rows: list[Row] = value
    return rows


def _value_of(path: Path, problems: Problems) -> Any:
    parsed = _PARSED.get()
    if parsed is not None and path in parsed:
        return parsed[path]
    value = None
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"), **_AS_TEXT)
    except json.JSONDecodeError as error:
        if _is_first_of_several(path):
            problems.whole("it has one object per line, which is JSON Lines: give its name the ending .jsonl")
        else:
            problems.whole(f"this is not JSON ({error.msg}, line {error.lineno}, character {error.colno})")
    except (UnicodeDecodeError, RecursionError):
        problems.whole("this is not JSON in UTF-8, or nested too deeply")
    except NotJsonError as error:
        problems.whole(str(error))
    if parsed is not None and value is not None:
        parsed[path] = value
    return value


def _is_first_of_several(path: Path) -> bool:
    with path.open("rb") as stream:
        try:
            return isinstance(json.loads(stream.readline(LONGEST_LINE)), dict)
        except ValueError:
            return False


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


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

    def columns(self, lists: Collection[str]) -> dict[str, Column]:
        columns = {name: encoder.column() for name, encoder in self._encoders.items()}
        return {name: replace(each, has_lists=name in lists) for name, each in columns.items()}


def json_object(line: str) -> Row:
    """The object of a line, with numbers as they are written."""
    try:
        parsed = json.loads(line, **_AS_TEXT)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not JSON ({error.msg} at character {error.pos + 1})") from error
    except RecursionError:
        raise NotJsonError("nested too deeply; a column's value is a text, a number or a list of texts") from None
    if not isinstance(parsed, dict):
        raise NotJsonError(f"{quote_cell(line.strip())} is not an object with the columns' names")
    return {name.strip(): value for name, value in parsed.items()}


def _text_of_value(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return join_bars(value)
    if not isinstance(value, str):
        raise NotJsonError(f"column {name}: {quote_cell(json.dumps(value))} is no text, number or list of texts")
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise NotJsonError(f"column {name}: {quote_cell(value)} holds a NUL character or bytes that are not UTF-8")
    return value


def _distinct(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    cells: dict[str, object] = {}
    for name, value in pairs:
        if name in cells:
            raise NotJsonError(f"the name {quote_cell(name)} occurs twice")
        cells[name] = value
    return cells


def _refuse_constant(name: str) -> None:
    raise NotJsonError(f"{name} is not a number")


_AS_TEXT: dict[str, Any] = {
    "parse_float": _Number,
    "parse_int": _Number,
    "parse_constant": _refuse_constant,
    "object_pairs_hook": _distinct,
}
