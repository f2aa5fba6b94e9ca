"""Krippendorff's alpha at four levels in closed form, with each item, worker and judgment left out."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from ..estimation.design import Codes, Design, same, sums
from ..estimation.estimate import Floats, Undefined
from ..estimation.intervals import Deletions, effective_workers
from .agreement_report import Level
from .ordinal_alpha import mid_ranks
from .raw_statistic import centre_values

# The three distances of Krippendorff's alpha that don't look at ranks, each by sums that never list pairs.
#
# With x_j the judgments, delta a distance, n_i an item's judgments and M all of them, each class gives g_j = sum over
# the same item of delta(x_j, x_u), h_j = sum over all of delta(x_j, x_u), and, for any group of judgments, the sum of
# delta over all ordered pairs within the group.

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
        self.x = centre_values(value)

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


# Krippendorff's alpha at four levels in closed form, with each item, worker and judgment left out.
#
# alpha = 1 - (M - 1) D_o / D_e over the M pairable judgments (those of items with two or more), with D_o = sum_i o_i
# / (n_i - 1), o_i the sum of delta over an item's ordered pairs, D_e that sum over all ordered pairs (Krippendorff
# 2011, Computing Krippendorff's alpha-reliability). Equal to the `krippendorff` package to 1e-9.

MOST_RATIO_VALUES = 2_000
FEW_STEPS = 1_000
NOTHING_LEFT = 1e-12  # of D_e: below it all that is left is rounding
EVERY_JUDGMENT_THE_SAME = "every judgment is the same, so that no disagreement could be expected"
EVERY_COMPARED_THE_SAME = (
    "every judgment of the items with two or more is the same, so that no disagreement could be expected"
)


@dataclass(frozen=True, slots=True, eq=False)
class Pairable:
    """The judgments of items with two or more, and their values as codes of the sorted distinct values."""

    design: Design
    value: Floats  # [M]
    code: Codes  # [M]
    domain: Floats  # [V] sorted


def pairable(design: Design, value: Floats) -> Pairable | Undefined:
    """What alpha looks at, or why it can't be had at any level."""
    if design.judgments == 0:
        return Undefined("there are no judgments")
    kept = (design.n >= 2)[design.item]
    if not kept.any():
        return Undefined("no item has two or more judgments: there is nothing to compare")
    domain, code = _distinct(value[kept] + 0.0)  # + 0.0: -0.0 is 0
    if len(domain) == 1:
        is_same = bool(np.all(value + 0.0 == domain[0]))
        return Undefined(EVERY_JUDGMENT_THE_SAME if is_same else EVERY_COMPARED_THE_SAME)
    return Pairable(design.only(kept), domain[code], code, domain)


def _distinct(value: Floats) -> tuple[Floats, Codes]:
    """The sorted distinct values and the place of each value among them; without a sort where they are steps of 1."""
    low, high = float(value.min()), float(value.max())
    if high - low <= FEW_STEPS:
        steps = (value - low).astype(np.int64)
        if np.array_equal(steps + low, value):
            used = np.bincount(steps) > 0
            return np.flatnonzero(used).astype(np.float64) + low, (np.cumsum(used) - 1)[steps].astype(np.int64)
    domain, code = np.unique(value, return_inverse=True)
    return domain, code.astype(np.int64)


def distance(data: Pairable, level: Level) -> Distance | Undefined:
    """The distance of a level over these judgments, or why there is none."""
    if level == "nominal":
        return Nominal(data.code, len(data.domain))
    if level == "interval":
        return Interval(data.value)
    if level == "ordinal":
        return Interval(mid_ranks(data.code, len(data.domain)))
    if data.domain[0] < 0:
        return Undefined(f"ratio alpha needs values of 0 or more; the smallest is {data.domain[0]:g}")
    if len(data.domain) > MOST_RATIO_VALUES:
        why = f"ratio alpha is given for at most {MOST_RATIO_VALUES:,} distinct values; there are {len(data.domain):,}"
        return Undefined(why)
    return Ratio(data.code, data.domain)


def alpha(data: Pairable, level: Level) -> float | Undefined:
    """Krippendorff's alpha.

    Krippendorff's example C, values 1 to 5 of four observers with gaps, gives .743 at the nominal level:

    >>> from agreement.estimation.design import design_of
    >>> A, B = [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3]
    >>> C, D = [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0]
    >>> rows = np.array([A, B, C, D], dtype=float)
    >>> worker, item = np.nonzero(rows)
    >>> round(alpha(pairable(design_of(item, worker), rows[worker, item]), "nominal"), 4)
    0.7434
    """
    delta = distance(data, level)
    if isinstance(delta, Undefined):
        return delta
    return alpha_of(data, delta)


def alpha_of(data: Pairable, delta: Distance) -> float:
    """1 - (M - 1) D_o / D_e."""
    design = data.design
    observed = design.by_item(delta.to_item(design)) / (design.n - 1)
    return float(1 - (design.judgments - 1) * observed.sum() / delta.to_all().sum())


def deletions(data: Pairable, delta: Distance) -> Deletions:
    """Alpha with each item, worker and judgment left out, by differences; not for ranks, which would move."""
    design, whole = data.design, _Whole.of(data, delta)
    g, h, o = whole.g, whole.h, whole.o
    item_o, item_h = o / (design.n - 1), design.by_item(h)
    by_item = whole.without(item_o, item_h, o, design.n)
    i = design.item
    n_left = design.n[i] - 1
    stays = n_left >= 2
    judgment_o = np.where(stays, item_o[i] - (o[i] - 2 * g) / np.maximum(n_left - 1, 1), item_o[i])
    by_judgment = whole.without(
        judgment_o,
        np.where(stays, h, item_h[i]),
        np.where(stays, 0.0, o[i]),
        np.where(stays, 1.0, design.n[i]),
    )
    return Deletions(by_item, whole.without(*_workers(design, delta, g, h, o)), by_judgment)


def ordinal_nu_w(data: Pairable) -> float | None:
    """nu_W of ordinal alpha from each worker by itself, with the ranks as they are: for workers left out in groups."""
    delta = Interval(mid_ranks(data.code, len(data.domain)))
    whole = _Whole.of(data, delta)
    return effective_workers(whole.without(*_workers(data.design, delta, whole.g, whole.h, whole.o)))


@dataclass(frozen=True, slots=True, eq=False)
class _Whole:
    """The sums that alpha is made of, with nothing left out."""

    g: Floats  # [M]
    h: Floats  # [M]
    o: Floats  # [N]
    D_o: float
    D_e: float

    @classmethod
    def of(cls, data: Pairable, delta: Distance) -> "_Whole":
        g, h = delta.to_item(data.design), delta.to_all()
        o = data.design.by_item(g)
        return cls(g, h, o, float((o / (data.design.n - 1)).sum()), float(h.sum()))

    def without(self, gone_o: Floats, gone_h: Floats, gone_within: Floats, gone: Floats) -> Floats:
        """Alpha once these have left D_o, the sum of h, the pairs within what leaves and the number of judgments."""
        M, left = float(len(self.g)), self.D_e - 2 * gone_h + gone_within
        defined = (left > NOTHING_LEFT * self.D_e) & (M - gone > 1)
        ratio = np.divide((M - gone - 1) * (self.D_o - gone_o), left, out=np.full(len(left), np.nan), where=defined)
        return np.asarray(1 - ratio)


def _workers(design: Design, delta: Distance, g: Floats, h: Floats, o: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """[W] each: what leaves D_o, the h, the pairs within and the number of judgments that leave with a worker.

    An item left with one judgment is pairable no more: that judgment, another worker's, leaves too.
    """
    i, size = design.cell_item, design.cell_size
    n_left = design.n[i] - size
    stays = n_left >= 2
    cells = len(i)
    cell = np.arange(design.judgments) if design.cell is None else design.cell
    inside = delta.within(cell, np.arange(design.judgments), cells) if design.cell is not None else np.zeros(cells)
    o_left = o[i] - 2 * design.by_cell(g) + inside
    item_o = o / (design.n - 1)
    gone_o = design.by_worker(np.where(stays, item_o[i] - o_left / np.maximum(n_left - 1, 1), item_o[i]))
    worker, judgment, gone_h = design.worker, np.arange(design.judgments), h
    if (n_left == 1).any():
        indices = judgment.astype(np.float64)
        orphan = (design.by_item(indices)[i] - design.by_cell(indices))[n_left == 1].astype(np.int64)
        judgment = np.concatenate([judgment, orphan])
        worker = np.concatenate([worker, design.cell_worker[n_left == 1]])
        gone_h = h[judgment]
    gone, gone_h = sums(worker, None, design.workers), sums(worker, gone_h, design.workers)
    return gone_o, gone_h, delta.within(worker, judgment, design.workers), gone
