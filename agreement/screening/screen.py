"""Screening of a crowd: its judgments in the order given, as numbers or labels, and what is found in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Bools, Floats, Ints, order_by
from ..estimation.estimate import Undefined
from ..judgments.crowd import Crowd, Properties
from ..judgments.order_of_answers import marks_of
from ..kinds.statistics import statistics_of
from .indices import Judged
from .suspects import BEYOND, FEWEST_ITEMS, FEWEST_WORKERS, Found, found_in
from .with_others import FEWEST_OTHERS, Answers

if TYPE_CHECKING:
    import pandas as pd

NO_FIGURE = "these answers are words of people's own, and no figure says how far one person agrees with others"
NO_OVERLAP = (
    f"nobody answered {FEWEST_ITEMS} items that {FEWEST_OTHERS} others answered too, so that nobody can be held against"
    " others"
)
TOO_FEW = (
    f"fewer than {FEWEST_WORKERS} people can be held against others on {FEWEST_ITEMS} items each, and of so few nobody"
    " knows what is usual"
)
ALL_THE_SAME = "nearly everybody gave one answer to everything, so that agreement says nothing about anybody"
NO_AGREEMENT = (
    "people agree with each other no better than chance, so that nobody can be told from the others by their answers"
)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """[W] an index and its robust z."""

    value: Floats
    z: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """What was found of a crowd's workers, by their codes in it; `why_not` says why nobody stands out from others.

    `others` [W] are those whom everybody is held against. An answer has so many `parts`; of a worker's longest run it
    is `repeated` [W], a number or the code of a label, where it has one.
    """

    crowd: Crowd
    found: Found
    others: Bools
    parts: int
    is_of_labels: bool
    repeated: Floats
    why_not: str = ""

    @property
    def fewest_items(self) -> int:
        """So many compared answers, or parts of them, are enough."""
        return FEWEST_ITEMS * self.parts

    @property
    def columns(self) -> dict[str, Column]:
        """The indices that are told of a suspect."""
        indices = self.found.indices
        own, z = indices.own, indices.z
        run = np.where(own.judgments > 0, own.longest_run.length, np.nan)
        return {
            "agreement": Column(indices.with_others.agreement, z["agreement"]),
            "spread": Column(own.spread, z["spread"]),
            "longest_run": Column(run, z["longest_run"]),
            "halves": Column(indices.halves, z["halves"]),
            "log_time": Column(own.log_time, z["log_time"]),
            "distance": Column(indices.distance, z["distance"]),
        }


def screen(crowd: Crowd, which: Bools, others: Bools, beyond: float = BEYOND) -> Screened | Undefined:
    """Screen the judgments that `which` [J] marks, each worker's beside those of the `others` [W]; nobody is excluded
    by it. Undefined where no figure says how far one answer agrees with another. `beyond` so many robust standard
    deviations below the median worker's agreement is unusual.
    """
    if not which.any():
        return Undefined(NO_OVERLAP)
    judged = judged_of(crowd, which, others)
    if judged is None:
        return Undefined(NO_FIGURE)
    found = found_in(judged, beyond)
    start = found.indices.own.longest_run.start * judged.parts.parts
    return Screened(
        crowd=crowd,
        found=found,
        others=judged.rows.others,
        parts=judged.parts.parts,
        is_of_labels=judged.is_of_labels,
        repeated=judged.value[np.minimum(start, len(judged.value) - 1)],
        why_not=_why_not(judged, found),
    )


def _why_not(judged: Judged, found: Found) -> str:
    """Why nobody can be screened, or ""."""
    beside = found.indices.with_others
    enough = (beside.n >= FEWEST_ITEMS * judged.parts.parts) & judged.rows.others
    if enough.sum() < FEWEST_WORKERS:
        return TOO_FEW if enough.any() else NO_OVERLAP
    if (enough & np.isfinite(beside.above_chance)).sum() < FEWEST_WORKERS:
        return ALL_THE_SAME
    return "" if found.can_tell else NO_AGREEMENT


def judged_of(crowd: Crowd, which: Bools, others: Bools) -> Judged | None:
    """The marked judgments worker by worker in the order given; None where no figure of agreement is of their kind."""
    statistics = statistics_of(crowd.kind)
    if statistics.agrees is None or isinstance(crowd.answers, Properties):
        return None
    marked = np.flatnonzero(which)
    order = marked[_by_worker(crowd.worker[marked], answering_order(crowd)[marked])]
    worker, item = crowd.worker[order].astype(np.int64), crowd.item[order].astype(np.int64)
    values = np.asarray(crowd.answers)[order]
    is_of_labels = statistics.agrees_by == "hits"
    code = values if values.ndim == 1 and is_of_labels else np.unique(marks_of(values), return_inverse=True)[1]
    own = _own(worker, item, crowd.n_items) if crowd.repeats == "keep" else None
    rows = parts = Answers(worker, item, crowd.n_workers, crowd.n_items, others, own)
    n_labels = len(crowd.labels) if is_of_labels else 0
    if values.ndim > 1:
        L = values.shape[1]
        n_labels = 2 if is_of_labels else 0
        label = np.tile(np.arange(L), len(worker))
        of_parts = None if own is None else np.repeat(own * L, L) + label
        of_items = np.repeat(item * L, L) + label
        parts = Answers(np.repeat(worker, L), of_items, crowd.n_workers, crowd.n_items * L, others, of_parts, L)
    return Judged(
        rows=rows,
        code=code.astype(np.int64),
        parts=parts,
        value=values.ravel().astype(np.float64),
        n_labels=n_labels,
        log_ms=_log_ms(crowd, order),
        scale=None if crowd.scale is None else float(crowd.scale.high - crowd.scale.low),
    )


def _by_worker(worker: Ints, place: Floats) -> Ints:
    """The order that puts each worker's answers together, as they were given."""
    if len(place) and bool(np.all(place[1:] >= place[:-1])):
        return order_by(worker)
    return np.lexsort((place, worker))


def _own(worker: Ints, item: Ints, n_items: int) -> Ints:
    """[J] a code for each pair of worker and item."""
    return np.asarray(np.unique(worker * max(n_items, 1) + item, return_inverse=True)[1])


def _log_ms(crowd: Crowd, order: Ints) -> Floats:
    """[J] the logarithm of response times; a time of 0 ms counts as 1 ms."""
    ms = np.asarray(crowd.extras["response_ms"], dtype=np.float64)[order]
    return np.log(np.maximum(ms, 1.0))


def answering_order(crowd: Crowd) -> Floats:
    """[J] when each judgment was given: by `submitted_at` where every one has an ISO 8601 time, else in file order."""
    seconds = known_times(crowd)
    return np.arange(crowd.n_judgments, dtype=np.float64) if seconds is None else seconds


def known_times(crowd: Crowd) -> Floats | None:
    """[J] when each judgment was given, in seconds; None where not every one has an ISO 8601 time."""
    codes, texts = _factorised(crowd.extras["submitted_at"])
    if (codes < 0).any() or not texts:
        return None
    try:
        times = [datetime.fromisoformat(text) for text in texts]
        seconds = np.array([(time - times[0]).total_seconds() for time in times])
    except (ValueError, TypeError):  # no time, no ISO 8601, or some with a zone and some without
        return None
    return seconds[codes]


def _factorised(column: pd.Series) -> tuple[Ints, list[str]]:
    """[J] codes of the texts of a column, -1 where there is none, and the texts that it has."""
    codes, texts = column.factorize()
    return codes, list(map(str, texts))
