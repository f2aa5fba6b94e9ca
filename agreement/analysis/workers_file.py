"""What is known of a file's workers: a table `worker_id` and any other columns, or Prolific's own export."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..errors import Refused
from ..files.cell_texts import is_blank
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import Source, read_table, required_table
from ..files.table import Table
from ..judgments.crowd import Crowd
from ..report.collection import Collection, Person, Question
from ..warnings.warning import AnalysisWarning, named

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


Hide = Callable[..., Table]  # what puts pseudonyms in the place of ids in a table


def read_people(path: Source, workers: Sequence[str], hide: Hide = lambda table, _worker: table) -> People:
    """Of `workers`; `Refused` where a person has two rows that count, or where no id of the two files is the same."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    table = None if table is None else hide(table, PARTICIPANT)
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
        came.update(STATUSES.get(statuses[row].strip().upper(), "unfinished") for row in counting)
        status_of = {people[row]: statuses[row].strip() for row in counting}
        not_valid = {
            who: status_of[who]
            for who in sorted(set(workers) & status_of.keys())
            if _ended_without_approval(status_of[who])
        }
        answers = {name: _texts(table, name) for name in questions}
        for row in counting:
            row_answers = {name: cells[row] for name, cells in answers.items()}
            stated = {name: cell for name, cell in row_answers.items() if cell not in NOT_SAID and not is_blank(cell)}
            respondents[people[row]] = Respondent(_time(times[row]), stated)
        if not len(problems) and not set(workers) & respondents.keys():
            example = next(iter(respondents), "none")
            problems.whole(
                f"no worker of the judgments is in the column {PARTICIPANT} (there is {quote_cell(example)})"
            )
    refuse_if_any(problems)
    known = {who: respondents[who] for who in sorted(set(workers) & respondents.keys())}
    return People(came, questions, known, not_valid)


def _ended_without_approval(status: str) -> bool:
    """Whether the submission ended without being approved, or waiting for it."""
    return STATUSES.get(status.upper()) in {"returned_or_timed_out", "rejected"}


def _texts(table: Table, name: str) -> list[str]:
    column = table.columns.get(name)
    return [""] * len(table) if column is None else [str(text) for text in column.text()]


def _refuse_twice(table: Table, problems: Problems) -> list[int]:
    """The rows that count: of a person with several the one that was finished; two of these are refused."""
    people, statuses = _texts(table, PARTICIPANT), _texts(table, STATUS)
    rows_of: dict[str, list[int]] = {}
    for row, person in enumerate(people):
        rows_of.setdefault(person, []).append(row)
    counting, twice = [], []
    for rows in rows_of.values():
        finished = [row for row in rows if STATUSES.get(statuses[row].strip().upper()) == "finished"]
        chosen = finished or rows
        counting.append(chosen[0])
        twice += (
            [(row, chosen[0]) for row in chosen[1:]] if finished or len({statuses[row] for row in rows}) == 1 else []
        )
    repeated = np.array([again for again, _ in twice], dtype=np.intp)

    def sentence(i: int) -> str:
        again, first = twice[i]
        return f"{quote_cell(people[again])} is in row {table.rows[first]} too; delete the row that doesn't count"

    problems.each(table.rows[repeated], PARTICIPANT, sentence)
    return counting


def _time(seconds: str) -> dt.timedelta | None:
    try:
        return dt.timedelta(seconds=float(seconds))
    except (ValueError, OverflowError):
        return None


# What is known of a file's workers: a table `worker_id` and any other columns, or the platform's own export.


def read_workers(path: Source, hide: Callable[[Table], Table] = lambda table: table) -> pd.DataFrame:
    """One row per worker, as text, by `worker_id`; refused if a worker has two rows."""
    problems = Problems(path.name)
    table = hide(required_table(path, problems, ("worker_id",), "a row is a worker and what is known of them"))
    frame = pd.DataFrame({name: column.text() for name, column in table.columns.items()}, dtype=object)
    for row, again in zip(table.rows.tolist(), frame["worker_id"].duplicated().tolist(), strict=True):
        if again:
            problems.row(row, "this worker is in an earlier row too; give each one row")
    refuse_if_any(problems)
    return frame.set_index("worker_id")


def with_workers(crowd: Crowd, known: pd.DataFrame, file: str) -> Crowd:
    """The crowd with a row for each of its workers, "" where nothing is known of one; others are left out. `Refused` if
    the file knows none of them.
    """
    if not known.index.isin(crowd.workers).any():
        file_id, crowd_id = (quote_cell(str(ids[0])) if len(ids) else "nobody" for ids in (known.index, crowd.workers))
        raise Refused(
            f"{file}: no worker of the judgments is in its column worker_id (it has {file_id}, the judgments"
            f" {crowd_id}); the ids of both files must be written in the same way"
        )
    fields = known.reindex(crowd.workers).fillna("").reset_index(drop=True)
    return replace(crowd, worker_fields=fields)


def strangers(crowd: Crowd, known: pd.DataFrame, file: str) -> list[AnalysisWarning]:
    """Workers of whom the file knows nothing, and rows of it that are of nobody in the judgments."""
    without = [str(one) for one in crowd.workers[~crowd.workers.isin(known.index)]]
    others = [str(one) for one in known.index[~known.index.isin(crowd.workers)]]
    parts = []
    if without:
        have = "has no row" if len(without) == 1 else "have no row"
        parts.append(f"{len(without):,} of {crowd.n_workers:,} workers {have} in {file} ({named(without)})")
    if others:
        rows, of = "row is" if len(others) == 1 else "rows are", "" if without else f" in {file}"
        parts.append(f"{len(others):,} {rows} of nobody in the judgments{of} ({named(others)})")
    return [AnalysisWarning("strangers", f"{', and '.join(parts)}.")] if parts else []


# How the judgments came about, from the platform's own export of the people who gave them.

PLATFORM = "Prolific"
MOST_OPTIONS = 12  # a column with more different texts is told as free text
ENDINGS = (
    "finished",
    "returned_or_timed_out",
    "rejected",
    "declined",
    "failed_comprehension",
    "withdrew",
    "unfinished",
)


def collection_from(people: People) -> Collection:
    """As a study's own, without pay and devices, which the export doesn't have."""
    workers = {
        who: Person(time=one.time, pay=None, device=None, is_verified=True, answers=one.answers)
        for who, one in people.respondents.items()
    }
    questions = [Question(name, name, _options(name, people)) for name in people.questions]
    came = {"came": sum(people.came.values()), **{name: people.came.get(name, 0) for name in ENDINGS}}
    return Collection(PLATFORM, came, questions, workers, is_from_platform=True, not_valid=people.not_valid)


def no_row_for(crowd: Crowd, collection: Collection) -> AnalysisWarning | None:
    """Of workers whom the platform's export doesn't have: nothing that is said of people counts them."""
    without = [str(one) for one in crowd.workers if str(one) not in collection.workers]
    if not without:
        return None
    have = "has" if len(without) == 1 else "have"
    return AnalysisWarning(
        "strangers",
        f"{len(without):,} of {crowd.n_workers:,} workers {have} no row in the file of people ({named(without)}).",
    )


def _options(name: str, people: People) -> tuple[str, ...]:
    """The texts of a column that has few of them; none of numbers, such as ages."""
    texts = sorted({one.answers[name] for one in people.respondents.values() if name in one.answers})
    is_number = all(text.replace(".", "", 1).isdecimal() for text in texts)
    return () if is_number or len(texts) > MOST_OPTIONS else tuple(texts)
