"""Metrics of one number an item against numbers: over all items or by group, and with each item left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ...arrays import Floats, divide
from ...estimation.intervals import AMOUNT, CORRELATION
from ..correlation import (
    Correlation,
    deletions,
    kendall,
    pearson,
    spearman,
    spearman_of_ranks,
)
from ..groups import Groups
from ..jackknifed_metric import JackknifedMetric, Units, cross_fitted_errors
from ..metric import Family, Metric, Outputs, Rows, by_group, groups_of
from ..score_gold import NOTHING

CONSTANT = "the prediction or the gold never varies, or there are fewer than two items"


@dataclass(frozen=True, eq=False)
class PairedValues:
    """x [J] beside gold [J] in groups, the items in group order; what several metrics need is made once."""

    groups: Groups
    x: Floats
    gold: Floats

    @cached_property
    def correlations(self) -> dict[str, tuple[Floats, Floats]]:
        return deletions(self.groups, self.x, self.gold)

    @cached_property
    def squares(self) -> Floats:
        """[J] squared errors after a straight line."""
        errors: Floats = cross_fitted_errors(self.groups, self.x, self.gold)
        return errors**2


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMetric(Metric):
    """`measure_outputs` in each group with each item left out; `without` [U] over all items with each unit left out.

    People are scored by `by_group` [G]; by `of_ranks` where it looks at nothing but centred ranks within the groups.
    """

    measured: Callable[[PairedValues], list[JackknifedMetric]]
    without: Callable[[PairedValues, Units], Floats]
    by_group: Correlation | None = None
    of_ranks: Correlation | None = None


def _correlation(name: str, paired: PairedValues) -> list[JackknifedMetric]:
    thetas, without = paired.correlations[name]
    return [
        JackknifedMetric(float(theta), part, why=CONSTANT, is_correlation=True)
        for theta, part in zip(thetas, paired.groups.parts(without), strict=True)
    ]


def _correlation_without(correlation: Correlation, paired: PairedValues, units: Units) -> Floats:
    def correlation_of(groups: Groups, items: npt.NDArray[np.int64]) -> Floats:
        return correlation(groups, paired.x[items], paired.gold[items])

    return units.without(correlation_of)


def _rmse(paired: PairedValues) -> list[JackknifedMetric]:
    """Sqrt of each group's mean squared error; leaving an item out takes its own error and leaves the other lines."""
    groups, squares = paired.groups, paired.squares
    n = groups.spread(groups.sizes.astype(np.float64))
    rest = divide(groups.spread(groups.sum(squares)) - squares, np.maximum(n - 1, 0))
    theta, without = np.sqrt(divide(groups.sum(squares), groups.sizes)), np.sqrt(np.maximum(rest, 0.0))
    why = "an affine fit on the other items needs three items or more"
    return [
        JackknifedMetric(float(one), part) if len(part) > 2 else JackknifedMetric.undefined(why, len(part))
        for one, part in zip(theta, groups.parts(without), strict=True)
    ]


def _rmse_without(paired: PairedValues, units: Units) -> Floats:
    squares = paired.squares
    sums, counts = units.sums(squares), units.sums(np.ones(len(squares)))
    return np.sqrt(np.maximum(divide(squares.sum() - sums, len(squares) - counts), 0.0))


def _of_correlation(
    name: str,
    title: str,
    by_group: Correlation,
    *,
    of_ranks: Correlation | None = None,
    has_upper_bound: bool = False,
) -> NumberMetric:
    return NumberMetric(
        name=name,
        title=title,
        within=CORRELATION,
        chance=0.0,
        person=name,
        measured=partial(_correlation, name),
        without=partial(_correlation_without, by_group),
        by_group=by_group,
        of_ranks=of_ranks,
        has_upper_bound=has_upper_bound,
    )


SPEARMAN = _of_correlation("spearman", "Spearman correlation", spearman, of_ranks=spearman_of_ranks)
PEARSON = _of_correlation("pearson", "Pearson correlation", pearson, has_upper_bound=True)
KENDALL = _of_correlation("kendall", "Kendall's tau", kendall)
RMSE = NumberMetric(
    name="rmse", title="RMSE", within=AMOUNT, smaller_is_better=True, measured=_rmse, without=_rmse_without
)
METRICS = (SPEARMAN, PEARSON, KENDALL, RMSE)
OF_PEOPLE: Mapping[str, NumberMetric] = MappingProxyType({metric.person: metric for metric in METRICS if metric.person})


def number_measures(groups: Groups, x: Floats, gold: Floats) -> dict[str, list[JackknifedMetric]]:
    """Every metric of x [J] against gold [J] in each group; the items are in group order."""
    paired = PairedValues(groups, x, gold)
    return {metric.name: metric.measured(paired) for metric in METRICS}


def number_measures_by_units(x: Floats, gold: Floats, units: Units) -> dict[str, JackknifedMetric]:
    """The same over all items, leaving out each unit with all its items; terms also keep the deletions of pairs."""
    paired = PairedValues(Groups.one(len(x)), x, gold)
    measures = {}
    for metric in METRICS:
        [by_item] = metric.measured(paired)
        measures[metric.name] = by_item
        if by_item.is_defined or by_item.is_correlation:
            pairs = by_item.without if units.what == "terms" else None
            measures[metric.name] = replace(
                by_item, without=metric.without(paired, units), units=units.what, pairs=pairs
            )
    return measures


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """Of the items that every run covers."""
    gold, units = outputs.gold.numbers, outputs.units
    if gold is None:
        raise ValueError(NOTHING)
    x, covered = outputs.run.values[outputs.rows], [items[outputs.covered[items]] for items in members]
    if units is not None:
        return [number_measures_by_units(x[items], gold[items], units.take(items)) for items in covered]
    order = np.concatenate(covered)
    return by_group(number_measures(groups_of(covered), x[order], gold[order]), len(covered))


FAMILY = Family(shape="numbers", metrics=METRICS, against_gold=measure_outputs)
