"""Several probes on one gold: which stands where, and which differences are real."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np

from .gold_without_workers import LeaveOutScores
from .jackknifed_metric import JackknifedMetric, mean_over, units_of
from .metric import Outputs
from .metrics import METRICS, measured_parts
from .other_workers import gap_over_workers
from .paired_tests import Difference, Gap, differences, paired
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
