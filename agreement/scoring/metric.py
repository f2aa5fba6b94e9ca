"""What every metric of a score declares: its name, what people call it, its range and direction, and when it ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Bools
from ..estimation.estimate import Figure
from ..estimation.intervals import SHARE, Range
from .groups import Groups
from .jackknifed_metric import JackknifedMetric, Units
from .perplexity import Perplexity
from .probe import Probe, Run, Shape
from .score_gold import Gold, LabelGold

Rows: TypeAlias = npt.NDArray[np.int64]
# What ends the names of figures over templates or runs that stand beside their mean, and rank nothing.
SPREAD, MAXIMUM = "_sd", "_max"
BESIDE_THE_MEAN = (SPREAD, MAXIMUM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric of a score. Its family says how it is computed and which probes it is for."""

    name: str  # in report.json, in the database and in the addresses of leaderboards
    title: str  # in sentences and tables
    within: Range = SHARE  # the values that it can take
    smaller_is_better: bool = False
    ranks: bool = True
    missing_is_wrong: bool = False  # an item without an output is wrong: a probe that misses some may be ranked
    counts_missing: bool = False  # such an item is among the n of its figure
    chance: float | Callable[[LabelGold], float | None] | None = None  # what guessing scores; None: there is no level
    means: str = ""  # a sentence on what it takes as right
    beside_people: bool = True  # a column of the table of models and people; report.json has the others too
    is_in_words: bool = True  # a line of methods.md and of the terminal; report.json and leaderboards have all
    has_upper_bound: bool = False  # the report's `upper_bound` is the most that any model can reach by it
    # Whether a test over items and workers keeps its level where groups of people differ. What a majority or a filter
    # decides hardly moves when one worker is left out: its intervals and tests are then for these workers.
    holds_for_other_workers: bool = True
    person: str = ""  # what the same metric is called of a person against the others; "": people aren't scored by it
    person_title: str = ""  # where it differs

    def chance_on(self, gold: LabelGold | None, measured: JackknifedMetric) -> float | None:
        """The level of chance on labels of gold; elsewhere what the metric declares, or measured itself."""
        if callable(self.chance):
            return None if gold is None else self.chance(gold)
        return measured.chance if self.chance is None else self.chance


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """A run of a probe held against gold: `rows` are gold's items' places in the run's outputs; `covered` [N] marks
    those that every run has an output for, so that the runs of a probe are measured on the same items. `units` are what
    items share, where they do.
    """

    probe: Probe
    run: Run
    gold: Gold
    rows: Rows
    covered: Bools
    units: Units | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The metrics of one shape of probe, in the order of a report, and how they are measured.

    `gold` is what `Gold.scored_as` calls the gold, where probes of one shape are held against more than one sort.

    `against_gold` gives, for each group of items, every metric. A shape that is held against no gold has
    `without_gold`, which gives each metric's figure.
    """

    shape: Shape
    gold: str = ""  # else the same as the shape
    metrics: Sequence[Metric]
    against_gold: Callable[[Outputs, Sequence[Rows]], list[dict[str, JackknifedMetric]]] | None = None
    without_gold: Callable[[Perplexity], dict[str, Figure]] | None = None


def groups_of(members: Sequence[Rows]) -> Groups:
    return Groups(np.concatenate([[0], np.cumsum([len(items) for items in members])]).astype(np.int64))


def by_group(measures: dict[str, list[JackknifedMetric]], size: int) -> list[dict[str, JackknifedMetric]]:
    """Of each group every metric, from every metric's groups."""
    return [{name: each[index] for name, each in measures.items()} for index in range(size)]


# Which names of metrics nothing computes, each in a sentence with the nearest name that there is.


def unknown_metrics(names: Sequence[str]) -> list[str]:
    from .metrics import METRICS, is_metric  # whoever changes a study alone loads them

    unknown = [name for name in names if not is_metric(name)]
    near = {name: get_close_matches(name, METRICS, 1) for name in unknown}
    return [f"There is no metric {name}.{f' Is it {near[name][0]}?' if near[name] else ''}" for name in unknown]
