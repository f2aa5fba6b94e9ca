"""The three distances of Krippendorff's alpha that don't look at ranks, each by sums that never list pairs.

With x_j the judgments, delta a distance, n_i an item's judgments and M all of them, each class gives
g_j = sum over the same item of delta(x_j, x_u), h_j = sum over all of delta(x_j, x_u), and, for any group of judgments,
the sum of delta over all ordered pairs within the group.
"""

from typing import Protocol

import numpy as np
from scipy import sparse

from agreement.stats.design import Codes, Design, same, sums
from agreement.stats.estimate import Floats
from agreement.stats.moments import centred

MOST_PAIRS = 4_000  # steps that listing pairs by place may take, before tables of counts are the faster way
ROWS_AT_ONCE = 2_000_000  # places of the largest dense block that the ratio distance makes


class Distance(Protocol):
    """What alpha needs to know of a distance."""

    def to_item(self, design: Design) -> Floats:
        """[J] g_j."""
        ...

    def to_all(self) -> Floats:
        """[J] h_j."""
        ...

    def within(self, group: Codes, judgment: Codes, groups: int) -> Floats:
        """[groups] the sum over ordered pairs in each group; element k puts judgment[k] into group[k]."""
        ...


class Nominal:
    """delta = [x != y]."""

    def __init__(self, code: Codes, codes: int) -> None:
        self.code, self.codes = code, codes

    def to_item(self, design: Design) -> Floats:
        return np.asarray(design.n[design.item] - same(design.item, self.code, groups=design.items, codes=self.codes))

    def to_all(self) -> Floats:
        return np.asarray(len(self.code) - sums(self.code, None, self.codes)[self.code])

    def within(self, group: Codes, judgment: Codes, groups: int) -> Floats:
        alike = same(group, self.code[judgment], groups=groups, codes=self.codes)
        return np.asarray(sums(group, None, groups) ** 2 - sums(group, alike, groups))


class Interval:
    """delta = (x - y)^2 of centred values: alpha depends neither on their origin nor on their unit."""

    def __init__(self, value: Floats) -> None:
        self.x = centred(value)

    def to_item(self, design: Design) -> Floats:
        x, item = self.x, design.item
        s, ss = design.by_item(x), design.by_item(x * x)
        return np.asarray((design.n[item] * x - 2 * s[item]) * x + ss[item])

    def to_all(self) -> Floats:
        x = self.x
        return np.asarray((len(x) * x - 2 * x.sum()) * x + np.sum(x * x))

    def within(self, group: Codes, judgment: Codes, groups: int) -> Floats:
        x = self.x[judgment]
        size, s, ss = sums(group, None, groups), sums(group, x, groups), sums(group, x * x, groups)
        return np.asarray(2 * (size * ss - s * s))


class Ratio:
    """delta = ((x - y) / (x + y))^2, 0 for a pair of zeros; a table over the distinct values."""

    def __init__(self, code: Codes, domain: Floats) -> None:
        self.code, self.codes = code, len(domain)
        total = domain[:, None] + domain[None, :]
        difference = domain[:, None] - domain[None, :]
        self.delta = np.divide(difference, total, out=np.zeros_like(total), where=total != 0) ** 2

    def to_item(self, design: Design) -> Floats:
        sizes = np.unique(design.n)
        if np.sum(sizes**2) <= MOST_PAIRS and np.sum(design.n**2) <= len(self.code) * self.codes:
            return self._by_pairs(design, sizes)
        return self._by_tables(design)

    def _by_tables(self, design: Design) -> Floats:
        """g_j from each item's counts of the distinct values, however many judgments an item has."""
        g = np.empty(len(self.code))
        order = np.argsort(design.item, kind="stable")
        edges = np.searchsorted(design.item[order], np.arange(design.items + 1))
        counts = self._counts(design.item, self.code, design.items)
        step = max(1, ROWS_AT_ONCE // max(self.codes, 1))
        for start in range(0, design.items, step):
            stop = min(start + step, design.items)
            to_code = counts[start:stop] @ self.delta
            chosen = order[edges[start] : edges[stop]]
            g[chosen] = to_code[design.item[chosen] - start, self.code[chosen]]
        return g

    def to_all(self) -> Floats:
        m = sums(self.code, None, self.codes)
        return np.asarray((self.delta @ m)[self.code])

    def within(self, group: Codes, judgment: Codes, groups: int) -> Floats:
        counts = self._counts(group, self.code[judgment], groups)
        total = np.empty(groups)
        step = max(1, ROWS_AT_ONCE // max(self.codes, 1))
        for start in range(0, groups, step):
            block = counts[start : start + step]
            total[start : start + step] = np.asarray(block.multiply(block @ self.delta).sum(axis=1)).ravel()
        return total

    def _by_pairs(self, design: Design, sizes: Floats) -> Floats:
        """g_j pair by pair, for all items of one size at a time: the fastest while items have few judgments."""
        g = np.zeros(len(self.code))
        order = np.argsort(design.item, kind="stable")
        of_size = design.n[design.item[order]]
        for size in sizes:
            judgments = order[of_size == size].reshape(-1, int(size)).T
            code = np.ascontiguousarray(self.code[judgments])
            total = np.zeros(code.shape)
            for a in range(len(code)):
                row = code[a] * self.codes
                for b in range(a + 1, len(code)):
                    d = self.delta.ravel()[row + code[b]]
                    total[a] += d
                    total[b] += d
            g[judgments] = total
        return g

    def _counts(self, group: Codes, code: Codes, groups: int) -> sparse.csr_array:
        return sparse.csr_array((np.ones(len(code)), (group, code)), shape=(groups, self.codes))
