"""How far results hang on thresholds and on single workers: the sweep and the influence, drawn of an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ..cleaning.sweep import NoThreshold, sweep
from ..estimation.estimate import Estimate
from ..judgments.crowd import sample_of
from ..kinds.statistics import statistics_of
from ..people.agreement_without_each_worker import influence_of
from ..report.cleaning_report import rows_of, sentences
from .influence import draw_workers_influence
from .threshold_sweep import draw_threshold_sweep

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning
    from .figure import Figure

# The pictures of these have workers' names in them, so a published bundle has them drawn anew.
NAME_WORKERS = frozenset({"influence"})


def draw_sweep(cleaning: Cleaning) -> Figure | None:
    """None where there is no threshold to vary."""
    try:
        found = sweep(cleaning)
    except NoThreshold:
        return None
    said = " ".join(sentences(found))
    first, second = found.axes
    framed = f"every check with such a bound is held to the cell's. Framed: the rules of this analysis. {said}"
    caption = f"{found.statistic}; {framed}"
    return draw_threshold_sweep(
        rows_of(found), axes=(first.name, second.name), statistic=found.statistic, caption=caption
    )


def draw_influence(cleaning: Cleaning) -> Figure | None:
    """Of the workers who are kept; None where no figure of agreement is, or nobody's leaving changes it."""
    crowd = cleaning.crowd
    sample = sample_of(crowd, cleaning.kept_targets)
    measured = statistics_of(crowd.kind).influence
    found = influence_of(sample.item, sample.worker, sample.answers, measured, n_workers=crowd.n_workers)
    if not isinstance(found.whole, Estimate):
        return None
    there = cleaning.worker_kept & cleaning.took_part
    workers = pd.DataFrame({"worker": list(map(str, crowd.workers)), "without": found.without})[there]
    return draw_workers_influence(workers, name=found.name, whole=found.whole.estimate)
