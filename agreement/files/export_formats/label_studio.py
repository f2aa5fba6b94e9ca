"""Label Studio's JSON: a list of tasks, each with annotations, each with results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import option
from ..cell_texts import join_bars
from ..column_mapping import ColumnMapping
from ..json_lines import Row, json_rows
from ..problems import Problems, quote_cell
from ..table import Table, encode
from .export_format import Export, ExportFormat, no_answer, refused_as_foreign

# What a result holds, by its type: the key in its value.
ANSWERS = {
    "choices": "choices", "rating": "rating", "number": "number", "textarea": "text", "pairwise": "selected",
    "taxonomy": "taxonomy", "ranker": "ranker",
}  # fmt: skip
MOST_BYTES = 1 << 30


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    tasks = _tasks(path, problems)
    if tasks is None:
        return None
    if mapping.worker:
        problems.whole(
            f"{option('worker')}: in Label Studio's JSON the worker is who completed the annotation; leave it out"
        )
    reading = _TaskReader(mapping, problems)
    rows = [row for number, task in enumerate(tasks, start=1) for row in reading.rows_of(number, task)]
    reading.refuse_unclear()
    if len(problems):
        return None
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: encode([row.get(name, "") for row in rows], len(rows)) for name in names}
    table = Table(path.name, np.arange(len(rows), dtype=np.int64), columns)
    notes = (f"{reading.cancelled:,} skipped annotations left out.",) if reading.cancelled else ()
    return Export(
        table=table, worker="worker_id", item="item_id", value="value", where=reading.places.__getitem__, notes=notes
    )


def _tasks(path: Path, problems: Problems) -> list[Row] | None:
    if refused_as_foreign(path, problems):
        return None
    if path.stat().st_size > MOST_BYTES:
        problems.whole(f"it is larger than {MOST_BYTES >> 30} GiB; export it in parts")
        return None
    tasks = [task for _, task in json_rows(path, problems, most_bytes=MOST_BYTES)]
    if not len(problems) and not all("data" in task for task in tasks):
        problems.whole("this is not a list of tasks; export the project as JSON (not JSON-MIN)")
    return None if len(problems) else tasks


class _TaskReader:
    """Rows of tasks one after the other; `places` says where each of them stands."""

    def __init__(self, mapping: ColumnMapping, problems: Problems) -> None:
        self.mapping, self.problems = mapping, problems
        self.places: list[str] = []
        self.controls: dict[str, None] = {}
        self.cancelled = 0
        self._email: dict[str, str] = {}
        self._number: dict[str, str] = {}

    def rows_of(self, number: int, task: Mapping[str, object]) -> Iterator[dict[str, str]]:
        which = f"task {task['id']}" if task.get("id") is not None else f"number {number} in the list of tasks"
        data = task["data"] if isinstance(task["data"], dict) else {}
        item = data.get(self.mapping.item or "item_id") if self.mapping.item or "item_id" in data else task.get("id")
        if item is None:
            named = f"; its data has {', '.join(data)}, so type {option('item', next(iter(data)))}" if data else ""
            self.problems.whole(f"{which}: there is no {self.mapping.item or 'id'} in it{named}")
            return
        fields = {name: str(value) for name, value in data.items() if isinstance(value, (str, bool))}
        annotations = task.get("annotations", [])
        if not isinstance(annotations, list) or not all(map(_is_annotation, annotations)):
            self.problems.whole(f"{which}: its annotations are not a list of objects with results")
            return
        for annotation in annotations:
            if annotation.get("was_cancelled"):
                self.cancelled += 1
                continue
            place = f"{which}, annotation {annotation.get('id', '?')}"
            answer = self._answer(annotation, place)
            if answer is None:
                continue
            self.places.append(place)
            yield {
                "worker_id": self._worker(annotation, place),
                "item_id": str(item),
                "value": answer,
                "response_ms": _milliseconds(annotation.get("lead_time")),
                "submitted_at": str(annotation.get("created_at") or ""),
                "assignment_id": str(annotation.get("id") or ""),
                **{name: value for name, value in fields.items() if name not in {"worker_id", "item_id", "value"}},
            }

    def _answer(self, annotation: Mapping[str, Any], place: str) -> str | None:
        """The answer of the one control that is asked for; blank where the annotator left it out."""
        answer = ""
        for result in annotation.get("result", ()):
            name, kind = str(result.get("from_name", "")), str(result.get("type", ""))
            if self.mapping.value and name != self.mapping.value:
                self.controls.setdefault(name)
                continue
            self.controls.setdefault(name)
            if kind not in ANSWERS:
                self.problems.whole(
                    f"{place}: answers of type {quote_cell(kind)} can't be read; there are {', '.join(ANSWERS)}"
                )
                return None
            value = result.get("value")
            answer = _text(value.get(ANSWERS[kind]) if isinstance(value, dict) else None)
        return answer

    def _worker(self, annotation: Mapping[str, object], place: str) -> str:
        by = annotation.get("completed_by")
        if not isinstance(by, dict):
            return "" if by is None else str(by)
        number, email = str(by.get("id", "")), str(by.get("email", ""))
        if email and self._email.setdefault(number, email) != email:
            self.problems.whole(
                f"{place}: annotator {number} is {quote_cell(email)} here, {quote_cell(self._email[number])} before"
            )
        if email and self._number.setdefault(email, number) != number:
            self.problems.whole(
                f"{place}: {quote_cell(email)} is annotator {number} here and {self._number[email]} before: one person"
                " with two ids; give both the same id in the file"
            )
        return number

    def refuse_unclear(self) -> None:
        if self.mapping.value and self.mapping.value not in self.controls:
            self.problems.whole(no_answer(self.mapping.value, self.controls))
        elif not self.mapping.value and len(self.controls) > 1:
            names, first = ", ".join(self.controls), next(iter(self.controls))
            self.problems.whole(
                f"it has answers to several questions; say which, such as {option('value', first)}, of: {names}"
            )


def _is_annotation(one: object) -> bool:
    results = one.get("result", []) if isinstance(one, dict) else None
    return isinstance(results, list) and all(isinstance(result, dict) for result in results)


def _text(value: object) -> str:
    if isinstance(value, list):
        return join_bars([" / ".join(map(str, one)) if isinstance(one, list) else str(one) for one in value])
    return "" if value is None else str(value)


def _milliseconds(seconds: object) -> str:
    try:
        return str(round(1000 * float(str(seconds))))
    except (ValueError, OverflowError):
        return ""


FORMAT = ExportFormat(
    name="label-studio",
    title="Label Studio's JSON",
    read=read,
    knows=lambda rows: bool(rows) and all(isinstance(row.get("annotations"), list) and "data" in row for row in rows),
)
