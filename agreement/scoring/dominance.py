"""For each of n points in the plane, how many others lie below and left of it: what rank deletions and Kendall need.

log2(n) rounds of a few whole-array operations each, where comparing all pairs would take n^2.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """For each point i, over the other points j of its group.

    `both` [n]: sum_j a_ij b_ij, with a_ij = 1 where x_j < x_i, 1/2 where they tie, and b the same for y.
    `concordance` [n]: sum_j sign(x_i - x_j) sign(y_i - y_j).
    """

    both: Floats
    concordance: Floats


def compare(x: Codes, y: Codes, group: Codes | None = None) -> Pairs:
    """Compare each point with all others of its group; `x` and `y` are codes from 0, equal where the values tie.

    >>> compare(np.array([0, 1, 2]), np.array([0, 2, 1])).concordance.tolist()
    [2.0, 0.0, 0.0]
    """
    n = len(x)
    if not n:
        return Pairs(np.zeros(0), np.zeros(0))
    before, size = np.zeros(n, dtype=np.int64), np.full(n, n)
    if group is not None:  # an earlier group lies wholly left and below, a later one wholly right and above
        x, y = x + group * (int(x.max()) + 1), y + group * (int(y.max()) + 1)
        counts = np.bincount(group)
        before, size = (np.cumsum(counts) - counts)[group], counts[group]
    left, x_ties = _smaller_and_ties(x)
    below, y_ties = _smaller_and_ties(y)
    alike = _pairs_alike(left, below) if x_ties.any() and y_ties.any() else np.zeros(n, dtype=np.int64)
    corner = _Corner(left, below, bool(alike.any()))
    left_below = corner.count() - before
    left_level = corner.count(level=True) - before - left_below if y_ties.any() else y_ties
    tie_below = corner.count(tied=True) - before - left_below if x_ties.any() else x_ties
    left, below = left - before, below - before
    left_above = left - left_below - left_level
    right_below = below - left_below - tie_below
    right_above = size - 1 - left - x_ties - right_below - (y_ties - left_level - alike)
    both = left_below + (left_level + tie_below) / 2 + alike / 4
    return Pairs(both, (left_below + right_above - left_above - right_below).astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class _Corner:
    """Points by how many lie before them in x and in y."""

    x: Codes
    y: Codes
    alike: bool

    def count(self, *, tied: bool = False, level: bool = False) -> Codes:
        """[n] how many others lie left and below; those tied in x, or level in y, among them if asked for.

        Equal values are put in an order in which they count, or don't. `tied` and `level` at once is not needed.
        """
        n = len(self.x)
        order = np.argsort(self.x * n + (self.y if tied else n - 1 - self.y))
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        if level:  # of two points alike in both, the later in place is the smaller in y, and so neither counts
            key = self.y * n + self.x
            by_y = order[::-1][np.argsort(key[order[::-1]], kind="stable" if self.alike else None)]
        else:
            by_y = np.argsort(self.y * n + n - 1 - place)
        rank = np.empty(n, dtype=np.int64)
        rank[by_y] = np.arange(n)
        return _smaller_before(rank[order].astype(np.int32))[rank].astype(np.int64)


def _smaller_before(sequence: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """[n] by value: how many smaller values stand before each value of a permutation of 0 to n - 1.

    The values are parted by their bits from the highest down, in order within each part. Of the values that share the
    bits above, one with bit 1 has all those with bit 0 that stand before it: a running count, less what came before
    the part, which is half of the part's start since the parts before it are full.
    """
    n = len(sequence)
    found = np.zeros(n, dtype=np.int32)
    place = np.arange(n, dtype=np.int32)
    for bit in range(max(n - 1, 0).bit_length() - 1, -1, -1):
        one = (sequence >> bit) & 1
        start = (sequence >> (bit + 1)) << (bit + 1)
        ones = np.cumsum(one, dtype=np.int32) - one
        zeros = place - ones - (start >> 1)
        found += zeros * one
        to = np.where(one == 1, place + np.minimum(1 << bit, n - start) - zeros, start + zeros)
        found_there, sequence_there = np.empty_like(found), np.empty_like(sequence)
        found_there[to], sequence_there[to] = found, sequence
        found, sequence = found_there, sequence_there
    return found


def _smaller_and_ties(codes: Codes) -> tuple[Codes, Codes]:
    """[n] how many values are smaller than each, and how many others equal it."""
    order = np.argsort(codes)
    ordered = codes[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    lengths = np.diff(np.concatenate([starts, [len(codes)]]))
    smaller, ties = np.empty(len(codes), dtype=np.int64), np.empty(len(codes), dtype=np.int64)
    smaller[order], ties[order] = np.repeat(starts, lengths), np.repeat(lengths - 1, lengths)
    return smaller, ties


def _pairs_alike(x: Codes, y: Codes) -> Codes:
    """[n] how many other points are the same in both."""
    return _smaller_and_ties(x * len(x) + y)[1]
