"""The statistics whose intervals `coverage.py` puts to the test. A new one is a `Statistic` in `STATISTICS`.

Each takes a study and its design and gives an `Interval`, or None where it has none. `truth` is what infinitely many
items and workers would give; None: the estimator's own expectation, which is taken from the studies themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from agreement.arrays import Ints
from agreement.scoring.leave_one_out import leave_one_out
from agreement.scoring.person_metrics import OF_NUMBERS, OF_ONE_LABEL
from agreement.stats import alpha, icc, kappa, rank_deletions, raw_statistic
from agreement.stats.alpha import Interval as IntervalDistance
from agreement.stats.alpha import Nominal
from agreement.stats.design import Design
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.intervals import RELIABILITY, Deletions, Range, two_way
from agreement.stats.ordinal_alpha import ordinal_alpha_of, ordinal_alpha_without
from agreement.stats.split_half import ExpectedSplitHalf
from benchmarks.coverage_worlds import SHARES, Study, World, truth


class Interval(NamedTuple):
    """One study's interval; nan where a statistic doesn't tell its nu_W or the parts of its variance."""

    theta: float
    low: float
    high: float
    nu_w: float
    other: float  # half the width of theta +- t sqrt(V), not on the scale of the statistic's range, for comparison


@dataclass(frozen=True, slots=True)
class Statistic:
    """A plug-in of the simulation."""

    name: str
    key: str  # its name in a report
    made: Callable[[Design, Study], Interval | None]
    truth: Callable[[World, int], float] | None
    studies: int = 2_000


def two_way_of(theta: float, deletions: Deletions, within: Range, nu_w: float | None = None) -> Interval | None:
    """The interval as the report gives it."""
    found = two_way(theta, deletions, within=within, nu_w=nu_w)
    if found.low is None or found.high is None or found.variance is None or found.df is None:
        return None
    half = float(stats.t.ppf(0.975, found.df)) * found.variance**0.5
    return Interval(theta, found.low, found.high, float("inf") if found.nu_w is None else found.nu_w, half)


def of_kappa(design: Design, given: Study) -> Interval | None:
    tally = kappa.tally(design, given.label, len(SHARES))
    if isinstance(tally, Undefined):
        return None
    return two_way_of(kappa.kappa(tally), kappa.deletions(tally), design.agreement_range)


def of_nominal(design: Design, given: Study) -> Interval | None:
    data = alpha.pairable(design, given.label.astype(np.float64))
    if isinstance(data, Undefined):
        return None
    delta = Nominal(data.code, len(data.domain))
    return two_way_of(alpha.alpha_of(data, delta), alpha.deletions(data, delta), data.design.agreement_range)


def of_interval(design: Design, given: Study) -> Interval | None:
    data = alpha.pairable(design, given.number)
    if isinstance(data, Undefined):
        return None
    delta = IntervalDistance(data.value)
    return two_way_of(alpha.alpha_of(data, delta), alpha.deletions(data, delta), data.design.agreement_range)


def of_ordinal(design: Design, given: Study) -> Interval | None:
    """Ordinal alpha of the number cut into eleven steps, with the deletions that the report uses."""
    steps = np.clip(np.round(given.number * 2), -5, 5)
    data = alpha.pairable(design, steps)
    if isinstance(data, Undefined):
        return None
    values = len(data.domain)
    left = rank_deletions.deletions(
        data.design,
        lambda group, groups: ordinal_alpha_without(data.design, data.code, values, group, groups),
        np.random.default_rng(0),
    )
    theta = ordinal_alpha_of(data.design, data.code, values, np.ones(data.design.judgments, dtype=np.bool_))
    nu_w = alpha.ordinal_nu_w(data) if left.workers_grouped else None
    return two_way_of(theta, left.deletions, data.design.agreement_range, nu_w)


def of_icc(design: Design, given: Study) -> Interval | None:
    both = icc.icc(design, given.number)
    if isinstance(both, Undefined):
        return None
    deletions = raw_statistic.deletions(both.moments, design, raw_statistic.centred(given.number))
    return two_way_of(both.icc1, deletions[0], both.range_of_one)


def of_icc_k(design: Design, given: Study) -> Interval | None:
    both = icc.icc(design, given.number)
    if isinstance(both, Undefined) or isinstance(both.icc1k, Undefined):
        return None
    deletions = raw_statistic.deletions(both.moments, design, raw_statistic.centred(given.number))
    return two_way_of(both.icc1k, deletions[1], RELIABILITY)


def of_split_half(design: Design, given: Study) -> Interval | None:
    """The expectation over all splits, to which the median of a thousand splits comes as close as is printed."""
    x = raw_statistic.centred(given.number)
    expected = ExpectedSplitHalf.of(design.n, x * x)
    (theta,) = expected.values(raw_statistic.item_rows(expected, design, x).sum(axis=1))
    return (
        None
        if np.isnan(theta)
        else two_way_of(float(theta), raw_statistic.deletions(expected, design, x)[0], RELIABILITY)
    )


def of_leave_one_out(design: Design, given: Study) -> Interval | None:
    """A typical person's correlation with the mean of the others, mean over workers."""
    item: Ints = design.item.astype(np.int32)
    found = leave_one_out(
        OF_NUMBERS, item, design.worker.astype(np.int32), given.number, design.items, rng=np.random.default_rng(0)
    )
    return _from(found.mean)


def of_leave_one_out_labels(design: Design, given: Study) -> Interval | None:
    """A typical person's accuracy against the others' labels, mean over workers."""
    item, worker = design.item.astype(np.int32), design.worker.astype(np.int32)
    label: Ints = given.label.astype(np.int32)
    found = leave_one_out(
        OF_ONE_LABEL, item, worker, label, design.items, ("a", "b", "c"), rng=np.random.default_rng(0)
    )
    return _from(found.mean)


def _from(mean: Figure) -> Interval | None:
    if not isinstance(mean, Estimate) or mean.low is None or mean.high is None:
        return None
    return Interval(mean.estimate, mean.low, mean.high, float("nan"), float("nan"))


def _labels(world: World, _raters: int) -> float:
    return truth(world, "labels")


def _numbers(world: World, _raters: int) -> float:
    return truth(world, "numbers")


def _stepped_up(world: World, raters: int) -> float:
    one = truth(world, "numbers")
    return raters * one / (1 + (raters - 1) * one)


STATISTICS = (
    Statistic("Fleiss' kappa", "fleiss_kappa", of_kappa, _labels),
    Statistic("alpha, nominal", "nominal", of_nominal, _labels),
    Statistic("alpha, interval", "interval", of_interval, _numbers),
    Statistic("alpha, ordinal", "ordinal", of_ordinal, None, studies=300),
    Statistic("ICC(1,1)", "icc1", of_icc, _numbers),
    Statistic("ICC(1,k)", "icc1k", of_icc_k, _stepped_up),
    Statistic("split-half", "split_half", of_split_half, None),
    Statistic("leave-one-out, slider", "leave_one_out", of_leave_one_out, None, studies=500),
    Statistic("leave-one-out, labels", "leave_one_out_labels", of_leave_one_out_labels, None, studies=500),
)
