"""For each of n points in the plane, how many others lie below and left of it: what rank deletions and Kendall need.

A wavelet matrix over the ranks in y, laid out in the order of x: log2(n) levels, each a few whole-array operations,
where comparing all pairs would take n^2.
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
    if group is not None:  # points of another group lie wholly below in x, and are taken off below
        x = x + group * (int(x.max(initial=0)) + 1)
    order = np.argsort(x, kind="stable")
    xs = x[order]
    first, last = np.searchsorted(xs, x, "left"), np.searchsorted(xs, x, "right")
    start = np.zeros(n, np.int64) if group is None else np.searchsorted(group[order], group, "left")
    end = np.full(n, n) if group is None else np.searchsorted(group[order], group, "right")
    queries = np.stack([start, first, last, end])
    under, upto = _counts_below(y[order], queries, y), _counts_below(y[order], queries, y + 1)
    under, upto = under - under[0], upto - upto[0]
    left_below, left_level = under[1], upto[1] - under[1]
    tie_below, tie_level = under[2] - under[1], (upto[2] - under[2]) - (upto[1] - under[1]) - 1
    left = (first - start) - left_below - left_level  # left of i and above it
    right_below = under[3] - under[2]
    right = (end - last) - (upto[3] - upto[2])  # right of i and above it
    both = left_below + (left_level + tie_below) / 2 + tie_level / 4
    return Pairs(both, (left_below + right - left - right_below).astype(np.float64))


def _counts_below(sequence: Codes, prefixes: Codes, bound: Codes) -> Codes:
    """[q, n] how many of sequence[:prefix] are smaller than bound, for each prefix in [q, n] and bound in [n]."""
    bits = max(int(max(sequence.max(initial=0), bound.max(initial=0))).bit_length(), 1)
    counts = np.zeros(prefixes.shape, dtype=np.int64)
    at = prefixes.copy()
    for bit in range(bits - 1, -1, -1):
        one = (sequence >> bit) & 1
        zeros = np.concatenate([[0], np.cumsum(1 - one)])
        zeros_at = zeros[at]
        up = ((bound >> bit) & 1).astype(np.bool_)
        counts += np.where(up, zeros_at, 0)
        at = np.where(up, zeros[-1] + at - zeros_at, zeros_at)
        sequence = np.concatenate([sequence[one == 0], sequence[one == 1]])
    return counts
