"""Prodigy's JSON Lines, as `prodigy db-out` writes them: one line per answer of one annotator to one task."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import option
from ..binary_tables import cell_text
from ..cell_texts import join_bars
from ..column_mapping import ColumnMapping
from ..json_lines import Row, json_rows, table_of_cells
from ..problems import Problems
from .export_format import Export, ExportFormat, refused_as_foreign

TASK, INPUT, ANSWER = "_task_hash", "_input_hash", "answer"
ANNOTATORS = ("_annotator_id", "_session_id")
SHOWN = ("text", "html", "image", "audio", "label")
OF_SPANS = ("spans", "relations", "audio_spans")


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    if path.is_dir() or refused_as_foreign(path, problems):
        return None
    reading = _Reading(mapping, problems)
    table = table_of_cells(path.name, reading.judgments(json_rows(path, problems)), problems)
    if table is None or len(problems):
        return None
    ignored = reading.ignored
    return Export(
        table=table,
        worker="worker_id",
        item="item_id",
        value="value",
        notes=(f"{ignored:,} ignored {'task' if ignored == 1 else 'tasks'} left out.",) if ignored else (),
        skips_missing=True,
    )


class _Reading:
    """Lines one after the other; those that the annotator ignored are counted."""

    def __init__(self, mapping: ColumnMapping, problems: Problems) -> None:
        self.mapping, self.problems = mapping, problems
        self.ignored = 0

    def judgments(self, rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, dict[str, str]]]:
        for number, row in rows:
            if row.get(ANSWER) == "ignore":
                self.ignored += 1
                continue
            cells = self._cells(row)
            if isinstance(cells, str):
                self.problems.row(number, cells)
            else:
                yield number, cells

    def _cells(self, row: Row) -> dict[str, str] | str:
        worker = (
            row.get(self.mapping.worker) if self.mapping.worker else next(filter(None, map(row.get, ANNOTATORS)), None)
        )
        item = row.get(self.mapping.item or (INPUT if "options" in row and INPUT in row else TASK))
        names = ", ".join(row) or "nothing"
        if worker in (None, ""):
            name = self.mapping.worker or ANNOTATORS[0]
            return f"there is no {name} in it; it has {names}: type {option('worker', 'NAME')}"
        if item in (None, ""):
            return f"there is no {self.mapping.item or TASK} in it; it has {names}: type {option('item', 'NAME')}"
        value = self._value(row)
        if value is None:
            return (
                f"its answer is of spans, which can't be read; name another by {option('value', 'NAME')}, of: {names}"
            )
        return {
            "worker_id": cell_text(worker),
            "item_id": cell_text(item),
            "value": value,
            "submitted_at": _moment(row.get("_timestamp")),
            **{name: cell_text(row[name]) for name in SHOWN if isinstance(row.get(name), str)},
        }

    def _value(self, row: Row) -> str | None:
        """The options that were chosen; of a yes-or-no task accept or reject."""
        if self.mapping.value:
            return cell_text(row.get(self.mapping.value))
        if isinstance(row.get("accept"), list):
            return join_bars([cell_text(one) for one in row["accept"]])
        return None if any(name in row for name in OF_SPANS) else cell_text(row.get(ANSWER))


def _moment(seconds: Any) -> str:
    """A Unix time as ISO writes it; blank where there is none.

    >>> _moment("1760000000"), _moment(None)
    ('2025-10-09T08:53:20+00:00', '')
    """
    try:
        return dt.datetime.fromtimestamp(int(float(seconds)), tz=dt.UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return ""


FORMAT = ExportFormat(
    name="prodigy",
    title="Prodigy's JSON Lines (db-out)",
    read=read,
    knows=lambda rows: bool(rows) and all(ANSWER in row and (TASK in row or INPUT in row) for row in rows),
)
