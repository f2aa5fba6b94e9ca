"""Pearson, Spearman and Kendall by group, and with each thing of one group left out in closed form.

Undefined (a constant side, fewer than two things) is NaN here; whoever prints it says so in words.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from agreement.gold.arrays import Floats, divide
from agreement.scoring.dominance import Pairs, compare
from agreement.scoring.groups import Groups
from agreement.scoring.ranks import Codes, centred_ranks, dense
from agreement.scoring.sides import Side

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
    return _rho(groups, centred_ranks(groups, x), centred_ranks(groups, y))


def kendall(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Kendall's tau-b = S / sqrt((n0 - n1)(n0 - n2)), S the concordant less the discordant pairs.

    >>> kendall(Groups.one(4), np.array([1.0, 2, 2, 3]), np.array([1.0, 3, 2, 4])).round(4).tolist()
    [0.9129]
    """
    sx, sy = Side.of(groups, x), Side.of(groups, y)
    return _tau(groups, sx, sy, compare(groups, sx, sy))


def pearson_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's r with each pair left out: S_xy less m / (m - 1) (x_i - mean)(y_i - mean), S_xx and S_yy too."""
    return _pearson_without(groups, x, y, Side.of(groups, x), Side.of(groups, y))


def spearman_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's rho with each pair left out and the rest ranked again."""
    return deletions(groups, x, y)["spearman"][1]


def kendall_without(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[J] its group's tau-b with each pair left out."""
    return deletions(groups, x, y)["kendall"][1]


def deletions(groups: Groups, x: Floats, y: Floats) -> dict[str, tuple[Floats, Floats]]:
    """By correlation: [G] the figure and [J] with each pair left out; both sides are sorted and compared once.

    Rho: leaving i out takes 1 from the descending rank of every smaller value and 1/2 from that of every equal one, so
    sum R'Q' needs, beside running sums, the count of values smaller on both sides (`dominance`). Tau-b: i's own
    comparisons come off S, its ties off n1 and n2.
    """
    sx, sy = Side.of(groups, x), Side.of(groups, y)
    pairs = compare(groups, sx, sy)
    ranks = sx.centred_ranks(groups), sy.centred_ranks(groups)
    m = groups.spread(np.asarray(groups.sizes - 1.0, dtype=np.float64))
    r, q = (m + 2) / 2 - ranks[0], (m + 2) / 2 - ranks[1]
    rq = groups.spread(groups.sum(r * q)) - r * q
    rq -= sx.sum_of_smaller(groups, q) + sy.sum_of_smaller(groups, r) - pairs.both
    rr, qq = sx.squared_ranks_without(groups), sy.squared_ranks_without(groups)
    rho_without = _ratio(rq - m * (m + 1) ** 2 / 4, rr, qq)
    n0 = m * (m - 1) / 2
    left = [n0 - groups.spread(groups.sum(side.ties / 2)) + side.ties for side in (sx, sy)]
    s = groups.spread(groups.sum(pairs.concordance) / 2) - pairs.concordance
    return {
        "spearman": (_rho(groups, *ranks), rho_without),
        "pearson": (pearson(groups, x, y), _pearson_without(groups, x, y, sx, sy)),
        "kendall": (_tau(groups, sx, sy, pairs), _ratio(s, left[0], left[1])),
    }


CORRELATIONS: dict[str, tuple[Correlation, Correlation]] = {
    "spearman": (spearman, spearman_without),
    "pearson": (pearson, pearson_without),
    "kendall": (kendall, kendall_without),
}


def _centred(groups: Groups, values: Floats) -> Floats:
    return values - groups.spread(divide(groups.sum(values), groups.sizes))


def _rho(groups: Groups, r: Floats, q: Floats) -> Floats:
    """[G] from centred ranks."""
    spread = np.sqrt(groups.sum(r * r)) * np.sqrt(groups.sum(q * q))
    return np.clip(divide(groups.sum(r * q), spread), -1.0, 1.0)


def _tau(groups: Groups, x: Side, y: Side, pairs: Pairs) -> Floats:
    """[G] from the comparisons of all pairs."""
    n0 = groups.sizes * (groups.sizes - 1.0) / 2
    n1, n2 = (groups.sum(side.ties / 2) for side in (x, y))
    return divide(groups.sum(pairs.concordance) / 2, np.sqrt(n0 - n1) * np.sqrt(n0 - n2))


def _pearson_without(groups: Groups, x: Floats, y: Floats, sx: Side, sy: Side) -> Floats:
    m = groups.spread(groups.sizes.astype(np.float64))
    less = divide(m, np.maximum(m - 1, 0))
    dx, dy = _centred(groups, x), _centred(groups, y)
    sxy, sxx, syy = (groups.spread(groups.sum(a * b)) - less * a * b for a, b in ((dx, dy), (dx, dx), (dy, dy)))
    varies = sx.vary_without(groups) & sy.vary_without(groups)
    return np.where(varies, np.clip(_ratio(sxy, sxx, syy), -1.0, 1.0), np.nan)


def _ratio(sxy: Floats, sxx: Floats, syy: Floats) -> Floats:
    out = np.full(len(sxy), np.nan)
    defined = (sxx > 0) & (syy > 0)
    out[defined] = sxy[defined] / (np.sqrt(sxx[defined]) * np.sqrt(syy[defined]))
    return out
