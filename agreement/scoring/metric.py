"""What every metric of a score declares: its name, what people call it, its range and direction, and when it ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, divide
from ..estimation.estimate import Figure
from ..estimation.intervals import SHARE, Range
from . import step_metrics as steps
from .groups import Groups
from .jackknifed_metric import JackknifedMetric, Units
from .label_metrics import Table, Weights
from .perplexity import Perplexity
from .probe import Probe, Run, Shape
from .score_gold import Gold, LabelGold

NO_GOLD = "no item has gold for it"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMetric(Metric):
    """`needs_probabilities`: a probe that names labels and no probabilities isn't scored by it. `needs_same_labels`:
    nor is any where items have labels of their own.
    """

    needs_probabilities: bool = False
    needs_same_labels: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditMetric(LabelMetric):
    """A mean over items of what each earns: `credit` of p [J, L] against label sets [J, L]; NaN counts nowhere.

    The sets are the typical labels, or with `of_majority` the majority and its ties. `constant` is what each label
    earns against such sets as the answer to everything.
    """

    credit: Callable[[Floats, Bools], Floats]
    of_majority: bool = False
    constant: Callable[[Bools], Weights] = np.asarray

    def earned(self, p: Floats, gold: LabelGold) -> Floats | None:
        return self.credit(p, gold.majority if self.of_majority else gold.sets)

    @property
    def why_left_out(self) -> str:
        return "there is no gold for it"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareMetric(LabelMetric):
    """A mean over items of `credit` of p [J, L] against gold shares [J, L]. A constant answer may have a score on it:
    what each label earns as in `CreditMetric`, against the majority.

    `of_answer` is there where the credit is the mean over an item's answers of what each of them earns: [J, L] for each
    label that it gives, as a weight, and [J] whatever it gives.
    """

    credit: Callable[[Floats, Floats], Floats]
    of_answer: Callable[[Floats], tuple[Floats, Floats]] | None = None
    constant: Callable[[Bools], Weights] | None = None
    infinite: str = ""  # why there is no figure where an item's credit is infinite

    def earned(self, p: Floats, gold: LabelGold) -> Floats | None:
        return None if gold.shares is None else self.credit(p, gold.shares)

    @property
    def why_left_out(self) -> str:
        return "a side is constant or missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleMetric(ShareMetric):
    """The same of the shares of people who gave each label, which add up to more than 1 where people give several."""

    def earned(self, p: Floats, gold: LabelGold) -> Floats | None:
        chosen = gold.shares if gold.chosen is None else gold.chosen
        return None if chosen is None else self.credit(p, chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMetric(LabelMetric):
    """The mean over labels of a figure of a label's hits and misses; `of_table` [G, L]."""

    of_table: Callable[[Table], Floats]
    # [G, L] the same of a label that is the answer to everything, from its credit s_l [G, L] in n things [G, 1].
    of_constant: Callable[[Floats, Floats], Floats] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledMetric(LabelMetric):
    """A figure of p [J, L] and gold shares [J, L] that is no mean over items: in each group, and by units."""

    in_groups: Callable[[Groups, Floats, Floats], list[JackknifedMetric]]
    by_units: Callable[[Floats, Floats, Units], JackknifedMetric]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMetric(LabelMetric):
    """Of labels that are the points of a scale: the label that is named, as a step, against people's median step. A
    mean of `distance`, or a figure that is no mean over items.
    """

    distance: Callable[[Floats, Floats, int], Floats] | None = None
    formula: steps.Formula | None = None

    @property
    def why_left_out(self) -> str:
        return "there is no output that is one of the scale's labels, or no gold"

    def measured(self, groups: Groups, p: Floats, median: Floats, n_labels: int) -> list[JackknifedMetric]:
        """In each group, with each item left out."""
        if self.formula is not None:
            return steps.in_groups(self.formula, groups, steps.named_steps(p, n_labels), median)
        assert self.distance is not None  # noqa: S101  for the type checker: it has one of the two
        parts = groups.parts(self.distance(p, median, n_labels))
        return [JackknifedMetric.of_mean(part, NO_GOLD, _left_out_note(part, self)) for part in parts]

    def measured_by_units(self, p: Floats, median: Floats, n_labels: int, units: Units) -> JackknifedMetric:
        """Over all items, leaving out each unit with all its items."""
        if self.formula is not None:
            return steps.by_units(self.formula, steps.named_steps(p, n_labels), median, units)
        assert self.distance is not None  # noqa: S101
        return mean_by_units(self.distance(p, median, n_labels), units, self)


def mean_over_items(
    credit: Floats, metric: CreditMetric | ShareMetric, units: Units | None, why_undefined: str
) -> JackknifedMetric:
    """The mean of what items earn, with each item left out, or what items share where they do."""
    if units is not None:
        return mean_by_units(credit, units, metric)
    if isinstance(metric, ShareMetric) and np.isposinf(credit).any():
        return JackknifedMetric.undefined(metric.infinite, len(credit))
    return JackknifedMetric.of_mean(credit, why_undefined, _left_out_note(credit, metric))


def mean_by_units(credit: Floats, units: Units, metric: CreditMetric | ShareMetric | StepMetric) -> JackknifedMetric:
    is_known = np.isfinite(credit)
    if not is_known.any() or np.isposinf(credit).any():
        why = metric.infinite if isinstance(metric, ShareMetric) and np.isposinf(credit).any() else NO_GOLD
        return JackknifedMetric.undefined(why, units.size)
    known = np.where(is_known, credit, 0.0)
    sums, sizes = units.sums(known), units.sums(is_known.astype(np.float64))
    without = divide(known.sum() - sums, is_known.sum() - sizes)
    theta = float(known.sum() / is_known.sum())
    return JackknifedMetric(theta, without, *counting(is_known, units), units.what, note=_left_out_note(credit, metric))


def counting(is_known: Bools, units: Units) -> tuple[Bools, int]:
    """[U] the units that hold an item which counts, and how many such items there are."""
    return units.sums(is_known.astype(np.float64)) > 0, int(is_known.sum())


def _left_out_note(credit: Floats, metric: CreditMetric | ShareMetric | StepMetric) -> str:
    lost = int(np.sum(~np.isfinite(credit)))
    return f"{lost} of {len(credit)} items left out, where {metric.why_left_out}" if lost else ""


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

    `against_gold` gives, for each group of items, every metric; `figures_alone`, where that is quicker, every metric's
    figure over all items. A shape that is held against no gold has
    `without_gold`, which gives each metric's figure.
    """

    shape: Shape
    gold: str = ""  # else the same as the shape
    metrics: Sequence[Metric]
    against_gold: Callable[[Outputs, Sequence[Rows]], list[dict[str, JackknifedMetric]]] | None = None
    figures_alone: Callable[[Outputs], dict[str, float]] | None = None
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
