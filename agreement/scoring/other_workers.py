"""Scores and differences of models over items and workers: V = V_I + V_W - V_J, gold made again for the last two.

An interval over items alone holds gold fixed: it says nothing of what other workers would have given. Where groups of
workers value different things, tests over items alone reject equal models in 11 to 62 % of studies at 5 %
(docs/scoring.md).
"""

import math
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..estimation.estimate import Estimate, Figure
from ..estimation.intervals import (
    ANY,
    CORRELATION,
    FIXED,
    SAME,
    Range,
    combined_df,
    effective_workers,
    t_quantile,
    variance,
)
from ..estimation.most_influential import most_influential
from .gold_without_workers import LeaveOutScores
from .jackknifed_metric import JackknifedMetric, fisher_z
from .paired_tests import Gap, slope_of_z

FEWEST_FOR_TESTS = 5  # of fewer workers all may value the same by chance, and no test of these can see it


def figure_over_workers(
    measured: JackknifedMetric, again: LeaveOutScores | None, released: Figure, within: Range = ANY
) -> Figure:
    """The score with its interval over items and workers; as `released`, over items alone, where there is none.

    Of a correlation everything is taken of Fisher's z, where all deletions have one.
    """
    if again is None or not isinstance(released, Estimate) or len(again.worker) <= FIXED or measured.df < 1:
        return released
    z = measured.on_z
    on_z = None if z is None else _on_z(again)
    scaled, gold = (measured, again) if z is None or on_z is None else (z, on_z)
    parts = scaled.variance, variance(gold.worker), variance(gold.judgment)
    is_lost = not np.isfinite([*gold.worker, *gold.judgment, *parts]).all()
    if is_lost:
        return released
    v, df = _combined(parts, scaled.df, gold.worker)
    if math.sqrt(v) < SAME:
        return released
    below, above = (t_quantile(1 - tail, df) * math.sqrt(v) for tail in within.tails)
    if scaled is measured:
        limits, scale = within.limits(measured.theta, below, above), within.scale
    else:
        limits, scale = (math.tanh(scaled.theta - below), math.tanh(scaled.theta + above)), CORRELATION.scale
    if limits is None:
        return released
    what = released.method.partition("; jackknife over")[0].partition("; no interval")[0]
    how = (
        f"{what}; two-way jackknife over {measured.size} {measured.units} and {_who(again)}{scale}, t with {df:.1f} df"
    )
    influential = most_influential(again.worker, again.workers)
    return Estimate(released.estimate, *limits, released.n, how, "items and workers", influential)


def gap_over_workers(gap: Gap, first: LeaveOutScores | None, second: LeaveOutScores | None) -> Gap:
    """The difference with the variance that other workers add; as it is where there are fewer than five, or no test.

    Its p takes the workers' part of the variance in part about 0, as if the hypothesis were true: a handful of workers
    who happen to value the same have a small variance about their mean.
    """
    if first is None or second is None or gap.why or not gap.se > SAME or gap.u < 2:
        return gap
    workers = len(first.worker)
    if workers < FEWEST_FOR_TESTS:
        return gap
    slope = 1.0
    if gap.z is not None:
        of_z = [_on_z(one) for one in (first, second)]
        if of_z[0] is None or of_z[1] is None:
            return gap
        first, second = of_z[0], of_z[1]
        slope = slope_of_z(*np.tanh(gap.z).tolist())
    by_worker = slope * (first.worker - second.worker)
    parts = gap.se**2, variance(by_worker), variance(slope * (first.judgment - second.judgment))
    if not np.isfinite([*by_worker, *parts]).all():
        return gap
    v, df = _combined(parts, gap.df, by_worker)
    own = max(parts[1] - parts[2], 0.0)
    pull = PULL * own / (own + parts[0]) / (workers - 1)
    return replace(gap, se=math.sqrt(v), df=df, pull=pull, workers=_who(first))


PULL = 0.6  # how much of the workers' part is taken about 0: with none tests reject up to 10 %, with all 4 %


def _combined(parts: tuple[float, float, float], df_i: float, by_worker: Floats) -> tuple[float, float]:
    """V and its df."""
    v_i, v_w, v_j = parts
    v = max(v_i + v_w - v_j, v_i, v_w)
    nu = effective_workers(by_worker) or len(by_worker) - 1.0
    return v, combined_df(v, parts, df_i, nu)


def _on_z(again: LeaveOutScores) -> LeaveOutScores | None:
    """Fisher's z of the scores with gold made again; None where one of them is 1, -1 or undefined."""
    worker, judgment = fisher_z(again.worker), fisher_z(again.judgment)
    if not (np.isfinite(worker).all() and np.isfinite(judgment).all()):
        return None
    return LeaveOutScores(worker, judgment, again.workers)


def _who(again: LeaveOutScores) -> str:
    return f"{len(again.worker)} {'groups of workers' if again.workers is None else 'workers'}, gold made again"
