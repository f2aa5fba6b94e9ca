"""Intervals of agreement: the two-way jackknife, and limits that stay in a statistic's range."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from agreement.stats.estimate import Floats, Over

# Limits that stay in a statistic's range: the interval is taken on a scale without ends and brought back.
#
# On a scale g the standard error is |g'(theta)| times that of theta (the delta method), so that the limits are
# g^-1(g(theta) +- t |g'(theta)| se). Both limits move; none is cut off.


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a statistic can take. Its scale g is

    log((x - a) / (b - x)) from a to b: the logit of a share, Fisher's z of a correlation, and Fisher's transformation
    of an intraclass correlation (1925) from -1 / (k - 1) to 1; -log(b - x) below b alone; log(x - a) above a alone.
    """

    low: float = -math.inf
    high: float = math.inf

    @property
    def scale(self) -> str:
        """The name of g, after a comma, for a method; "" where g is x itself."""
        if self == CORRELATION:
            return ", Fisher's z"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return ", logit" if self == SHARE else f", logit from {self.low:.3g} to {self.high:.3g}"
        if math.isfinite(self.high):
            return f", log({self.high:g} - x)"
        return ", logarithm" if math.isfinite(self.low) else ""

    @property
    def is_bounded_above_alone(self) -> bool:
        """Whether the values have an upper end and no lower one, as a stepped-up reliability."""
        return math.isinf(self.low) and math.isfinite(self.high)

    def limits(self, theta: float, half: float) -> tuple[float, float] | None:
        """Theta +- half on the scale, or None at an end of the range, where the scale has no slope.

        >>> [round(end, 3) for end in SHARE.limits(0.9, 0.2)]
        [0.494, 0.988]
        """
        a, b = self.low, self.high
        if not a < theta < b:
            return None
        if math.isinf(a) and math.isinf(b):
            return theta - half, theta + half
        slope = (0.0 if math.isinf(a) else 1 / (theta - a)) + (0.0 if math.isinf(b) else 1 / (b - theta))
        lower, upper = (_factor(end * half * slope) for end in (-1, 1))
        if math.isinf(a):
            return b - (b - theta) * upper, b - (b - theta) * lower
        if math.isinf(b):
            return a + (theta - a) * lower, a + (theta - a) * upper
        return self._within((theta - a) / (b - theta) * lower), self._within((theta - a) / (b - theta) * upper)

    def _within(self, odds: float) -> float:
        """The x whose (x - a) / (b - x) is `odds`."""
        return self.low + (self.high - self.low) * odds / (1 + odds)


def _factor(exponent: float) -> float:
    """e^exponent, short of what a number can hold."""
    return math.exp(max(min(exponent, 300.0), -300.0))


SHARE = Range(0.0, 1.0)
CORRELATION = Range(-1.0, 1.0)
RELIABILITY = Range(high=1.0)  # stepped up from a correlation: -log(1 - x) is then twice Fisher's z
AMOUNT = Range(low=0.0)
NATS = Range(0.0, math.log(2))  # of a Jensen-Shannon divergence
ANY = Range()


# The two-way jackknife interval: items and workers are both a sample, and it generalises to new ones of both.
#
# An interval over items alone covers 22-90 % once workers differ in bias or care (docs/statistics.md). Two workers
# are too few to speak for others: their interval is over items, "for these workers".

FEW_WORKERS = 4
FEW_EFFECTIVE = f"few effective workers, nu_W < {FEW_WORKERS}"  # as a method says it
FIXED = 2  # workers so few that they are taken as they are
GROUPS = 20
WORST_RELIABILITY = -1.0  # a lower limit of a stepped-up reliability under this says nothing but "too few data"
SAME = 1e-12  # deletions closer than this to each other differ by rounding only


@dataclass(frozen=True, slots=True, eq=False)
class Deletions:
    """The statistic recomputed with each item, each worker and each judgment (or group of them) left out.

    Each is one-dimensional; NaN where the statistic is undefined without that one. Where judgments are of few kinds
    `judgment` has one figure a kind, `times` how many judgments are of it, and `which` gives the kind of each [J].
    """

    item: Floats
    worker: Floats
    judgment: Floats
    times: Floats | None = None
    which: Callable[[], npt.NDArray[np.integer]] | None = None


@dataclass(frozen=True, slots=True)
class TwoWay:
    """Theta +- t_df sqrt(V) on the scale of the statistic's range, and its parts.

    `low` and `high` are None where `why` says so.
    """

    low: float | None
    high: float | None
    variance: float | None
    df: float | None
    nu_w: float | None
    why: str = ""
    parts: tuple[float, float, float] | None = None  # V_I, V_W, V_J
    over: Over | None = None
    scale: str = ""  # of the range, as a method names it

    @property
    def method(self) -> str:
        """How the interval was made, or why there is none, for the report."""
        if self.low is None or self.df is None:
            return f"no interval: {self.why}"
        if self.over == "items":
            return f"jackknife over items, for these workers{self.scale}, t with {self.df:.1f} df"
        few = "" if self.nu_w is None or self.nu_w >= FEW_WORKERS else f"; {FEW_EFFECTIVE}"
        return f"two-way jackknife over items and workers{self.scale}, t with {self.df:.1f} df{few}"


def variance(theta_g: Floats, times: Floats | None = None) -> float:
    """(G - 1) / G sum_g (theta_(g) - mean)^2 over the deletions that are defined; NaN when fewer than two are.

    With `times`, each deletion stands for so many.
    """
    there = np.isfinite(theta_g)
    if times is not None:
        there &= times > 0
    defined = theta_g[there]
    groups = len(defined) if times is None else float(times[there].sum())
    if groups < 2:
        return float("nan")
    if times is None:
        return float((groups - 1) / groups * np.sum((defined - defined.mean()) ** 2))
    weights = times[there]
    mean = np.sum(weights * defined) / groups
    return float((groups - 1) / groups * np.sum(weights * (defined - mean) ** 2))


def effective_workers(theta_w: Floats) -> float | None:
    """nu_W = (3.16 - 2.77 / sqrt(W)) (sum d_w^2)^2 / sum d_w^4, d_w = theta_(w) - mean, from 1 to W - 1.

    Johnson and Rust (1992): the quotient alone estimates W / 3 for normal d. None when no worker moves the statistic.
    """
    defined = theta_w[np.isfinite(theta_w)]
    W = len(defined)
    if W < 2:
        return None
    d = defined - defined.mean()
    largest = np.abs(d).max()
    if largest < SAME:
        return None
    d = d / largest
    quotient = float(np.sum(d**2) ** 2 / np.sum(d**4))
    factor = max(3.16 - 2.77 / float(np.sqrt(W)), 1.0)
    return min(max(factor * quotient, 1.0), W - 1.0)


def t_quantile(p: float, df: float) -> float:
    """The p quantile of Student's t, by `scipy.special`: importing `scipy.stats` takes as long as a small analysis.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    return float(special.stdtrit(df, p))


def combined_df(v: float, v_i: float, v_w: float, df_i: float, nu_w: float) -> float:
    """Satterthwaite's df of the whole combination, V^2 / (V_I^2 / df_I + V_W^2 / nu_W), 1 at least."""
    return max(v**2 / (v_i**2 / df_i + v_w**2 / nu_w), 1.0)


def two_way(
    theta: float,
    deletions: Deletions,
    *,
    within: Range = ANY,
    n_items: int | None = None,
    nu_w: float | None = None,
    level: float = 0.95,
) -> TwoWay:
    """V = max(V_I + V_W - V_J, V_I, V_W); theta +- t_df sqrt(V) on the scale of the range `within`.

    With two workers V = V_I and df = N - 1: the interval is for these workers. `n_items` is N, the items that count,
    where some of those left out don't (one judgment agrees with none). For grouped deletions `nu_w` is given: groups of
    workers, being much alike, can't tell how few of them carry the figure. A deletion that leaves the statistic
    undefined leaves no interval, because what that item or worker contributes to the variance can't be known.
    """
    W = len(deletions.worker)
    over: Over = "items" if W == FIXED else "items and workers"
    given, nu_w = nu_w, effective_workers(deletions.worker) if nu_w is None else nu_w
    parts: tuple[tuple[str, Floats, Floats | None], ...] = (
        ("item", deletions.item, None),
        ("worker", deletions.worker, None),
        ("judgment", deletions.judgment, deletions.times),
    )
    for what, theta_g, times in parts[:1] if over == "items" else parts:
        size = len(theta_g) if times is None else int(times.sum())
        if size < 2:
            return TwoWay(None, None, None, None, nu_w, f"there is only one {what} to leave out")
        is_lost = ~np.isfinite(theta_g)
        lost = int(np.sum(is_lost) if times is None else np.sum(times[is_lost]))
        if lost:
            why = f"it is undefined when one {what} is left out ({lost} of {size} {what}s)"
            return TwoWay(None, None, None, None, nu_w, why)
    v_i, v_w, v_j = (variance(theta_g, times) for _, theta_g, times in parts)
    df_i = float(max(min(len(deletions.item), n_items or len(deletions.item)) - 1, 1))
    if over == "items":
        v, df = v_i, df_i
    else:
        v = max(v_i + v_w - v_j, v_i, v_w)
        nu = W - 1.0 if nu_w is None else nu_w if given is None else min(nu_w, W - 1.0)
        df = combined_df(v, v_i, v_w, df_i, nu) if v > 0 else df_i
    if np.sqrt(v) < SAME:
        which = "item" if over == "items" else "item or worker"
        return TwoWay(None, None, 0.0, None, nu_w, f"leaving out any {which} gives the same figure")
    limits = within.limits(theta, t_quantile((1 + level) / 2, df) * float(np.sqrt(v)))
    if limits is None:
        return TwoWay(None, None, v, None, nu_w, "the figure is at the end of its range")
    if within.is_bounded_above_alone and limits[0] < WORST_RELIABILITY:
        why = f"the data are too few to bound it from below: the limit would be under {WORST_RELIABILITY:g}"
        return TwoWay(None, None, v, None, nu_w, why)
    return TwoWay(*limits, v, df, nu_w, parts=(v_i, v_w, v_j), over=over, scale=within.scale)


def groups(size: int, rng: np.random.Generator, how_many: int = GROUPS) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """[size] the group, 0 to at most `how_many` - 1, of each thing: equal sizes, membership at random."""
    return rng.permutation(np.arange(size, dtype=np.int64) % min(how_many, max(size, 1)))
