"""The statistics whose intervals `coverage.py` puts to the test. A new one is a `Statistic` in `STATISTICS`.

Each takes a study and its design and gives an `Interval`, or None where it has none. `truth` is what infinitely many
items and workers would give; None: the estimator's own expectation, which is taken from the studies themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from agreement.arrays import divide
from agreement.estimation import rank_deletions
from agreement.estimation.design import Design
from agreement.estimation.estimate import Undefined
from agreement.estimation.intervals import RELIABILITY, Deletions, Range, groups, two_way
from agreement.people import alpha, icc, raw_statistic
from agreement.people.alpha import Interval as IntervalDistance
from agreement.people.label_statistics import LabelStatistics, busiest, label_statistics
from agreement.people.leave_one_out import LEAST_ITEMS, STILL_ENOUGH
from agreement.people.leave_one_out_round import people_of
from agreement.people.numeric_statistics import GOLD, NumericStatistics, add_icc
from agreement.people.ordinal_alpha import ordinal_alpha_of, ordinal_alpha_without
from agreement.people.person_metrics import OF_NUMBERS, OF_ONE_LABEL, PersonMetrics
from agreement.people.raw_statistic import RawStatistic, report_statistic
from agreement.people.split_half import ExpectedSplitHalf
from agreement.people.worker_pairs import pairwise
from tools.benchmarks.coverage_worlds import SHARES, Study, World, truth


class Interval(NamedTuple):
    """One study's interval; `other` is nan where a statistic doesn't tell its variance."""

    theta: float
    low: float
    high: float
    other: float  # half the width of theta +- t sqrt(V), even tails and no scale, for comparison


@dataclass(frozen=True, slots=True)
class Statistic:
    """A plug-in of the simulation."""

    name: str
    key: str  # its name in a report
    made: Callable[[Design, Study], Interval | None]
    truth: Callable[[World, int], float | None] | None
    takes_long: bool = False  # so that it is simulated with fewer items


def two_way_of(theta: float, deletions: Deletions, within: Range, nu_w: float | None = None) -> Interval | None:
    """The interval as the report gives it."""
    found = two_way(theta, deletions, within=within, nu_w=nu_w)
    if found.low is None or found.high is None or found.variance is None or found.df is None:
        return None
    half = float(stats.t.ppf(0.975, found.df)) * found.variance**0.5
    return Interval(theta, found.low, found.high, half)


def as_printed(raw: RawStatistic | Undefined) -> Interval | None:
    """The interval that stands in a report, which is no narrower than rare labels leave open."""
    if isinstance(raw, Undefined):
        return None
    printed = report_statistic(raw).headline
    plain = two_way_of(raw.theta, raw.deletions, raw.within)
    if isinstance(printed, Undefined) or printed.low is None or printed.high is None or plain is None:
        return None
    return Interval(raw.theta, printed.low, printed.high, plain.other)


def of_kappa(design: Design, given: Study) -> Interval | None:
    return as_printed(_of_labels(design, given, with_alpha=False).kappa)


def of_nominal(design: Design, given: Study) -> Interval | None:
    return as_printed(_of_labels(design, given, with_alpha=True).alpha)


def _of_labels(design: Design, given: Study, *, with_alpha: bool) -> LabelStatistics:
    columns = {"": given.label}
    rng = np.random.default_rng(0)
    return label_statistics(design, columns, len(SHARES), replicates=0, rng=rng, with_alpha=with_alpha)[""]


def of_interval(design: Design, given: Study) -> Interval | None:
    data = alpha.pairable(design, given.number)
    if isinstance(data, Undefined):
        return None
    delta = IntervalDistance(data.value)
    return two_way_of(alpha.alpha_of(data, delta), alpha.deletions(data, delta), data.design.agreement_range)


def of_ratio(design: Design, given: Study) -> Interval | None:
    data = alpha.pairable(design, given.count)
    delta = data if isinstance(data, Undefined) else alpha.distance(data, "ratio")
    if isinstance(data, Undefined) or isinstance(delta, Undefined):
        return None
    return two_way_of(alpha.alpha_of(data, delta), alpha.deletions(data, delta), data.design.agreement_range)


def of_ordinal(design: Design, given: Study) -> Interval | None:
    """Ordinal alpha of the five steps, with the deletions that the report uses."""
    data = alpha.pairable(design, given.step.astype(np.float64))
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
    deletions = raw_statistic.deletions(both.moments, design, raw_statistic.centre_values(given.number))
    return two_way_of(both.icc1, deletions[0], both.range_of_one)


def of_icc_k(design: Design, given: Study) -> Interval | None:
    both = icc.icc(design, given.number)
    if isinstance(both, Undefined) or isinstance(both.icc1k, Undefined):
        return None
    deletions = raw_statistic.deletions(both.moments, design, raw_statistic.centre_values(given.number))
    return two_way_of(both.icc1k, deletions[1], RELIABILITY)


def of_split_half(design: Design, given: Study) -> Interval | None:
    """The expectation over all splits, to which the median of a thousand splits comes as close as is printed."""
    x = raw_statistic.centre_values(given.number)
    expected = ExpectedSplitHalf.of(design.n, x * x)
    (theta,) = expected.values(raw_statistic.item_rows(expected, design, x).sum(axis=1))
    return (
        None
        if np.isnan(theta)
        else two_way_of(float(theta), raw_statistic.deletions(expected, design, x)[0], RELIABILITY)
    )


def of_gold(design: Design, given: Study) -> Interval | None:
    """The reliability of the gold as released; none where it isn't above 0."""
    result = NumericStatistics()
    add_icc(result, design, given.number, raw_statistic.centre_values(given.number), busiest(design))
    return as_printed(result.by_name[GOLD])


def of_upper_bound(design: Design, given: Study) -> Interval | None:
    """The root of ICC(C,k), or of the split-half reliability where the table isn't nearly complete."""
    part = icc.complete_part(design.item, design.worker, given.number)
    if part is None:
        found = of_split_half(design, given)
    else:
        made = icc.consistency(*part)
        found = None if isinstance(made, Undefined) else two_way_of(made.theta, made.deletions, made.within)
    if found is None or found.theta <= 0:
        return None
    theta, low, high = (float(np.sqrt(max(end, 0.0))) for end in found[:3])
    return Interval(theta, low, high, float("nan"))


def of_pairwise(design: Design, given: Study) -> Interval | None:
    """Mean correlation of pairs of workers."""
    found = pairwise(design.item, design.worker, given.number, design.items, rng=np.random.default_rng(0))
    if isinstance(found, Undefined) or found.low is None or found.high is None:
        return None
    return Interval(found.estimate, found.low, found.high, float("nan"))


def of_leave_one_out(design: Design, given: Study) -> Interval | None:
    """A typical person's correlation with the mean of the others, mean over workers."""
    return _typical_person(OF_NUMBERS, design, given.number, 0)


def of_leave_one_out_labels(design: Design, given: Study) -> Interval | None:
    """A typical person's accuracy against the others' labels, mean over workers."""
    return _typical_person(OF_ONE_LABEL, design, given.label, len(SHARES))


JUDGMENT_GROUPS = 20  # of a leave-one-out; a report of so few judgments leaves them out one by one


def _typical_person(metrics: PersonMetrics, design: Design, answers: np.ndarray, n_labels: int) -> Interval | None:
    """The interval that a report gives, with all deletions scored at once: each is a crowd of its own.

    Judgments are left out in groups, which leaves V_J a little less sure than in a report.
    """
    item, worker, W, N = design.item, design.worker, design.workers, design.items
    group = groups(design.judgments, np.random.default_rng(0), JUDGMENT_GROUPS)
    kept = np.concatenate(
        [
            np.ones((1, design.judgments), dtype=np.bool_),
            item != np.arange(N)[:, None],
            worker != np.arange(W)[:, None],
            group != np.arange(group.max() + 1)[:, None],
        ]
    )
    crowd, judgment = np.nonzero(kept)
    people = people_of(
        metrics,
        (crowd * N + item[judgment]).astype(np.int32),
        (crowd * W + worker[judgment]).astype(np.int32),
        answers[judgment],
        len(kept) * N,
        n_labels,
        metrics.default,
        "typical",
        for_people_alone=True,
    )
    found = people.round()
    values, n_items = (np.full((len(kept), W), np.nan) for _ in range(2))
    values.ravel()[: len(found.values)], n_items.ravel()[: len(found.values)] = found.values, found.n_items
    counts = (n_items[0] >= LEAST_ITEMS) & np.isfinite(values[0])
    there = counts & np.isfinite(values) & (n_items >= STILL_ENOUGH)
    theta = divide(np.where(there, values, 0.0).sum(axis=1), there.sum(axis=1))
    if not counts.any():
        return None
    without = Deletions(theta[1 : 1 + N], theta[1 + N : 1 + N + W], theta[1 + N + W :])
    return two_way_of(float(theta[0]), without, people.scored_by.within)


def _labels(world: World, _raters: int) -> float:
    return truth(world, "labels")


def _numbers(world: World, _raters: int) -> float:
    return truth(world, "numbers")


def _stepped_up(world: World, raters: int) -> float | None:
    if world == "missing":  # k0 is another in each study
        return None
    one = truth(world, "numbers")
    return raters * one / (1 + (raters - 1) * one)


STATISTICS = (
    Statistic("Fleiss' kappa", "fleiss_kappa", of_kappa, _labels),
    Statistic("alpha, nominal", "nominal", of_nominal, _labels),
    Statistic("alpha, ordinal", "ordinal", of_ordinal, None),
    Statistic("alpha, interval", "interval", of_interval, _numbers),
    Statistic("alpha, ratio", "ratio", of_ratio, None),
    Statistic("ICC(1,1)", "icc1", of_icc, _numbers),
    Statistic("ICC(1,k)", "icc1k", of_icc_k, _stepped_up),
    Statistic("reliability of the gold", "gold_reliability", of_gold, None),
    Statistic("split-half", "split_half", of_split_half, None),
    Statistic("upper bound", "upper_bound", of_upper_bound, None),
    Statistic("pairwise", "pairwise", of_pairwise, None),
    Statistic("leave-one-out, slider", "leave_one_out", of_leave_one_out, None, takes_long=True),
    Statistic("leave-one-out, labels", "leave_one_out_labels", of_leave_one_out_labels, None, takes_long=True),
)
