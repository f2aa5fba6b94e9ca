"""One-way intraclass correlations ICC(1,1) and ICC(1,k) for unequal numbers of judgments.

k0 = (T - sum n_i^2 / T) / (N - 1), ICC(1,1) = (MSB - MSW) / (MSB + (k0 - 1) MSW),
ICC(1,k) = k ICC1 / (1 + (k - 1) ICC1) with k = k0 (Shrout & Fleiss 1979; McGraw & Wong 1996). Negative values stand.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.stats.design import Design
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.moments import centred, item_rows

ROUNDING = 1e-12  # of the whole sum of squares: what is smaller is 0


@dataclass(frozen=True, slots=True)
class ICC:
    """ICC(1,1), or ICC(1,k) where `averaged`; `scale` is the whole sum of squares, against which 0 is judged."""

    scale: float
    averaged: bool = False

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[6, G]: 1, n, n^2, s^2 / n, s, sum of squares."""
        some = n > 0
        return np.stack([some * 1.0, n, n * n, np.where(some, s * s / np.maximum(n, 1), 0.0), s * some, ss * some])

    def value(self, totals: Floats) -> Floats:
        N, T, _, between, S, SS = totals
        defined = (N >= 2) & (T > N)
        zero = ROUNDING * self.scale
        SSB, SSW = between - S**2 / np.maximum(T, 1), SS - between
        MSB = np.where(zero < SSB, SSB, 0.0) / np.maximum(N - 1, 1)
        MSW = np.where(zero < SSW, SSW, 0.0) / np.where(T > N, T - N, 1)
        if self.averaged:  # k ICC1 / (1 + (k - 1) ICC1) with k = k0 is this, without the pole between
            return _divided(MSB - MSW, MSB, defined & (MSB > 0))
        below = MSB + (k0(totals) - 1) * MSW
        return _divided(MSB - MSW, below, defined & (below > 0))


def _divided(above: Floats, below: Floats, defined: npt.NDArray[np.bool_]) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=defined))


def k0(totals: Floats) -> Floats:
    """The effective number of judgments an item, (T - sum n_i^2 / T) / (N - 1)."""
    N, T, T2 = totals[:3]
    return np.asarray((T - T2 / np.maximum(T, 1)) / np.maximum(N - 1, 1))


def icc(design: Design, value: Floats, *, averaged: bool) -> tuple[ICC, float, float] | Undefined:
    """The statistic of these values, its figure and k0; or why it is undefined."""
    if design.judgments == 0:
        return Undefined("there are no judgments")
    if design.items < 2:
        return Undefined("there is only one item: the variance between items can't be had")
    if not np.any(design.n >= 2):
        return Undefined("no item has two or more judgments: the variance within items can't be had")
    if value.min() == value.max():
        return Undefined("every judgment is the same: there is no variance to share out")
    x = centred(value)
    statistic = ICC(float(np.dot(x, x)), averaged)
    totals = item_rows(statistic, design, x).sum(axis=1)
    figure = float(statistic.value(totals))
    if np.isnan(figure):
        return Undefined("the items' means are all the same: ICC(1,k) has no limit" if averaged else "ICC is 0 / 0")
    return statistic, figure, float(k0(totals))
