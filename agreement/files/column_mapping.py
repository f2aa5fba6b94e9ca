"""Which columns of somebody else's file are worker, item and answer: given as options, kept as a TOML file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from ..errors import Refused

Missing = Literal["refuse", "skip"]
MISSING: tuple[Missing, ...] = get_args(Missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """What isn't said is as in judgments.csv, or as the format named by `export` has it.

    `columns` are patterns such as sim_* of the columns that are items in a wide file; none given: every column that is
    nothing else. `skip_rows` counts from the first row below the header. `missing_as` are texts that stand for no
    answer, as an empty cell does. `leave_out` names rows by what a column holds, as AssignmentStatus=Rejected.
    """

    export: str = ""
    worker: str = ""
    item: str = ""
    value: str = ""
    wide: bool = False
    columns: tuple[str, ...] = ()
    skip_rows: tuple[int, ...] = ()
    missing: Missing = "refuse"
    missing_as: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()

    @property
    def is_wide(self) -> bool:
        return self.wide or bool(self.columns)

    def toml(self) -> str:
        """The file that `read_mapping` reads; what is as always is left out."""
        said = {KEY_OF.get(name, name): getattr(self, name) for name in NAMES if getattr(self, name) != _DEFAULT[name]}
        return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items())


NAMES = tuple(each.name for each in fields(ColumnMapping))
_DEFAULT: Mapping[str, Any] = {name: getattr(ColumnMapping(), name) for name in NAMES}
KEY_OF = {"export": "from"}  # a word of Python
AS_THEY_ARE = ColumnMapping()


def read_mapping(path: Path) -> ColumnMapping:
    """The mapping in a TOML file; every wrong key is named."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Refused(f"{path.name}: can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path.name}: this is not TOML: {error}") from error
    keys = {KEY_OF.get(name, name): name for name in NAMES}
    reasons: list[str] = []
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in keys:
            reasons.append(f"{path.name}, key {key}: there is no such key; the keys are {', '.join(keys)}")
        elif why := _wrong(keys[key], value):
            reasons.append(f"{path.name}, key {key}: {why}")
        else:
            found[keys[key]] = tuple(value) if isinstance(value, list) else value
    if reasons:
        raise Refused(reasons)
    return ColumnMapping(**found)


def _wrong(name: str, value: object) -> str:
    match _DEFAULT[name]:
        case bool():
            return "" if isinstance(value, bool) else "write true or false"
        case tuple():
            of, words = (int, "whole numbers from 1") if name == "skip_rows" else (str, "texts")
            fits = isinstance(value, list) and all(type(one) is of for one in value) and min([1, *_numbers(value)]) > 0
            if fits and name == "leave_out" and isinstance(value, list) and not all("=" in one for one in value):
                return 'write a list of texts such as "Status=Rejected"'
            return "" if fits else f"write a list of {words}"
        case _ if name == "missing":
            return "" if value in MISSING else f"write one of {', '.join(MISSING)}"
        case _:
            return "" if isinstance(value, str) else "write a text in quotes"


def _numbers(values: list[Any]) -> list[int]:
    return [value for value in values if isinstance(value, int)]
