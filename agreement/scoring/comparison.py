"""Several probes on one gold: which stands where, and which differences are real."""

from collections.abc import Sequence

import numpy as np

from agreement.scoring.gold import Gold
from agreement.scoring.groups import Groups
from agreement.scoring.measured import Measured, mean_over
from agreement.scoring.measures import number_measures, number_measures_by_units
from agreement.scoring.pairs import Difference, differences
from agreement.scoring.probe import Probe, StudyItems
from agreement.scoring.score import SMALLER_IS_BETTER, ProbeScores
from agreement.scoring.units import units_of
from agreement.stats.estimate import Estimate, Figure


def ranking(scores: Sequence[ProbeScores], metric: str) -> list[ProbeScores]:
    """The probes that may be ranked by a metric, the best first; ties in the order given.

    Those that cover gold in part have no place in a ranking by correlation and are left to be shown unranked.
    """
    sign = 1 if metric in SMALLER_IS_BETTER else -1
    able = [one for one in scores if one.ranks(metric) and metric in one.overall()]
    theta = {one.probe: one.overall()[metric].figure for one in able}
    defined = [one for one in able if isinstance(theta[one.probe], Estimate)]
    return sorted(defined, key=lambda one: sign * _estimate(theta[one.probe]))


def _estimate(figure: Figure) -> float:
    return figure.estimate if isinstance(figure, Estimate) else float("nan")


def compare(
    probes: Sequence[Probe], scores: Sequence[ProbeScores], gold: Gold, study: StudyItems, metric: str
) -> list[Difference]:
    """Every pair on one metric, p corrected by Holm over all pairs and over the pairs with the best."""
    by_name = {probe.name: probe for probe in probes}
    overall = {one.probe: one.overall().get(metric) for one in scores}
    measured = {
        name: score.measured for name, score in overall.items() if score is not None and score.measured is not None
    }
    partial = {one.probe: not one.ranks(metric) for one in scores}

    def remeasure(first: str, second: str) -> tuple[Measured, Measured]:
        return _on_both(by_name[first], by_name[second], gold, study, metric)

    smaller = metric in SMALLER_IS_BETTER
    again = remeasure if gold.numbers is not None else None
    return differences(metric, measured, smaller_is_better=smaller, partial=partial, remeasure=again)


def _on_both(first: Probe, second: Probe, gold: Gold, study: StudyItems, metric: str) -> tuple[Measured, Measured]:
    """Both probes on the items that every run of both covers."""
    if gold.numbers is None:
        raise ValueError("only numbers are measured again on the items that two probes share")
    rows = study.rows_of(gold.ids)
    there = np.ones(len(rows), dtype=np.bool_)
    for run in (*first.runs, *second.runs):
        there &= np.isfinite(run.values[rows])
    shared = np.flatnonzero(there)
    if not len(shared):
        none = Measured.undefined(f"{first.name} and {second.name} cover no item in common", 0)
        return none, none
    units = units_of(gold)
    of_gold = gold.numbers[shared]

    def one(probe: Probe) -> Measured:
        runs = [run.values[rows][shared] for run in probe.runs]
        if units is not None:
            return mean_over([number_measures_by_units(x, of_gold, units.take(shared))[metric] for x in runs])
        return mean_over([number_measures(Groups.one(len(x)), x, of_gold)[metric][0] for x in runs])

    return one(first), one(second)
