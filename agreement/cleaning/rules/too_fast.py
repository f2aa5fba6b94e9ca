"""The too-fast rule: a worker's median response time under a floor, or its log far below the workers' median.

Times that the server's clock contradicts are not believed: its own average takes the place of the median.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...arrays import median_by
from ...judgments.crowd import Crowd, Mask
from ..claimed_times import claimed_times
from ..rule import Amount, CountedJudgments, Evidence, Milliseconds, Verdicts, WorkerRule, by_figure, plain


@dataclass(frozen=True, slots=True)
class TooFast(WorkerRule):
    """A worker's median response time under a floor, or its log far under the workers' median."""

    kind: ClassVar[str] = "too-fast"
    title: ClassVar[str] = "Too fast"
    words: ClassVar[Mapping[str, str]] = {
        "floor_ms": "Shortest median response time",
        "sd_below": "Most standard deviations (of log time) below the workers' median",
    }
    selects_on_outcome: ClassVar[bool] = True
    floor_ms: Milliseconds | None = None
    sd_below: Amount | None = None

    def __str__(self) -> str:
        floor = f"at least {plain(self.floor_ms)} ms" if self.floor_ms is not None else ""
        spread = f"at most {plain(self.sd_below)} SD of log time below the workers' median" if self.sd_below else ""
        return f"too fast: median response time {' and '.join(filter(None, (floor, spread)))}"

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """Workers without a time have no verdict."""
        return _verdicts(self, judged.crowd, judged.counted)

    def stricter(self) -> TooFast:
        """A fifth more time."""
        floor = None if self.floor_ms is None else self.floor_ms * Decimal("1.2")
        spread = None if self.sd_below is None else self.sd_below * Decimal("0.9")
        return replace(self, floor_ms=floor, sd_below=spread)


RULE = TooFast


def _verdicts(rule: TooFast, crowd: Crowd, counted: Mask) -> Verdicts:
    claims = claimed_times(crowd, counted)
    median = np.where(claims.is_doubted, claims.ms_per_answer, median_by_worker(crowd, counted))
    floor = 0.0
    bounds = []
    if rule.floor_ms is not None:
        floor = float(rule.floor_ms)
        bounds.append(f"at least {floor:g} ms")
    if rule.sd_below is not None:
        logs = np.log(np.maximum(median[~np.isnan(median)], 1.0))  # a time of 0 ms counts as 1 ms
        if len(logs) > 1:
            spread = float(np.exp(np.median(logs) - float(rule.sd_below) * np.std(logs, ddof=1)))
            floor = max(floor, spread)
            bounds.append(f"at least {spread:.6g} ms, {rule.sd_below:f} SD of log time below the workers' median")
    bound = " and ".join(bounds)
    verdicts = by_figure(rule, [(median, median < floor, "median response time in ms", bound)])
    doubted: dict[int, tuple[Evidence, ...]] = {
        worker: (Evidence("", claims.in_words(worker), bound),)
        for worker in verdicts.evidence
        if claims.is_doubted[worker]
    }
    return replace(verdicts, evidence={**verdicts.evidence, **doubted})


def median_by_worker(crowd: Crowd, counted: Mask) -> npt.NDArray[np.float64]:
    """[W] each worker's median response time in ms, nan without one."""
    times = np.asarray(crowd.extras["response_ms"], dtype=np.float64)
    return median_by(crowd.worker[counted], times[counted], crowd.n_workers)
