"""Metrics of one number an item against numbers: over all items or by group, and with each item left out."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ...arrays import Floats, divide
from ...estimation.intervals import AMOUNT, CORRELATION
from ...files.numbers import Scale
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
FEW_FOR_A_LINE = "an affine fit on the other items needs three items or more"


@dataclass(frozen=True, eq=False)
class PairedValues:
    """x [J] beside gold [J] in groups, the items in group order; what several metrics need is made once.

    `scale` is the one on which people answered, where there is one.
    """

    groups: Groups
    x: Floats
    gold: Floats
    scale: Scale | None = None

    @cached_property
    def correlations(self) -> dict[str, tuple[Floats, Floats]]:
        return deletions(self.groups, self.x, self.gold)

    @cached_property
    def calibrated_errors(self) -> Floats:
        """[J] errors after a straight line."""
        errors: Floats = cross_fitted_errors(self.groups, self.x, self.gold)
        return errors

    @cached_property
    def is_off_scale(self) -> bool:
        """Whether some x is no answer that a person could have given."""
        return self.scale is not None and bool(
            ((self.x < float(self.scale.low)) | (self.x > float(self.scale.high))).any()
        )

    @property
    def largest_error(self) -> float:
        """The width of the scale: no two answers on it are further apart."""
        return math.inf if self.scale is None else float(self.scale.high - self.scale.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberMetric(Metric):
    """`measure_outputs` in each group with each item left out; `without` [U] over all items with each unit left out;
    `figure` over all items alone.

    People are scored by `by_group` [G]; by `of_ranks` where it looks at nothing but centred ranks within the groups.
    """

    measured: Callable[[PairedValues], list[JackknifedMetric]]
    without: Callable[[PairedValues, Units], Floats]
    figure: Callable[[PairedValues], float]
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


@dataclass(frozen=True, slots=True)
class ErrorMeasure:
    """The mean of the errors' squares, under a root, or of their sizes: of x as it is, or after a line (`calibrated`).

    Leaving an item out takes its own error; after a line it leaves the other lines as they are. On a scale no error
    of answers is larger than its width, and no limit either.
    """

    of_squares: bool
    calibrated: bool = False

    def _rows(self, paired: PairedValues) -> Floats:
        """[J] what the items' mean is taken of."""
        errors = paired.calibrated_errors if self.calibrated else paired.x - paired.gold
        return errors**2 if self.of_squares else np.abs(errors)

    def _of_means(self, means: Floats) -> Floats:
        return np.sqrt(np.maximum(means, 0.0)) if self.of_squares else means

    def figure(self, paired: PairedValues) -> float:
        least, _ = self._least
        return float(self._of_means(self._rows(paired).mean())) if len(paired.x) >= least else math.nan

    @property
    def _least(self) -> tuple[int, str]:
        """The fewest items that have a figure, and why fewer have none."""
        return (3, FEW_FOR_A_LINE) if self.calibrated else (1, "there is no item")

    def measured(self, paired: PairedValues) -> list[JackknifedMetric]:
        groups, rows = paired.groups, self._rows(paired)
        n = groups.spread(groups.sizes.astype(np.float64))
        rest = divide(groups.spread(groups.sum(rows)) - rows, np.maximum(n - 1, 0))
        theta = self._of_means(divide(groups.sum(rows), groups.sizes))
        least, why = self._least
        is_off = paired.is_off_scale and not self.calibrated
        note = f"some outputs are off the scale {paired.scale}" if is_off else ""
        most = math.inf if is_off else paired.largest_error
        return [
            JackknifedMetric(float(one), part, note=note, most=most)
            if len(part) >= least
            else JackknifedMetric.undefined(why, len(part))
            for one, part in zip(theta, groups.parts(self._of_means(rest)), strict=True)
        ]

    def without(self, paired: PairedValues, units: Units) -> Floats:
        rows = self._rows(paired)
        sums, counts = units.sums(rows), units.sums(np.ones(len(rows)))
        return self._of_means(divide(rows.sum() - sums, len(rows) - counts))


def _of_errors(
    name: str, title: str, errors: ErrorMeasure, *, beside_people: bool = True, means: str = ""
) -> NumberMetric:
    return NumberMetric(
        name=name,
        title=title,
        within=AMOUNT,
        smaller_is_better=True,
        beside_people=beside_people,
        means=means,
        measured=errors.measured,
        figure=errors.figure,
        without=errors.without,
    )


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
        figure=lambda paired: float(by_group(paired.groups, paired.x, paired.gold)[0]),
        without=partial(_correlation_without, by_group),
        by_group=by_group,
        of_ranks=of_ranks,
        has_upper_bound=has_upper_bound,
    )


SPEARMAN = _of_correlation("spearman", "Spearman correlation", spearman, of_ranks=spearman_of_ranks)
PEARSON = _of_correlation("pearson", "Pearson correlation", pearson, has_upper_bound=True)
KENDALL = _of_correlation("kendall", "Kendall's tau", kendall)
RMSE = _of_errors("rmse", "RMSE", ErrorMeasure(of_squares=True))
MAE = _of_errors("mae", "MAE", ErrorMeasure(of_squares=False), beside_people=False)
RMSE_CALIBRATED = _of_errors(
    "rmse_calibrated",
    "RMSE after a fitted line",
    ErrorMeasure(of_squares=True, calibrated=True),
    means="RMSE and MAE are errors of the outputs as they are; RMSE after a fitted line is of each item's distance from"
    " the least-squares line of the other items, whose slope is 0 or more.",
)
METRICS = (SPEARMAN, PEARSON, KENDALL, RMSE, MAE, RMSE_CALIBRATED)
OF_PEOPLE: Mapping[str, NumberMetric] = MappingProxyType({metric.person: metric for metric in METRICS if metric.person})


def number_measures(
    groups: Groups, x: Floats, gold: Floats, scale: Scale | None = None
) -> dict[str, list[JackknifedMetric]]:
    """Every metric of x [J] against gold [J] in each group; the items are in group order."""
    paired = PairedValues(groups, x, gold, scale)
    return {metric.name: metric.measured(paired) for metric in METRICS}


def figures_alone(outputs: Outputs) -> dict[str, float]:
    """Of the items that every run covers, with nothing left out."""
    gold, items = outputs.gold.numbers, np.flatnonzero(outputs.covered)
    if gold is None:
        raise ValueError(NOTHING)
    x = outputs.run.values[outputs.rows][items]
    paired = PairedValues(Groups.one(len(items)), x, gold[items], outputs.gold.scale)
    return {metric.name: metric.figure(paired) for metric in METRICS}


def number_measures_by_units(
    x: Floats, gold: Floats, units: Units, scale: Scale | None = None
) -> dict[str, JackknifedMetric]:
    """The same over all items, leaving out each unit with all its items; terms also keep the deletions of pairs."""
    paired = PairedValues(Groups.one(len(x)), x, gold, scale)
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
    gold, units, scale = outputs.gold.numbers, outputs.units, outputs.gold.scale
    if gold is None:
        raise ValueError(NOTHING)
    x, covered = outputs.run.values[outputs.rows], [items[outputs.covered[items]] for items in members]
    if units is not None:
        return [number_measures_by_units(x[items], gold[items], units.take(items), scale) for items in covered]
    order = np.concatenate(covered)
    return by_group(number_measures(groups_of(covered), x[order], gold[order], scale), len(covered))


FAMILY = Family(shape="numbers", metrics=METRICS, against_gold=measure_outputs, figures_alone=figures_alone)
