"""How right a mapping is: a random sample of its answers that a person checks, and the share that is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import Refused
from ...estimation.estimate import Estimate, Figure, Undefined, stream
from ...files.problems import Problems, quote_cell, refuse_if_any
from ...files.reading import required_table
from ...files.table import encode
from ...files.writing import csv_chunks
from .mapping_table import NONE, AnswerTable, TableRow

COLUMNS = ("answer", "value", "rule", "right")
YES, NO = frozenset({"1", "yes", "true", "y"}), frozenset({"0", "no", "false", "n"})
Z = 1.959964  # of a standard normal, with 2.5 % above


@dataclass(frozen=True, slots=True)
class Checked:
    """How many answers of a sample a person found rightly mapped."""

    right: int
    of: int

    def accuracy(self) -> Figure:
        """The share that is right, with Wilson's interval."""
        if not self.of:
            return Undefined("accuracy of the mapping: nothing of the sample was checked")
        share, n = self.right / self.of, self.of
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * np.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        low, high = max(float(middle - half), 0.0), min(float(middle + half), 1.0)
        return Estimate(share, low, high, n, "share of checked answers that were rightly mapped, Wilson's interval")


def draw_sample(table: AnswerTable, size: int, seed: int) -> list[TableRow]:
    """So many of the answers that something took, at random: an answer that came often is drawn more often."""
    rows = [row for row in table.rows if row.rule != NONE]
    weights = np.array([row.count for row in rows], dtype=np.float64)
    if not weights.sum():
        return []
    which = np.repeat(np.arange(len(rows)), weights.astype(np.int64))
    drawn = stream(seed, "sample of mapped answers").choice(which, size=min(size, len(which)), replace=False)
    return [rows[place] for place in np.sort(drawn).tolist()]


def sample_csv(rows: Sequence[TableRow]) -> bytes:
    cells = {name: [str(getattr(row, name, "")) for row in rows] for name in COLUMNS}
    return b"".join(csv_chunks({name: encode(texts, len(texts)) for name, texts in cells.items()}))


def read_checked(path: Path) -> Checked:
    """A sample with 1 or 0 in its column `right`; blank cells aren't counted."""
    problems = Problems(path.name)
    table = required_table(path, problems, ("answer", "right"), "a row is an answer, and whether it was rightly mapped")
    marks = [cell.strip().lower() for cell in table.columns["right"].text().tolist()]
    for row, mark in zip(table.rows.tolist(), marks, strict=True):
        if mark and mark not in YES | NO:
            problems.row(row, f"column right: {quote_cell(mark)} is neither 1 nor 0")
    refuse_if_any(problems)
    checked = [mark for mark in marks if mark]
    if not checked:
        raise Refused(f"{path.name}: its column right is blank; write 1 where an answer was rightly mapped, else 0")
    return Checked(sum(mark in YES for mark in checked), len(checked))
