"""Split-half reliability: the correlation of two random halves' means over items, stepped up to the whole.

Halves of floor(n_i / 2) and the rest, the extra side at random per item. Stepped up by Horst (1951): with p, q the mean
shares, R = r (sqrt(r^2 + 4pq(1 - r^2)) - r) / (2pq(1 - r^2)), which is Spearman-Brown at p = 1/2 and right for odd n.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from agreement.stats.design import Design
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.icc import ROUNDING
from agreement.stats.moments import centred

SPLITS = 1_000
CHECK_EVERY = 20
ENOUGH = 0.0005  # Monte Carlo error of the median below which more splits change nothing that is printed


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """The median over splits; `error` is its Monte Carlo error, never an interval."""

    pearson: float
    spearman: float
    splits: int
    error: float
    share: float  # p


def horst(r: Floats, p: float | Floats) -> Floats:
    """The reliability of the whole from the correlation of parts that are shares p and 1 - p of it.

    >>> round(float(horst(np.array(0.5), 0.5)), 4)  # Spearman-Brown: 2r / (1 + r)
    0.6667
    """
    pq = p * (1 - np.asarray(p))
    r2 = r * r
    open_ = 1 - r2 > ROUNDING
    below = np.where(open_, 2 * pq * (1 - r2), 1.0)
    stepped = r * (np.sqrt(r2 + 4 * pq * (1 - r2)) - r) / below
    return np.asarray(np.where(open_, stepped, np.where(r > 0, 1.0, np.nan)))


def split_half(design: Design, value: Floats, rng: np.random.Generator, splits: int = SPLITS) -> SplitHalf | Undefined:
    """The median of up to `splits` random splits; items with one judgment take no part."""
    usable = design.n >= 2
    if usable.sum() < 3:
        return Undefined("fewer than three items have two or more judgments: halves can't be correlated")
    kept = usable[design.item]
    part = design.only(kept)
    x = centred(value[kept])
    order = np.argsort(part.item, kind="stable")
    item, x, n = part.item[order], x[order], part.n
    start = np.cumsum(n) - n
    position = np.arange(len(x)) - start[item]
    small = np.floor(n / 2)
    by_item = np.add.reduceat(x, start.astype(np.int64))
    r: list[float] = []
    rho: list[float] = []
    error = float("nan")
    share = float(np.mean(small / n))
    while len(r) < splits:
        shuffled = x[np.argsort(item + rng.random(len(x)))]
        size = small + rng.integers(0, 2, len(n)) * (n - 2 * small)
        first = np.add.reduceat(np.where(position < size[item], shuffled, 0.0), start.astype(np.int64))
        a, b = first / size, (by_item - first) / (n - size)
        r.append(_pearson(a, b))
        rho.append(_pearson(stats.rankdata(a), stats.rankdata(b)))
        if len(r) % CHECK_EVERY == 0:
            stepped = horst(np.array(r), share)
            error = float(1.2533 * np.nanstd(stepped, ddof=1) / np.sqrt(len(r)))
            if error < ENOUGH:
                break
    if np.all(np.isnan(r)):
        return Undefined("the items' half means are all the same: halves can't be correlated")
    pearson = float(horst(np.array(np.nanmedian(r)), share))
    spearman = float(horst(np.array(np.nanmedian(rho)), share))
    return SplitHalf(pearson, spearman, len(r), error, share)


@dataclass(frozen=True, slots=True)
class ExpectedSplitHalf:
    """The same over all splits at once: cross and own products of half means in expectation, so a function of moments.

    For a half of f of n judgments E[a b] = (s^2 - ss) / (n (n - 1)) and E[a^2] = ss / (n f) + (f - 1) / f E[a b].
    Its deletions give the interval of the median, without the Monte Carlo noise that recomputed splits would add.
    """

    scale: float  # the whole sum of squares

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[5, G]: 1, mean, E[a b], E[a^2] averaged over which half is which, share p."""
        some = n >= 2
        m = np.where(some, n, 2.0)
        pairs = (s * s - ss) / (m * (m - 1))
        small = np.floor(m / 2)
        own = (_own(small, m, ss, pairs) + _own(m - small, m, ss, pairs)) / 2
        return np.stack([some * 1.0, some * (s / m), some * pairs, some * own, some * (small / m)])

    def values(self, totals: Floats) -> tuple[Floats, ...]:
        """The stepped-up correlation."""
        N, S, AB, AA, p = totals
        items = np.maximum(N, 1)
        covariance, variance = AB - S * S / items, AA - S * S / items
        defined = (N >= 3) & (variance > ROUNDING * self.scale)
        r = np.divide(covariance, variance, out=np.full(np.shape(N), np.nan), where=defined)
        return (horst(r, p / items),)


def _own(f: Floats, n: Floats, ss: Floats, pairs: Floats) -> Floats:
    return np.asarray(ss / (n * f) + (f - 1) / f * pairs)


def _pearson(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    below = float(np.sqrt(np.dot(a, a) * np.dot(b, b)))
    return float(np.dot(a, b)) / below if below > 0 else float("nan")
