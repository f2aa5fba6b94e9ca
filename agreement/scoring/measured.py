"""A metric's figure with each unit left out, and the jackknife interval that follows from them."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import special

from agreement.gold.arrays import Bools, Floats
from agreement.scoring.spread import degrees_of_freedom, fisher_z, variance_of_terms
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import SAME
from agreement.stats.ranges import ANY, CORRELATION, Range

LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """theta and [U] theta without each unit; (U - 1) / U times sum (theta_(u) - mean)^2 is its variance.

    A unit is an item, or what items share. Only the units of which theta is made count: `counts` [U] marks them where
    they aren't all (an average precision rests on the items that have a gold property), and U is then their number.
    `n` is the number of items that count, where it isn't that of the items given. Where items are pairs and terms are
    left out, `pairs` is theta without each pair, and the variance takes both (`spread.py`). A correlation's variance is
    that of its Fisher's z, which depends less on how large it happened to be. `why` says in words why theta is NaN;
    `note` goes with the figure into its method; `chance` is what guessing scores, where the metric knows it.
    """

    theta: float
    without: Floats
    counts: Bools | None = None
    n: int | None = None
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
        """The mean of what each item earns; an item of NaN counts nowhere, neither in theta nor in n."""
        there = np.isfinite(credit)
        n = int(there.sum())
        if not n:
            return cls.undefined(why, len(credit))
        total = float(np.sum(credit[there]))
        theta = total / n
        without = np.where(there, (total - np.where(there, credit, 0.0)) / max(n - 1, 1), theta)
        if n == 1:
            without[there] = np.nan
        return cls(theta, without, counts=there, n=n, note=note, chance=chance)

    @property
    def is_defined(self) -> bool:
        """Whether there is a figure."""
        return bool(np.isfinite(self.theta))

    @property
    def counting(self) -> Bools:
        """[U] the units that count."""
        return np.ones(len(self.without), dtype=np.bool_) if self.counts is None else self.counts

    @property
    def size(self) -> int:
        """U, the number of units that count."""
        return int(self.counting.sum())

    @property
    def deviations(self) -> Floats:
        """[U] sqrt((U - 1) / U) times the deletions less their mean, 0 for units that don't count.

        Products of two sum to a covariance.
        """
        return _scaled(self.without, self.counting)

    @property
    def pair_deviations(self) -> Floats | None:
        """[N] the same of the pairs, where terms are left out."""
        return None if self.pairs is None else _scaled(self.pairs, np.ones(len(self.pairs), dtype=np.bool_))

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
        return self.size - 1.0 if self.units == "items" else degrees_of_freedom(self.deviations[self.counting])

    @property
    def on_z(self) -> "Measured | None":
        """Fisher's z of a correlation and of its deletions; None where one of them is 1 or -1, or of anything else."""
        if not self.is_correlation:
            return None
        pairs = None if self.pairs is None else fisher_z(self.pairs)
        z = replace(self, theta=float(fisher_z(self.theta)), without=fisher_z(self.without), pairs=pairs)
        there = np.concatenate([[z.theta], z.without, [] if pairs is None else pairs])
        return z if bool(np.isfinite(there).all()) else None

    def figure(self, n: int, what: str, within: Range = ANY) -> Figure:
        """Theta +- t sqrt(V) on the scale of the range `within`, or why there is no figure or no interval.

        Of a correlation Fisher's z is taken of each deletion, where all have one.
        """
        if not self.is_defined:
            return Undefined(f"{what}: {self.why or 'it is undefined'}")
        note = f"{what}{'; ' + self.note if self.note else ''}"
        size, z = self.size, self.on_z
        scaled = self if z is None else z
        variance = scaled.variance
        if size < 2 or not np.isfinite(variance):
            lost = int(np.sum(~np.isfinite(self.without)))
            why = f"it is undefined without one of {lost} {self.units}" if lost else f"there is one of {self.units}"
            return Estimate(self.theta, None, None, n, f"{note}; no interval: {why}")
        if np.sqrt(variance) < SAME:
            return Estimate(self.theta, None, None, n, f"{note}; no interval: leaving one out changes nothing")
        half = t_quantile(scaled.df) * float(np.sqrt(variance))
        if z is None:
            limits = within.limits(self.theta, half)
        else:
            limits = float(np.tanh(z.theta - half)), float(np.tanh(z.theta + half))
        if limits is None:
            return Estimate(self.theta, None, None, n, f"{note}; no interval: the figure is at the end of its range")
        scale = within.scale if z is None else CORRELATION.scale
        how = f"{note}; jackknife over {size} {self.units}{scale}, gold as released"
        return Estimate(self.theta, *limits, n, how, "items")


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
    deleted = np.mean([run.without for run in runs], axis=0)
    counts = np.any([run.counting for run in runs], axis=0)
    if any(run.size != counts.sum() for run in runs):  # a row that never varies in one run counts in the others alone
        scale = np.sqrt(1 - 1 / counts.sum())
        deleted = theta + np.mean([run.deviations for run in runs], axis=0) / scale
    n = max((run.n for run in runs if run.n is not None), default=None)
    averaged = np.mean(pairs, axis=0) if pairs else None
    return replace(runs[0], theta=theta, without=deleted, counts=counts, n=n, pairs=averaged)


def _scaled(deletions: Floats, counting: Bools) -> Floats:
    """sqrt((U - 1) / U) (theta_(u) - mean) over the U units that count, 0 elsewhere."""
    size = max(int(counting.sum()), 1)
    centred = deletions - np.sum(deletions[counting]) / size
    return np.where(counting, np.sqrt((size - 1) / size) * centred, 0.0)
