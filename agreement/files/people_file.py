"""Prolific's export of demographics: one row per submission, joined to judgments by the participant's id."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .cell_texts import is_blank
from .problems import Problems, refuse_if_any, shown
from .reading import read_table
from .table import Table

PARTICIPANT, STATUS, TAKEN = "Participant id", "Status", "Time taken"
# About the submission and not the person.
OF_THE_SUBMISSION = frozenset({
    PARTICIPANT, STATUS, TAKEN, "Submission id", "Custom study tncs accepted at", "Started at", "Completed at",
    "Reviewed at", "Archived at", "Completion code", "Total approvals", "Total rejections", "Approval rate",
})  # fmt: skip
NOT_SAID = frozenset({"CONSENT_REVOKED", "DATA_EXPIRED", "DATA EXPIRED", "Prefer not to say", "Rather not say"})
# Which submissions count as what in the flow of people.
STATUSES = {
    "APPROVED": "finished", "AWAITING REVIEW": "finished", "AWAITING_REVIEW": "finished",
    "RETURNED": "returned_or_timed_out",
    "TIMED-OUT": "returned_or_timed_out", "TIMED_OUT": "returned_or_timed_out", "REJECTED": "rejected",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Respondent:
    """What the platform knows of a person; `answers` by column, none where the person didn't say."""

    time: dt.timedelta | None
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class People:
    """`came` counts people by how their submissions ended; `questions` are the columns about the person; `not_valid`
    has the status of each worker whose submission was returned, rejected or timed out.
    """

    came: Mapping[str, int]
    questions: Sequence[str]
    respondents: Mapping[str, Respondent]
    not_valid: Mapping[str, str]


def read_people(path: Path, workers: Collection[str]) -> People:
    """Of `workers`; `Refused` where a person has two rows that count, or where no id of the two files is the same."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    respondents: dict[str, Respondent] = {}
    questions: list[str] = []
    came: Counter[str] = Counter()
    not_valid: dict[str, str] = {}
    if table is not None and PARTICIPANT not in table.columns:
        problems.whole(f"there is no column {PARTICIPANT}; it has the columns {', '.join(table.columns)}")
    elif table is not None:
        counting = _refuse_twice(table, problems)
        questions = [name for name in table.columns if name not in OF_THE_SUBMISSION]
        people, times, statuses = (_texts(table, name) for name in (PARTICIPANT, TAKEN, STATUS))
        came.update(STATUSES.get(statuses[at].strip().upper(), "unfinished") for at in counting)
        status_of = {people[at]: statuses[at].strip() for at in counting}
        not_valid = {who: status_of[who] for who in sorted(set(workers) & status_of.keys()) if _ended(status_of[who])}
        answers = {name: _texts(table, name) for name in questions}
        for at in counting:
            given = {name: cells[at] for name, cells in answers.items()}
            said = {name: cell for name, cell in given.items() if cell not in NOT_SAID and not is_blank(cell)}
            respondents[people[at]] = Respondent(_time(times[at]), said)
        if not len(problems) and not set(workers) & respondents.keys():
            example = next(iter(respondents), "none")
            problems.whole(f"no worker of the judgments is in the column {PARTICIPANT} (there is {shown(example)})")
    refuse_if_any(problems)
    known = {who: respondents[who] for who in sorted(set(workers) & respondents.keys())}
    return People(came, questions, known, not_valid)


def _ended(status: str) -> bool:
    """Whether the submission ended without being approved, or waiting for it."""
    return STATUSES.get(status.upper()) in {"returned_or_timed_out", "rejected"}


def _texts(table: Table, name: str) -> list[str]:
    column = table.columns.get(name)
    return [""] * len(table) if column is None else [str(text) for text in column.text()]


def _refuse_twice(table: Table, problems: Problems) -> list[int]:
    """The rows that count: of a person with several the one that was finished; two of these are refused."""
    people, statuses = _texts(table, PARTICIPANT), _texts(table, STATUS)
    rows_of: dict[str, list[int]] = {}
    for at, person in enumerate(people):
        rows_of.setdefault(person, []).append(at)
    counting, twice = [], []
    for rows in rows_of.values():
        finished = [at for at in rows if STATUSES.get(statuses[at].strip().upper()) == "finished"]
        chosen = finished or rows
        counting.append(chosen[0])
        twice += [(at, chosen[0]) for at in chosen[1:]] if finished or len({statuses[at] for at in rows}) == 1 else []
    repeated = np.array([again for again, _ in twice], dtype=np.intp)

    def sentence(i: int) -> str:
        again, first = twice[i]
        return f"{shown(people[again])} is in row {table.rows[first]} too; delete the row that doesn't count"

    problems.each(table.rows[repeated], PARTICIPANT, sentence)
    return counting


def _time(seconds: str) -> dt.timedelta | None:
    try:
        return dt.timedelta(seconds=float(seconds))
    except (ValueError, OverflowError):
        return None
