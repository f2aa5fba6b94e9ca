"""Pearson, Spearman and Kendall by group, and with each thing of one group left out in closed form.

Undefined (a constant side, fewer than two things) is NaN here; whoever prints it says so in words.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats, divide
from agreement.scoring.dominance import compare
from agreement.scoring.groups import Groups
from agreement.scoring.ranks import Codes, centred_ranks, dense, ranks_within

Correlation: TypeAlias = Callable[[Groups, Floats, Floats], Floats]
Deletion: TypeAlias = Callable[[Floats, Floats], Floats]


def pearson(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Pearson's r of x and y [J] in each group; NaN where either side is constant.

    >>> pearson(Groups.one(4), np.array([1.0, 2, 3, 4]), np.array([2.0, 4, 6, 9])).round(4).tolist()
    [0.9944]
    """
    m = groups.sizes
    varies = groups.vary(x) & groups.vary(y)
    dx, dy = _centred(groups, x), _centred(groups, y)
    sxx, syy, sxy = groups.sum(dx * dx), groups.sum(dy * dy), groups.sum(dx * dy)
    r = divide(sxy, np.sqrt(sxx) * np.sqrt(syy))
    return np.where(varies & (m > 1), np.clip(r, -1.0, 1.0), np.nan)


def spearman(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Spearman's rho: Pearson's r of average ranks; NaN where either side is constant.

    >>> spearman(Groups.one(5), np.array([1.0, 2, 3, 4, 5]), np.array([5.0, 6, 7, 8, 7])).round(4).tolist()
    [0.8208]
    """
    return spearman_of_codes(groups, dense(x), dense(y))


def spearman_of_codes(groups: Groups, x: Codes, y: Codes) -> Floats:
    """[G] Spearman's rho of values that are given as codes in their order."""
    r, q = centred_ranks(groups, x), centred_ranks(groups, y)
    spread = np.sqrt(groups.sum(r * r)) * np.sqrt(groups.sum(q * q))
    return np.clip(divide(groups.sum(r * q), spread), -1.0, 1.0)


def kendall(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Kendall's tau-b = S / sqrt((n0 - n1)(n0 - n2)), S the concordant less the discordant pairs.

    >>> kendall(Groups.one(4), np.array([1.0, 2, 2, 3]), np.array([1.0, 3, 2, 4])).round(4).tolist()
    [0.9129]
    """
    if not len(x):
        return np.full(len(groups), np.nan)
    m = groups.sizes.astype(np.float64)
    pairs = compare(dense(x).code, dense(y).code, groups.of)
    n0 = m * (m - 1) / 2
    n1, n2 = (groups.sum(ties_with(groups, side) - 1) / 2 for side in (x, y))
    return divide(groups.sum(pairs.concordance) / 2, np.sqrt(n0 - n1) * np.sqrt(n0 - n2))


def ties_with(groups: Groups, values: Floats) -> Floats:
    """[J] how many values of the group equal this one, itself among them."""
    codes = dense(values)
    _, which, counts = np.unique(groups.of * codes.size + codes.code, return_inverse=True, return_counts=True)
    return np.asarray(counts[which], dtype=np.float64)


def pearson_without(x: Floats, y: Floats) -> Floats:
    """[n] r with each pair left out: S_xy less n / (n - 1) (x_i - mean)(y_i - mean), and so for S_xx and S_yy."""
    n = len(x)
    if n < 3:
        return np.full(n, np.nan)
    dx, dy = x - x.mean(), y - y.mean()
    less = n / (n - 1)
    sxy = dx @ dy - less * dx * dy
    sxx, syy = dx @ dx - less * dx * dx, dy @ dy - less * dy * dy
    varies = _varies_without(x) & _varies_without(y)
    defined = varies & (sxx > 0) & (syy > 0)
    out = np.full(n, np.nan)
    out[defined] = np.clip(sxy[defined] / np.sqrt(sxx[defined] * syy[defined]), -1.0, 1.0)
    return out


def spearman_without(x: Floats, y: Floats) -> Floats:
    """[n] rho with each pair left out and the rest ranked again.

    Leaving i out takes 1 from the descending rank of every smaller value and 1/2 from that of every equal one, so
    sum R'Q' needs, beside running sums, the count of values smaller on both sides (`dominance`).
    """
    n = len(x)
    if n < 3:
        return np.full(n, np.nan)
    one = Groups.one(n)
    cx, cy = dense(x).code, dense(y).code
    r, q = n + 1 - ranks_within(one, x), n + 1 - ranks_within(one, y)
    tx, ty = ties_with(one, x), ties_with(one, y)
    both = compare(cx, cy).both
    rq = r @ q - r * q - _sum_of_smaller(cx, q) - _sum_of_smaller(cy, r) + both
    m = n - 1
    centre = m * (m + 1) ** 2 / 4
    sxx, syy = _square_ranks_without(m, tx) - centre, _square_ranks_without(m, ty) - centre
    return _ratio(rq - centre, sxx, syy)


def kendall_without(x: Floats, y: Floats) -> Floats:
    """[n] tau-b with each pair left out: its own comparisons come off S, its ties off n1 and n2."""
    n = len(x)
    if n < 3:
        return np.full(n, np.nan)
    one = Groups.one(n)
    concordance = compare(dense(x).code, dense(y).code).concordance
    tx, ty = ties_with(one, x) - 1, ties_with(one, y) - 1
    n0 = (n - 1) * (n - 2) / 2
    n1, n2 = tx.sum() / 2 - tx, ty.sum() / 2 - ty
    return _ratio(concordance.sum() / 2 - concordance, n0 - n1, n0 - n2)


CORRELATIONS: dict[str, tuple[Correlation, Deletion]] = {
    "spearman": (spearman, spearman_without),
    "pearson": (pearson, pearson_without),
    "kendall": (kendall, kendall_without),
}


def _centred(groups: Groups, values: Floats) -> Floats:
    return values - groups.spread(divide(groups.sum(values), groups.sizes))


def _sum_of_smaller(codes: npt.NDArray[np.int64], other: Floats) -> Floats:
    """[n] sum over j != i of `other` where j's code is smaller, half of it where the code is the same."""
    total = np.bincount(codes, weights=other)
    below = np.cumsum(total) - total
    return np.asarray((below + total / 2)[codes] - other / 2)


def _square_ranks_without(m: int, ties: Floats) -> Floats:
    """[n] sum of squared average ranks of the m values that stay: m(m+1)(2m+1)/6 less (t^3 - t)/12 a group of ties."""
    lost = ties**3 - ties
    # each group of t ties is met t times
    whole = float(np.sum(lost / ties))
    smaller = (ties - 1) ** 3 - (ties - 1)
    return np.asarray(m * (m + 1) * (2 * m + 1) / 6 - (whole - lost + smaller) / 12)


def _ratio(sxy: Floats, sxx: Floats, syy: Floats) -> Floats:
    out = np.full(len(sxy), np.nan)
    defined = (sxx > 0) & (syy > 0)
    out[defined] = sxy[defined] / np.sqrt(sxx[defined] * syy[defined])
    return out


def _varies_without(x: Floats) -> npt.NDArray[np.bool_]:
    """[n] whether the other values still differ."""
    distinct, which, counts = np.unique(x, return_inverse=True, return_counts=True)
    if len(distinct) == 1:
        return np.zeros(len(x), dtype=np.bool_)
    return np.full(len(x), True) if len(distinct) > 2 else np.asarray(counts[which] > 1)
