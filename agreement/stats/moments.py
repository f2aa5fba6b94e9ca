"""Statistics that are functions of sums over items: each item, worker or judgment left out by differences of sums.

An item enters as a row of K moments made from its n, sum of x and sum of x^2; the statistic is a function of the rows'
totals. ICC and the expected split-half correlation are such statistics, and a new one needs the two methods alone.
"""

from typing import Protocol

import numpy as np

from agreement.stats.design import Design
from agreement.stats.estimate import Floats
from agreement.stats.jackknife import Deletions


class Moments(Protocol):
    """A statistic of numbers as a function of totals."""

    def rows(self, n: Floats, s: Floats, ss: Floats) -> Floats:
        """[K, G] the moments of items with n judgments whose sum is s and whose sum of squares is ss; 0 where n = 0."""
        ...

    def value(self, totals: Floats) -> Floats:
        """[K, ...] -> [...]; NaN where undefined."""
        ...


def centred(value: Floats) -> Floats:
    """The values less their mean: the statistics don't depend on the origin, their digits do."""
    return np.asarray(value - value.mean())


def item_rows(statistic: Moments, design: Design, x: Floats) -> Floats:
    """[K, N] the moments of each item."""
    return statistic.rows(design.n, design.by_item(x), design.by_item(x * x))


def deletions(statistic: Moments, design: Design, x: Floats) -> Deletions:
    """The statistic with each item, worker and judgment left out; `x` [J] centred."""
    n, s, ss = design.n, design.by_item(x), design.by_item(x * x)
    rows = statistic.rows(n, s, ss)
    totals = rows.sum(axis=1)[:, None]
    i = design.item
    judgment_rows = statistic.rows(n[i] - 1, s[i] - x, ss[i] - x * x)
    by_judgment = statistic.value(totals - rows[:, i] + judgment_rows)
    if design.cell is None:
        change = judgment_rows - rows[:, i]
    else:
        c = design.cell_item
        cell_rows = statistic.rows(n[c] - design.cell_size, s[c] - design.by_cell(x), ss[c] - design.by_cell(x * x))
        change = cell_rows - rows[:, c]
    by_worker = totals + np.stack([design.by_worker(column) for column in change])
    return Deletions(statistic.value(totals - rows), statistic.value(by_worker), by_judgment)
