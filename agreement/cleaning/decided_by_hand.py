"""What stands beside the rules: workers excluded by hand or for another question, kept by hand, or still excluded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..files.problems import Problems, refuse_if_any
from ..files.reading import Source, required_table
from ..files.table import Column, encode

COLUMNS = ("worker_id", "kept", "reason")
# Columns that need not be there.
EARLIER, ELSEWHERE = "by_earlier_run", "in_question"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a worker stays, and the reason: in the words of the person who said so, or of an earlier run."""

    kept: bool
    why: str
    by_earlier_run: bool = False
    in_question: str = ""  # the other question of the study that the worker was excluded for

    def __str__(self) -> str:
        if self.in_question:
            return f"{self.why} (question {self.in_question})"
        if self.by_earlier_run:
            return f"excluded by an earlier run: {self.why}"
        return f"{'kept' if self.kept else 'excluded'} by hand: {self.why}"


ByHand: TypeAlias = Mapping[str, Decision]
NOTHING_BY_HAND: ByHand = MappingProxyType({})


def read_by_hand(path: Source) -> ByHand:
    """The decisions in a file with the columns of `COLUMNS`, or `Refused` with every reason."""
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, f"it needs {', '.join(COLUMNS)}")
    for name in COLUMNS:
        column = table.columns[name]
        test = (lambda value: value.strip() not in {"0", "1"}) if name == "kept" else (lambda value: not value.strip())
        bad = column.rows_where(test)
        limit = "is not 1 (kept) or 0 (excluded)" if name == "kept" else "is blank; each decision needs one"
        problems.cells(table.rows[bad], name, column.codes[bad], column.values, limit)
    ids = table.columns["worker_id"]
    again = _repeated_rows(ids)
    limit = "is in an earlier row too; give one decision per worker"
    problems.cells(table.rows[again], "worker_id", ids.codes[again], ids.values, limit)
    refuse_if_any(problems)
    workers, kept, reasons = (table.columns[name].text() for name in COLUMNS)
    blank = encode([""] * len(table), len(table))
    earlier, elsewhere = (table.columns.get(name, blank).text() for name in (EARLIER, ELSEWHERE))
    return {
        worker: Decision(flag.strip() == "1", why, by_run.strip() == "1", question.strip())
        for worker, flag, why, by_run, question in zip(workers, kept, reasons, earlier, elsewhere, strict=True)
    }


def _repeated_rows(workers: Column) -> npt.NDArray[np.intp]:
    """The rows whose worker an earlier row names."""
    first = workers.first_rows()
    return np.flatnonzero(first[workers.codes] != np.arange(len(workers)))


def by_hand_table(by_hand: ByHand) -> dict[str, Column]:
    """The decisions as the file that `read_by_hand` reads, in the order of the workers."""
    rows = sorted(by_hand.items())
    cells = (
        [worker for worker, _ in rows],
        ["1" if decision.kept else "0" for _, decision in rows],
        [decision.why for _, decision in rows],
    )
    written = {name: encode(column, len(rows)) for name, column in zip(COLUMNS, cells, strict=True)}
    if any(decision.by_earlier_run for _, decision in rows):
        flags = ["1" if decision.by_earlier_run else "0" for _, decision in rows]
        written[EARLIER] = encode(flags, len(rows))
    if any(decision.in_question for _, decision in rows):
        written[ELSEWHERE] = encode([decision.in_question for _, decision in rows], len(rows))
    return written
