"""A metric's figure with each unit left out, and the jackknife interval that follows from them."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import special

from agreement.gold.arrays import Floats
from agreement.scoring.spread import degrees_of_freedom, fisher_z, variance_of_terms
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import SAME

LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """theta and [U] theta without each unit; `scale`, or (U - 1) / U, times sum (theta_(u) - mean)^2 is its variance.

    A unit is an item, or what items share. Where items are pairs and terms are left out, `pairs` is theta without each
    pair, and the variance takes both (`spread.py`). A correlation's variance is that of its Fisher's z, which depends
    less on how large it happened to be. `why` says in words why theta is NaN; `note` goes with the figure into its
    method; `chance` is what guessing scores, where the metric knows it.
    """

    theta: float
    without: Floats
    scale: float | None = None
    units: str = "items"
    why: str = ""
    note: str = ""
    chance: float | None = None
    pairs: Floats | None = None
    is_correlation: bool = False

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
    def deviations(self) -> Floats:
        """[U] the deletions less their mean, times the root of the scale: products of two sum to a covariance."""
        return float(np.sqrt(self.variance_scale)) * _centred(self.without)

    @property
    def pair_deviations(self) -> Floats | None:
        """[N] the same of the pairs, where terms are left out."""
        if self.pairs is None:
            return None
        return float(np.sqrt((len(self.pairs) - 1) / len(self.pairs))) * _centred(self.pairs)

    @property
    def variance(self) -> float:
        """Of theta; NaN where it is undefined without one of its units."""
        d, d_pairs = self.deviations, self.pair_deviations
        over_units = float(np.sum(d * d))
        if d_pairs is None:
            return over_units
        return variance_of_terms(over_units, float(np.sum(d_pairs * d_pairs)), len(d))

    @property
    def df(self) -> float:
        """U - 1, or fewer where a few of the units that items share carry the figure."""
        return len(self.without) - 1.0 if self.units == "items" else degrees_of_freedom(self.deviations)

    @property
    def on_z(self) -> "Measured | None":
        """Fisher's z of a correlation and of its deletions; None where one of them is 1 or -1, or of anything else."""
        if not self.is_correlation:
            return None
        pairs = None if self.pairs is None else fisher_z(self.pairs)
        z = replace(self, theta=float(fisher_z(self.theta)), without=fisher_z(self.without), pairs=pairs)
        there = np.concatenate([[z.theta], z.without, [] if pairs is None else pairs])
        return z if bool(np.isfinite(there).all()) else None

    def figure(self, n: int, what: str, *, at_least: float = -np.inf, at_most: float = np.inf) -> Figure:
        """Theta +- t sqrt(V), of a correlation by its Fisher's z, or why there is no figure or no interval."""
        if not self.is_defined:
            return Undefined(f"{what}: {self.why or 'it is undefined'}")
        note = f"{what}{'; ' + self.note if self.note else ''}"
        size, z = len(self.without), self.on_z
        scaled = self if z is None else z
        variance = scaled.variance
        if size < 2 or not np.isfinite(variance):
            lost = int(np.sum(~np.isfinite(self.without)))
            why = f"it is undefined without one of {lost} {self.units}" if lost else f"there is one of {self.units}"
            return Estimate(self.theta, None, None, n, f"{note}; no interval: {why}")
        if np.sqrt(variance) < SAME:
            return Estimate(self.theta, None, None, n, f"{note}; no interval: leaving one out changes nothing")
        half = t_quantile(scaled.df) * float(np.sqrt(variance))
        low, high = self.theta - half, self.theta + half
        if z is not None:
            low, high = float(np.tanh(z.theta - half)), float(np.tanh(z.theta + half))
        scale = "" if z is None else ", Fisher's z"
        how = f"{note}; jackknife over {size} {self.units}{scale}, gold as released"
        return Estimate(self.theta, max(low, at_least), min(high, at_most), n, how)


@lru_cache(maxsize=4096)
def t_quantile(df: float) -> float:
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
    pairs = [run.pairs for run in runs if run.pairs is not None]
    return replace(
        runs[0],
        theta=theta,
        without=np.mean([run.without for run in runs], axis=0),
        pairs=np.mean(pairs, axis=0) if pairs else None,
    )


def _centred(deletions: Floats) -> Floats:
    return deletions - np.sum(deletions) / max(len(deletions), 1)
