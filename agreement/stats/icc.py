"""One-way intraclass correlations ICC(1,1) and ICC(1,k) for unequal numbers of judgments.

k0 = (T - sum n_i^2 / T) / (N - 1), ICC(1,1) = (MSB - MSW) / (MSB + (k0 - 1) MSW),
ICC(1,k) = k ICC1 / (1 + (k - 1) ICC1) with k = k0 (Shrout & Fleiss 1979; McGraw & Wong 1996). Negative values stand.
Deletions and replicates keep the k that is printed: with fewer judgments an item it would be another quantity, and a
worker who did much would seem to carry the figure (in Zipf crowds intervals came out twice too wide).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.stats.design import Design
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.moments import centred, item_rows
from agreement.stats.ranges import RELIABILITY, Range

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
    """The effective number of judgments an item, (T - sum n_i^2 / T) / (N - 1)."""
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

    >>> from agreement.stats.design import design_of
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
    x = centred(value)
    totals = item_rows(ICC(1.0, 1.0), design, x).sum(axis=1)
    moments = ICC(float(np.sum(x * x)), float(k0(totals)))
    one, averaged = (float(figure) for figure in moments.values(totals))
    if np.isnan(one):
        return Undefined("the variances between and within items leave nothing to divide by")
    no_limit = Undefined("the items' means are all the same: ICC(1,k) has no lower limit there")
    return ICCs(moments, one, no_limit if np.isnan(averaged) else averaged, moments.k)


def _divided(above: Floats, below: Floats, defined: npt.NDArray[np.bool_]) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=defined))
