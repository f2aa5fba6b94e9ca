"""Potato's annotated_instances.jsonl: one line per instance, one file or folder per annotator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from ...errors import option
from ..cell_texts import join_bars
from ..column_mapping import ColumnMapping
from ..json_lines import LONGEST_LINE
from ..problems import Problems, quote_cell
from ..reading import foreign
from ..table import Table, encode
from .export_format import Export, ExportFormat, no_answer

FILE = "annotated_instances.jsonl"
USERS = ("user_id", "user")  # what versions of it call the annotator
HOLDS_TEXT = re.compile(r"scale|slider|text|number|free|input|rating", re.IGNORECASE)
CHOSEN = (True, "true", "True", "on", "1")
FALSE = (False, None, "false", "False", "off", "0", "")
_SPENT = re.compile(r"(?:(\d+)d )?(?:(\d+)h )?(?:(\d+)m )?([\d.]+)s")


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    """Of a folder (annotation_output/) every annotator's file; without a user_id the folder's name is the annotator."""
    files = sorted(path.glob(f"**/{FILE}")) if path.is_dir() else [path]
    if not files:
        problems.whole(f"there is no {FILE} in this folder")
        return None
    rows: list[dict[str, str]] = []
    places: list[str] = []
    questions: dict[str, None] = {}
    for file in files:
        lines = list(_lines(file, problems, of_many=path.is_dir()))
        user = mapping.worker or next((name for name in USERS if any(name in entry for _, entry in lines)), "")
        for number, entry in lines:
            row = _row(entry, file, mapping, user, questions)
            if isinstance(row, str):
                _refuse(problems, file, number, row, of_many=path.is_dir())
                continue
            rows.append(row)
            places.append(f"{_place(file)}, line {number}" if path.is_dir() else f"row {number}")
    if not mapping.value and len(questions) > 1:
        example, listed = option("value", next(iter(questions))), ", ".join(questions)
        problems.whole(f"it has answers to several questions; say which, such as {example}, of: {listed}")
    elif mapping.value and mapping.value not in questions:
        problems.whole(no_answer(mapping.value, questions))
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: encode([row.get(name, "") for row in rows], len(rows)) for name in names}
    table = Table(path.name, np.arange(len(rows), dtype=np.int64), columns)
    return Export(table=table, worker="worker_id", item="item_id", value="value", where=places.__getitem__)


def _place(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def _refuse(problems: Problems, file: Path, number: int, why: str, *, of_many: bool) -> None:
    """By the row of the file, which of several is named."""
    if of_many:
        problems.whole(f"{_place(file)}, line {number}: {why}")
    else:
        problems.row(number, why)


def _lines(file: Path, problems: Problems, *, of_many: bool) -> Iterator[tuple[int, dict[str, object]]]:
    try:
        with file.open("rb") as raw:
            if file_type := foreign(raw.peek(4)[:4]):
                problems.whole(f"{_place(file) if of_many else 'the file'} is {file_type}")
                return
        with file.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), ""), start=1):
                if not line.strip():
                    continue
                try:
                    entry = json.loads(line, parse_int=str, parse_float=str)
                except (ValueError, RecursionError) as error:
                    why = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
                    _refuse(problems, file, number, f"not JSON ({why}): {quote_cell(line.strip())}", of_many=of_many)
                    continue
                if isinstance(entry, dict):
                    yield number, entry
                else:
                    _refuse(problems, file, number, f"{quote_cell(line.strip())} is not an object", of_many=of_many)
    except OSError as error:
        problems.whole(f"{file.name}: can't be read ({error.strerror})")
    except UnicodeDecodeError:
        problems.whole(f"{_place(file) if of_many else 'the file'} holds bytes that are not UTF-8; save it as UTF-8")


def _row(
    entry: Mapping[str, object], file: Path, mapping: ColumnMapping, user: str, questions: dict[str, None]
) -> dict[str, str] | str:
    """The judgment, or what is wrong with it. Only where no line names its annotator the folder's name is theirs."""
    labels, item = entry.get("label_annotations"), _item(entry, mapping)
    names = ", ".join(entry) or "nothing"
    if item is None:
        return f"there is no {mapping.item or 'instance_id'} in it; it has {names}: type {option('item', 'NAME')}"
    if not isinstance(labels, dict):
        return f"there are no label_annotations in it; it has {names}"
    if user and entry.get(user) in (None, ""):
        return f"there is no {user} in it; it has {names}: type {option('worker', 'NAME')}"
    questions.update(dict.fromkeys(map(str, labels)))
    asked = mapping.value or next(iter(labels), "")
    behaviour = entry.get("behavioral_data")
    return {
        "worker_id": str(entry[user] if user else file.parent.name),
        "item_id": str(item),
        "value": _answer(labels.get(asked)),
        "response_ms": _milliseconds(behaviour if isinstance(behaviour, dict) else {}),
        **({"text": str(entry["displayed_text"])} if "displayed_text" in entry else {}),
    }


def _item(entry: Mapping[str, object], mapping: ColumnMapping) -> object:
    if mapping.item:
        return entry.get(mapping.item)
    return entry.get("instance_id", entry.get("id"))


def _answer(answers: object) -> str:
    """Chosen labels with | between; a slider's or a text box's own text.

    >>> _answer({"positive": "true", "negative": False}), _answer({"slider": "40"}), _answer({"scale_3": "3"})
    ('positive', '40', '3')
    """
    if not isinstance(answers, dict):
        return "" if answers is None else str(answers)
    values = list(answers.values())
    if len(answers) == 1 and (HOLDS_TEXT.match(str(next(iter(answers)))) or values[0] not in CHOSEN):
        return "" if values[0] is None else str(values[0])
    return join_bars([str(name) for name, value in answers.items() if value not in FALSE])


def _milliseconds(behaviour: Mapping[str, object]) -> str:
    """From seconds, or from "Time spent: 0d 0h 0m 6s".

    >>> _milliseconds({"time_spent": "12.5"}), _milliseconds({"time_string": "Time spent: 0d 0h 1m 6s "})
    ('12500', '66000')
    """
    if match := _SPENT.search(str(behaviour.get("time_string", ""))):
        days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
        return str(round(1000 * (((days * 24 + hours) * 60 + minutes) * 60 + seconds)))
    try:
        return str(round(1000 * float(str(behaviour["time_spent"]))))
    except (KeyError, ValueError, OverflowError):
        return ""


FORMAT = ExportFormat(
    name="potato",
    title="Potato's annotated_instances.jsonl, or the folder that holds them",
    read=read,
    knows=lambda rows: bool(rows) and all(isinstance(row.get("label_annotations"), dict) for row in rows),
    folder_has=lambda folder: any(folder.glob(f"**/{FILE}")),
)
