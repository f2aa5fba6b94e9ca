"""Intraclass correlations: one-way ICC(1,1) and ICC(1,k), and ICC(C,k) without workers' constant biases."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..estimation.design import Codes, Design
from ..estimation.estimate import Floats, Undefined
from ..estimation.intervals import RELIABILITY, Deletions, Range
from .raw_statistic import RawStatistic, centre_values, item_rows

# One-way intraclass correlations ICC(1,1) and ICC(1,k) for unequal numbers of judgments.
#
# k0 = (T - sum n_i^2 / T) / (N - 1), ICC(1,1) = (MSB - MSW) / (MSB + (k0 - 1) MSW), ICC(1,k) = k ICC1 / (1 + (k - 1)
# ICC1) with k = k0 (Shrout & Fleiss 1979; McGraw & Wong 1996). Negative values stand. Deletions and replicates keep
# the k that is printed: with fewer judgments per item it would be another quantity, and a worker who did much would
# seem to carry the figure (in Zipf crowds intervals came out twice too wide).

ROUNDING = 1e-12  # of the whole sum of squares: what is smaller is 0


@dataclass(frozen=True, slots=True)
class ICC:
    """ICC(1,1) and ICC(1,k) as functions of sums; `scale` is the whole sum of squares, against which 0 is judged."""

    scale: float
    k: float

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[6, G]: 1, n, n^2, s^2 / n, s, sum of squares."""
        some = n > 0
        return np.stack([some * 1.0, n, n * n, some * s * s / np.maximum(n, 1), s * some, ss * some])

    def values(self, totals: Floats) -> tuple[Floats, ...]:
        """ICC(1,1) and ICC(1,k); the latter is k (MSB - MSW) / (MSB + (k0 - 1) MSW + (k - 1) (MSB - MSW))."""
        N, T, _, between, S, SS = totals
        defined = (N >= 2) & (T > N)
        zero = ROUNDING * self.scale
        SSB, SSW = between - S**2 / np.maximum(T, 1), SS - between
        MSB = np.where(zero < SSB, SSB, 0.0) / np.maximum(N - 1, 1)
        MSW = np.where(zero < SSW, SSW, 0.0) / np.where(T > N, T - N, 1)
        whole = MSB + (k0(totals) - 1) * MSW
        averaged = whole + (self.k - 1) * (MSB - MSW)
        return (
            _divided(MSB - MSW, whole, defined & (whole > 0)),
            _divided(self.k * (MSB - MSW), averaged, defined & (averaged > zero)),
        )


def k0(totals: Floats) -> Floats:
    """The effective number of judgments per item, (T - sum n_i^2 / T) / (N - 1)."""
    N, T, T2 = totals[:3]
    return np.asarray((T - T2 / np.maximum(T, 1)) / np.maximum(N - 1, 1))


@dataclass(frozen=True, slots=True)
class ICCs:
    """Both correlations of one question, ICC(1,k) perhaps without a limit."""

    moments: ICC
    icc1: float
    icc1k: float | Undefined
    k0: float

    @property
    def range_of_one(self) -> Range:
        """Of ICC(1,1), from -1 / (k0 - 1), where MSB = 0, to 1."""
        return Range(-1 / (self.k0 - 1), 1.0) if self.k0 > 1 else RELIABILITY


def icc(design: Design, value: Floats) -> ICCs | Undefined:
    """Both correlations of the values [J], or why there are none.

    Shrout & Fleiss (1979), table 2: six targets, four judges.

    >>> from agreement.estimation.design import design_of
    >>> x = np.array([9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7], dtype=float)
    >>> both = icc(design_of(np.repeat(np.arange(6), 4), np.tile(np.arange(4), 6)), x)
    >>> round(both.icc1, 4), round(both.icc1k, 4)
    (0.1657, 0.4428)
    """
    if design.judgments == 0:
        return Undefined("there are no judgments")
    if design.items < 2:
        return Undefined("there is only one item: the variance between items can't be had")
    if not np.any(design.n >= 2):
        return Undefined("no item has two or more judgments: the variance within items can't be had")
    if value.min() == value.max():
        return Undefined("every judgment is the same: there is no variance to share out")
    x = centre_values(value)
    totals = item_rows(ICC(1.0, 1.0), design, x).sum(axis=1)
    moments = ICC(float(np.sum(x * x)), float(k0(totals)))
    one, averaged = (float(figure) for figure in moments.values(totals))
    if np.isnan(one):
        return Undefined("the variances between and within items leave nothing to divide by")
    no_limit = Undefined("the items' means are all the same: ICC(1,k) has no lower limit there")
    return ICCs(moments, one, no_limit if np.isnan(averaged) else averaged, moments.k)


# The reliability of the gold as released: the squared correlation of an item's mean with what infinitely many workers
# would give it, R = var_item / (var_item + var_error mean(1 / n_i)), over the n_i that there are. With rho = ICC(1,1)
# that is Spearman and Brown's R = k rho / (1 + (k - 1) rho) at the harmonic mean k of the n_i. ICC(1,k) at k0, which is
# near the arithmetic mean, is larger where the n_i differ: .80 where gold and truth had a squared correlation of .69.


def harmonic_mean(n: Floats) -> float:
    """Of the judgments per item.

    >>> round(harmonic_mean(np.array([2.0, 4.0, 4.0])), 3)
    3.0
    """
    return float(1 / np.mean(1 / n))


def stepped_up(rho: Floats | float, k: float) -> Floats:
    """Spearman and Brown's reliability of a mean of k; NaN below the pole at rho = -1 / (k - 1).

    >>> round(float(stepped_up(0.1657, 4)), 3)
    0.443
    """
    whole = 1 + (k - 1) * np.asarray(rho, dtype=np.float64)
    return _divided(k * np.asarray(rho, dtype=np.float64), whole, whole > ROUNDING)


def _divided(above: Floats, below: Floats, defined: npt.NDArray[np.bool_]) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=defined))


# ICC(C,k): the reliability of the mean of k workers who judged the same items, without their constant biases.
#
# Of a complete table x_ij, n items by k workers, the two-way analysis of variance has SSR = sum_i r_i^2 / k - G^2 /
# nk, SSC = sum_j c_j^2 / n - G^2 / nk, SSE = sum x^2 - G^2 / nk - SSR - SSC, MSR = SSR / (n - 1), MSE = SSE / (n -
# 1)(k - 1), and ICC(C,k) = (MSR - MSE) / MSR (McGraw & Wong 1996), which is Cronbach's alpha and the mean over all
# halves of workers. A worker who is always 10 too high shifts every item's mean alike: that is no noise in the gold,
# though halves drawn for each item anew take it for some.

NEARLY_ALL = 0.9  # of the items, which every worker must have judged
MOST = 0.5  # of the items, which must have been judged by every worker

AnyInts = npt.NDArray[np.integer]


def complete_part(item: AnyInts, worker: AnyInts, value: Floats) -> tuple[Floats, int, Codes] | None:
    """[n, k] the answers to the items that every worker judged, how many items there are in all, and the workers [k].

    None unless each worker judged nearly all items, once, and most items were judged by each.
    """
    items, at_item = np.unique(item, return_inverse=True)
    workers, at_worker = np.unique(worker, return_inverse=True)
    N, W = len(items), len(workers)
    if W < 2 or len(value) > N * W or len(value) < NEARLY_ALL * N * W:
        return None
    counts = np.zeros((N, W), dtype=np.int64)
    np.add.at(counts, (at_item, at_worker), 1)
    everyone = counts.all(axis=1)
    if counts.max() > 1 or counts.sum(axis=0).min() < NEARLY_ALL * N or everyone.sum() < max(MOST * N, 3):
        return None
    table = np.full((N, W), np.nan)
    table[at_item, at_worker] = value
    return table[everyone], N, workers.astype(np.int64)


def consistency(
    table: Floats, items: int, workers: Codes | None = None, *, fixed_workers: bool = False
) -> RawStatistic | Undefined:
    """ICC(C,k) of a complete table [n, k] of some of the `items`, with each item and each of the `workers` left out.

    Shrout & Fleiss (1979), table 2, six targets by four judges: .9093, there ICC(3,4).

    >>> x = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(consistency(np.array(x, dtype=float), 6).theta, 4)
    0.9093
    """
    n, k = table.shape
    x = table - table.mean(axis=0)  # which the statistic doesn't see, and its digits do
    r, c, q = x.sum(axis=1), x.sum(axis=0), x * x
    R, C, Q, G = np.sum(r * r), np.sum(c * c), q.sum(), x.sum()
    theta = float(_stepped(R, C, Q, G, n, k, k, Q))
    if np.isnan(theta):
        return Undefined("the items' means are all the same: there is no variance between items")
    by_item = _stepped(R - r * r, C - 2 * (x @ c) + q.sum(axis=1), Q - q.sum(axis=1), G - r, n - 1, k, k, Q)
    by_worker = np.full(k, np.nan)
    if k > 2:
        by_worker = _stepped(R - 2 * (r @ x) + q.sum(axis=0), C - c * c, Q - q.sum(axis=0), G - c, n, k - 1, k, Q)
    deletions = Deletions(by_item, by_worker, _without_a_cell(x).ravel())
    whole = f"{n} items" if n == items else f"the {n} of {items} items that all judged"
    method = f"ICC(C,k) by two-way analysis of variance, {whole}, k = {k} workers"
    beside = float(by_worker[0])
    return RawStatistic(
        theta, deletions, n, method, beside, workers=workers, judgments=n * k, fixed_workers=fixed_workers
    )


def _stepped(R: Floats, C: Floats, Q: Floats, G: Floats, n: int, left: int, k: int, scale: float) -> Floats:
    """ICC(C,k) of tables with `left` workers, stepped to k: k (MSR - MSE) / (k MSR - (k - left) MSE)."""
    mean = G * G / (n * left)
    SSR, SSC = R / left - mean, C / n - mean
    SSE = Q - mean - SSR - SSC
    MSR = np.where(ROUNDING * scale < SSR, SSR, 0.0) / (n - 1)
    MSE = np.where(ROUNDING * scale < SSE, SSE, 0.0) / ((n - 1) * (left - 1))
    below = k * MSR - (k - left) * MSE
    defined = (MSR > 0) & (below > 0)
    return np.asarray(np.divide(k * (MSR - MSE), below, out=np.full(np.shape(below), np.nan), where=defined))


def _without_a_cell(x: Floats) -> Floats:
    """[n, k] ICC(C,k) with each cell missing: filled in from the rest, which takes a degree of freedom from the error.

    The cell that fits rows and columns is (n r_i + k c_j - G) / ((n - 1) (k - 1)), the sums without it (Yates 1933).
    It adds nothing to SSE. All NaN where the error has one degree of freedom.
    """
    n, k = x.shape
    df = (n - 1) * (k - 1) - 1
    if df < 1:
        return np.full(x.shape, np.nan)
    r, c, G = x.sum(axis=1, keepdims=True), x.sum(axis=0, keepdims=True), x.sum()
    fitted = (n * (r - x) + k * (c - x) - (G - x)) / ((n - 1) * (k - 1))
    moved = fitted - x
    mean = (G + moved) ** 2 / (n * k)
    SSR = (np.sum(r * r) + 2 * r * moved + moved**2) / k - mean
    SSC = (np.sum(c * c) + 2 * c * moved + moved**2) / n - mean
    SSE = np.sum(x * x) + fitted**2 - x**2 - mean - SSR - SSC
    scale = np.sum(x * x)
    MSR = np.where(ROUNDING * scale < SSR, SSR, 0.0) / (n - 1)
    MSE = np.where(ROUNDING * scale < SSE, SSE, 0.0) / df
    return np.asarray(np.divide(MSR - MSE, MSR, out=np.full(x.shape, np.nan), where=MSR > 0))
