"""What is known of a file's workers: a table `worker_id` and any other columns, or the platform's own export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from ..errors import Refused
from ..files.people_file import People
from ..files.problems import Problems, refuse_if_any, shown
from ..files.reading import required_table
from ..judgments.crowd import Crowd
from ..report.collection import Collection, Person, Question
from ..warnings.warning import AnalysisWarning, named


def read_workers(path: Path) -> pd.DataFrame:
    """One row per worker, as text, by `worker_id`; refused if a worker has two rows."""
    problems = Problems(path.name)
    table = required_table(path, problems, ("worker_id",), "a row is a worker and what is known of them")
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
        there, here = (shown(str(ids[0])) if len(ids) else "nobody" for ids in (known.index, crowd.workers))
        raise Refused(
            f"{file}: no worker of the judgments is in its column worker_id (it has {there}, the judgments {here}); the"
            " ids of both files must be written in the same way"
        )
    fields = known.reindex(crowd.workers).fillna("").reset_index(drop=True)
    return replace(crowd, worker_fields=fields)


def strangers(crowd: Crowd, known: pd.DataFrame, file: str) -> list[AnalysisWarning]:
    """Workers of whom the file knows nothing, and rows of it that are of nobody in the judgments."""
    without = [str(one) for one in crowd.workers[~crowd.workers.isin(known.index)]]
    others = [str(one) for one in known.index[~known.index.isin(crowd.workers)]]
    said = []
    if without:
        have = "has no row" if len(without) == 1 else "have no row"
        said.append(f"{len(without):,} of {crowd.n_workers:,} workers {have} in {file} ({named(without)})")
    if others:
        rows, of = "row is" if len(others) == 1 else "rows are", "" if without else f" in {file}"
        said.append(f"{len(others):,} {rows} of nobody in the judgments{of} ({named(others)})")
    return [AnalysisWarning("strangers", f"{', and '.join(said)}.")] if said else []


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
