"""Amazon Mechanical Turk's batch results: one row per assignment, answers in columns that begin with Answer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...errors import option
from ..column_mapping import ColumnMapping
from ..problems import Problems, quote_cell
from ..reading import read_table
from ..table import Table, encode
from .export_format import Export, ExportFormat

ANSWER, INPUT = "Answer.", "Input."
ELEMENTS = "Answer.taskAnswers"  # JSON, where a page is made of Crowd HTML Elements
WORKER, HIT, ASSIGNMENT = "WorkerId", "HITId", "AssignmentId"
TIME = "SubmitTime"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TIME = re.compile(rf"[A-Z][a-z]{{2}} ({'|'.join(MONTHS)}) (\d\d?) (\d\d:\d\d:\d\d) [A-Z]+ (\d{{4}})")
KEPT = (WORKER, HIT, ASSIGNMENT, "AssignmentStatus", TIME, "WorkTimeInSeconds")


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    table = read_table(path, problems)
    if table is None:
        return None
    if ELEMENTS in table.columns:
        table = _with_elements(table, problems)
    _refuse_shared_assignments(table, problems)
    named = {one.partition("=")[0].strip() for one in mapping.leave_out}
    used = {mapping.worker, mapping.item, mapping.value, *named, *KEPT}
    left_out = [name for name in table.columns if name not in used and not name.startswith((ANSWER, INPUT))]
    columns = {
        name: column.mapped(iso_time) if name == TIME else column
        for name, column in table.columns.items()
        if name not in left_out
    }
    answers = [name for name in columns if name.startswith(ANSWER)]
    if len(answers) > 1 and not mapping.value and not mapping.is_wide:
        problems.whole(
            f"it has several answers; say which one, such as {option('value', answers[0])}, of: {', '.join(answers)}"
        )
    own_ids = f"{INPUT}item_id"
    return Export(
        table=replace(table, columns=columns),
        worker=WORKER,
        item=own_ids if own_ids in columns else HIT,
        value=answers[0] if len(answers) == 1 else "",
        items=tuple(answers) if mapping.is_wide else (),
        renamed={
            ASSIGNMENT: "assignment_id",
            TIME: "submitted_at",
            **{name: name.removeprefix(INPUT) for name in (f"{INPUT}left", f"{INPUT}right") if name in columns},
        },
        columns_left_out=tuple(left_out),
    )


def iso_time(text: str) -> str:
    """The same moment as ISO writes it, without the zone's name, which stands for no certain zone.

    >>> iso_time("Mon Mar 02 10:00:00 PST 2026")
    '2026-03-02T10:00:00'
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return text
    month, day, time, year = match.groups()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}T{time}"


def _refuse_shared_assignments(table: Table, problems: Problems) -> None:
    """An assignment is one person's: two workers under one id are two ids of a person, or rows that were mixed up."""
    if not {WORKER, ASSIGNMENT} <= table.columns.keys() or not len(table):
        return
    worker, assignment = table.columns[WORKER], table.columns[ASSIGNMENT].sorted()
    first = assignment.first_rows()[assignment.codes]
    differs = np.flatnonzero(worker.codes != worker.codes[first])

    def sentence(i: int) -> str:
        here, other = (worker.values[worker.codes[row]] for row in (differs[i], first[differs[i]]))
        row = table.rows[first[differs[i]]]
        return f"{quote_cell(here)} and, in row {row}, {quote_cell(other)} have the same {ASSIGNMENT}"

    problems.each(table.rows[differs], WORKER, sentence)


def _with_elements(table: Table, problems: Problems) -> Table:
    """A column for each element of the page, in the place of the JSON."""
    answers_of_rows: list[dict[str, str]] = []
    for row, text in zip(table.rows.tolist(), table.columns[ELEMENTS].text(), strict=True):
        try:
            (answers,) = json.loads(text, parse_int=str, parse_float=str)
            answers_of_rows.append({name: _plain_answer(value) for name, value in answers.items()})
        except (ValueError, TypeError, AttributeError):
            problems.row(row, f"column {ELEMENTS}: {quote_cell(text)} is not a list of one JSON object")
            answers_of_rows.append({})
    names = dict.fromkeys(name for each in answers_of_rows for name in each)
    others = {name: column for name, column in table.columns.items() if name != ELEMENTS}
    answer_columns = {
        ANSWER + name: encode([each.get(name, "") for each in answers_of_rows], len(answers_of_rows)) for name in names
    }
    return replace(table, columns={**others, **answer_columns})


def _plain_answer(value: object) -> str:
    """A classifier gives {"label": …} or {"labels": […]}, radio buttons and check boxes {"red": true, "blue": false}.

    >>> _plain_answer({"label": "red"}), _plain_answer({"red": True, "blue": False}), _plain_answer("40")
    ('red', 'red', '40')
    """
    if isinstance(value, dict):
        if all(isinstance(one, bool) for one in value.values()):
            return "|".join(name for name, is_chosen in value.items() if is_chosen)
        return _plain_answer(next(iter(value.values())))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "|".join(map(str, value))
    return "" if value is None else str(value)


FORMAT = ExportFormat(
    name="mturk",
    title="Mechanical Turk's batch results",
    read=read,
    has=lambda columns: {WORKER, HIT} <= set(columns),
)
