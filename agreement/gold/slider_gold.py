"""Gold of a slider: means, medians, spread and their intervals for each item."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from ..arrays import Floats, Ints, count_by, divide, exact_sum_by, on_grid, sum_by
from ..files.numbers import PER_CENT, Scale
from .gold_columns import TRIMMED

LEVEL = 0.95
FEWEST = 3  # judgments that an interval needs
BORROWED = 4.0  # degrees of freedom with which the study's spread speaks beside an item's own


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


def slider_gold(item: Ints, worker: Ints, value: Floats, n_items: int, scale: Scale = PER_CENT) -> SliderGold:
    """item, worker, value [J]: target items only, kept judgments only.

    Mean with its interval (`limits_of_means`); sd with n - 1; the median between the order statistics that hold it with
    95 % or more whatever the distribution (none below n = 6); the 20 % trimmed mean cuts floor(0.2 n) at either end;
    z_mean averages (x_iw - mean_w) / sd_w and leaves out workers whose answers never vary.

    >>> gold = slider_gold(np.array([0, 0, 0, 0]), np.array([0, 1, 2, 3]), np.array([2.0, 4.0, 4.0, 6.0]), 1)
    >>> gold.mean.tolist(), gold.median.tolist(), round(float(gold.sd[0]), 4), round(float(gold.ci_low[0]), 4)
    ([4.0], [4.0], 1.633, 2.0991)
    """
    n = count_by(item, n_items)
    ordered, of = _ordered_by_item(item, value, n_items), np.repeat(np.arange(n_items), n)
    steps, per_one = on_grid(ordered)
    mean = divide(sum_by(of, steps, n_items), n * per_one)
    sd = np.sqrt(divide(sum_by(of, (ordered - mean[of]) ** 2, n_items), np.where(n > 1, n - 1, 0)))
    ci_low, ci_high = limits_of_means(n, mean, sd, scale)
    first = np.cumsum(n) - n
    low, high = median_ranks(n)
    return SliderGold(
        n=n,
        mean=mean,
        median=(_values_at(ordered, first + (n - 1) // 2, n > 0) + _values_at(ordered, first + n // 2, n > 0)) / 2,
        sd=sd,
        ci_low=ci_low,
        ci_high=ci_high,
        trimmed_mean=_trimmed_means(ordered, first, n),
        z_mean=z_mean(item, worker, value, n_items),
        median_ci_low=_values_at(ordered, first + low - 1, low > 0),
        median_ci_high=_values_at(ordered, first + high - 1, low > 0),
    )


def limits_of_means(n: npt.NDArray[np.int64], mean: Floats, sd: Floats, scale: Scale) -> tuple[Floats, Floats]:
    """[N] the m with (mean - m)^2 = t^2 c (m - a) (b - m) / n, the score interval on a scale from a to b.

    Answers around m vary by c (m - a) (b - m), c a share of the most that is possible: the limits can't leave the
    scale, and on one without ends they are those of the t interval. A few answers that happen to be equal don't show
    that all would be: c = (4 c_0 + (n - 1) c_i) / (n + 3), t with n + 3 df, c_i = sd^2 / ((mean - a) (b - mean)), and
    c_0 the same of all items together, sum (n - 1) sd^2 / sum (n - 1) (mean - a) (b - mean). Blank below three
    judgments, and where no item's answers differ.

    >>> n, mean, sd = np.array([3, 3, 3]), np.array([50.0, 0.0, 40.0]), np.array([0.0, 0.0, 20.0])
    >>> low, high = limits_of_means(n, mean, sd, PER_CENT)
    >>> low.round(1).tolist(), high.round(1).tolist()
    ([34.3, 0.0, 20.9], [65.7, 14.0, 62.7])
    """
    a, b = float(scale.low), float(scale.high)
    df_i = np.where(n > 1, n - 1.0, 0.0)
    SS, most = np.where(n > 1, df_i * sd**2, 0.0), np.where(n > 1, (mean - a) * (b - mean), 0.0)
    c_0 = divide(np.array(SS.sum()), np.array(np.sum(df_i * most)))
    c_i = np.where(most > 0, divide(SS, df_i * most), c_0)
    borrowed = np.minimum(BORROWED, df_i.sum() - df_i)  # from the others: a study of one item has nobody's
    c = divide(borrowed * c_0 + df_i * c_i, borrowed + df_i)
    k = np.where((n >= FEWEST) & (c > 0), c * _t(borrowed + df_i) ** 2 / np.maximum(n, 1), np.nan)
    lean, root = k * (a + b - 2 * mean), np.sqrt(k**2 * (a + b - 2 * mean) ** 2 + 4 * (1 + k) * k * most)
    low, high = (mean + (lean + side * root) / (2 * (1 + k)) for side in (-1, 1))
    return np.maximum(low, a), np.minimum(high, b)  # which rounding alone could pass


def _t(df: Floats) -> Floats:
    """[N] the upper 2.5 % point of Student's t; NaN without a degree of freedom."""
    some, which = np.unique(df, return_inverse=True)
    quantiles = [float(special.stdtrit(one, (1 + LEVEL) / 2)) if one > 0 else np.nan for one in some.tolist()]
    return np.asarray(quantiles, dtype=np.float64)[which]


def median_ranks(n: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """[N] the ranks l and n + 1 - l (from 1) between which the median lies with 95 % or more; 0 where none do.

    The largest l with Pr[Binomial(n, 1/2) <= l - 1] <= 2.5 %.

    >>> [ranks.tolist() for ranks in median_ranks(np.array([5, 6, 10, 20]))]
    [[0, 1, 2, 6], [0, 6, 9, 15]]
    """
    sizes, which = np.unique(n, return_inverse=True)
    low = np.zeros(len(sizes), dtype=np.int64)
    for index, size in enumerate(sizes.tolist()):
        tails = special.bdtr(np.arange(size // 2), size, 0.5)
        low[index] = int(np.sum(tails <= (1 - LEVEL) / 2))
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
    return divide(exact_sum_by(item[has_z], z, n_items), count_by(item[has_z], n_items))


def _ordered_by_item(item: Ints, value: Floats, n_items: int) -> Floats:
    """[J] the values, item by item, ascending within each: one sort of whole numbers, faster than sorting pairs."""
    distinct, code = np.unique(value, return_inverse=True)
    if n_items * len(distinct) >= 2**62:
        return value[np.lexsort((value, item))]
    key = np.sort(item.astype(np.int64) * len(distinct) + code)
    return distinct[key % len(distinct)] if len(key) else value


def _trimmed_means(ordered: Floats, first: npt.NDArray[np.int64], n: npt.NDArray[np.int64]) -> Floats:
    cut = (n * TRIMMED).astype(np.int64)
    item = np.repeat(np.arange(len(n)), n)
    place = np.arange(len(ordered)) - first[item]
    inside = (place >= cut[item]) & (place < (n - cut)[item])
    steps, per_one = on_grid(ordered)
    return divide(sum_by(item[inside], steps[inside], len(n)), (n - 2 * cut) * per_one)


def _values_at(ordered: Floats, place: npt.NDArray[np.int64], is_defined: npt.NDArray[np.bool_]) -> Floats:
    out = np.full(len(place), np.nan)
    out[is_defined] = ordered[place[is_defined]]
    return out
