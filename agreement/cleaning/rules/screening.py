"""The screening rule: whose answers look careless beside those of the others, told without check items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np

from ...estimation.estimate import Undefined
from ...kinds.kind import QuestionKind
from ...kinds.statistics import statistics_of
from ...screening.evidence import sentence_of
from ...screening.screen import Screened, screen
from ...screening.suspects import BEYOND
from ..rule import (
    FAILED,
    NOT_APPLICABLE,
    PASSED,
    Amount,
    CountedJudgments,
    Evidence,
    Verdicts,
    WorkerRule,
    plain_number,
)


@dataclass(frozen=True, slots=True)
class Screening(WorkerRule):
    """A worker whose answers look careless beside those of the others."""

    kind: ClassVar[str] = "screening"
    title: ClassVar[str] = "Looks careless"
    words: ClassVar[Mapping[str, str]] = {"beyond": "Robust standard deviations below the median worker's agreement"}
    selects_on_outcome: ClassVar[bool] = True
    beyond: Amount = Decimal(str(BEYOND))

    def __str__(self) -> str:
        return f"screening: agreement with the others at most {plain_number(self.beyond)} robust SD below what is usual"

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:
        """Where a figure says how far one person agrees with others."""
        return [] if statistics_of(kind).agrees is None else list(cls.parameters())

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """From the answers to target items; workers with fewer than ten shared items have no verdict."""
        crowd = judged.crowd
        screened = screen(crowd, crowd.on_target, np.ones(crowd.n_workers, dtype=np.bool_), float(self.beyond))
        if isinstance(screened, Undefined) or screened.why_not:
            none = np.full(crowd.n_workers, NOT_APPLICABLE, dtype=np.int8)
            return Verdicts(self, none, np.zeros(crowd.n_workers, dtype=np.int64), {})
        return _verdicts(self, screened)

    def stricter(self) -> Screening:
        """A fifth fewer standard deviations."""
        return replace(self, beyond=self.beyond * Decimal("0.8"))


RULE = Screening


def _verdicts(rule: Screening, screened: Screened) -> Verdicts:
    others, named = screened.found.indices.with_others, screened.found.named
    has_verdict = others.n >= screened.fewest_items
    outcome = np.where(named, FAILED, np.where(has_verdict, PASSED, NOT_APPLICABLE)).astype(np.int8)
    evidence: dict[int, tuple[Evidence, ...]] = {
        who: (Evidence("", sentence_of(screened, who).removesuffix("."), "screening"),)
        for who in np.flatnonzero(named).tolist()
    }
    return Verdicts(rule, outcome, named.astype(np.int64), evidence)
