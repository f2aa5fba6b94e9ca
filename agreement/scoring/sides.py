"""One side of a correlation, sorted once: what ranks, ties and comparisons of pairs are all read from."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Floats
from agreement.scoring.groups import Groups

Codes = npt.NDArray[np.int64]
MOST_SHORT = 1 << 15  # so many groups fit two bytes, which numpy sorts by counting


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """J values in groups. All of an earlier group counts as smaller than a later one's.

    `order` sorts them; `starts` are the places in it where a run of equal values begins; `smaller` [J] is how many
    values are smaller than each, `ties` [J] how many others of its group equal it.
    """

    order: Codes
    starts: Codes
    smaller: Codes
    ties: Codes

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
        whole = groups.sum(other)
        return out - groups.spread(np.cumsum(whole) - whole) - other / 2

    def squared_ranks_without(self, groups: Groups) -> Floats:
        """[J] sum of the squared average ranks of the m values that stay, less its centre m (m + 1)^2 / 4.

        m (m + 1)(2 m + 1) / 6 less (t^3 - t) / 12 for each run of t equal values.
        """
        m = groups.spread(np.asarray(groups.sizes - 1.0, dtype=np.float64))
        t = self.ties + 1.0
        lost = t**3 - t
        whole = groups.spread(groups.sum(lost / t))  # each run of t is met t times
        smaller = (t - 1) ** 3 - (t - 1)
        return np.asarray(m * (m + 1) * (2 * m + 1) / 6 - (whole - lost + smaller) / 12 - m * (m + 1) ** 2 / 4)

    def vary_without(self, groups: Groups) -> npt.NDArray[np.bool_]:
        """[J] whether the group's other values still differ."""
        distinct = np.rint(groups.sum(1 / (self.ties + 1.0)))
        return np.asarray(groups.spread(distinct) - (self.ties == 0) > 1)
