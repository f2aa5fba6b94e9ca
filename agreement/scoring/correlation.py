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
from agreement.scoring.ranks import Codes, centred_ranks, dense

Correlation: TypeAlias = Callable[[Groups, Floats, Floats], Floats]


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
    pairs = compare(dense(x).code, dense(y).code, groups.of)
    whole = groups.sizes * (groups.sizes - 1.0) / 2
    n1, n2 = (groups.sum(ties_with(groups, side) - 1) / 2 for side in (x, y))
    return divide(groups.sum(pairs.concordance) / 2, np.sqrt(whole - n1) * np.sqrt(whole - n2))


def ties_with(groups: Groups, values: Floats) -> Floats:
    """[J] how many values of the group equal this one, itself among them."""
    codes = dense(values)
    return _run_lengths(groups.spread(np.arange(len(groups)) * codes.size) + codes.code)


def pearson_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's r with each pair left out: S_xy less m / (m - 1) (x_i - mean)(y_i - mean), S_xx and S_yy too."""
    m = groups.spread(groups.sizes.astype(np.float64))
    less = divide(m, np.maximum(m - 1, 0))
    dx, dy = _centred(groups, x), _centred(groups, y)
    sxy, sxx, syy = (groups.spread(groups.sum(a * b)) - less * a * b for a, b in ((dx, dy), (dx, dx), (dy, dy)))
    varies = _vary_without(groups, x) & _vary_without(groups, y)
    return np.where(varies, np.clip(_ratio(sxy, sxx, syy), -1.0, 1.0), np.nan)


def spearman_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's rho with each pair left out and the rest ranked again.

    Leaving i out takes 1 from the descending rank of every smaller value and 1/2 from that of every equal one, so
    sum R'Q' needs, beside running sums, the count of values smaller on both sides (`dominance`).
    """
    return rank_deletions(groups, x, y)[0]


def kendall_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's tau-b with each pair left out: its comparisons come off S, its ties off n1 and n2."""
    return rank_deletions(groups, x, y)[1]


def rank_deletions(groups: Groups, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """[J] rho and [J] tau-b with each pair left out, and [G] tau-b with none, from one comparison of all pairs."""
    if not len(x):
        return np.zeros(0), np.zeros(0), np.full(len(groups), np.nan)
    cx, cy = dense(x), dense(y)
    pairs = compare(cx.code, cy.code, groups.of)
    n = groups.spread(groups.sizes.astype(np.float64))
    tx, ty = ties_with(groups, x), ties_with(groups, y)
    r, q = ((n + 1) / 2 - centred_ranks(groups, codes) for codes in (cx, cy))
    rq = groups.spread(groups.sum(r * q)) - r * q
    rq -= _sum_of_smaller(groups, cx, q) + _sum_of_smaller(groups, cy, r) - pairs.both
    m = n - 1
    centre = m * (m + 1) ** 2 / 4
    rho = _ratio(
        rq - centre, _square_ranks_without(groups, m, tx) - centre, _square_ranks_without(groups, m, ty) - centre
    )
    s = groups.sum(pairs.concordance) / 2
    n1, n2 = (groups.sum(ties - 1) / 2 for ties in (tx, ty))
    whole = groups.sizes * (groups.sizes - 1.0) / 2
    tau = divide(s, np.sqrt(whole - n1) * np.sqrt(whole - n2))
    n0 = m * (m - 1) / 2
    left = (n0 - groups.spread(total) + ties - 1 for total, ties in ((n1, tx), (n2, ty)))
    return rho, _ratio(groups.spread(s) - pairs.concordance, *left), tau


CORRELATIONS: dict[str, tuple[Correlation, Correlation]] = {
    "spearman": (spearman, spearman_without),
    "pearson": (pearson, pearson_without),
    "kendall": (kendall, kendall_without),
}


def _centred(groups: Groups, values: Floats) -> Floats:
    return values - groups.spread(divide(groups.sum(values), groups.sizes))


def _run_lengths(key: npt.NDArray[np.int64]) -> Floats:
    """[J] how often each key occurs."""
    order = np.argsort(key)
    ordered = key[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(key) else order
    lengths = np.diff(np.concatenate([starts, [len(key)]])).astype(np.float64)
    out = np.empty(len(key))
    out[order] = np.repeat(lengths, lengths.astype(np.int64))
    return out


def _sum_of_smaller(groups: Groups, codes: Codes, other: Floats) -> Floats:
    """[J] sum over the j != i of the group of `other` where j's code is smaller, half of it where it is the same."""
    key = codes.code + groups.spread(np.arange(len(groups)) * codes.size)
    order = np.argsort(key)
    ordered = key[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    run_total = np.add.reduceat(other[order], starts)
    before = np.cumsum(run_total) - run_total
    lengths = np.diff(np.concatenate([starts, [len(key)]]))
    out = np.empty(len(key))
    out[order] = np.repeat(before + run_total / 2, lengths)
    whole = groups.sum(other)
    return out - groups.spread(np.cumsum(whole) - whole) - other / 2


def _square_ranks_without(groups: Groups, m: Floats, ties: Floats) -> Floats:
    """[J] sum of squared average ranks of the m values that stay: m(m+1)(2m+1)/6 less (t^3 - t)/12 a group of ties."""
    lost = ties**3 - ties
    whole = groups.spread(groups.sum(lost / ties))  # each group of t ties is met t times
    smaller = (ties - 1) ** 3 - (ties - 1)
    return np.asarray(m * (m + 1) * (2 * m + 1) / 6 - (whole - lost + smaller) / 12)


def _ratio(sxy: Floats, sxx: Floats, syy: Floats) -> Floats:
    out = np.full(len(sxy), np.nan)
    defined = (sxx > 0) & (syy > 0)
    out[defined] = sxy[defined] / (np.sqrt(sxx[defined]) * np.sqrt(syy[defined]))
    return out


def _vary_without(groups: Groups, x: Floats) -> npt.NDArray[np.bool_]:
    """[J] whether the group's other values still differ."""
    t = ties_with(groups, x)
    distinct = np.rint(groups.sum(1 / t))
    return np.asarray(groups.spread(distinct) - (t == 1) > 1)
