"""What a rule says of each worker: passed, failed or not applicable, with the evidence of each failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .rule import WorkerRule

Outcome: TypeAlias = Literal["not applicable", "passed", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("not applicable", "passed", "failed")
NOT_APPLICABLE, PASSED, FAILED = range(3)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One answer, or one figure of a worker, that broke a bound. `item_id` is blank where no single item did."""

    item_id: str
    answer: str
    bound: str

    def __str__(self) -> str:
        return f"{self.item_id}: {self.answer} ({self.bound})" if self.item_id else f"{self.answer} ({self.bound})"


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """One rule's verdicts: `outcome` [W] is NOT_APPLICABLE, PASSED or FAILED, `failures` [W] how often a bound broke,
    `evidence` the broken bounds of each worker who has one, tolerated or not.
    """

    rule: WorkerRule
    outcome: npt.NDArray[np.int8]
    failures: npt.NDArray[np.int64]
    evidence: dict[int, tuple[Evidence, ...]]

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """[W] who failed."""
        return np.asarray(self.outcome == FAILED)

    def of(self, worker: int) -> Outcome:
        """The verdict on one worker."""
        return OUTCOMES[int(self.outcome[worker])]


def by_figure(
    rule: WorkerRule,
    parts: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], str, str]],
) -> Verdicts:
    """Verdicts from figures of a worker: (figure [W], nan where there is none; who breaks the bound; name; bound)."""
    size = len(parts[0][0])
    outcome = np.full(size, NOT_APPLICABLE, dtype=np.int8)
    failures = np.zeros(size, dtype=np.int64)
    evidence: dict[int, tuple[Evidence, ...]] = {}
    for figure, _, _, _ in parts:
        outcome[~np.isnan(figure)] = PASSED
    for figure, broken, name, bound in parts:
        failures += broken
        outcome[broken] = FAILED
        for worker in np.flatnonzero(broken).tolist():
            evidence[worker] = (*evidence.get(worker, ()), Evidence("", f"{name} {figure[worker]:.6g}", bound))
    return Verdicts(rule, outcome, failures, evidence)
