"""Groups of models: read from a table `probe,group`, and averaged, with intervals where their metrics have one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..estimation.estimate import Estimate, Figure, Undefined
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import Source, required_table
from .jackknifed_metric import mean_over
from .metric import BESIDE_THE_MEAN
from .metrics import METRICS
from .probe import Probe
from .score import ProbeScores, Score

COLUMNS = ("probe", "group")


def read_groups(path: Source, probes: Sequence[str]) -> dict[str, str]:
    """Each probe's group, by the name of the probe's file without its ending."""
    problems = Problems(path.name)
    table = required_table(path, problems, COLUMNS, "a row is a probe and the group that it belongs to")
    found: dict[str, str] = {}
    cells = (table.columns[name].text().tolist() for name in COLUMNS)
    for row, probe, group in zip(table.rows.tolist(), *cells, strict=True):
        if probe.strip() not in probes:
            problems.row(row, f"{quote_cell(probe)} is none of the probes {', '.join(probes) or '(there are none)'}")
        elif probe.strip() in found:
            problems.row(row, f"{quote_cell(probe)} is in the group {quote_cell(found[probe.strip()])} already")
        elif not group.strip():
            problems.row(row, f"{quote_cell(probe)} has no group; leave out the probes that belong to none")
        found.setdefault(probe.strip(), group.strip())
    refuse_if_any(problems)
    return found


def grouped(probe: Probe, groups: Mapping[str, str]) -> Probe:
    return replace(probe, group=groups.get(probe.name, ""))


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
            if not score.metric.endswith(BESIDE_THE_MEAN):
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
