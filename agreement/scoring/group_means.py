"""Groups of models averaged: each metric's mean over the models of a group, with its interval where it has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.scoring.jackknifed_metric import mean_over
from agreement.scoring.metric import SPREAD
from agreement.scoring.metrics import METRICS
from agreement.scoring.probe import Probe
from agreement.scoring.score import ProbeScores, Score
from agreement.stats.estimate import Estimate, Figure, Undefined


@dataclass(frozen=True, slots=True, eq=False)
class GroupMeans:
    """The models of a group and the means of their scores."""

    group: str
    probes: tuple[str, ...]
    scores: tuple[Score, ...]


def group_means(probes: Sequence[Probe], scored: Sequence[ProbeScores]) -> list[GroupMeans]:
    """Of each group that some probe names, in the order of the groups' names."""
    names = sorted({probe.group for probe in probes if probe.group})
    found = []
    for name in names:
        members = [one for probe, one in zip(probes, scored, strict=True) if probe.group == name]
        found.append(GroupMeans(name, tuple(one.probe for one in members), tuple(_means(members))))
    return found


def _means(members: Sequence[ProbeScores]) -> list[Score]:
    by_place: dict[tuple[str, str, str], list[Score]] = {}
    for one in members:
        for score in one.scores:
            if not score.metric.endswith(SPREAD):
                by_place.setdefault((score.metric, score.breakdown, score.group), []).append(score)
    return [_mean(scores, len(members)) for scores in by_place.values()]


def _mean(scores: Sequence[Score], n_members: int) -> Score:
    """Over the models that have the metric: one that gives labels alone has none of probabilities."""
    first = scores[0]
    there = [score for score in scores if isinstance(score.figure, Estimate)]
    of = f"{len(there)} of {n_members}" if len(there) < n_members else f"{n_members}"
    what = f"{first.metric}, mean over {of} models"
    figure: Figure
    if not there:
        figure = Undefined(f"{what}: no model of the group has it")
        return Score(first.metric, first.breakdown, first.group, figure, 0, first.chance)
    n = max(score.n for score in there)
    measured = [score.measured for score in there if score.measured is not None]
    if len(measured) == len(there):
        figure = mean_over(measured).figure(n, what, METRICS[first.metric].within)
    else:
        estimates = [score.figure.estimate for score in there if isinstance(score.figure, Estimate)]
        figure = Estimate(float(np.mean(estimates)), None, None, n, f"{what}; no interval in a part of the items")
    return Score(first.metric, first.breakdown, first.group, figure, n, first.chance)
