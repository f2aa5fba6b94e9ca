"""For each of n points in the plane, how many others lie below and left of it: what rank deletions and Kendall need.

log2(n) rounds of a few whole-array operations each, where comparing all pairs would take n^2.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats
from agreement.scoring.groups import Groups
from agreement.scoring.sides import Codes, Side


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
    left_below = _left_and_below(left, below) - before
    left, below = left - before, below - before
    left_above = left - left_below - left_level
    right_below = below - left_below - tie_below
    right_above = size - 1 - left - x.ties - right_below - (y.ties - left_level - alike)
    both = left_below + (left_level + tie_below) / 2 + alike / 4
    return Pairs(both, (left_below + right_above - left_above - right_below).astype(np.float64))


def _smaller_within(run: Codes, value: Codes) -> tuple[Codes, Codes]:
    """[n] of those in the same run, how many have a smaller value, and how many others have the same."""
    n = len(run)
    by_both = Side.of(Groups.one(n), np.asarray(run * float(n) + value, dtype=np.float64))
    return by_both.smaller - run, by_both.ties


def _left_and_below(x: Codes, y: Codes) -> Codes:
    """[n] how many are smaller in both; equal values are put in an order in which they don't count."""
    n = len(x)
    order = np.argsort(x * n + (n - 1 - y))
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(y * n + (n - 1 - place))] = np.arange(n)
    return _smaller_before(rank[order])[rank].astype(np.int64)


def _smaller_before(sequence: Codes) -> npt.NDArray[np.integer[Any]]:
    """[n] by value: how many smaller values stand before each value of a permutation of 0 to n - 1.

    The values, filled up to a power of two, are parted by their bits from the highest down, in order within each part.
    Of the values that share the bits above, one with bit 1 has all those with bit 0 that stand before it. Every part
    is half of each, so where the k-th one of all stands says how many zeros of its part came first.
    """
    n = len(sequence)
    bits = max(n - 1, 0).bit_length()
    kind: type[np.integer[Any]] = np.uint16 if bits <= 16 else np.int32
    values: npt.NDArray[np.integer[Any]] = np.concatenate([sequence, np.arange(n, 1 << bits)]).astype(kind)
    found: npt.NDArray[np.integer[Any]] = np.zeros(1 << bits, dtype=kind)
    k = np.arange((1 << bits) // 2)
    for bit in range(bits - 1, -1, -1):
        half = 1 << bit
        is_one = (values & kind(half)) != 0
        ones, zeros = np.flatnonzero(is_one), np.flatnonzero(~is_one)
        part = k >> bit
        before = ones - k - (part << bit)
        parted = np.empty((2, len(k) >> bit, 2, half), dtype=kind)
        parted[0, :, 0], parted[0, :, 1] = values[zeros].reshape(-1, half), values[ones].reshape(-1, half)
        parted[1, :, 0] = found[zeros].reshape(-1, half)
        parted[1, :, 1] = (found[ones] + before.astype(kind)).reshape(-1, half)
        values, found = parted.reshape(2, -1)
    return found[:n]
