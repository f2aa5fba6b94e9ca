"""The two-way jackknife interval: items and workers are both a sample, and the interval answers for both.

An interval over items alone covers 19-82 % once workers differ in bias or care (statistics.md, section 2).
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from agreement.stats.estimate import Estimate, Floats

FEW_WORKERS = 4
GROUPS = 20
SAME = 1e-12  # deletions closer than this to each other differ by rounding only


@dataclass(frozen=True, slots=True, eq=False)
class Deletions:
    """The statistic recomputed with each item, each worker and each judgment (or group of them) left out.

    Each is one-dimensional; NaN where the statistic is undefined without that one.
    """

    item: Floats
    worker: Floats
    judgment: Floats


@dataclass(frozen=True, slots=True)
class TwoWay:
    """theta +- t_df sqrt(V) and its parts; `low` and `high` are None where `why` says so."""

    low: float | None
    high: float | None
    variance: float | None
    df: float | None
    nu_w: float | None
    why: str = ""
    parts: tuple[float, float, float] | None = None  # V_I, V_W, V_J

    @property
    def method(self) -> str:
        """How the interval was made, or why there is none, for the report."""
        if self.low is None or self.df is None:
            return f"no two-way interval: {self.why}"
        few = "" if self.nu_w is None or self.nu_w >= FEW_WORKERS else "; few effective workers, nu_W < 4"
        return f"two-way jackknife over items and workers, t with {self.df:.1f} df{few}"


def variance(theta_g: Floats) -> float:
    """(G - 1) / G sum_g (theta_(g) - mean)^2 over the deletions that are defined; NaN when fewer than two are."""
    defined = theta_g[np.isfinite(theta_g)]
    if len(defined) < 2:
        return float("nan")
    groups = len(defined)
    return float((groups - 1) / groups * np.sum((defined - defined.mean()) ** 2))


def effective_workers(theta_w: Floats) -> float | None:
    """nu_W = (sum d_w^2)^2 / sum d_w^4 with d_w = theta_(w) - mean; None when no worker moves the statistic."""
    defined = theta_w[np.isfinite(theta_w)]
    if len(defined) < 2:
        return None
    d = defined - defined.mean()
    largest = np.abs(d).max()
    if largest < SAME:
        return None
    d = d / largest
    return float(np.sum(d**2) ** 2 / np.sum(d**4))


def two_way(
    theta: float, deletions: Deletions, *, nu_w: float | None = None, at_most: float = 1.0, level: float = 0.95
) -> TwoWay:
    """V = max(V_I + V_W - V_J, V_I, V_W); theta +- t_df sqrt(V), df = min(G_I - 1, nu_W).

    `at_most` is the largest value that the statistic can take: the upper limit is cut there, which costs no coverage.
    For grouped deletions G_I is the number of groups, and `nu_w` is given: groups of workers, being much alike, can't
    tell how few of them carry the figure. A deletion that leaves the statistic undefined leaves no
    interval, because what that item or worker contributes to the variance can't be known.
    """
    given, nu_w = nu_w, effective_workers(deletions.worker) if nu_w is None else nu_w
    for what, theta_g in (("item", deletions.item), ("worker", deletions.worker), ("judgment", deletions.judgment)):
        if len(theta_g) < 2:
            return TwoWay(None, None, None, None, nu_w, f"there is only one {what} to leave out")
        lost = int(np.sum(~np.isfinite(theta_g)))
        if lost:
            why = f"it is undefined when one {what} is left out ({lost} of {len(theta_g)} {what}s)"
            return TwoWay(None, None, None, None, nu_w, why)
    v_i, v_w, v_j = variance(deletions.item), variance(deletions.worker), variance(deletions.judgment)
    v = max(v_i + v_w - v_j, v_i, v_w)
    if np.sqrt(v) < SAME:
        return TwoWay(None, None, 0.0, None, nu_w, "leaving out any item or worker gives the same figure")
    df = float(len(deletions.item) - 1)
    if nu_w is not None:
        df = min(df, nu_w)
    if given is not None:
        df = min(df, len(deletions.worker) - 1)
    half = float(stats.t.ppf((1 + level) / 2, df)) * float(np.sqrt(v))
    return TwoWay(theta - half, min(theta + half, at_most), v, df, nu_w, parts=(v_i, v_w, v_j))


def with_interval(theta: float, deletions: Deletions, *, n: int, at_most: float = 1.0) -> Estimate:
    """The estimate with its two-way interval as the headline."""
    interval = two_way(theta, deletions, at_most=at_most)
    return Estimate(theta, interval.low, interval.high, n, interval.method)


def groups(size: int, rng: np.random.Generator, how_many: int = GROUPS) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """[size] the group, 0 to at most `how_many` - 1, of each thing: equal sizes, membership at random."""
    return rng.permutation(np.arange(size, dtype=np.int64) % min(how_many, max(size, 1)))
