"""Is the difference between two probes real: paired jackknife, t, and Holm's correction over all that was asked."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from ..arrays import Floats
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import ANY, SAME, Range
from .jackknifed_metric import (
    JackknifedMetric,
    degrees_of_freedom,
    fisher_z,
    t_quantile,
    variance_of_terms,
)

ALPHA = 0.05
NEVER = 1e-6  # of the variance: less is none


@dataclass(frozen=True, slots=True)
class Difference:
    """`first` less `second` on one metric, with p two-sided.

    `p_all` is Holm's over all pairs, `p_best` over the pairs with the best probe (None for a pair without it). All
    three are None where there is no test.
    """

    metric: str
    first: str
    second: str
    gap: "Gap"
    figure: Figure
    p: float | None
    p_all: float | None
    p_best: float | None

    @property
    def in_words(self) -> str:
        """What may be said of the pair, after Holm over all pairs."""
        if isinstance(self.figure, Undefined):
            return self.figure.why
        if self.p_all is None:
            return f"{self.first} and {self.second}: no test"
        if self.p_all >= ALPHA:
            return f"no detectable difference between {self.first} and {self.second}"
        way = "above" if self.figure.estimate > 0 else "below"
        return f"{self.first} is {way} {self.second}"


def differences(
    metric: str,
    measured: Mapping[str, JackknifedMetric],
    *,
    smaller_is_better: bool = False,
    partial: Mapping[str, bool] | None = None,
    gap_of: "Callable[[str, str], Gap] | None" = None,
    over_workers: "Callable[[Gap, str, str], Gap] | None" = None,
    within: Range = ANY,
) -> list[Difference]:
    """Every pair of probes, in the order given.

    V(a - b) = V_aa + V_bb - 2 V_ab, V the jackknife covariance of the deletions; t with U - 1 df, or fewer where items
    share what is left out. Correlations are tested as Fisher's z. All pairs come from one product of the [K, U]
    deletions, but for pairs with a `partial` probe: `gap_of` gives theirs, on the items that both cover. Only probes
    that aren't partial can be the best. `within` is the metric's range, which limits of differences keep to.
    `over_workers` adds to a pair's difference what other workers would do to it.
    """
    partial = partial or {}
    names = list(measured)
    whole = {name: one for name, one in measured.items() if not partial.get(name) and _can_be_tested(one)}
    if len({len(one.without) for one in whole.values()}) > 1:
        raise ValueError(f"{metric}: probes measured on different units can't be paired")
    together = ProbeCovariances.of(whole)
    pairs = list(combinations(names, 2))
    gaps = [
        gap_of(a, b)
        if gap_of is not None and (partial.get(a) or partial.get(b))
        else together.gap(measured[a], measured[b], a, b)
        for a, b in pairs
    ]
    if over_workers is not None:
        gaps = [over_workers(gap, a, b) for (a, b), gap in zip(pairs, gaps, strict=True)]
    p = np.array([gap.p for gap in gaps])
    best = min(whole, key=lambda name: measured[name].theta * (1 if smaller_is_better else -1), default="")
    with_best = np.array([best in pair for pair in pairs], dtype=np.bool_)
    p_all, p_best = holm(p), holm(np.where(with_best, p, np.nan))
    return [
        Difference(metric, a, b, gap, gap.figure(within), _or_none(p[at]), _or_none(p_all[at]), _or_none(p_best[at]))
        for at, ((a, b), gap) in enumerate(zip(pairs, gaps, strict=True))
    ]


def holm(p: Floats) -> Floats:
    """Holm's step-down p: the k-th smallest of m times m - k + 1, never below the one before it, at most 1; NaN stays.

    >>> holm(np.array([0.01, 0.04, 0.03, 0.005])).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    there = np.flatnonzero(np.isfinite(p))
    order = there[np.argsort(p[there], kind="stable")]
    m = len(order)
    out = np.full(len(p), np.nan)
    out[order] = np.minimum(np.maximum.accumulate(p[order] * (m - np.arange(m))), 1.0)
    return out


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference, its standard error (NaN without one), df and units; `why` if there is no difference at all.

    `z` has Fisher's z of two correlations that were tested on that scale. Where workers count too (`other_workers`),
    `workers` says how many and `pull` how far the difference itself widens its variance: p is that of
    theta / sqrt(se^2 + pull theta^2), and the interval has the differences that this doesn't reject. `most` is the most
    that either score can be, where no range says so.
    """

    theta: float
    se: float
    df: float
    u: int
    units: str
    why: str = ""
    z: tuple[float, float] | None = None
    workers: str = ""
    pull: float = 0.0
    most: float = math.inf

    @property
    def p(self) -> float:
        if not self.se > SAME or self.u < 2:
            return float("nan")
        t = abs(self.theta / self.se)
        return float(2 * special.stdtr(self.df, -t / np.sqrt(1 + self.pull * t * t)))

    @property
    def half(self) -> float:
        """Half the interval on the scale of the test, far beyond any range where no difference could be rejected."""
        t = t_quantile(self.df)
        return t * self.se / float(np.sqrt(max(1 - self.pull * t * t, NEVER)))

    def figure(self, within: Range = ANY) -> Figure:
        """The difference of two scores within a range, its limits within twice as far on either side of 0."""
        if self.why:
            return Undefined(self.why)
        if not np.isfinite(self.se) or self.u < 2:
            why = "a score is undefined with some of its units left out"
            return Estimate(self.theta, None, None, self.u, f"difference; no test: {why}")
        if self.se <= SAME:
            why = f"leaving out any of the {self.u} {self.units} changes nothing"
            return Estimate(self.theta, None, None, self.u, f"difference; no test: {why}")
        half, width = self.half, within.high - within.low
        if self.z is None:
            limits = Range(-width, width).limits(self.theta, half)
            scale = f", logit from {-width:g} to {width:g}" if np.isfinite(width) else ""
            if limits is not None and abs(self.theta) <= self.most < max(-limits[0], limits[1]):
                limits = max(limits[0], -self.most), min(limits[1], self.most)
                scale = f", cut at {-self.most:g} and {self.most:g}"
        else:
            limits, scale = _from_z(*self.z, half), ", Fisher's z"
        among, also = ("two-way jackknife", f" and {self.workers}") if self.workers else ("jackknife", "")
        what = f"difference; paired {among} over {self.u} {self.units}{also}{scale}, t with {self.df:.4g} df"
        if limits is None:
            what = f"{what}; no interval: the figure is at the end of its range"
            return Estimate(self.theta, None, None, self.u, what)
        return Estimate(self.theta, *limits, self.u, what, "items and workers" if self.workers else "items")


def paired(first: JackknifedMetric, second: JackknifedMetric) -> Gap:
    """Of two probes measured on the same items."""
    both = {name: one for name, one in (("first", first), ("second", second)) if _can_be_tested(one)}
    return ProbeCovariances.of(both).gap(first, second, "first", "second")


@dataclass(frozen=True, slots=True, eq=False)
class Covariances:
    """Probes on one scale: [K, K] sums of products of their deletions over units, and over pairs of terms."""

    probes: Mapping[str, JackknifedMetric]
    place: Mapping[str, int]
    units: Floats
    pairs: Floats | None

    @classmethod
    def of(cls, probes: Mapping[str, JackknifedMetric]) -> "Covariances":
        """Of probes that were measured on the same units."""
        by_pair = [d for one in probes.values() if (d := one.pair_deviations) is not None]
        return cls(
            probes=probes,
            place={name: at for at, name in enumerate(probes)},
            units=_products([one.deviations for one in probes.values()]),
            pairs=_products(by_pair) if by_pair else None,
        )

    def variance(self, a: str, b: str) -> float:
        """Of the difference: what `JackknifedMetric.variance` is of one probe."""
        at, by = self.place[a], self.place[b]
        over_units = _of_difference(self.units, at, by)
        if self.pairs is None:
            return over_units
        return variance_of_terms(over_units, _of_difference(self.pairs, at, by), len(self.probes[a].without))

    def df(self, a: str, b: str) -> float:
        """Of the difference: what `JackknifedMetric.df` is of one probe."""
        first, second = self.probes[a], self.probes[b]
        if first.units == "items":
            return min(first.df, second.df)
        counting = first.counting | second.counting
        return degrees_of_freedom((first.deviations - second.deviations)[counting])


@dataclass(frozen=True, slots=True)
class ProbeCovariances:
    """Probes as Fisher's z, those that have one; on the scale of their metric all of them, where one has none."""

    plain: Covariances
    on_z: Covariances

    @classmethod
    def of(cls, probes: Mapping[str, JackknifedMetric]) -> "ProbeCovariances":
        """Of probes that were measured on the same units."""
        on_z = {name: z for name, one in probes.items() if (z := one.on_z) is not None}
        return cls(Covariances.of({} if len(on_z) == len(probes) else probes), Covariances.of(on_z))

    def gap(self, first: JackknifedMetric, second: JackknifedMetric, a: str, b: str) -> Gap:
        """Between `first`, called a, and `second`, called b; a standard error of z is brought back by its slope."""
        lost = next((one for one in (first, second) if not one.is_defined), None)
        theta, size, units = first.theta - second.theta, min(first.size, second.size), first.units
        if lost is not None:
            return Gap(float("nan"), float("nan"), 0, 0, units, lost.why or "one of the two scores is undefined")
        if {a, b} <= self.on_z.place.keys():
            scale, slope = self.on_z, slope_of_z(first.theta, second.theta)
        elif {a, b} <= self.plain.place.keys():
            scale, slope = self.plain, 1.0
        else:
            return Gap(theta, float("nan"), 0, size, units)
        se = slope * float(np.sqrt(max(scale.variance(a, b), 0.0)))
        both_z = (self.on_z.probes[a].theta, self.on_z.probes[b].theta) if scale is self.on_z else None
        return Gap(theta, se, scale.df(a, b), size, units, z=both_z, most=max(first.most, second.most))


def slope_of_z(r: float, other: float) -> float:
    """(r - r') / (z - z'), and 1 - r^2 where the two are the same: a difference of z, and p with it, stays the same."""
    z = float(fisher_z(r) - fisher_z(other))
    return (r - other) / z if abs(z) > SAME else 1 - r * r


def _from_z(z: float, other: float, half: float) -> tuple[float, float]:
    """Limits of r - r' from those of z - z', the mean of the two held: they exclude 0 where z's do.

    >>> [round(end, 3) for end in _from_z(0.8, 0.1, 0.2)]
    [0.369, 0.752]
    """
    middle, gap = (z + other) / 2, z - other
    each = half / slope_of_z(np.tanh(z), np.tanh(other))
    low, high = ((gap + end * each) / 2 for end in (-1, 1))
    return tuple(float(np.tanh(middle + end) - np.tanh(middle - end)) for end in (low, high))  # type: ignore[return-value]


def _can_be_tested(one: JackknifedMetric) -> bool:
    return one.is_defined and len(one.without) > 1 and bool(np.isfinite(one.without).all())


def _products(deviations: Sequence[Floats]) -> Floats:
    """[K, K] sums of products of K rows."""
    d = np.stack(deviations) if deviations else np.zeros((0, 0))
    return np.asarray(d @ d.T)


def _of_difference(cov: Floats, a: int, b: int) -> float:
    return float(cov[a, a] + cov[b, b] - 2 * cov[a, b])


def _or_none(p: float) -> float | None:
    return float(p) if np.isfinite(p) else None
