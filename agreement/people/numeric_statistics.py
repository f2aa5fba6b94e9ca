"""Alpha at four levels, ICC and split-half reliability of answers that are numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..estimation import rank_deletions
from ..estimation.design import Design
from ..estimation.estimate import Estimate, Floats, Undefined, stream
from ..estimation.intervals import RELIABILITY, Range
from ..estimation.resampling import item_weights
from . import alpha, raw_statistic, replicate_moments
from .agreement_report import Level
from .alpha import Interval
from .icc import ICC, complete_part, consistency, harmonic_mean, icc, k0, stepped_up
from .label_statistics import busiest, statistic_without_worker
from .ordinal_alpha import ordinal_alpha_of, ordinal_alpha_weighted, ordinal_alpha_without
from .raw_statistic import RawStatistic
from .split_half import ExpectedSplitHalf, SplitHalf, split_half

REPLICATED = 100_000  # judgments up to which the levels that look at each distinct value get item replicates
PLACES = 20_000_000  # replicates x distinct values, likewise
GOLD = "gold_reliability"
SQUARED = "squared correlation of gold with truth"
NO_RELIABILITY = Undefined("the items' means differ no more than noise makes them: the gold has no reliability above 0")


@dataclass(slots=True, eq=False)
class NumericStatistics:
    """What one column of numbers gives, by name: the four levels, icc1, icc1k, gold_reliability, split_half."""

    by_name: dict[str, RawStatistic | Undefined] = field(default_factory=dict)
    spearman: Estimate | Undefined = field(default_factory=lambda: Undefined("there are no judgments"))
    shared: list[tuple[tuple[str, ...], replicate_moments.Block]] = field(default_factory=list)


def numeric_statistics(
    design: Design, value: Floats, levels: Sequence[Level], *, seed: int, replicates: int, alone: bool = False
) -> NumericStatistics:
    """ICC, split-half (neither where alphas are asked for `alone`) and alpha at these levels of the values [J].

    Item replicates draw the same items for each of them.
    """
    result = NumericStatistics()
    if design.judgments == 0:
        none = Undefined("there are no judgments")
        result.by_name = dict.fromkeys((*levels, "icc1", "icc1k", GOLD, "split_half"), none)
        return result
    most = busiest(design)
    if not alone:
        x = raw_statistic.centre_values(value)
        add_icc(result, design, value, x, most)
        _add_split_half(result, design, value, x, most, seed)
    data = alpha.pairable(design, value)
    for level in levels:
        if isinstance(data, Undefined):
            result.by_name[level] = data
        elif level == "ordinal":
            result.by_name[level] = _ordinal(data, most, seed)
        else:
            _add_alpha(result, design, data, level, most, replicates)
    if replicates:
        _replicate(result, data, design.n, seed, replicates)
    return result


def add_icc(result: NumericStatistics, design: Design, value: Floats, x: Floats, most: int) -> None:
    """ICC(1,1), ICC(1,k) and the reliability of the gold; `x` are the values about their mean, `most` the busiest."""
    both = icc(design, value)
    if isinstance(both, Undefined):
        result.by_name |= {"icc1": both, "icc1k": both, GOLD: both}
        return
    left = raw_statistic.deletions(both.moments, design, x)
    figures: dict[str, tuple[float | Undefined, str, Range]] = {
        "icc1": (both.icc1, "one-way ICC(1,1)", both.range_of_one),
        "icc1k": (both.icc1k, f"one-way ICC(1,k), k = k0 = {both.k0:.4g}", RELIABILITY),
    }
    for (name, (theta, method, within)), deletions in zip(figures.items(), left, strict=True):
        if isinstance(theta, Undefined):
            result.by_name[name] = theta
        else:
            beside = (
                statistic_without_worker(design, most, theta, deletions)
                if name == "icc1"
                else _icc1k_without(design, x, most)
            )
            result.by_name[name] = RawStatistic(
                theta,
                deletions,
                design.items,
                method,
                beside,
                within,
                fixed_workers=design.fixed_workers,
                workers=design.worker_codes,
                simulated=name,
                judgments=design.judgments,
            )
    result.shared.append((("icc1", "icc1k"), replicate_moments.moments_block(both.moments, design, x)))
    result.by_name[GOLD] = _gold_reliability(design, x, result.by_name["icc1"], most)


def _gold_reliability(design: Design, x: Floats, icc1: RawStatistic | Undefined, most: int) -> RawStatistic | Undefined:
    """Where nearly all judged nearly everything ICC(C,k), since workers' constant biases cancel in the gold there."""
    if part := complete_part(design.item, design.worker, x):
        table, items, workers = part
        made = consistency(table, items, design.worker_codes[workers], fixed_workers=design.fixed_workers)
        if isinstance(made, Undefined):
            return made
        if made.theta <= 0:
            return NO_RELIABILITY
        busiest_left = made.deletions.worker[np.searchsorted(workers, np.searchsorted(design.worker_codes, most))]
        return replace(made, without_busiest=float(busiest_left), lowest=0.0, simulated=GOLD)
    if isinstance(icc1, Undefined):
        return icc1
    k = harmonic_mean(design.n)
    theta = float(stepped_up(icc1.theta, k))
    if np.isnan(theta) or theta <= 0:
        return NO_RELIABILITY
    left = icc1.deletions
    steps = replace(
        left,
        item=stepped_up(left.item, k),
        worker=stepped_up(left.worker, k),
        judgment=stepped_up(left.judgment, k),
    )
    method = f"{SQUARED}, from ICC(1,1) at the harmonic mean of judgments per item, {k:.4g}"
    beside = float(stepped_up(icc1.without_busiest, _harmonic_mean_without(design, most)))
    return replace(
        icc1,
        theta=theta,
        deletions=steps,
        method=method,
        without_busiest=beside,
        within=RELIABILITY,
        lowest=0.0,
        simulated=GOLD,
    )


def _harmonic_mean_without(design: Design, worker: int) -> float:
    """Of the judgments per item of everybody else."""
    left = np.bincount(design.item[design.worker_codes[design.worker] != worker], minlength=design.items)
    return harmonic_mean(left[left > 0].astype(np.float64)) if left.any() else float("nan")


def _add_split_half(result: NumericStatistics, design: Design, value: Floats, x: Floats, most: int, seed: int) -> None:
    halves = split_half(design, value, stream(seed, "split_half"))
    if not isinstance(halves, SplitHalf):
        result.by_name["split_half"] = result.spearman = halves
        return
    expected = ExpectedSplitHalf.of(design.n, x * x)
    (deletions,) = raw_statistic.deletions(expected, design, x)
    splits = f"median of {halves.splits:,} splits (Monte Carlo error {halves.error:.1g}), stepped up by Horst"
    n, paired = int(np.sum(design.n >= 2)), int(np.sum(design.n[design.n >= 2]))
    beside = _split_half_without(design, x, most)
    method = f"split-half Pearson, {splits}; deletions of its expectation over all splits"
    result.by_name["split_half"] = RawStatistic(
        halves.pearson,
        deletions,
        n,
        method,
        beside,
        fixed_workers=design.fixed_workers,
        workers=design.worker_codes,
        simulated="split_half",
        judgments=paired,
    )
    approximate = f"split-half Spearman, approximate: {splits}, which is exact for Pearson alone; no interval is given"
    result.spearman = Undefined("the ranks of the half means are all tied, or exactly opposed")
    if not np.isnan(halves.spearman):
        result.spearman = Estimate(halves.spearman, None, None, n, approximate)
    result.shared.append((("split_half",), replicate_moments.moments_block(expected, design, x)))


def _icc1k_without(design: Design, x: Floats, worker: int) -> float:
    """With the k of those who are left, unlike a deletion."""
    n, s, ss = raw_statistic.sums_without(design, x, worker)
    totals = ICC(1.0, 1.0).rows(n, s, ss).sum(axis=1)
    return float(ICC(float(ss.sum()), float(k0(totals))).values(totals)[1])


def _split_half_without(design: Design, x: Floats, worker: int) -> float:
    """With the number of judgments of those who are left, likewise."""
    n, s, ss = raw_statistic.sums_without(design, x, worker)
    expected = ExpectedSplitHalf.of(n, ss)
    return float(expected.values(expected.rows(n, s, ss).sum(axis=1))[0])


def _add_alpha(
    result: NumericStatistics, design: Design, data: alpha.Pairable, level: Level, most: int, replicates: int
) -> None:
    delta = alpha.distance(data, level)
    if isinstance(delta, Undefined):
        result.by_name[level] = delta
        return
    theta, deletions = alpha.alpha_of(data, delta), alpha.deletions(data, delta)
    beside = statistic_without_worker(data.design, most, theta, deletions)
    statistic = RawStatistic(
        theta,
        deletions,
        data.design.items,
        f"Krippendorff's alpha, {level}",
        beside,
        data.design.agreement_range,
        fixed_workers=design.fixed_workers,
        workers=data.design.worker_codes,
        simulated=level,
        judgments=data.design.judgments,
    )
    if isinstance(delta, Interval):
        result.shared.append(((level,), replicate_moments.interval_block(data, delta, delta.x, design)))
    elif data.design.judgments <= REPLICATED and replicates * len(data.domain) <= PLACES:
        result.shared.append(((level,), replicate_moments.alpha_block(data, delta, design)))
    else:
        statistic = replace(statistic, no_replicates=_too_many_sentence("judgments and distinct values"))
    result.by_name[level] = statistic


def _ordinal(data: alpha.Pairable, most: int, seed: int) -> RawStatistic:
    design, values = data.design, len(data.domain)

    theta = ordinal_alpha_of(design, data.code, values, np.ones(design.judgments, dtype=np.bool_))
    left = rank_deletions.deletions(
        design,
        lambda group, groups: ordinal_alpha_without(design, data.code, values, group, groups),
        stream(seed, "ordinal deletions"),
    )
    beside = theta
    if most in design.worker_codes:
        beside = ordinal_alpha_of(design, data.code, values, design.worker_codes[design.worker] != most)
    nu_w = None
    if left.workers_grouped:
        nu_w = alpha.ordinal_nu_w(data)
    method = f"Krippendorff's alpha, ordinal; {left.how}"
    no_replicates = "" if design.judgments <= REPLICATED else _too_many_sentence("judgments")
    return RawStatistic(
        theta,
        left.deletions,
        design.items,
        method,
        beside,
        design.agreement_range,
        no_replicates=no_replicates,
        nu_w=nu_w,
        fixed_workers=design.fixed_workers,
        workers=None if left.workers_grouped else design.worker_codes,
        simulated="ordinal",
        judgments=design.judgments,
    )


def _replicate(
    result: NumericStatistics, data: alpha.Pairable | Undefined, of_items: Floats, seed: int, replicates: int
) -> None:
    if result.shared:
        drawn = replicate_moments.replicates_of(
            [block for _, block in result.shared], replicates, stream(seed, "items")
        )
        for (names, _), statistics in zip(result.shared, drawn, strict=True):
            for name, values in zip(names, statistics, strict=True):
                statistic = result.by_name[name]
                if isinstance(statistic, RawStatistic):
                    result.by_name[name] = replace(statistic, replicates=values)
                gold = result.by_name.get(GOLD)
                if name == "icc1" and isinstance(gold, RawStatistic) and gold.method.startswith(SQUARED):
                    result.by_name[GOLD] = replace(gold, replicates=stepped_up(values, harmonic_mean(of_items)))
    ordinal = result.by_name.get("ordinal")
    if isinstance(ordinal, RawStatistic) and not isinstance(data, Undefined) and not ordinal.no_replicates:
        design = data.design
        again = [
            ordinal_alpha_weighted(design, data.code, len(data.domain), weight)
            for block in item_weights(design.items, replicates, stream(seed, "items"))
            for weight in block
        ]
        result.by_name["ordinal"] = replace(ordinal, replicates=np.array(again))


def _too_many_sentence(quantity: str) -> str:
    return f"no item interval at this number of {quantity}; the two-way interval stands"
