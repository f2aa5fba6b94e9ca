"""What is known of workers beside their answers: a table `worker_id` and any other columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from agreement.crowd import Crowd
from tables.problems import Problems, refuse_if_any
from tables.reading import read_table


def read_workers(path: Path) -> pd.DataFrame:
    """One row per worker, as text, by `worker_id`; refused if a worker has two rows."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    if table is not None and "worker_id" not in table.columns:
        problems.whole("the column worker_id is missing; a row is a worker and what is known of them")
    refuse_if_any(problems)
    assert table is not None  # noqa: S101 - without a table there is a problem, and it was just raised
    frame = pd.DataFrame({name: column.text() for name, column in table.columns.items()}, dtype=object)
    for row, again in zip(table.rows.tolist(), frame["worker_id"].duplicated().tolist(), strict=True):
        if again:
            problems.row(row, "this worker is in an earlier row too; give each one row")
    refuse_if_any(problems)
    return frame.set_index("worker_id")


def with_workers(crowd: Crowd, known: pd.DataFrame) -> Crowd:
    """The crowd with a row for each of its workers, "" where nothing is known of one; others are left out."""
    fields = known.reindex(crowd.workers).fillna("").reset_index(drop=True)
    return replace(crowd, worker_fields=fields)
