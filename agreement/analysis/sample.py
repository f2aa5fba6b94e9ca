"""The judgments that a statistic is made of, in an order of their own: that of the file's rows changes no digit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.crowd import Answers, Crowd, Mask, Properties


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some of a crowd's judgments, sorted by item, then by worker."""

    item: npt.NDArray[np.int32]
    worker: npt.NDArray[np.int32]
    answers: Answers


def sample_of(crowd: Crowd, which: Mask) -> Sample:
    """The judgments that `which` marks."""
    marked = np.flatnonzero(which)
    key = crowd.item[marked].astype(np.int64) * max(crowd.n_workers, 1) + crowd.worker[marked]
    # Keys that are all different have one order, which the faster sort finds too.
    order = marked[np.argsort(key, kind="stable" if crowd.repeats == "keep" else "quicksort")]
    answers = crowd.answers.at(order) if isinstance(crowd.answers, Properties) else crowd.answers[order]
    return Sample(crowd.item[order], crowd.worker[order], answers)
