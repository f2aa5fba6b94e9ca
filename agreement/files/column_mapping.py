"""Which columns of somebody else's file are worker, item and answer: given as options, kept as a TOML file."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from ..errors import Refused, remedy

Missing = Literal["refuse", "skip"]
MISSING: tuple[Missing, ...] = get_args(Missing)
Unit = Literal["ms", "s"]
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """What isn't said is as in judgments.csv, or as the format named by `export` has it.

    A wide file has a column per item or, with `raters_in_columns`, per rater; with `labels_in_columns` a row is a
    judgment with a column per label. `columns` are patterns such as sim_* of these columns; none given: every column
    that is nothing else. `skip_rows` counts from the first row below the
    header. `missing` says what becomes of cells without an answer: where nothing is said, a wide file's are skipped and
    others refused. `missing_as` are texts that stand for no answer, as an empty cell does. `leave_out` names rows by
    what a column holds, as AssignmentStatus=Rejected. `response_time` is a column and its unit, as rt=s; `sheet` a
    workbook's.
    """

    export: str = ""
    worker: str = ""
    item: str = ""
    value: str = ""
    wide: bool = False
    raters_in_columns: bool = False
    labels_in_columns: bool = False
    columns: tuple[str, ...] = ()
    skip_rows: tuple[int, ...] = ()
    missing: Missing | None = None
    missing_as: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    response_time: str = ""
    sheet: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether several columns hold answers: one per item, or one per rater."""
        return not self.labels_in_columns and (self.wide or self.raters_in_columns or bool(self.columns))

    def options(self) -> str:
        """What one types for it.

        >>> from agreement.errors import sentence_for
        >>> mapping = ColumnMapping(worker="Worker Id", wide=True, columns=("sim_*",))
        >>> sentence_for(mapping.options(), "command"), sentence_for(mapping.options(), "python")
        ("--worker 'Worker Id' --wide --columns 'sim_*'", 'worker="Worker Id", wide=True, columns=["sim_*"]')
        """
        typed = {name: getattr(self, name) for name in NAMES if getattr(self, name) != _DEFAULT[name]}
        command = " ".join(_option(KEY_OF.get(name, name).replace("_", "-"), value) for name, value in typed.items())
        return remedy(command=command, python=", ".join(f"{name}={_argument(value)}" for name, value in typed.items()))

    def toml(self) -> str:
        """The file that `read_mapping` reads; what is as always is left out."""
        settings = {
            KEY_OF.get(name, name): getattr(self, name) for name in NAMES if getattr(self, name) != _DEFAULT[name]
        }
        return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items())


def _option(name: str, value: object) -> str:
    if value is True:
        return f"--{name}"
    mark = "," if name == "skip-rows" else "|"
    return f"--{name} {shlex.quote(mark.join(map(str, value)) if isinstance(value, tuple) else str(value))}"


def _argument(value: object) -> str:
    if isinstance(value, (bool, tuple)):
        return json.dumps(list(value), ensure_ascii=False) if isinstance(value, tuple) else str(value)
    return json.dumps(value, ensure_ascii=False)


NAMES = tuple(each.name for each in fields(ColumnMapping))
_DEFAULT: Mapping[str, object] = {name: getattr(ColumnMapping(), name) for name in NAMES}
KEY_OF = {"export": "from"}  # a word of Python
AS_THEY_ARE = ColumnMapping()


def read_mapping(path: Path) -> ColumnMapping:
    """The mapping in a TOML file; every wrong key is named."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Refused(f"{path.name}: can't be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path.name}: this is not TOML: {error}") from error
    keys = {KEY_OF.get(name, name): name for name in NAMES}
    reasons: list[str] = []
    settings: dict[str, Any] = {}
    for key, value in document.items():
        if key not in keys:
            reasons.append(f"{path.name}, key {key}: there is no such key; the keys are {', '.join(keys)}")
        elif why := wrong_value(keys[key], value):
            reasons.append(f"{path.name}, key {key}: {why}")
        else:
            settings[keys[key]] = tuple(value) if isinstance(value, list) else value
    if reasons:
        raise Refused(reasons)
    return ColumnMapping(**settings)


def wrong_value(name: str, value: object) -> str:
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
        case _ if name == "response_time":
            return "" if isinstance(value, str) and fits_response_time(value) else 'write a text such as "rt=ms"'
        case _:
            return "" if isinstance(value, str) else "write a text in quotes"


def fits_response_time(text: str) -> bool:
    """Whether it is a column and a unit.

    >>> fits_response_time("rt=ms"), fits_response_time("rt")
    (True, False)
    """
    name, sign, unit = text.rpartition("=")
    return bool(name.strip() and sign) and unit.strip() in UNITS


def _numbers(values: list[object]) -> list[int]:
    return [value for value in values if isinstance(value, int)]


# Names of several columns in one cell of a header: another separator, quotes around whole rows, or none
# between.

# What our own files call their columns; a cell that holds several of them is no column's name.
KNOWN = frozenset({
    "worker_id", "item_id", "value", "response_ms", "submitted_at", "assignment_id", "kind", "check", "expected", "min",
    "max", "reference", "question", "left", "right", "score", "label", "probability", "candidate", "text",
    "sentence_id", "token", "logprob", "synonym", "probe", "group", "kept", "reason", "property", "relation", "feature",
})  # fmt: skip
IDS = frozenset({"worker_id", "item_id"})
MOST_NAMED = 10
MARKS = (";", "\t", "|", ",")
ADVICE = (
    "one and the same separator, commas, semicolons or tabs, belongs between all cells, with no quotes around whole"
    " rows; a name that holds a comma stands in quotes"
)
_GLUED = re.compile("(?:" + "|".join(sorted(KNOWN, key=len, reverse=True)) + ")+")


def joined_names(name: str) -> list[str]:
    r"""The names that one cell of a header holds, where some of them are columns of ours; none of a plain name.

    >>> [joined_names(name) for name in ("worker_id;item_id;value", "worker_id item_id", "item_idvalue")]
    [['worker_id', 'item_id', 'value'], ['worker_id', 'item_id'], ['item_id', 'value']]
    >>> [joined_names(name) for name in ("item_id", "left;right side", "text label", "Over, above", "v:item_id;x")]
    [[], [], [], [], []]
    """
    if name in KNOWN:
        return []
    for mark in MARKS:
        parts = [part.strip() for part in name.split(mark)]
        if len(parts) > 1 and (IDS & set(parts) or (mark in ";\t" and set(parts) <= KNOWN)):
            return parts
    words = name.split()
    if len(words) > 1 and IDS & set(words) and set(words) <= KNOWN:
        return words
    return _glued(name)


def looks_joined(name: str) -> int:
    """How many names a cell seems to hold that has semicolons or tabs in it; 0 where it has none."""
    return next((len(parts) for mark in ";\t" if len(parts := name.split(mark)) > 1 and all(parts)), 0)


def other_width(header: Sequence[str], width: int) -> str:
    """What is wrong with a file of whose rows not one has as many cells as the header, but all the same number.

    >>> other_width(["worker_id", "item_id", "value"], 4).partition(";")[0]
    'the header names 3 columns (worker_id, item_id, value), and every row has 4 cells'
    """
    names = ", ".join(header[:MOST_NAMED]) + (", …" if len(header) > MOST_NAMED else "")
    columns = "1 column" if len(header) == 1 else f"{len(header)} columns"
    mismatch = f"the header names {columns} ({names}), and every row has {width} cell{'' if width == 1 else 's'}"
    if width == 1:
        return f"{mismatch}; {ADVICE}"
    if width == len(header) + 1:
        return (
            f"{mismatch}; two names may have become one, or the rows begin with a number that has no name or end with a"
            " separator: give each column its name, or delete the one without (R's write.csv: row.names = FALSE)"
        )
    return f"{mismatch}; give each column its name, with the same separator as between the cells"


def _glued(name: str) -> list[str]:
    """Names without anything between, of which one is an id."""
    if not any(one in name for one in IDS) or not _GLUED.fullmatch(name):
        return []
    return re.findall("|".join(sorted(KNOWN, key=len, reverse=True)), name)
