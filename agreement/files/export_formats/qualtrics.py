"""Qualtrics' CSV or TSV: one row per response, one column per question, three header rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...errors import option
from ..column_mapping import ColumnMapping
from ..marked_rows import without_rows_of
from ..problems import Problems, quote_cell
from ..reading import read_table
from ..recognition import answer_blocks
from ..table import Table
from .export_format import Export, ExportFormat

RESPONSE, PROLIFIC, STATUS, RECORDED = "ResponseId", "PROLIFIC_PID", "Status", "RecordedDate"
# What identifies a person and no analysis needs.
PERSONAL = (
    "IPAddress", "RecipientLastName", "RecipientFirstName", "RecipientEmail", "ExternalReference", "LocationLatitude",
    "LocationLongitude",
)  # fmt: skip
IMPORT_ID = re.compile(r'\{"ImportId":')
QUESTION = re.compile(r"(\d+_)?QID\d+")
NOT_ANSWERS = ("FIRST_CLICK", "LAST_CLICK", "PAGE_SUBMIT", "CLICK_COUNT", "TEXT")
PREVIEW = frozenset({
    "Survey Preview", "Survey Test", "Survey Preview Spam", "Offline Survey Preview", "1", "2", "9", "17",
})  # fmt: skip


def read(path: Path, mapping: ColumnMapping, problems: Problems) -> Export | None:
    table = read_table(path, problems)
    if table is None:
        return None
    questions = _questions(table) if len(table) > 1 else None
    if questions is None:
        if not len(problems):
            problems.whole(
                "its third row doesn't have Qualtrics' ImportIds; export the data as CSV with all header rows"
            )
        return None
    if not questions:
        problems.whole("no column of it is a question: the third row has no ImportId such as QID1; export it again")
        return None
    table = table.take(np.arange(2, len(table))).without_unused()
    if not mapping.columns and len(blocks := answer_blocks(table, questions)) == 1:
        questions = blocks[0]  # without the question that asks for consent, and others with answers of their own
    table, notes = _without_previews(table)
    table, left_out = without_rows_of(table, mapping.leave_out, problems)
    worker = PROLIFIC if PROLIFIC in table.columns and not mapping.worker else (mapping.worker or RESPONSE)
    _refuse_two_responses(table, worker, problems)
    gone = [name for name in PERSONAL if name in table.columns and name not in (mapping.worker, mapping.item)]
    columns = {name: column for name, column in table.columns.items() if name not in gone}
    renamed = {RECORDED: "submitted_at", RESPONSE: "assignment_id"}
    return Export(
        table=replace(table, columns=columns),
        worker=worker,
        items=tuple(questions),
        renamed={name: ours for name, ours in renamed.items() if name in columns and name != worker},
        notes=(*notes, *left_out),
        leaves_out=True,
        columns_left_out=tuple(gone),
    )


def _questions(table: Table) -> list[str] | None:
    """The columns of questions, by the ids in the third header row; None where that row isn't there."""
    ids = {name: column.values[column.codes[1]] for name, column in table.columns.items()}
    if not all(map(IMPORT_ID.match, ids.values())):
        return None
    try:
        import_ids = {name: str(json.loads(text)["ImportId"]) for name, text in ids.items()}
    except (ValueError, KeyError):
        return None
    return [name for name, of in import_ids.items() if QUESTION.match(of) and not of.endswith(NOT_ANSWERS)]


def _without_previews(table: Table) -> tuple[Table, tuple[str, ...]]:
    status = table.columns.get(STATUS)
    if status is None:
        return table, ()
    previews = status.rows_where(PREVIEW.__contains__)
    if not len(previews):
        return table, ()
    keep = np.ones(len(table), dtype=np.bool_)
    keep[previews] = False
    count = len(previews)
    return table.take(keep), (f"{count:,} {'preview' if count == 1 else 'previews'} of the survey left out.",)


def _refuse_two_responses(table: Table, worker: str, problems: Problems) -> None:
    """One person under two response ids."""
    if worker == RESPONSE or not {worker, RESPONSE} <= table.columns.keys() or not len(table):
        return

    def repeated() -> Iterator[tuple[int, int]]:
        first: dict[str, int] = {}
        for row, person in enumerate(table.columns[worker].text()):
            if person.strip() and first.setdefault(person, row) != row:
                yield row, first[person]

    pairs = list(repeated())
    finished = table.columns.get("Finished")
    unfinished = "" if finished is None else next((v for v in finished.values if v.casefold() in ("false", "0")), "")
    advice = f", or type {option('leave-out', f'Finished={unfinished}')}" if unfinished else ""
    people, responses = table.columns[worker].text(), table.columns[RESPONSE].text()

    def sentence(i: int) -> str:
        here, earlier = pairs[i]
        return (
            f"{quote_cell(people[here])} has the response {responses[here]} here and {responses[earlier]} in row"
            f" {table.rows[earlier]}; delete the one that doesn't count{advice}"
        )

    problems.each(table.rows[[here for here, _ in pairs]], worker, sentence)


FORMAT = ExportFormat(
    name="qualtrics",
    title="Qualtrics' responses, with three header rows",
    read=read,
    has=lambda columns: {RESPONSE, "StartDate"} <= set(columns),
)
