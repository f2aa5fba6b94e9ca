"""Each worker's numbers beside the mean of the others' on the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.analysis.sample import Sample
from agreement.crowd import Crowd
from agreement.gold.arrays import Bools, Floats, divide

LEAST_ITEMS = 10


@dataclass(frozen=True, slots=True, eq=False)
class BesideOthers:
    """By worker [W]: `n` answers to items that others answered too, and of these the mean, sd, least and largest of
    their own (`x`) and of the others' means (`y`), and their correlation; nan where there is none.
    """

    n: Floats
    mean_x: Floats
    mean_y: Floats
    sd_x: Floats
    sd_y: Floats
    low_x: Floats
    high_x: Floats
    low_y: Floats
    high_y: Floats
    r: Floats

    @property
    def enough(self) -> Bools:
        return self.n >= LEAST_ITEMS

    def correlations(self, crowd: Crowd, workers: npt.NDArray[np.intp]) -> list[str]:
        """Each of these workers with the correlation and how many items it is over, in words."""
        return [f"{crowd.workers[who]} ({self.r[who]:.2f} over {int(self.n[who])} items)" for who in workers.tolist()]


def beside_others(crowd: Crowd, sample: Sample, value: Floats) -> BesideOthers:
    """One pass over the judgments [J], of which there are some, whose values are given."""
    W, N = crowd.n_workers, crowd.n_items
    shift = float(value.mean())
    x = value - shift  # of large numbers with small differences no digit is lost
    total, count = np.bincount(sample.item, weights=x, minlength=N), np.bincount(sample.item, minlength=N)
    several = count[sample.item] > 1
    item, worker, x = sample.item[several], sample.worker[several], x[several]
    y = (total[item] - x) / (count[item] - 1)
    n = np.bincount(worker, minlength=W).astype(np.float64)

    def mean(values: Floats) -> Floats:
        return divide(np.bincount(worker, weights=values, minlength=W), n)

    mean_x, mean_y = mean(x), mean(y)
    dx, dy = x - mean_x[worker], y - mean_y[worker]
    var_x, var_y = mean(dx * dx), mean(dy * dy)
    order = np.argsort(worker, kind="stable")
    there = np.flatnonzero(n)
    starts = (np.cumsum(n) - n)[there].astype(np.intp)

    def extreme(values: Floats, of: np.ufunc) -> Floats:
        each = np.full(W, np.nan)
        if len(starts):
            each[there] = of.reduceat(values[order], starts)
        return each + shift

    product = np.sqrt(var_x * var_y)
    tiny = 1e-12 * float(np.ptp(value)) ** 2
    return BesideOthers(
        n=n,
        mean_x=mean_x + shift,
        mean_y=mean_y + shift,
        sd_x=np.sqrt(var_x),
        sd_y=np.sqrt(var_y),
        low_x=extreme(x, np.minimum),
        high_x=extreme(x, np.maximum),
        low_y=extreme(y, np.minimum),
        high_y=extreme(y, np.maximum),
        r=np.where(product > tiny, divide(mean(dx * dy), product), np.nan),
    )
