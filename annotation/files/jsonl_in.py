"""Reading JSON Lines as the same table that a CSV would give: an object a line, numbers kept as they were written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from annotation.files.bars import join_bars
from annotation.files.csv_in import LONGEST_LINE, LineTooLongError, text_lines
from annotation.files.problems import Problems, shown
from annotation.files.table import Table, encode


class _Number(str):
    """A JSON number, as the text it was written as."""

    __slots__ = ()


class _NotJsonError(ValueError):
    """A line that isn't one object of plain values."""


def read_jsonl(path: Path, problems: Problems) -> Table | None:
    """The table in `path`; lines that are not one object of plain values go to `problems` and are left out."""
    rows: list[int] = []
    objects: list[dict[str, str]] = []
    with path.open("rb", buffering=0) as stream:
        try:
            for number, line in enumerate(text_lines(stream), start=1):
                if line.strip():
                    try:
                        objects.append(_object(line))
                        rows.append(number)
                    except _NotJsonError as error:
                        problems.row(number, str(error))
        except LineTooLongError:
            problems.whole(f"a line is longer than {LONGEST_LINE:,} bytes; JSON Lines has one judgment a line")
            return None
    if not rows and not len(problems):
        problems.whole("the file is empty")
        return None
    names = dict.fromkeys(name for found in objects for name in found)
    columns = {name: encode((found.get(name, "") for found in objects), len(objects)) for name in names}
    return Table(path.name, np.array(rows, dtype=np.int64), columns)


def _object(line: str) -> dict[str, str]:
    try:
        found = json.loads(
            line, parse_float=_Number, parse_int=_Number, parse_constant=_refuse_constant, object_pairs_hook=_distinct
        )
    except json.JSONDecodeError as error:
        raise _NotJsonError(f"not JSON ({error.msg} at character {error.pos + 1})") from error
    except RecursionError:
        raise _NotJsonError("nested too deeply; a column's value is a text, a number or a list of texts") from None
    if not isinstance(found, dict):
        raise _NotJsonError(f"{shown(line.strip())} is not an object with the columns' names")
    return {name.strip(): _text(name, value) for name, value in found.items()}


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return join_bars(value)
    if not isinstance(value, str):
        raise _NotJsonError(f"column {name}: {shown(json.dumps(value))} is no text, number or list of texts")
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise _NotJsonError(f"column {name}: {shown(value)} holds a NUL character or bytes that are not UTF-8")
    return value


def _distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _NotJsonError(f"the name {shown(name)} is there twice")
        found[name] = value
    return found


def _refuse_constant(name: str) -> None:
    raise _NotJsonError(f"{name} is not a number")
