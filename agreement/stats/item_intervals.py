"""Intervals over items alone, "for these workers": percentile and BCa from seeded bootstrap replicates."""

import numpy as np
from scipy import special

from agreement.stats.estimate import Estimate, Floats
from agreement.stats.jackknife import SAME

LEVEL = 0.95


def percentile(theta: float, replicates: Floats, *, n: int) -> Estimate:
    """The 2.5 and 97.5 % points of the replicates; `replicates` [B], NaN where a replicate is undefined."""
    defined = replicates[np.isfinite(replicates)]
    how = _how("percentile", len(defined), len(replicates))
    why = _why_not(defined, len(replicates))
    if why:
        return Estimate(theta, None, None, n, f"no item interval: {why}; {how}")
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(theta, float(low), float(high), n, how)


def bca(theta: float, replicates: Floats, by_item: Floats, *, n: int) -> Estimate:
    """Bias-corrected and accelerated limits (Efron 1987); `by_item` is theta with each item left out.

    z0 = Phi^-1(share of replicates below theta, ties by half); a from the third moment of the deletions.
    """
    defined = replicates[np.isfinite(replicates)]
    how = _how("BCa", len(defined), len(replicates))
    why = _why_not(defined, len(replicates))
    if why:
        return Estimate(theta, None, None, n, f"no item interval: {why}; {how}")
    below = float(np.mean(defined < theta) + np.mean(defined == theta) / 2)
    if not 0 < below < 1:
        return Estimate(theta, None, None, n, f"no BCa interval: all replicates lie on one side of the figure; {how}")
    z0 = float(special.ndtri(below))
    a = _acceleration(by_item)
    z = z0 + special.ndtri(np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    low, high = np.quantile(defined, np.asarray(special.ndtr(z0 + z / (1 - a * z))))
    return Estimate(theta, float(low), float(high), n, how)


def _acceleration(by_item: Floats) -> float:
    d = by_item[np.isfinite(by_item)]
    d = d.mean() - d if len(d) else d
    squares = d * d
    spread = float(np.sum(squares))
    return float(np.sum(squares * d) / (6 * spread**1.5)) if spread > 0 else 0.0


def _why_not(defined: Floats, drawn: int) -> str:
    if len(defined) * 2 <= drawn or len(defined) == 0:
        return "undefined in half of the replicates or more"
    return "every replicate gives the same figure" if np.ptp(defined) < SAME else ""


def _how(name: str, defined: int, drawn: int) -> str:
    lost = "" if defined == drawn else f", undefined in {drawn - defined:,} of them"
    return f"{name} bootstrap over items, for these workers, {drawn:,} replicates{lost}"
