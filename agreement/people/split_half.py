"""Split-half reliability: the correlation of two random halves' means over items, stepped up to the whole.

Halves of floor(n_i / 2) and the rest, the extra side at random per item. Stepped up by Horst (1951): with p, q the mean
shares, R = r (sqrt(r^2 + 4pq(1 - r^2)) - r) / (2pq(1 - r^2)), which is Spearman-Brown at p = 1/2 and right for odd n.
"""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from ..arrays import divide
from ..estimation.design import Design
from ..estimation.estimate import Figure, Floats, Ints, Undefined
from .agreement_report import AgreementReport
from .icc import ROUNDING
from .ordinal_alpha import average_ranks
from .raw_statistic import centre_values

SPLITS = 1_000
FEWEST = 5
PLACES = 1 << 16  # judgments, over all splits, that are drawn at once: they stay in the processor's cache
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


def split_half(
    design: Design, value: Floats, rng: np.random.Generator, *, splits: int = SPLITS, with_spearman: bool = True
) -> SplitHalf | Undefined:
    """The median of up to `splits` random splits; items with one judgment take no part."""
    usable = design.n >= 2
    if usable.sum() < 3:
        return Undefined("fewer than three items have two or more judgments: halves can't be correlated")
    halves = _Halves(design.only(usable[design.item]), centre_values(value[usable[design.item]]))
    r, rho, error = np.empty(0), np.empty(0), float("inf")
    while len(r) < splits and error >= ENOUGH:
        a, b = halves.split(rng, min(splits - len(r), max(1, PLACES // len(halves.x))))
        r = np.append(r, _pearson(a, b))
        if with_spearman:
            rho = np.append(rho, _pearson(average_ranks(a), average_ranks(b)))
        used, error = _until_still(horst(r, halves.share))
        r, rho = r[:used], rho[:used]
    if np.all(np.isnan(r)):
        return Undefined("the items' half means are all the same: halves can't be correlated")
    if float(np.nanmedian(r)) < -1 + ROUNDING:
        return Undefined("the halves are exactly opposed: there is no reliability to step up to")
    medians = [np.nanmedian(each) if len(each) else np.nan for each in (r, rho)]
    pearson, spearman = (float(horst(np.array(median), halves.share)) for median in medians)
    return SplitHalf(pearson, spearman, len(r), error, halves.share)


class _Halves:
    """The judgments in order of items, ready to be halved again and again."""

    def __init__(self, design: Design, x: Floats) -> None:
        order = np.argsort(design.item, kind="stable")
        self.item, self.x, self.n = design.item[order], x[order], design.n
        self.start = (np.cumsum(self.n) - self.n).astype(np.int64)
        self.position = np.arange(len(x)) - self.start[self.item]
        self.small = np.floor(self.n / 2)
        self.total = np.add.reduceat(self.x, self.start)
        self.share = float(np.mean(self.small / self.n))

    def split(self, rng: np.random.Generator, splits: int) -> tuple[Floats, Floats]:
        """[S, N] the means of both halves in each of so many splits: the first of a random order, and the rest."""
        J = len(self.x)
        drawn = rng.random((splits, J + len(self.n)))  # for each split the judgments' order, then the items' sides
        shuffled = self.x[np.argsort(self.item + drawn[:, :J])]
        size = np.where(drawn[:, J:] < 0.5, self.small, self.n - self.small)
        first = np.add.reduceat(shuffled * (self.position < size[:, self.item]), self.start, axis=1)
        return first / size, (self.total - first) / (self.n - size)


def _until_still(values: Floats) -> tuple[int, float]:
    """How many of the splits are enough, or all of them, and the error of the median of so many."""
    is_defined = np.isfinite(values)
    x = np.where(is_defined, values - values[is_defined].mean(), 0.0) if is_defined.any() else np.zeros(len(values))
    k = np.maximum(np.cumsum(is_defined), 2)
    squares = np.maximum(np.cumsum(x * x) - np.cumsum(x) ** 2 / k, 0.0)  # running: near the error, and quick
    for used in np.flatnonzero(_error(np.sqrt(squares / (k - 1)), k) < 1.01 * ENOUGH) + 1:
        if (error := _error_of_median(values[:used])) < ENOUGH:
            return int(used), error
    return len(values), _error_of_median(values)


def _error_of_median(values: Floats) -> float:
    """Monte Carlo error of the median, with the upper side of what few splits tell of their spread."""
    values = values[np.isfinite(values)]
    if len(values) < FEWEST:
        return float("inf")
    return float(_error(values.std(ddof=1), len(values)))


def _error(sd: Floats | float, k: Ints | int) -> Floats:
    spread = sd * (1 + 2 / np.sqrt(2 * (k - 1)))
    return np.asarray(np.sqrt(np.pi / 2) * spread / np.sqrt(k))


@dataclass(frozen=True, slots=True)
class ExpectedSplitHalf:
    """The same over all splits at once: cross and own products of half means in expectation, so a function of moments.

    It is the reliability of `n` judgments, the harmonic mean of all the n_i, whatever a deletion leaves.

    For a half of f of n judgments E[a b] = (s^2 - ss) / (n (n - 1)) and E[a^2] = ss / (n f) + (f - 1) / f E[a b].
    Its deletions give the interval of the median, without the Monte Carlo noise that recomputed splits would add.
    """

    scale: float  # the whole sum of squares
    n: float

    @classmethod
    def of(cls, n: Floats, squares: Floats) -> "ExpectedSplitHalf":
        """The statistic of items with n [N] judgments, whose centred values have these squares, or sums of them."""
        several = n[n >= 2]
        return cls(float(squares.sum()), float(len(several) / np.sum(1 / several)) if len(several) else float("nan"))

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[6, G]: 1, mean, E[a b], E[a^2] averaged over which half is which, share p, 1 / n."""
        some = n >= 2
        m = np.where(some, n, 2.0)
        pairs = (s * s - ss) / (m * (m - 1))
        small = np.floor(m / 2)
        own = (_own_term(small, m, ss, pairs) + _own_term(m - small, m, ss, pairs)) / 2
        return np.stack([some * 1.0, some * (s / m), some * pairs, some * own, some * (small / m), some / m])

    def values(self, totals: Floats) -> tuple[Floats, ...]:
        """The stepped-up correlation."""
        N, S, AB, AA, p, inverse = totals
        items = np.maximum(N, 1)
        covariance, variance = AB - S * S / items, AA - S * S / items
        defined = (N >= 3) & (variance > ROUNDING * self.scale)
        r = np.divide(covariance, variance, out=np.full(np.shape(N), np.nan), where=defined)
        R = horst(r, p / items)
        longer = self.n * inverse / items  # of the judgments that are left, to as many as there were
        below = 1 + (longer - 1) * R
        return (np.divide(longer * R, below, out=np.full(np.shape(N), np.nan), where=below > ROUNDING),)


def _own_term(f: Floats, n: Floats, ss: Floats, pairs: Floats) -> Floats:
    return np.asarray(ss / (n * f) + (f - 1) / f * pairs)


def _pearson(a: Floats, b: Floats) -> Floats:
    """[S] of each row of a and b [S, N]."""
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    below = np.sqrt(np.sum(a * a, axis=1) * np.sum(b * b, axis=1))
    return divide(np.sum(a * b, axis=1), below)


# Spearman and Brown's formula of gold: how reliable that of orders is, and how many more judgments gold needs.


def of_orders(cleaned: AgreementReport) -> Figure:
    """The reliability of mean ranks: of Kendall's W with n people R = (n - 1 / W) / (n - 1), which is Spearman and
    Brown's formula on the mean correlation (n W - 1) / (n - 1) of two people.
    """
    w, n = cleaned.kendall_w, cleaned.counts.judgments_per_item
    if w is None or isinstance(w.headline, Undefined):
        return Undefined("orders agree by no figure") if w is None else w.headline
    if n <= 1 or w.headline.estimate <= 0:
        return Undefined("orders of one person can't be compared")

    def stepped_up(value: float) -> float:
        return max((n - 1 / value) / (n - 1), -1.0) if value > 0 else -1.0

    low, high = (None if end is None else stepped_up(end) for end in (w.headline.low, w.headline.high))
    return replace(w.headline, estimate=stepped_up(w.headline.estimate), low=low, high=high)


def further_judgments(reliability: float, wanted: float, judgments_per_item: float, most: int = 100) -> int:
    """How many more judgments each item needs by Spearman and Brown's formula; 0: more than `most`.

    >>> further_judgments(0.6, 0.8, 3), further_judgments(-0.1, 0.8, 3)
    (5, 0)
    """
    if reliability <= 0:
        return 0
    times = wanted * (1 - reliability) / (reliability * (1 - wanted))
    further = ceil(judgments_per_item * (times - 1) - 1e-9)
    return further if further <= most else 0
