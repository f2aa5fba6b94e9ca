"""Average ranks within groups, by counting where the distinct values are few and by one sort where they aren't."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats
from agreement.scoring.groups import Groups

CELLS_PER_VALUE = 1  # a counting table may have this many cells for each value that it ranks
FEW_STEPS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """[J] values as codes in their order, equal for equal values, each from 0 to size - 1."""

    code: npt.NDArray[np.int64]
    size: int

    def take(self, which: npt.NDArray[np.generic]) -> "Codes":
        """The codes at some places, or under a mask."""
        return Codes(self.code[which], self.size)


def dense(values: Floats) -> Codes:
    """Codes of numbers: steps from the smallest where they are whole and near, else the place among the distinct."""
    if not len(values):
        return Codes(np.zeros(0, dtype=np.int64), 1)
    low, high = float(values.min()), float(values.max())
    if high - low < FEW_STEPS:
        steps = values - low
        codes = steps.astype(np.int64)
        if np.array_equal(codes, steps):
            return Codes(codes, int(high - low) + 1)
    distinct, inverse = np.unique(values, return_inverse=True)
    return Codes(inverse.astype(np.int64, copy=False), len(distinct))


def ranks_within(groups: Groups, values: Floats) -> Floats:
    """[J] the rank of each value in its group, from 1, ties sharing the mean of their ranks.

    >>> ranks_within(Groups.equal(2, 3), np.array([10.0, 30.0, 10.0, 5.0, 4.0, 3.0])).tolist()
    [1.5, 3.0, 1.5, 3.0, 2.0, 1.0]
    """
    return centred_ranks(groups, dense(values)) + groups.spread((groups.sizes + 1) / 2)


def centred_ranks(groups: Groups, codes: Codes) -> Floats:
    """[J] average ranks within groups, less their mean (m + 1) / 2: exact multiples of 1/2."""
    if not len(codes.code):
        return np.zeros(0)
    centre = groups.starts[:-1] + (groups.sizes + 1) / 2
    key = codes.code
    if len(groups) > 1:
        key = key + groups.spread(np.arange(len(groups)) * codes.size)
    if len(groups) * codes.size <= CELLS_PER_VALUE * len(key):
        counts = np.bincount(key)
        half = (np.cumsum(counts) - (counts - 1) / 2)[key]
        return np.asarray(half - groups.spread(centre))
    ordered, order = _sorted(key, len(groups) * codes.size)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    length = np.diff(np.concatenate([first, [len(ordered)]]))
    ranks = np.empty(len(key))
    ranks[order] = np.repeat(first + (length + 1) / 2, length)
    return ranks - groups.spread(centre)


def _sorted(key: npt.NDArray[np.int64], size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The keys, each below `size`, in order, and their places; both are sorted as one number where they fit one."""
    bits = len(key).bit_length()
    if size.bit_length() + bits > 62:
        order = np.argsort(key)
        return key[order], order
    both = np.sort((key << bits) | np.arange(len(key)))
    return both >> bits, both & ((1 << bits) - 1)
