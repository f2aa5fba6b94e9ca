"""Things in groups that lie one after the other: a worker's items, a row's labels, or a probe's items as one."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats, Ints, divide

AnyNumber = TypeVar("AnyNumber", np.float64, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
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
        return self._reduced(np.add, values, 0.0)

    def sum_rows(self, rows: npt.NDArray[Any]) -> Floats:
        """[G, L] the column sums of each group's rows [J, L]."""
        out = np.zeros((len(self), rows.shape[1]))
        filled = self.sizes > 0
        if filled.any():
            out[filled] = np.add.reduceat(rows, self.starts[:-1][filled], axis=0, dtype=np.float64)
        return out

    def mean(self, values: Floats) -> Floats:
        """[G] the mean over a group's values that aren't NaN; NaN where there are none."""
        there = np.isfinite(values)
        return divide(self.sum(np.where(there, values, 0.0)), self.sum(there.astype(np.float64)))

    def vary(self, values: Floats) -> npt.NDArray[np.bool_]:
        """[G] whether a group holds two different values."""
        high = self._reduced(np.maximum, values, -np.inf)
        return np.asarray(high > self._reduced(np.minimum, values, np.inf))

    def parts(self, values: Floats) -> list[Floats]:
        """The values of each group."""
        ends = self.starts.tolist()
        return [values[start:end] for start, end in pairwise(ends)]

    def spread(self, by_group: npt.NDArray[AnyNumber]) -> npt.NDArray[AnyNumber]:
        """[J] each group's figure at each of its things."""
        return np.repeat(by_group, self.sizes)

    def _reduced(self, ufunc: np.ufunc, values: Floats, empty: float) -> Floats:
        out = np.full(len(self), empty)
        filled = self.sizes > 0
        if filled.any():
            out[filled] = ufunc.reduceat(values, self.starts[:-1][filled])
        return out
