"""The too-fast rule: a worker's median response time under a floor, or its log far below the workers' median.

Response times are what a browser claims; the server's clock says how long an assignment took at most. Times that it
contradicts are not believed: its own average takes the place of the median.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...arrays import median_by
from ...judgments.crowd import ITEMS_A_PAGE, SERVER_MS, Crowd, Mask, numbers_of
from ..rule import Amount, CountedJudgments, Evidence, Milliseconds, Verdicts, WorkerRule, by_figure, plain_number

# Of a worker whose claims add up to more than that, the server's time is taken instead. Nobody is doubted for
# claiming less: answers given without a network arrive late.

Times = npt.NDArray[np.float64]
SLACK = 1.01  # two clocks don't run alike
SLACK_MS = 1000.0


@dataclass(frozen=True, slots=True, eq=False)
class ClaimedTimes:
    """[W] what each worker's browser claimed in all, what the server saw, and how many answers that is; nan where the
    server's time is not known. `most_items_per_page` [W]: the time of one page is claimed by each of its items.
    """

    claimed_ms: Times
    server_ms: Times
    answers: Times
    most_items_per_page: Times
    is_doubted: Mask

    @property
    def ms_per_answer(self) -> Times:
        """[W] the server's time for an answer, on average."""
        return self.server_ms / self.answers

    def in_words(self, worker: int) -> str:
        """What speaks against the claims of a worker who is doubted."""
        pages = self.most_items_per_page[worker]
        on_pages = f" for pages of {pages:.0f} items" if pages > 1 else ""
        return (
            f"claimed {_seconds(self.claimed_ms[worker])}{on_pages}, the server saw {_seconds(self.server_ms[worker])}:"
            f" {self.ms_per_answer[worker]:.6g} ms per answer"
        )


def claimed_times(crowd: Crowd, counted: Mask) -> ClaimedTimes:
    """The claims of the judgments in `counted` against the server's time for their assignments.

    An assignment of k items a page that took T ms can't hold claims of more than k T in all.
    """
    columns = {name: numbers_of(crowd, name) for name in ("response_ms", SERVER_MS, ITEMS_A_PAGE)}
    known = counted & ~np.any([np.isnan(column) for column in columns.values()], axis=0)
    import pandas as pd

    rows = pd.DataFrame({name: column[known] for name, column in columns.items()})
    rows["worker"], rows["assignment"] = (
        crowd.worker[known],
        crowd.extras["assignment_id"].astype(str)[known].to_numpy(),
    )
    by_assignment = rows.groupby(["worker", "assignment"]).agg(
        claimed=("response_ms", "sum"),
        server=(SERVER_MS, "max"),
        pages=(ITEMS_A_PAGE, "max"),
        answers=("worker", "size"),
    )
    by_assignment["most"] = by_assignment["server"] * by_assignment["pages"] * SLACK + SLACK_MS
    by_worker = by_assignment.groupby(level="worker")
    sums = by_worker[["claimed", "server", "answers", "most"]].sum().reindex(range(crowd.n_workers))
    pages = by_worker["pages"].max().reindex(range(crowd.n_workers))
    return ClaimedTimes(
        claimed_ms=sums["claimed"].to_numpy(dtype=np.float64),
        server_ms=sums["server"].to_numpy(dtype=np.float64),
        answers=sums["answers"].to_numpy(dtype=np.float64),
        most_items_per_page=pages.to_numpy(dtype=np.float64),
        is_doubted=np.asarray(sums["claimed"] > sums["most"], dtype=np.bool_),
    )


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3g} s"


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
        floor = f"at least {plain_number(self.floor_ms)} ms" if self.floor_ms is not None else ""
        spread = (
            f"at most {plain_number(self.sd_below)} SD of log time below the workers' median" if self.sd_below else ""
        )
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
