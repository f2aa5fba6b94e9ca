"""Gold of a slider: means, medians, spread and their intervals for each item."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from agreement.gold.arrays import Floats, Ints, count_by, divide, on_grid, sum_by

TRIMMED = 0.2
LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class SliderGold:
    """Each [N], an entry an item; NaN where an item has too few judgments for it."""

    n: npt.NDArray[np.int64]
    mean: Floats
    median: Floats
    sd: Floats
    ci_low: Floats
    ci_high: Floats
    trimmed_mean: Floats
    z_mean: Floats
    median_ci_low: Floats
    median_ci_high: Floats


def slider_gold(item: Ints, worker: Ints, value: Floats, n_items: int) -> SliderGold:
    """item, worker, value [J]: target items only, kept judgments only.

    Mean with its t interval (blank at n = 1); sd with n - 1; the median between the order statistics that hold it with
    95 % or more whatever the distribution (none below n = 6); the 20 % trimmed mean cuts floor(0.2 n) at either end;
    z_mean averages (x_iw - mean_w) / sd_w and leaves out workers whose answers never vary.

    >>> gold = slider_gold(np.array([0, 0, 0, 0]), np.array([0, 1, 2, 3]), np.array([2.0, 4.0, 4.0, 6.0]), 1)
    >>> gold.mean.tolist(), gold.median.tolist(), round(float(gold.sd[0]), 4), round(float(gold.ci_low[0]), 4)
    ([4.0], [4.0], 1.633, 1.4015)
    """
    n = count_by(item, n_items)
    steps, per_one = on_grid(value)
    mean = divide(sum_by(item, steps, n_items), n * per_one)
    sd = np.sqrt(divide(sum_by(item, (value - mean[item]) ** 2, n_items), np.where(n > 1, n - 1, 0)))
    half = t_quantiles(n) * divide(sd, np.sqrt(n))
    ordered = _ordered_by_item(item, value, n_items)
    first = np.cumsum(n) - n
    low, high = median_ranks(n)
    return SliderGold(
        n=n,
        mean=mean,
        median=(_at(ordered, first + (n - 1) // 2, n > 0) + _at(ordered, first + n // 2, n > 0)) / 2,
        sd=sd,
        ci_low=mean - half,
        ci_high=mean + half,
        trimmed_mean=_trimmed(ordered, first, n),
        z_mean=z_mean(item, worker, value, n_items),
        median_ci_low=_at(ordered, first + low - 1, low > 0),
        median_ci_high=_at(ordered, first + high - 1, low > 0),
    )


def t_quantiles(n: npt.NDArray[np.int64]) -> Floats:
    """[N] the upper 2.5 % point of Student's t with n - 1 degrees of freedom; NaN where n < 2."""
    sizes, which = np.unique(n, return_inverse=True)
    quantiles = [float(special.stdtrit(size - 1, (1 + LEVEL) / 2)) if size > 1 else np.nan for size in sizes]
    return np.asarray(quantiles, dtype=np.float64)[which]


def median_ranks(n: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """[N] the ranks l and n + 1 - l (from 1) between which the median lies with 95 % or more; 0 where none do.

    The largest l with Pr[Binomial(n, 1/2) <= l - 1] <= 2.5 %.

    >>> [ranks.tolist() for ranks in median_ranks(np.array([5, 6, 10, 20]))]
    [[0, 1, 2, 6], [0, 6, 9, 15]]
    """
    sizes, which = np.unique(n, return_inverse=True)
    low = np.zeros(len(sizes), dtype=np.int64)
    for at, size in enumerate(sizes.tolist()):
        tails = stats.binom.cdf(np.arange(size // 2), size, 0.5)
        low[at] = int(np.sum(tails <= (1 - LEVEL) / 2))
    ranks = low[which]
    return ranks, np.where(ranks > 0, n + 1 - ranks, 0)


def z_mean(item: Ints, worker: Ints, value: Floats, n_items: int) -> Floats:
    """[N] the mean over an item's judgments of (x_iw - mean_w) / sd_w; workers without spread have no z."""
    if not len(value):
        return np.full(n_items, np.nan)
    n_workers = int(worker.max()) + 1
    n_w = count_by(worker, n_workers)
    steps, per_one = on_grid(value)
    mean_w = divide(sum_by(worker, steps, n_workers), n_w * per_one)
    centred: Floats = value - mean_w[worker]
    sd_w = np.sqrt(divide(sum_by(worker, centred**2, n_workers), np.where(n_w > 1, n_w - 1, 0)))
    has_z = np.nan_to_num(sd_w)[worker] > 0
    z = centred[has_z] / sd_w[worker[has_z]]
    return divide(sum_by(item[has_z], z, n_items), count_by(item[has_z], n_items))


def _ordered_by_item(item: Ints, value: Floats, n_items: int) -> Floats:
    """[J] the values, item by item, ascending within each: one sort of whole numbers, faster than sorting pairs."""
    distinct, code = np.unique(value, return_inverse=True)
    if n_items * len(distinct) >= 2**62:
        return value[np.lexsort((value, item))]
    key = np.sort(item.astype(np.int64) * len(distinct) + code)
    return distinct[key % len(distinct)] if len(key) else value


def _trimmed(ordered: Floats, first: npt.NDArray[np.int64], n: npt.NDArray[np.int64]) -> Floats:
    cut = (n * TRIMMED).astype(np.int64)
    item = np.repeat(np.arange(len(n)), n)
    place = np.arange(len(ordered)) - first[item]
    inside = (place >= cut[item]) & (place < (n - cut)[item])
    steps, per_one = on_grid(ordered)
    return divide(sum_by(item[inside], steps[inside], len(n)), (n - 2 * cut) * per_one)


def _at(ordered: Floats, place: npt.NDArray[np.int64], there: npt.NDArray[np.bool_]) -> Floats:
    out = np.full(len(place), np.nan)
    out[there] = ordered[place[there]]
    return out
