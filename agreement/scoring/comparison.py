"""Several probes on one gold: which stands where, and which differences are real."""

from collections.abc import Sequence

import numpy as np

from agreement.scoring.breakdowns import Part
from agreement.scoring.gold import Gold
from agreement.scoring.measured import Measured, mean_over
from agreement.scoring.pairs import Difference, differences
from agreement.scoring.probe import Probe, StudyItems, covered_by
from agreement.scoring.score import SMALLER_IS_BETTER, ProbeScores
from agreement.scoring.shapes import measured_parts
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
    return differences(metric, measured, smaller_is_better=smaller, partial=partial, remeasure=remeasure)


def _on_both(first: Probe, second: Probe, gold: Gold, study: StudyItems, metric: str) -> tuple[Measured, Measured]:
    """Both probes on the items that every run of both covers."""
    rows = study.rows_of(gold.ids)
    covered = covered_by([*first.runs, *second.runs])[rows]
    shared = np.flatnonzero(covered)
    if not len(shared):
        none = Measured.undefined(f"{first.name} and {second.name} cover no item in common", 0)
        return none, none
    units, part = units_of(gold), Part("", ("",), (shared,))

    def one(probe: Probe) -> Measured:
        return mean_over(
            [measured_parts(probe, run, gold, rows, part, covered, units)[0][metric] for run in probe.runs]
        )

    return one(first), one(second)
