"""Many models on one metric: which can't be told from the best, which are equivalent, and what it takes to tell.

Every pair has a difference theta, its standard error s and df from the paired jackknife (`paired_tests.py`), over items
and workers where gold can be made again without workers (`other_workers.py`).

Tiers: a model is in the first tier if no other is better than it by the two-sided t after Holm's correction over all
pairs; else its tier is one more than the largest among those that are better. With probability .95 no model is wrongly
said to be worse than another, and so the first tier holds the best one.
Equivalence within a margin d (Schuirmann 1987): both one-sided tests of |theta| < d, p = Pr[t_df < (|theta| - d) / s],
Holm's correction over all pairs.
Power: a difference d is found by the two-sided t at .05 with power .8 where d = (t_.975 + t_.8) s. Of s^2 the part over
items, s_I^2, falls with the number of items n, and the rest doesn't: d takes n s_I^2 / (d^2 / (t_.975 + t_.8)^2 - rest)
items, and where the rest alone is too large no number of items would do, but more workers might.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from ..arrays import Floats
from ..estimation.intervals import SAME
from .paired_tests import ALPHA, Gap, holm

POWER = 0.8


@dataclass(frozen=True, slots=True)
class PairOfModels:
    """`first` less `second`; None where there is no test. `p_equivalent` is after Holm's correction, None without a
    margin. `items_for_margin` and `items_for_difference` are what a power of .8 takes; None: no number of items does.
    """

    first: str
    second: str
    gap: Gap
    p: float | None
    p_equivalent: float | None
    detectable: float | None
    items_for_margin: float | None
    items_for_difference: float | None

    @property
    def is_different(self) -> bool:
        return self.p is not None and self.p < ALPHA

    @property
    def is_equivalent(self) -> bool:
        return self.p_equivalent is not None and self.p_equivalent < ALPHA


@dataclass(frozen=True, slots=True)
class Tiers:
    """By name, the best first: each model's tier."""

    tier: Mapping[str, int]
    pairs: Sequence[PairOfModels]

    @property
    def first(self) -> list[str]:
        """The models that can't be told from the best."""
        return [name for name, tier in self.tier.items() if tier == 1]


def tiers_of(
    thetas: Mapping[str, float],
    gaps: Mapping[tuple[str, str], Gap],
    *,
    smaller_is_better: bool = False,
    margin: float | None = None,
    over_items: Mapping[tuple[str, str], Gap] | None = None,
) -> Tiers:
    """Of models by name; `gaps` has each two of them, in the order of `thetas`, and `over_items` the same over items
    alone, where that differs.
    """
    released = over_items or gaps
    names = sorted(thetas, key=lambda name: thetas[name] * (1 if smaller_is_better else -1))
    keys = list(combinations(thetas, 2))
    p = holm(np.array([gaps[key].p for key in keys]))
    equivalent = holm(np.array([equivalence_p(gaps[key], margin) for key in keys]))
    pairs = [
        PairOfModels(
            *key,
            gaps[key],
            _or_none(p[at]),
            _or_none(equivalent[at]),
            detectable_difference(gaps[key]),
            None if margin is None else items_for(gaps[key], margin, released[key].se),
            items_for(gaps[key], gaps[key].theta, released[key].se),
        )
        for at, key in enumerate(keys)
    ]
    place = {name: at for at, name in enumerate(names)}
    above: dict[str, list[str]] = {name: [] for name in names}
    for pair in pairs:
        if pair.is_different:
            better, worse = sorted((pair.first, pair.second), key=place.__getitem__)
            above[worse].append(better)
    tier: dict[str, int] = {}
    for name in names:
        tier[name] = 1 + max((tier[better] for better in above[name]), default=0)
    return Tiers(tier, pairs)


def equivalence_p(gap: Gap, margin: float | None) -> float:
    """The larger p of the two one-sided tests; NaN without a margin or a standard error.

    >>> round(equivalence_p(Gap(0.01, 0.01, 200, 201, "items"), 0.03), 3)
    0.023
    """
    if margin is None or not gap.se > SAME:
        return float("nan")
    return float(special.stdtr(gap.df, (abs(gap.theta) - margin) / gap.se))


def _quantiles(df: float) -> float:
    return float(special.stdtrit(df, 1 - ALPHA / 2) + special.stdtrit(df, POWER))


def detectable_difference(gap: Gap) -> float | None:
    """The difference that is found with power .8 with the items that there are."""
    return _quantiles(gap.df) * gap.se if gap.se > SAME else None


def items_for(gap: Gap, difference: float, over_items: float | None = None) -> float | None:
    """The items with which that difference is found with power .8; None where no number would do, or for no difference.

    `over_items` is the standard error over items alone.

    >>> round(items_for(Gap(0.01, 0.02, 99, 100, "items"), 0.03))
    356
    """
    if not gap.se > SAME or abs(difference) < SAME:
        return None
    of_items = (gap.se if over_items is None else min(over_items, gap.se)) ** 2
    room = (difference / _quantiles(gap.df)) ** 2 - (gap.se**2 - of_items)
    return gap.u * of_items / room if room > 0 else None


def times_for(gap: Gap, difference: float) -> float | None:
    """How many times as many items and workers find that difference with power .8: s^2 falls with both together.

    >>> round(times_for(Gap(0.01, 0.02, 99, 100, "items"), 0.03), 2)
    3.56
    """
    if not gap.se > SAME or abs(difference) < SAME:
        return None
    return (_quantiles(gap.df) * gap.se / difference) ** 2


def _or_none(p: float | Floats) -> float | None:
    return float(p) if np.isfinite(p) else None
