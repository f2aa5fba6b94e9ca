"""Potato's annotated_instances.jsonl: one line per instance, one file or folder per annotator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tables.cell_texts import join_bars
from tables.column_mapping import ColumnMapping
from tables.export_formats.export_format import Export, ExportFormat
from tables.problems import Problems, shown
from tables.reading import LONGEST_LINE
from tables.table import Table, encode

FILE = "annotated_instances.jsonl"
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
        for number, found in _lines(file, problems):
            place = f"{file.parent.name}/{file.name}, line {number}" if path.is_dir() else f"row {number}"
            row = _row(found, file, mapping, questions)
            if row is None:
                problems.whole(f"{place}: it has no instance_id or id, or no label_annotations")
                continue
            rows.append(row)
            places.append(place)
    if not mapping.value and len(questions) > 1:
        first = next(iter(questions))
        problems.whole(
            f"it has answers to several questions; say which, such as --value {first}, of: {', '.join(questions)}"
        )
    elif mapping.value and mapping.value not in questions:
        problems.whole(f"no answer is of {mapping.value}; there are {', '.join(questions) or 'none'}")
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: encode([row.get(name, "") for row in rows], len(rows)) for name in names}
    table = Table(path.name, np.arange(len(rows), dtype=np.int64), columns)
    return Export(table=table, worker="worker_id", item="item_id", value="value", where=places.__getitem__)


def _lines(file: Path, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with file.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), ""), start=1):
                if not line.strip():
                    continue
                found = json.loads(line, parse_int=str, parse_float=str)
                if isinstance(found, dict):
                    yield number, found
                else:
                    problems.row(number, f"{shown(line.strip())} is not an object")
    except OSError as error:
        problems.whole(f"{file.name}: can't be read ({error.strerror})")
    except (ValueError, RecursionError) as error:
        problems.whole(f"{file.name}: this is not JSON Lines: {error}")


def _row(
    found: Mapping[str, Any], file: Path, mapping: ColumnMapping, questions: dict[str, None]
) -> dict[str, str] | None:
    labels, item = found.get("label_annotations"), found.get(mapping.item or "instance_id", found.get("id"))
    if not isinstance(labels, dict) or item is None:
        return None
    questions.update(dict.fromkeys(map(str, labels)))
    asked = mapping.value or next(iter(labels), "")
    behaviour = found.get("behavioral_data")
    return {
        "worker_id": str(found.get(mapping.worker or "user_id", found.get("user", file.parent.name))),
        "item_id": str(item),
        "value": _answer(labels.get(asked)),
        "response_ms": _milliseconds(behaviour if isinstance(behaviour, dict) else {}),
        **({"text": str(found["displayed_text"])} if "displayed_text" in found else {}),
    }


def _answer(given: Any) -> str:
    """Chosen labels with | between; a slider's or a text box's own text.

    >>> _answer({"positive": "true", "negative": False}), _answer({"slider": "40"}), _answer({"scale_3": "3"})
    ('positive', '40', '3')
    """
    if not isinstance(given, dict):
        return "" if given is None else str(given)
    values = list(given.values())
    if len(given) == 1 and (HOLDS_TEXT.match(str(next(iter(given)))) or values[0] not in CHOSEN):
        return "" if values[0] is None else str(values[0])
    return join_bars([str(name) for name, value in given.items() if value not in FALSE])


def _milliseconds(behaviour: Mapping[str, Any]) -> str:
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
    name="potato", title="Potato's annotated_instances.jsonl, or the folder that holds them", read=read
)
