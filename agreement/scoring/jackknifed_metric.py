"""A metric's figure with each item, or what items share, left out, and the jackknife interval that follows."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from ..arrays import Bools, Floats, divide
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import ANY, CORRELATION, OFF_THE_SCALE, SAME, Range
from .groups import Groups
from .score_gold import Gold

# Errors of a score against gold after a straight line, each item predicted from the line of the others.


def cross_fitted_errors(groups: Groups, x: Floats, gold: Floats) -> Floats:
    """[J] gold_i less a + b x_i, a and b by least squares on its group's other items, b held at 0 or more.

    Leave-one-out cross-fitting in closed form: S_xx and S_xy lose m / (m - 1) times their term of item i. A score that
    falls with gold, or is constant, so predicts the others' mean. NaN in a group of one.
    """
    m = groups.spread(groups.sizes.astype(np.float64))
    dx, dy = (side - groups.spread(divide(groups.sum(side), groups.sizes)) for side in (x, gold))
    others = np.where(m > 1, m - 1, np.nan)
    whole = groups.spread(groups.sum(dx * dx))
    sxx = whole - m / others * dx * dx
    sxy = groups.spread(groups.sum(dx * dy)) - m / others * dx * dy
    steep = sxx > 1e-12 * np.maximum(whole, 1e-300)
    slope = np.where(steep, np.maximum(sxy, 0.0) / np.where(steep, sxx, 1.0), 0.0)
    return np.asarray(dy + dy / others - slope * (dx + dx / others))


# What is left out in turn: items, or what items share: terms of pairs, objects, scenes.

SHARED = ("left", "right", "cluster")  # the columns by which items share what is left out
CELLS = 1 << 21  # items, each repeated for each unit left out, that are scored at once


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """U units and the one or two that each item belongs to: `of` [1 or 2, N]."""

    what: Literal["clusters", "terms"]
    of: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """U, counting the units that some item belongs to."""
        return int(self.of.max(initial=-1)) + 1

    def take(self, which: npt.NDArray[np.generic]) -> "Units":
        """The units of some items, numbered anew."""
        _, codes = np.unique(self.of[:, which], return_inverse=True)
        return Units(self.what, codes.reshape(self.of[:, which].shape).astype(np.int64))

    def sums(self, rows: Floats) -> Floats:
        """[U, ...] the sum of rows [N, ...] over the items of each unit; an item of one term twice counts once."""
        out = np.zeros((self.size, *rows.shape[1:]))
        np.add.at(out, self.of[0], rows)
        if len(self.of) == 2:
            other = self.of[1] != self.of[0]
            np.add.at(out, self.of[1][other], rows[other])
        return out

    def without(self, score: Callable[[Groups, npt.NDArray[np.int64]], Floats]) -> Floats:
        """[U] the score of the items that stay, `score` taking groups and the items in them, many units at a time."""
        return np.concatenate([score(groups, items) for groups, items in self._remaining()] or [np.zeros(0)])

    def _remaining(self) -> Iterator[tuple[Groups, npt.NDArray[np.int64]]]:
        n_items = self.of.shape[1]
        step = max(CELLS // max(n_items, 1), 1)
        for start in range(0, self.size, step):
            units = np.arange(start, min(start + step, self.size))
            stays = (self.of[:, None, :] != units[None, :, None]).all(axis=0)
            yield Groups(np.concatenate([[0], np.cumsum(stays.sum(axis=1))])), np.nonzero(stays)[1]


def units_of(gold: Gold) -> Units | None:
    """Clusters where the items have a `cluster` column, terms where pairs share them; None where items stand alone."""
    if "cluster" in gold.fields:
        return _coded("clusters", [gold.fields["cluster"]])
    if gold.numbers is None or not {"left", "right"} <= set(gold.fields):
        return None
    terms = _coded("terms", [gold.fields["left"], gold.fields["right"]])
    return terms if terms.size < 2 * len(gold) else None


def _coded(what: Literal["clusters", "terms"], columns: list[npt.NDArray[np.object_]]) -> Units:
    texts = np.stack([column.astype(str) for column in columns])
    _, codes = np.unique(texts, return_inverse=True)
    return Units(what, codes.reshape(texts.shape).astype(np.int64))


# Variance and degrees of freedom where what is left out is shared: terms of pairs, objects, scenes.


def variance_of_terms(v_terms: float, v_pairs: float, terms: int) -> float:
    """V = max(V_terms - (T - 2)/T V_pairs, (T - 2)/(2(T - 1)) V_terms), jackknife variances over terms and pairs.

    Each pair is left out with either of its terms, so that V_terms has the pairs' own noise twice; less V_pairs, once.
    Half of it is right where terms carry nothing, and is the least that V can be.

    >>> variance_of_terms(0.5, 0.125, terms=10), variance_of_terms(0.225, 0.125, terms=10)
    (0.4, 0.125)
    """
    return max(v_terms - (terms - 2) / terms * v_pairs, (terms - 2) / (2 * max(terms - 1, 1)) * v_terms)


def degrees_of_freedom(d: Floats) -> float:
    """min(U - 1, 2 / (1/nu - 1/U)) for U deviations d, nu = (sum d^2)^2 / sum d^4: fewer where a few units carry it.

    A sum of U squares of kurtosis k = U / nu has the relative variance (k - 1) / U, and 2 / df is that of chi square.

    >>> round(degrees_of_freedom(np.array([5.0, -1, -1, -1, -1, -1])), 2)
    3.75
    """
    size, largest = len(d), float(np.abs(d).max(initial=0.0))
    if not largest > 0:
        return float(size - 1)
    square = np.square(d / largest)
    nu = float(np.sum(square)) ** 2 / float(np.sum(square * square))
    return min(size - 1.0, 2 / (1 / nu - 1 / size)) if nu < size else size - 1.0


def fisher_z(r: npt.ArrayLike) -> Floats:
    """Fisher's z = artanh r; infinite where r is 1 or -1, NaN where rounding has taken it beyond."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.arctanh(r))


# A metric's figure with each unit left out, and the jackknife interval that follows from them.

LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class JackknifedMetric:
    """theta and [U] theta without each unit; (U - 1) / U times sum (theta_(u) - mean)^2 is its variance.

    A unit is an item, or what items share. Only the units of which theta is made count: `counts` [U] marks them where
    they aren't all (an average precision rests on the items that have a gold property), and U is then their number.
    `n` is the number of items that count, where it isn't that of the items given. Where items are pairs and terms are
    left out, `pairs` is theta without each pair, and the variance takes both. A correlation's variance is
    that of its Fisher's z, which depends less on how large it happened to be. `why` says in words why theta is NaN;
    `note` goes with the figure into its method; `chance` is what guessing scores, where the metric knows it. `most` is
    the most that it can be on these answers' scale, where no range says so.
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
    most: float = math.inf

    @classmethod
    def undefined(cls, why: str, size: int) -> "JackknifedMetric":
        """No figure, and the reason."""
        return cls(float("nan"), np.full(size, np.nan), why=why)

    @classmethod
    def of_mean(cls, credit: Floats, why: str, note: str = "", chance: float | None = None) -> "JackknifedMetric":
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
    def on_z(self) -> "JackknifedMetric | None":
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
        limits, cut = self.cut(limits)
        if not cut and within.leave_the_scale(self.theta, limits[1]):
            return Estimate(self.theta, None, None, n, f"{note}; no interval: {OFF_THE_SCALE}")
        scale = f"{within.scale}{cut}" if z is None else CORRELATION.scale
        how = f"{note}; jackknife over {size} {self.units}{scale}, gold as released"
        return Estimate(self.theta, *limits, n, how, "items")

    def cut(self, limits: tuple[float, float]) -> tuple[tuple[float, float], str]:
        """Limits that end at the most that the figure can be, and how a method says so; "" where they end before."""
        low, high = limits
        return ((low, self.most), f", cut at {self.most:g} above") if self.theta <= self.most < high else (limits, "")


@lru_cache(maxsize=4096)
def t_quantile(df: float) -> float:
    """The upper 2.5 % point of Student's t."""
    return float(special.stdtrit(df, (1 + LEVEL) / 2))


def mean_over(runs: list[JackknifedMetric]) -> JackknifedMetric:
    """The mean over templates or runs of one probe, with its deletions; undefined if any of them is."""
    if len(runs) == 1:
        return runs[0]
    lost = [run for run in runs if not run.is_defined]
    if lost:
        return JackknifedMetric.undefined(lost[0].why, len(runs[0].without))
    theta = float(np.mean([run.theta for run in runs]))
    pairs = [run.pairs for run in runs if run.pairs is not None]
    deleted = np.mean([run.without for run in runs], axis=0)
    counts = np.any([run.counting for run in runs], axis=0)
    if any(run.size != counts.sum() for run in runs):  # a row that never varies in one run counts in the others alone
        scale = np.sqrt(1 - 1 / counts.sum())
        deleted = theta + np.mean([run.deviations for run in runs], axis=0) / scale
    n = max((run.n for run in runs if run.n is not None), default=None)
    averaged = np.mean(pairs, axis=0) if pairs else None
    most = max(run.most for run in runs)
    return replace(runs[0], theta=theta, without=deleted, counts=counts, n=n, pairs=averaged, most=most)


def _scaled(deletions: Floats, counting: Bools) -> Floats:
    """sqrt((U - 1) / U) (theta_(u) - mean) over the U units that count, 0 elsewhere."""
    size = max(int(counting.sum()), 1)
    centred = deletions - np.sum(deletions[counting]) / size
    return np.where(counting, np.sqrt((size - 1) / size) * centred, 0.0)
