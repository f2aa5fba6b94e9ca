"""A metric's figure with each unit left out, and the jackknife interval that follows from them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import special

from agreement.gold.arrays import Floats
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import SAME

LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """theta and [U] theta without each unit; `scale` times sum (theta_(u) - mean)^2 is its variance.

    A unit is an item: (U - 1) / U. Where items are pairs of terms and a term is left out with all its pairs,
    (T - 2) / (2 T). `why` says in words why theta is NaN; `note` goes with the figure into its method; `chance` is what
    guessing scores, where the metric knows it.
    """

    theta: float
    without: Floats
    scale: float | None = None
    units: str = "items"
    why: str = ""
    note: str = ""
    chance: float | None = None

    @classmethod
    def undefined(cls, why: str, size: int) -> "Measured":
        """No figure, and the reason."""
        return cls(float("nan"), np.full(size, np.nan), why=why)

    @classmethod
    def of_mean(cls, credit: Floats, why: str, note: str = "", chance: float | None = None) -> "Measured":
        """The mean of what each item earns; an item of NaN counts nowhere, and leaving it out changes nothing."""
        there = np.isfinite(credit)
        n = int(there.sum())
        if not n:
            return cls.undefined(why, len(credit))
        total = float(np.sum(credit[there]))
        theta = total / n
        without = np.where(there, (total - np.where(there, credit, 0.0)) / max(n - 1, 1), theta)
        if n == 1:
            without[there] = np.nan
        return cls(theta, without, scale=(n - 1) / n, note=note, chance=chance)

    @property
    def is_defined(self) -> bool:
        """Whether there is a figure."""
        return bool(np.isfinite(self.theta))

    @property
    def variance_scale(self) -> float:
        """(U - 1) / U unless the units say otherwise."""
        size = len(self.without)
        return (size - 1) / size if self.scale is None and size else self.scale or 0.0

    @property
    def centred(self) -> Floats:
        """[U] the deletions less their mean; a product of two of these, times the scale, is a jackknife covariance."""
        return self.without - np.sum(self.without) / max(len(self.without), 1)

    def figure(self, n: int, what: str, *, at_least: float = -np.inf, at_most: float = np.inf) -> Figure:
        """Theta +- t sqrt(V), or why there is no figure or no interval."""
        if not self.is_defined:
            return Undefined(f"{what}: {self.why or 'it is undefined'}")
        note = f"{what}{'; ' + self.note if self.note else ''}"
        size = len(self.without)
        deviation = self.centred
        squares = float(np.sum(deviation * deviation))  # NaN as soon as one deletion is
        if size < 2 or not np.isfinite(squares):
            lost = int(np.sum(~np.isfinite(self.without)))
            why = f"it is undefined without one of {lost} {self.units}" if lost else f"there is one of {self.units}"
            return Estimate(self.theta, None, None, n, f"{note}; no interval: {why}")
        se = float(np.sqrt(self.variance_scale * squares))
        if se < SAME:
            return Estimate(self.theta, None, None, n, f"{note}; no interval: leaving one out changes nothing")
        half = t_quantile(size - 1) * se
        low, high = max(self.theta - half, at_least), min(self.theta + half, at_most)
        return Estimate(self.theta, low, high, n, f"{note}; jackknife over {size} {self.units}, gold as released")


@cache
def t_quantile(df: int) -> float:
    """The upper 2.5 % point of Student's t."""
    return float(special.stdtrit(df, (1 + LEVEL) / 2))


def mean_over(runs: list[Measured]) -> Measured:
    """The mean over templates or runs of one probe, with its deletions; undefined if any of them is."""
    if len(runs) == 1:
        return runs[0]
    lost = [run for run in runs if not run.is_defined]
    if lost:
        return Measured.undefined(lost[0].why, len(runs[0].without))
    theta = float(np.mean([run.theta for run in runs]))
    first = runs[0]
    return Measured(
        theta,
        np.mean([run.without for run in runs], axis=0),
        first.scale,
        first.units,
        note=first.note,
        chance=first.chance,
    )
