"""How close a model could be at all: the human upper bound, and the noise ceiling where it is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Ints, order_by, sum_by
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import CORRELATION, SAME, t_quantile, variance
from ..estimation.resampling import product
from ..scoring.correlation import pearson, pearson_without, spearman
from ..scoring.groups import Groups
from .icc import complete_part, consistency
from .leave_one_out import LEAST_ITEMS
from .raw_statistic import RawStatistic, mean_of, report_statistic

CELLS = 20_000  # of the table of workers by workers that are held at once
BIAS_AS_NOISE = ", an approximation: workers' constant biases count as noise even where they cancel in the gold"
NOTHING_LEFT = 1e-12  # of the whole sum of squares: below it all that is left is rounding


def upper_bound(reliability: Figure, reliability_note: str = "") -> Figure:
    """sqrt(R), R the reliability of the gold: the most that any model can correlate with it."""
    if isinstance(reliability, Undefined):
        return Undefined(f"the upper bound is sqrt(R), and R is undefined: {reliability.why}")
    if reliability.estimate <= 0:
        return Undefined(f"the upper bound is sqrt(R), and R = {reliability.estimate:.4f} isn't above 0")
    low, high = (None if end is None else float(np.sqrt(max(end, 0.0))) for end in (reliability.low, reliability.high))
    root = float(np.sqrt(reliability.estimate))
    method = f"sqrt of the gold's reliability{reliability_note}; {reliability.method}"
    one = reliability.most_influential_worker
    influential = None if one is None else replace(one, estimate=float(np.sqrt(max(one.estimate, 0.0))))
    return Estimate(root, low, high, reliability.n, method, reliability.over, influential)


def upper_bound_of(
    item: Ints,
    worker: Ints,
    value: Floats,
    split_half: Figure,
    labels: Sequence[str] = (),
    *,
    fixed_workers: bool = False,
) -> Figure:
    """The bound of answers [J], or [J, L] with one number a label, of which the mean over labels is taken.

    Where nearly every worker judged nearly every item, from ICC(C,k): workers' constant biases cancel in the gold.
    Elsewhere from the split-half reliability, which charges them as noise.
    """
    columns = value[:, None] if value.ndim == 1 else value
    names = labels if value.ndim == 2 else ("",)
    statistics: dict[str, RawStatistic | Undefined] = {}
    for name, column in zip(names, columns.T, strict=True):
        part = complete_part(item, worker, column)
        if part is None:
            return upper_bound(split_half, BIAS_AS_NOISE)
        statistics[name] = consistency(*part, fixed_workers=fixed_workers)
    statistic = next(iter(statistics.values())) if value.ndim == 1 else mean_of(statistics, "labels")
    return upper_bound(report_statistic(statistic).headline)


@dataclass(frozen=True, slots=True)
class NoiseCeiling:
    """`lower`: each worker against the others' mean; `upper`: with the worker in it."""

    lower: Figure
    upper: Figure


def noise_ceiling(
    item: Ints, worker: Ints, value: Floats, n_items: int, *, fixed_workers: bool = False
) -> NoiseCeiling:
    """Lower and upper noise ceiling of a slider: mean Pearson r of z-scored answers with the mean of z-scores.

    A bound only where every worker judged every item once (Nili et al. 2014). Elsewhere the upper figure is given as
    what it is, inclusive agreement, and the lower one not at all.
    """
    complete = _complete(item, worker, value)
    if complete is None:
        why = "not every worker judged every item once: a noise ceiling is a bound only then"
        return NoiseCeiling(Undefined(why), _inclusive(item, worker, value, n_items))
    sd = complete.std(axis=1, ddof=1, keepdims=True) if complete.shape[1] > 1 else np.zeros((len(complete), 1))
    varies = (np.ptp(complete, axis=1) > 0) & (sd[:, 0] > 0)
    z = (complete[varies] - complete[varies].mean(axis=1, keepdims=True)) / sd[varies]
    if len(z) < 2:
        why = f"noise ceiling: {len(z)} of {len(complete)} workers gave answers that vary, two are needed"
        return NoiseCeiling(Undefined(why), Undefined(why))
    constant = len(complete) - len(z)
    note = f"; {constant} workers whose answers never vary are left out" if constant else ""
    return NoiseCeiling(
        _of_complete(z, f"lower noise ceiling: z-scored worker against the others' mean{note}", fixed=fixed_workers),
        _of_complete(
            z,
            f"upper noise ceiling: z-scored worker against the mean of all{note}",
            inclusive=True,
            fixed=fixed_workers,
        ),
    )


def _complete(item: Ints, worker: Ints, value: Floats) -> Floats | None:
    """[W, N] the answers, if every worker judged every judged item once."""
    items, at_item = np.unique(item, return_inverse=True)
    workers, at_worker = np.unique(worker, return_inverse=True)
    if not len(items) or len(items) * len(workers) != len(value):
        return None
    table = np.full((len(workers), len(items)), np.nan)
    table[at_worker, at_item] = value
    return None if np.isnan(table).any() else table


def _inclusive(item: Ints, worker: Ints, value: Floats, n_items: int) -> Figure:
    """Mean over workers of Spearman's rho with the mean of all, the worker's own answers in it."""
    order = order_by(worker)
    item, worker, value = item[order], worker[order], value[order]
    groups = Groups.of_sorted(worker, int(worker.max(initial=-1)) + 1)
    mean = sum_by(item, value, n_items) / np.maximum(np.bincount(item, minlength=n_items), 1)
    rho = spearman(groups, value, np.round(mean[item], 10))
    counts = np.isfinite(rho) & (groups.sizes >= LEAST_ITEMS)
    if not counts.any():
        return Undefined(f"inclusive agreement: no worker judged {LEAST_ITEMS} items with answers that vary")
    method = (
        "inclusive agreement, not a bound: mean Spearman of workers with the mean of all, themselves in it; no interval"
    )
    return Estimate(float(rho[counts].mean()), None, None, int(counts.sum()), method)


def _of_complete(z: Floats, name: str, *, inclusive: bool = False, fixed: bool = False) -> Figure:
    """Mean over workers of r(z_w, mean), the worker in the mean or not; each worker and each item left out in turn."""
    n_workers, n_items = z.shape
    total = z.sum(axis=0)
    gold = np.broadcast_to(total, z.shape) if inclusive else total - z
    groups, x, y = Groups.equal(n_workers, n_items), z.reshape(-1), np.ascontiguousarray(gold).reshape(-1)
    theta = float(np.mean(pearson(groups, x, y)))
    missing = f"{n_workers} workers and {n_items} items"
    if not np.isfinite(theta):
        return Undefined(f"{name}: the mean of the others never varies")
    if n_workers < 3 or n_items < 4:
        return Estimate(theta, None, None, n_workers, f"{name}; no interval from {missing}")
    by_item = pearson_without(groups, x, y).reshape(z.shape).mean(axis=0)
    v = variance(by_item) + (0.0 if fixed else variance(_without_each_worker(z, inclusive=inclusive)))
    if not np.isfinite(v) or np.sqrt(v) < SAME:
        return Estimate(theta, None, None, n_workers, f"{name}; no interval: one left out changes nothing")
    half = t_quantile(0.975, (n_items if fixed else min(n_workers, n_items)) - 1) * float(np.sqrt(v))
    limits = CORRELATION.limits(theta, half)
    if limits is None:
        return Estimate(theta, None, None, n_workers, f"{name}; no interval: the figure is at the end of its range")
    if fixed:
        method = f"{name}; jackknife over items, for these workers{CORRELATION.scale}"
        return Estimate(theta, *limits, n_workers, method, "items")
    method = f"{name}; jackknife over workers plus jackknife over items{CORRELATION.scale}"
    return Estimate(theta, *limits, n_workers, method, "items and workers")


def _without_each_worker(z: Floats, *, inclusive: bool) -> Floats:
    """[W] the mean r of the others once worker a has left the rows and the mean; NaN where one of them has none.

    With C_wv = sum_i z_wi z_vi, S_w = sum_v C_wv and T = sum_w S_w, the mean without a has sum of squares
    T - 2 S_a + C_aa and its product with z_w is S_w - C_wa; where w isn't in the mean either, w goes as a did.
    Z-scored rows have the mean 0, so that these are their covariances, and no mean is taken again.
    """
    n_workers = len(z)
    total = z.sum(axis=0)
    S, C_ww = z @ total, np.sum(z * z, axis=1)
    T = float(total @ total)
    step = max(CELLS // n_workers, 1)
    left_out = []
    for start in range(0, n_workers, step):
        a = slice(start, start + step)
        C = product(z[a], z.T)  # [a, W]
        product_sum = S - C
        squares = np.broadcast_to((T - 2 * S[a] + C_ww[a])[:, None], C.shape)
        if not inclusive:
            product_sum = product_sum - C_ww
            squares = squares - 2 * product_sum - C_ww
        is_defined = (C_ww > 0) & (squares > NOTHING_LEFT * T)
        r = np.full(C.shape, np.nan)
        np.divide(product_sum, np.sqrt(C_ww * np.maximum(squares, 0.0)), out=r, where=is_defined)
        r = np.clip(r, -1.0, 1.0)
        rows = np.arange(len(C))
        r[rows, start + rows] = 0.0  # a itself, of whom there is no r
        left_out.append(r.sum(axis=1) / (n_workers - 1))
    return np.concatenate(left_out)
