"""Statistics that are functions of sums over items: each item, worker or judgment left out by differences of sums.

An item enters as a row of K moments made from its n, sum of x and sum of x^2; the statistic is a function of the rows'
totals. ICC and the expected split-half correlation are such statistics, and a new one needs the two methods alone.
"""

from typing import Protocol

import numpy as np

from agreement.stats.design import Design, sums
from agreement.stats.estimate import Floats
from agreement.stats.jackknife import Deletions

AT_ONCE = 65_536  # judgments whose moments are held at a time, few enough for the processor's cache


class Moments(Protocol):
    """A statistic of numbers as a function of totals."""

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[K, G] the moments of items with n judgments whose sum is s and whose sum of squares is ss; 0 where n = 0."""
        ...

    def values(self, totals: Floats) -> tuple[Floats, ...]:
        """[K, ...] -> the statistics that share these moments, each [...]; NaN where undefined."""
        ...


def centred(value: Floats) -> Floats:
    """The values less their mean and by a power of two brought near 1: the statistics don't see it, their digits do."""
    if len(value) == 0:
        return value
    x = value - value.mean()
    _, power = np.frexp(np.abs(x).max())
    return np.asarray(np.ldexp(x, -power))


def item_rows(statistic: Moments, design: Design, x: Floats) -> Floats:
    """[K, N] the moments of each item."""
    return statistic.rows(design.n, design.by_item(x), design.by_item(x * x))


def sums_without(design: Design, x: Floats, worker: int) -> tuple[Floats, Floats, Floats]:
    """[N] each item's n, sum and sum of squares without the judgments of a worker, by the caller's code."""
    own = np.flatnonzero(design.worker == np.searchsorted(design.worker_codes, worker))
    item, mine = design.item[own], x[own]
    gone = (sums(item, weights, design.items) for weights in (None, mine, mine * mine))
    n, s, ss = (
        whole - part for whole, part in zip((design.n, design.by_item(x), design.by_item(x * x)), gone, strict=True)
    )
    return n, s, ss


def deletions(statistic: Moments, design: Design, x: Floats) -> tuple[Deletions, ...]:
    """Each of the statistics with each item, worker and judgment left out; `x` [J] centred."""
    n, s, ss = design.n, design.by_item(x), design.by_item(x * x)
    rows = statistic.rows(n, s, ss)
    totals = rows.sum(axis=1)[:, None]

    def changes(i: slice, item: np.ndarray, size: Floats, cell_x: Floats, cell_xx: Floats) -> Floats:
        """[K, slice] how the totals change when those cells leave."""
        i_item = item[i]
        return np.asarray(
            statistic.rows(n[i_item] - size[i], s[i_item] - cell_x[i], ss[i_item] - cell_xx[i]) - rows[:, i_item]
        )

    xx = x * x
    ones = np.ones(design.judgments)
    by_judgment: list[tuple[Floats, ...]] = []
    for start in range(0, design.judgments, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        by_judgment.append(statistic.values(totals + changes(part, design.item, ones, x, xx)))
    by_worker = np.repeat(totals, design.workers, axis=1)
    cell_x, cell_xx = design.by_cell(x), design.by_cell(xx)
    for start in range(0, len(design.cell_item), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        change = changes(part, design.cell_item, design.cell_size, cell_x, cell_xx)
        by_worker += np.stack([sums(design.cell_worker[part], column, design.workers) for column in change])
    of_item, of_worker = statistic.values(totals - rows), statistic.values(by_worker)
    of_judgment = [np.concatenate(parts) for parts in zip(*by_judgment, strict=True)]
    return tuple(Deletions(*three) for three in zip(of_item, of_worker, of_judgment, strict=True))
