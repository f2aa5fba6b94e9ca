"""Things in groups that lie one after the other, and average ranks within each group."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..arrays import Floats, Ints, divide

# Groups: a worker's items, a row's labels, or all items of a probe as one.

AnyNumber = TypeVar("AnyNumber", np.float64, np.int64)


@dataclass(frozen=True, eq=False)  # without slots: they have no place for what is cached
class Groups:
    """G groups over J things in order: group g holds the things from `starts[g]` up to `starts[g + 1]`."""

    starts: npt.NDArray[np.int64]

    @classmethod
    def one(cls, size: int) -> "Groups":
        """Everything in one group: how a probe is scored."""
        return cls(np.array([0, size], dtype=np.int64))

    @classmethod
    def of_sorted(cls, codes: Ints, n_groups: int) -> "Groups":
        """Groups of things that are sorted by their group's code."""
        counts = np.bincount(codes, minlength=n_groups)
        return cls(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    @classmethod
    def equal(cls, n_groups: int, size: int) -> "Groups":
        """Groups of one size: the rows of a matrix that is laid out row by row."""
        return cls(np.arange(n_groups + 1, dtype=np.int64) * size)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """[G] how many things each group holds."""
        return np.diff(self.starts)

    @property
    def of(self) -> npt.NDArray[np.int64]:
        """[J] the group of each thing."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def sum(self, values: Floats) -> Floats:
        """[G] the sum over each group; 0 for an empty one."""
        return self._reduce(np.add, values, 0.0)

    def sum_rows(self, rows: npt.NDArray[Any]) -> Floats:
        """[G, L] the column sums of each group's rows [J, L]."""
        out = np.zeros((len(self), rows.shape[1]))
        filled = self.sizes > 0
        if filled.any():
            out[filled] = np.add.reduceat(rows, self.starts[:-1][filled], axis=0, dtype=np.float64)
        return out

    def mean(self, values: Floats) -> Floats:
        """[G] the mean over a group's values that aren't NaN; NaN where there are none."""
        is_known = np.isfinite(values)
        return divide(self.sum(np.where(is_known, values, 0.0)), self.sum(is_known.astype(np.float64)))

    def vary(self, values: Floats) -> npt.NDArray[np.bool_]:
        """[G] whether a group holds two different values."""
        high = self._reduce(np.maximum, values, -np.inf)
        return np.asarray(high > self._reduce(np.minimum, values, np.inf))

    def largest(self, values: Floats, empty: float = 0.0) -> Floats:
        """[G] the largest value of each group; `empty` for one without things."""
        return self._reduce(np.maximum, values, empty)

    def parts(self, values: Floats) -> list[Floats]:
        """The values of each group."""
        ends = self.starts.tolist()
        return [values[start:end] for start, end in pairwise(ends)]

    def spread(self, by_group: npt.NDArray[AnyNumber]) -> npt.NDArray[AnyNumber]:
        """[J] each group's figure at each of its things."""
        return np.repeat(by_group, self.sizes)

    def _reduce(self, ufunc: np.ufunc, values: Floats, empty: float) -> Floats:
        out = np.full(len(self), empty)
        filled = self.sizes > 0
        if filled.any():
            out[filled] = ufunc.reduceat(values, self.starts[:-1][filled])
        return out


# Average ranks, by counting where the distinct values are few and by one sort where they aren't.

CELLS_PER_VALUE = 1  # a counting table may have this many cells for each value that it ranks
FEW_STEPS = 1 << 16
VALUES_AT_ONCE = 1 << 14  # 10,000 a group are ranked four times as fast as a million in one table


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """[J] values as codes in their order, equal for equal values, each from 0 to size - 1."""

    code: npt.NDArray[np.int64]
    size: int

    def take(self, which: npt.NDArray[np.generic]) -> "Codes":
        """The codes at some places, or under a mask."""
        return Codes(self.code[which], self.size)


def dense_codes(values: Floats) -> Codes:
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
    return centred_ranks(groups, dense_codes(values)) + groups.spread((groups.sizes + 1) / 2)


def centred_ranks(groups: Groups, codes: Codes) -> Floats:
    """[J] average ranks within groups, less their mean (m + 1) / 2: exact multiples of 1/2."""
    if not len(codes.code):
        return np.zeros(0)
    G, size = len(groups), codes.size
    if G * size <= CELLS_PER_VALUE * len(codes.code):
        return np.concatenate([_by_counting(part, code, size) for part, code in _some_at_a_time(groups, codes.code)])
    return centred_ranks_in_order(groups, *sorted_keys(groups, codes))


def centred_ranks_in_order(groups: Groups, ordered: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> Floats:
    """The same of things that were sorted before: their keys in order, and the place of each (`sorted_keys`)."""
    if not len(ordered):
        return np.zeros(0)
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    length = np.diff(np.concatenate([first, [len(ordered)]]))
    ranks = np.empty(len(ordered))
    ranks[order] = np.repeat(first + (length + 1) / 2, length)
    return ranks - groups.spread(groups.starts[:-1] + (groups.sizes + 1) / 2)


def _some_at_a_time(groups: Groups, code: npt.NDArray[np.int64]) -> Iterator[tuple[Groups, npt.NDArray[np.int64]]]:
    """The groups in runs of so many values that they and their tables stay in the processor's cache."""
    last = np.flatnonzero(np.diff(groups.starts[1:] // VALUES_AT_ONCE)) + 1
    for first, end in pairwise([0, *last.tolist(), len(groups)]):
        starts = groups.starts[first : end + 1]
        yield Groups(starts - starts[0]), code[starts[0] : starts[-1]]


def _by_counting(groups: Groups, code: npt.NDArray[np.int64], size: int) -> Floats:
    """The centred ranks: with c values of a code and C up to it, a group's from s on has C - c / 2 - s - m / 2."""
    G = len(groups)
    key = code if G == 1 else code + groups.spread(np.arange(G) * size)
    counts = np.bincount(key, minlength=G * size)
    ranks = (np.cumsum(counts) - counts / 2).reshape(G, size)
    ranks -= (groups.starts[:-1] + groups.sizes / 2)[:, None]
    return np.asarray(ranks.reshape(-1)[key])


def sorted_keys(groups: Groups, codes: Codes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A key of each thing's group and code, in order, and their places; sorted as one number where they fit one."""
    G = len(groups)
    key = codes.code if G == 1 else codes.code + groups.spread(np.arange(G) * codes.size)
    bits = len(key).bit_length()
    if (G * codes.size).bit_length() + bits > 62:
        order = np.argsort(key)
        return key[order], order
    both = np.sort((key << bits) | np.arange(len(key)))
    return both >> bits, both & ((1 << bits) - 1)
