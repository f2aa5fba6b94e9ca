"""Intervals of agreement: the two-way jackknife, and limits that stay in a statistic's range."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import special

from .estimate import Floats, Over

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
    is_distance: bool = False  # the larger, the less people agree

    @property
    def tails(self) -> tuple[float, float]:
        """The chances that a two-way interval leaves below and above: less on the side to which carelessness moves it.

        5 % in all where careless answers move a figure either way. Where they lower it, 4 %, of which 1 % below: a
        few workers may happen to have no careless one among them, and the truth then lies below (docs/coverage.md).
        """
        if math.isinf(self.low) and math.isinf(self.high):
            return EVEN_TAILS
        return UNEVEN_TAILS[::-1] if self.is_distance else UNEVEN_TAILS

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

    def limits(self, theta: float, half: float, above: float | None = None) -> tuple[float, float] | None:
        """Theta - half and theta + above (or half) on the scale; None at an end of the range, where it has no slope.

        >>> [round(end, 3) for end in SHARE.limits(0.9, 0.2)]
        [0.494, 0.988]
        """
        above = half if above is None else above
        a, b = self.low, self.high
        if not a < theta < b:
            return None
        if math.isinf(a) and math.isinf(b):
            return theta - half, theta + above
        slope = (0.0 if math.isinf(a) else 1 / (theta - a)) + (0.0 if math.isinf(b) else 1 / (b - theta))
        lower, upper = _factor(-half * slope), _factor(above * slope)
        if math.isinf(a):
            return b - (b - theta) / lower, b - (b - theta) / upper
        if math.isinf(b):
            return a + (theta - a) * lower, a + (theta - a) * upper
        return self._within((theta - a) / (b - theta) * lower), self._within((theta - a) / (b - theta) * upper)

    def leave_the_scale(self, theta: float, high: float) -> bool:
        """Whether an upper limit of an amount is so many times the figure that it can be no error on its scale.

        >>> AMOUNT.leave_the_scale(12.0, 40.0), AMOUNT.leave_the_scale(12.0, 295_164.0)
        (False, True)
        """
        return math.isinf(self.high) and math.isfinite(self.low) and high - self.low > MOST_TIMES * (theta - self.low)

    def _within(self, odds: float) -> float:
        """The x whose (x - a) / (b - x) is `odds`."""
        return self.low + (self.high - self.low) * odds / (1 + odds)


def _factor(exponent: float) -> float:
    """e^exponent, short of what a number can hold."""
    return math.exp(max(min(exponent, 300.0), -300.0))


EVEN_TAILS = (0.025, 0.025)
MOST_TIMES = 20.0  # of an amount: an upper limit beyond says no more than that the data are too few
OFF_THE_SCALE = "too few data: its limits would leave the scale"
UNEVEN_TAILS = (0.01, 0.03)
SHARE = Range(0.0, 1.0)
CORRELATION = Range(-1.0, 1.0)
RELIABILITY = Range(high=1.0)  # stepped up from a correlation: -log(1 - x) is then twice Fisher's z
AMOUNT = Range(low=0.0, is_distance=True)
NATS = Range(0.0, math.log(2), is_distance=True)  # of a Jensen-Shannon divergence
ANY = Range()


# The two-way jackknife interval: items and workers are both a sample, and it generalises to new ones of both.
#
# An interval over items alone covers 22-90 % once workers differ in bias or care (docs/statistics.md). Two workers
# are too few to speak for others: their interval is over items, "for these workers".

FEW_WORKERS = 4
FEW_EFFECTIVE = f"few effective workers, nu_W < {FEW_WORKERS}"  # as a method says it
FIXED = 2  # workers so few that they are taken as they are
GROUPS = 20
WORST_RELIABILITY = -1.0  # a lower limit of a stepped-up reliability is cut here: under it all say "too few data"
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
    """Theta - t sqrt(V) and theta + t sqrt(V) on the scale of the statistic's range, and their parts.

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
    tails: tuple[float, float] = EVEN_TAILS  # the chances left below and above

    @property
    def method(self) -> str:
        """How the interval was made, or why there is none, for the report."""
        if self.low is None or self.df is None:
            return f"no interval: {self.why}"
        if self.over == "items":
            return f"jackknife over items, for these workers{self.scale}, t with {self.df:.1f} df"
        uneven = tails_in_method(self.tails)
        few = "" if self.nu_w is None or self.nu_w >= FEW_WORKERS else f"; {FEW_EFFECTIVE}"
        return f"two-way jackknife over items and workers{self.scale}, t with {self.df:.1f} df{uneven}{few}"


def tails_in_method(tails: tuple[float, float]) -> str:
    """The chances left below and above, behind a comma; "" where they are even.

    >>> tails_in_method(SHARE.tails), tails_in_method(AMOUNT.tails), tails_in_method(EVEN_TAILS)
    (', tails 1% below and 3% above', ', tails 3% below and 1% above', '')
    """
    return "" if tails == EVEN_TAILS else ", tails {:.0%} below and {:.0%} above".format(*tails)


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


def combined_df(v: float, parts: tuple[float, float, float], df_i: float, nu_w: float) -> float:
    """Satterthwaite's df of V_I and the workers' own part of V, 1 at least; `parts` are V_I, V_W and V_J.

    V^2 / (V_I^2 / df_I + S V_W / nu_W), S = max(V_W - V_J, 0): leaving out a worker leaves out answers too, whose
    noise is in V_I already, so that workers who don't differ take no df away.
    """
    v_i, v_w, v_j = parts
    taken = v_i**2 / df_i + max(v_w - v_j, 0.0) * v_w / nu_w
    return max(v**2 / taken, 1.0) if taken > 0 else df_i


def two_way(
    theta: float,
    deletions: Deletions,
    *,
    within: Range = ANY,
    n_items: int | None = None,
    nu_w: float | None = None,
    fixed_workers: bool = False,
) -> TwoWay:
    """V = max(V_I + V_W - V_J, V_I, V_W); theta - t sqrt(V) and theta + t sqrt(V) on the scale of the range `within`.

    With two workers, or `fixed_workers`, V = V_I, df = N - 1 and 2.5 % lie on either side: for these workers. `n_items`
    is N, the items that count, where some left out don't (one judgment agrees with none). For grouped deletions
    `nu_w` is given: groups of workers, being much alike, can't tell how few of them carry the figure. A deletion that
    leaves the statistic undefined leaves no interval, because what that item or worker contributes to the variance
    can't be known.
    """
    W = len(deletions.worker)
    over: Over = "items" if W == FIXED or fixed_workers else "items and workers"
    given, nu_w = nu_w, effective_workers(deletions.worker) if nu_w is None else nu_w
    why = _why_not(deletions, ("item",) if over == "items" else ("item", "worker", "judgment"))
    if why:
        return TwoWay(None, None, None, None, nu_w, why)
    parts = v_i, v_w, v_j = (
        variance(deletions.item),
        variance(deletions.worker),
        variance(deletions.judgment, deletions.times),
    )
    df_i = float(max(min(len(deletions.item), n_items or len(deletions.item)) - 1, 1))
    if over == "items":
        v, df, tails = v_i, df_i, EVEN_TAILS
    else:
        v, tails = max(v_i + v_w - v_j, v_i, v_w), within.tails
        nu = W - 1.0 if nu_w is None else nu_w if given is None else min(nu_w, W - 1.0)
        df = combined_df(v, parts, df_i, nu)
    if np.sqrt(v) < SAME:
        which = "item" if over == "items" else "item or worker"
        return TwoWay(None, None, 0.0, None, nu_w, f"leaving out any {which} gives the same figure")
    below, above = (t_quantile(1 - tail, df) * float(np.sqrt(v)) for tail in tails)
    within = within if theta >= within.low else replace(within, low=-math.inf)
    limits = within.limits(theta, below, above)
    if limits is None:
        return TwoWay(None, None, v, None, nu_w, "the figure is at the end of its range")
    if within.leave_the_scale(theta, limits[1]):
        return TwoWay(None, None, v, None, nu_w, OFF_THE_SCALE)
    scale = within.scale
    if within.is_bounded_above_alone and limits[0] < WORST_RELIABILITY < limits[1]:
        limits, scale = (WORST_RELIABILITY, limits[1]), f"{scale}, cut at {WORST_RELIABILITY:g} below"
    return TwoWay(*limits, v, df, nu_w, parts=parts, over=over, scale=scale, tails=tails)


def _why_not(deletions: Deletions, needed: Sequence[str]) -> str:
    """Why the deletions of what is needed give no variance, or ""."""
    for what in needed:
        theta_g: Floats = getattr(deletions, what)
        times = deletions.times if what == "judgment" else None
        size = len(theta_g) if times is None else int(times.sum())
        if size < 2:
            return f"there is only one {what} to leave out"
        is_lost = ~np.isfinite(theta_g)
        lost = int(np.sum(is_lost) if times is None else np.sum(times[is_lost]))
        if lost:
            return f"it is undefined when one {what} is left out ({lost} of {size} {what}s)"
    return ""


def groups(size: int, rng: np.random.Generator, how_many: int = GROUPS) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """[size] the group, 0 to at most `how_many` - 1, of each thing: equal sizes, membership at random."""
    return rng.permutation(np.arange(size, dtype=np.int64) % min(how_many, max(size, 1)))
