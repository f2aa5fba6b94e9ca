"""Several probes on one gold: which stands where, which differences are real, and tiers of many models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from types import MappingProxyType

import numpy as np
from scipy import special

from ..arrays import Floats
from ..estimation.intervals import SAME
from .jackknifed_metric import JackknifedMetric, mean_over, units_of
from .metric import Outputs
from .metrics import METRICS, measured_parts
from .other_workers import LeaveOutScores, gap_over_workers
from .paired_tests import ALPHA, Difference, Gap, differences, holm, paired
from .probe import Probe, StudyItems, covered_by
from .score import ProbeScores
from .score_gold import Gold

NOT_MADE_AGAIN: Mapping[str, Mapping[str, LeaveOutScores]] = MappingProxyType({})


def compare_all(
    probes: Sequence[Probe],
    scores: Sequence[ProbeScores],
    gold: Gold,
    study: StudyItems,
    metrics: Sequence[str],
    made_again: Mapping[str, Mapping[str, LeaveOutScores]] = NOT_MADE_AGAIN,
) -> list[Difference]:
    """Every pair on each metric in turn; Holm's correction is each metric's own.

    With the probes' scores against gold `made_again` without workers, tests are over items and workers. A pair of which
    one covers gold in part is tested on the items that both cover, with gold as released.
    """
    again = _PairsOnSharedItems({probe.name: probe for probe in probes}, gold, study, {})
    found: list[Difference] = []
    for metric in metrics:
        in_part = {one.probe: not one.ranks(metric) for one in scores}
        overall = {one.probe: one.overall().get(metric) for one in scores}
        found += differences(
            metric,
            {name: one.measured for name, one in overall.items() if one is not None and one.measured is not None},
            smaller_is_better=METRICS[metric].smaller_is_better,
            partial=in_part,
            gap_of=partial(again.gap, metric),
            over_workers=partial(_over_workers, made_again, metric, in_part),
            within=METRICS[metric].within,
        )
    return found


def _over_workers(
    made_again: Mapping[str, Mapping[str, LeaveOutScores]],
    metric: str,
    in_part: Mapping[str, bool],
    gap: Gap,
    a: str,
    b: str,
) -> Gap:
    if in_part[a] or in_part[b]:
        return gap
    return gap_over_workers(gap, *(made_again.get(name, {}).get(metric) for name in (a, b)))


@dataclass(frozen=True, slots=True)
class _PairsOnSharedItems:
    """Pairs of which one covers gold in part, each measured once more on the items that both cover, by all metrics."""

    probes: Mapping[str, Probe]
    gold: Gold
    study: StudyItems
    gaps: dict[tuple[str, str], dict[str, Gap]]

    def gap(self, metric: str, first: str, second: str) -> Gap:
        if (first, second) not in self.gaps:
            self.gaps[first, second] = _gaps_on_both(self.probes[first], self.probes[second], self.gold, self.study)
        found = self.gaps[first, second]
        return found[metric] if metric in found else found[""]


def _gaps_on_both(first: Probe, second: Probe, gold: Gold, study: StudyItems) -> dict[str, Gap]:
    """By metric, on the items that every run of both covers; by "" where there is no such item."""
    rows = study.rows_of(gold.ids)
    covered = covered_by([*first.runs, *second.runs])[rows]
    shared = np.flatnonzero(covered)
    if not len(shared):
        none = JackknifedMetric.undefined(f"{first.name} and {second.name} cover no item in common", 0)
        return {"": paired(none, none)}
    units = units_of(gold)

    def by_run(probe: Probe) -> list[dict[str, JackknifedMetric]]:
        outputs = (Outputs(probe, run, gold, rows, covered, units) for run in probe.runs)
        return [measured_parts(of_run, [shared])[0] for of_run in outputs]

    one, other = by_run(first), by_run(second)
    both = [metric for metric in one[0] if metric in other[0]]
    return {metric: paired(*(mean_over([run[metric] for run in runs]) for runs in (one, other))) for metric in both}


# Many models on one metric: which can't be told from the best, which are equivalent, and what it takes to
# tell. Every pair has a difference theta, its standard error s and df from the paired jackknife
# (`paired_tests.py`), over items and workers where gold can be made again without workers
# (`other_workers.py`). Tiers: a model is in the first tier if no other is better than it by the two-sided t
# after Holm's correction over all pairs; else its tier is one more than the largest among those that are
# better. With probability .95 no model is wrongly said to be worse than another, and so the first tier holds
# the best one. Equivalence within a margin d (Schuirmann 1987): both one-sided tests of |theta| < d, p =
# Pr[t_df < (|theta| - d) / s], Holm's correction over all pairs. Power: a difference d is found by the
# two-sided t at .05 with power .8 where d = (t_.975 + t_.8) s. Of s^2 the part over items, s_I^2, falls with
# the number of items n, and the rest doesn't: d takes n s_I^2 / (d^2 / (t_.975 + t_.8)^2 - rest) items, and
# where the rest alone is too large no number of items would do, but more workers might.

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
    p_holm: Mapping[tuple[str, str], float | None] | None = None,
) -> Tiers:
    """Of models by name; `gaps` has each two of them, in the order of `thetas`, and `over_items` the same over items
    alone, where that differs. `p_holm` are their p where Holm's correction was over more pairs than these.
    """
    released = over_items or gaps
    names = sorted(thetas, key=lambda name: thetas[name] * (1 if smaller_is_better else -1))
    keys = list(combinations(thetas, 2))
    p = holm(np.array([gaps[key].p for key in keys]))
    if p_holm is not None:
        p = np.array([p_holm[key] for key in keys], dtype=np.float64)
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
