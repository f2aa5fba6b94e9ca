"""Pearson, Spearman and Kendall by group, and with each thing of one group left out in closed form."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Floats, divide
from .groups import Groups, centred_ranks, dense_codes

# One side of a correlation, sorted once: what ranks, ties and comparisons of pairs are all read from.

Integers = npt.NDArray[np.int64]
MOST_SHORT = 1 << 15  # so many groups fit two bytes, which numpy sorts by counting


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """J values in groups. All of an earlier group counts as smaller than a later one's.

    `order` sorts them; `starts` are the places in it where a run of equal values begins; `smaller` [J] is how many
    values are smaller than each, `ties` [J] how many others of its group equal it.
    """

    order: Integers
    starts: Integers
    smaller: Integers
    ties: Integers

    @classmethod
    def of(cls, groups: Groups, values: Floats) -> "Side":
        """Sort by group, then by value."""
        order = np.argsort(values)
        if len(groups) > 1:
            code = groups.of.astype(np.int16 if len(groups) < MOST_SHORT else np.int64)
            order = order[np.argsort(code[order], kind="stable")]
        ordered = values[order]
        new = np.ones(len(values), dtype=np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        new[groups.starts[:-1][groups.sizes > 0]] = True
        starts = np.flatnonzero(new)
        lengths = np.diff(np.concatenate([starts, [len(values)]]))
        smaller, ties = np.empty_like(order), np.empty_like(order)
        smaller[order], ties[order] = np.repeat(starts, lengths), np.repeat(lengths - 1, lengths)
        return cls(order, starts, smaller, ties)

    def centred_ranks(self, groups: Groups) -> Floats:
        """[J] average ranks within groups, less their mean."""
        centre = groups.starts[:-1] + (groups.sizes - 1) / 2
        return self.smaller + self.ties / 2 - groups.spread(centre)

    def sum_of_smaller(self, groups: Groups, other: Floats) -> Floats:
        """[J] sum over the j != i of the group of `other` where j's value is smaller, half of it where it is equal."""
        if not len(other):
            return np.zeros(0)
        total = np.add.reduceat(other[self.order], self.starts)
        before = np.cumsum(total) - total
        lengths = np.diff(np.concatenate([self.starts, [len(other)]]))
        out = np.empty(len(other))
        out[self.order] = np.repeat(before + total / 2, lengths)
        group_sums = groups.sum(other)
        return out - groups.spread(np.cumsum(group_sums) - group_sums) - other / 2

    def squared_ranks_without(self, groups: Groups) -> Floats:
        """[J] sum of the squared average ranks of the m values that stay, less its centre m (m + 1)^2 / 4.

        m (m + 1)(2 m + 1) / 6 less (t^3 - t) / 12 for each run of t equal values.
        """
        m = groups.spread(np.asarray(groups.sizes - 1.0, dtype=np.float64))
        t = self.ties + 1.0
        lost = t**3 - t
        total_lost = groups.spread(groups.sum(lost / t))  # each run of t is met t times
        smaller = (t - 1) ** 3 - (t - 1)
        return np.asarray(m * (m + 1) * (2 * m + 1) / 6 - (total_lost - lost + smaller) / 12 - m * (m + 1) ** 2 / 4)

    def vary_without(self, groups: Groups) -> npt.NDArray[np.bool_]:
        """[J] whether the group's other values still differ."""
        distinct = np.rint(groups.sum(1 / (self.ties + 1.0)))
        return np.asarray(groups.spread(distinct) - (self.ties == 0) > 1)


# For each of n points in the plane, how many others lie below and left of it: what rank deletions and Kendall need.
#
# log2(n) rounds of a few whole-array operations each, where comparing all pairs would take n^2.


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """For each point i, over the other points j of its group.

    `both` [n]: sum_j a_ij b_ij, with a_ij = 1 where x_j < x_i, 1/2 where they tie, and b the same for y.
    `concordance` [n]: sum_j sign(x_i - x_j) sign(y_i - y_j).
    """

    both: Floats
    concordance: Floats


def compare(groups: Groups, x: Side, y: Side) -> Pairs:
    """Compare each point with all others of its group.

    >>> one = Groups.one(3)
    >>> compare(one, Side.of(one, np.array([0.0, 1, 2])), Side.of(one, np.array([0.0, 2, 1]))).concordance.tolist()
    [2.0, 0.0, 0.0]
    """
    n = len(x.order)
    if not n:
        return Pairs(np.zeros(0), np.zeros(0))
    before, size = groups.spread(groups.starts[:-1]), groups.spread(groups.sizes)
    left, below, none = x.smaller, y.smaller, np.zeros(n, dtype=np.int64)
    left_level = tie_below = alike = none
    if y.ties.any():
        left_level, alike = _smaller_within(below, left)
    if x.ties.any():
        tie_below, alike = _smaller_within(left, below)
    left_below = _count_smaller_in_both(left, below) - before
    left, below = left - before, below - before
    left_above = left - left_below - left_level
    right_below = below - left_below - tie_below
    right_above = size - 1 - left - x.ties - right_below - (y.ties - left_level - alike)
    both = left_below + (left_level + tie_below) / 2 + alike / 4
    return Pairs(both, (left_below + right_above - left_above - right_below).astype(np.float64))


def _smaller_within(run: Integers, value: Integers) -> tuple[Integers, Integers]:
    """[n] of those in the same run, how many have a smaller value, and how many others have the same."""
    n = len(run)
    by_both = Side.of(Groups.one(n), np.asarray(run * float(n) + value, dtype=np.float64))
    return by_both.smaller - run, by_both.ties


def _count_smaller_in_both(x: Integers, y: Integers) -> Integers:
    """[n] how many are smaller in both; equal values are put in an order in which they don't count."""
    n = len(x)
    order = np.argsort(x * n + (n - 1 - y))
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(y * n + (n - 1 - place))] = np.arange(n)
    return _smaller_before(rank[order])[rank].astype(np.int64)


def _smaller_before(sequence: Integers) -> npt.NDArray[np.integer]:
    """[n] by value: how many smaller values stand before each value of a permutation of 0 to n - 1.

    The values, filled up to a power of two, are parted by their bits from the highest down, in order within each part.
    Of the values that share the bits above, one with bit 1 has all those with bit 0 that stand before it. Every part
    is half of each, so where the k-th one of all stands says how many zeros of its part came first.
    """
    n = len(sequence)
    bits = max(n - 1, 0).bit_length()
    kind: type[np.integer] = np.uint16 if bits <= 16 else np.int32
    values: npt.NDArray[np.integer] = np.concatenate([sequence, np.arange(n, 1 << bits)]).astype(kind)
    counts: npt.NDArray[np.integer] = np.zeros(1 << bits, dtype=kind)
    k = np.arange((1 << bits) // 2)
    for bit in range(bits - 1, -1, -1):
        half = 1 << bit
        is_one = (values & kind(half)) != 0
        ones, zeros = np.flatnonzero(is_one), np.flatnonzero(~is_one)
        part = k >> bit
        before = ones - k - (part << bit)
        parted = np.empty((2, len(k) >> bit, 2, half), dtype=kind)
        parted[0, :, 0], parted[0, :, 1] = values[zeros].reshape(-1, half), values[ones].reshape(-1, half)
        parted[1, :, 0] = counts[zeros].reshape(-1, half)
        parted[1, :, 1] = (counts[ones] + before.astype(kind)).reshape(-1, half)
        values, counts = parted.reshape(2, -1)
    return counts[:n]


# Pearson, Spearman and Kendall by group, and with each thing of one group left out in closed form.
#
# Undefined (a constant side, fewer than two things) is NaN here; whoever prints it says so in words.

Correlation: TypeAlias = Callable[[Groups, Floats, Floats], Floats]


def pearson(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Pearson's r of x and y [J] in each group; NaN where either side is constant.

    >>> pearson(Groups.one(4), np.array([1.0, 2, 3, 4]), np.array([2.0, 4, 6, 9])).round(4).tolist()
    [0.9944]
    """
    m = groups.sizes
    varies = groups.vary(x) & groups.vary(y)
    dx, dy = _centre_values(groups, x), _centre_values(groups, y)
    sxx, syy, sxy = groups.sum(dx * dx), groups.sum(dy * dy), groups.sum(dx * dy)
    r = divide(sxy, np.sqrt(sxx) * np.sqrt(syy))
    return np.where(varies & (m > 1), np.clip(r, -1.0, 1.0), np.nan)


def spearman(groups: Groups, x: Floats, y: Floats) -> Floats:
    """[G] Spearman's rho: Pearson's r of average ranks; NaN where either side is constant.

    >>> spearman(Groups.one(5), np.array([1.0, 2, 3, 4, 5]), np.array([5.0, 6, 7, 8, 7])).round(4).tolist()
    [0.8208]
    """
    return spearman_of_ranks(groups, centred_ranks(groups, dense_codes(x)), centred_ranks(groups, dense_codes(y)))


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
        "spearman": (spearman_of_ranks(groups, *ranks), rho_without),
        "pearson": (pearson(groups, x, y), _pearson_without(groups, x, y, sx, sy)),
        "kendall": (_tau(groups, sx, sy, pairs), _ratio(s, left[0], left[1])),
    }


CORRELATIONS: dict[str, tuple[Correlation, Correlation]] = {
    "spearman": (spearman, spearman_without),
    "pearson": (pearson, pearson_without),
    "kendall": (kendall, kendall_without),
}


def _centre_values(groups: Groups, values: Floats) -> Floats:
    return values - groups.spread(divide(groups.sum(values), groups.sizes))


def spearman_of_ranks(groups: Groups, r: Floats, q: Floats) -> Floats:
    """[G] Spearman's rho from centred ranks."""
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
    dx, dy = _centre_values(groups, x), _centre_values(groups, y)
    sxy, sxx, syy = (groups.spread(groups.sum(a * b)) - less * a * b for a, b in ((dx, dy), (dx, dx), (dy, dy)))
    varies = sx.vary_without(groups) & sy.vary_without(groups)
    return np.where(varies, np.clip(_ratio(sxy, sxx, syy), -1.0, 1.0), np.nan)


def _ratio(sxy: Floats, sxx: Floats, syy: Floats) -> Floats:
    out = np.full(len(sxy), np.nan)
    defined = (sxx > 0) & (syy > 0)
    out[defined] = sxy[defined] / (np.sqrt(sxx[defined]) * np.sqrt(syy[defined]))
    return out
