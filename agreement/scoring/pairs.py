"""Is the difference between two probes real: paired jackknife, t, and Holm's correction over all that was asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from agreement.gold.arrays import Floats
from agreement.scoring.measured import Measured, t_quantile
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import SAME

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """`first` less `second` on one metric, with p two-sided.

    `p_all` is Holm's over all pairs, `p_best` over the pairs with the best probe (None for a pair without it). All
    three are None where there is no test.
    """

    metric: str
    first: str
    second: str
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


Remeasure = Callable[[str, str], tuple[Measured, Measured]]


def differences(
    metric: str,
    measured: Mapping[str, Measured],
    *,
    smaller_is_better: bool = False,
    partial: Mapping[str, bool] | None = None,
    remeasure: Remeasure | None = None,
) -> list[Difference]:
    """Every pair of probes, in the order given.

    V(a - b) = V_aa + V_bb - 2 V_ab, V the jackknife covariance of the deletions; t with U - 1 df. All pairs come from
    one product of the [K, U] deletions, but for pairs with a `partial` probe: those are measured again on the items
    that both cover. Only probes that aren't partial can be the best.
    """
    partial = partial or {}
    names = list(measured)
    whole = [name for name in names if not partial.get(name) and _can_be_tested(measured[name])]
    if len({len(measured[name].without) for name in whole}) > 1:
        raise ValueError(f"{metric}: probes measured on different units can't be paired")
    place = {name: at for at, name in enumerate(whole)}
    cov = _covariance([measured[name] for name in whole])
    pairs = list(combinations(names, 2))
    gaps = [
        _paired(*remeasure(a, b))
        if remeasure is not None and (partial.get(a) or partial.get(b))
        else _from_covariance(measured[a], measured[b], cov, place.get(a), place.get(b))
        for a, b in pairs
    ]
    p = np.array([gap.p for gap in gaps])
    best = min(whole, key=lambda name: measured[name].theta * (1 if smaller_is_better else -1), default="")
    with_best = np.array([best in pair for pair in pairs], dtype=np.bool_)
    p_all, p_best = holm(p), holm(np.where(with_best, p, np.nan))
    return [
        Difference(metric, a, b, gap.figure(), _or_none(p[at]), _or_none(p_all[at]), _or_none(p_best[at]))
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
class _Gap:
    """A difference, its standard error (NaN without one) and its units; `why` if there is no difference at all."""

    theta: float
    se: float
    u: int
    units: str
    why: str = ""

    @property
    def p(self) -> float:
        if not self.se > SAME or self.u < 2:
            return float("nan")
        return float(2 * special.stdtr(self.u - 1, -abs(self.theta / self.se)))

    def figure(self) -> Figure:
        if self.why:
            return Undefined(self.why)
        if not np.isfinite(self.se) or self.u < 2:
            why = "a score is undefined with some of its units left out"
            return Estimate(self.theta, None, None, self.u, f"difference; no test: {why}")
        if self.se <= SAME:
            why = f"leaving out any of the {self.units} changes nothing"
            return Estimate(self.theta, None, None, self.u, f"difference; no test: {why}")
        half = t_quantile(self.u - 1) * self.se
        how = f"difference; paired jackknife over {self.u} {self.units}, t with {self.u - 1} df"
        return Estimate(self.theta, self.theta - half, self.theta + half, self.u, how)


def _paired(first: Measured, second: Measured) -> _Gap:
    """Of two probes measured on the same items."""
    both = [one for one in (first, second) if _can_be_tested(one)]
    cov = _covariance(both)
    rows = (0, 1) if len(both) == 2 else (None, None)
    return _from_covariance(first, second, cov, *rows)


def _from_covariance(first: Measured, second: Measured, cov: Floats, a: int | None, b: int | None) -> _Gap:
    lost = next((one for one in (first, second) if not one.is_defined), None)
    if lost is not None:
        return _Gap(float("nan"), float("nan"), 0, first.units, lost.why or "one of the two scores is undefined")
    se = float("nan") if a is None or b is None else float(np.sqrt(max(cov[a, a] + cov[b, b] - 2 * cov[a, b], 0.0)))
    return _Gap(first.theta - second.theta, se, len(first.without), first.units)


def _can_be_tested(one: Measured) -> bool:
    return one.is_defined and len(one.without) > 1 and bool(np.isfinite(one.without).all())


def _covariance(probes: Sequence[Measured]) -> Floats:
    """[K, K] the jackknife covariances."""
    if not probes:
        return np.zeros((0, 0))
    d = np.stack([one.centred for one in probes])
    scale = np.sqrt([one.variance_scale for one in probes])
    return np.asarray((d @ d.T) * np.outer(scale, scale))


def _or_none(p: float) -> float | None:
    return float(p) if np.isfinite(p) else None
