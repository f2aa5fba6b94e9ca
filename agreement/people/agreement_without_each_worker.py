"""Influence: how far people agree once each worker in turn is left out, in closed form for all workers at once.

Of numbers and labels the figure is Krippendorff's alpha, of several labels in one answer the mean of their alphas:
without worker w exactly that of the crowd in which w never took part. Of orders it is Kendall's W, from the pairs that
are left and each item's number of orders as it was, for W of fewer orders is larger by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import divide
from ..estimation.design import Design, design_of
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import Deletions, Range, two_way
from ..judgments.crowd import Crowd, Sample, options_per_judgment
from ..kinds.answers import Answers, Properties
from ..kinds.statistics import statistics_of
from . import alpha
from .agreement_report import Level
from .label_reports import MOST_COLUMNS, NAMED_OFTEN
from .own_label_agreement import own_label_kappa


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """A figure of agreement theta over `design`, and itself with each item, worker and judgment left out.

    `worker` [W] is defined where `deletions.worker` isn't, for labels that nobody else chose: they leave the mean.
    """

    name: str
    theta: float
    deletions: Deletions
    worker: Floats
    design: Design
    within: Range


StatisticWithout: TypeAlias = "Callable[[Design, Answers], LeftOut | Undefined]"


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """`figure` is that of all workers; `without` [n_workers] the same without each, nan where it is undefined.

    A worker whose judgments nobody else's stand beside changes nothing.
    """

    name: str
    figure: Figure
    without: Floats

    @property
    def change(self) -> Floats:
        """[n_workers] what leaving a worker out adds: above 0, people agree more without them."""
        full = self.figure.estimate if isinstance(self.figure, Estimate) else np.nan
        return np.asarray(self.without - full)

    @property
    def most_influential(self) -> int | None:
        """The worker whose leaving changes the figure most, by code; of several the first."""
        change = np.abs(self.change)
        return int(np.nanargmax(change)) if np.nanmax(change, initial=0.0) > 0 else None


def influence_of(
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: Answers,
    measured: StatisticWithout | None,
    *,
    n_workers: int,
) -> Influence:
    """`item`, `worker` [J] are codes, the workers' below `n_workers`; judgments on target items only.

    Three raters, of whom the third turns every answer round:

    >>> item, worker = np.tile(np.arange(4), 3), np.repeat(np.arange(3), 4)
    >>> value = np.array([1.0, 2, 3, 4, 1, 2, 3, 4, 4, 3, 2, 1])
    >>> found = influence_of(item, worker, value, alpha_of_numbers, n_workers=3)
    >>> round(found.figure.estimate, 4), found.without.round(4).tolist(), found.most_influential
    (-0.2222, [-0.75, -0.75, 1.0], 2)
    """
    nobody = np.full(n_workers, np.nan)
    if measured is None:
        return Influence("", Undefined("there is no figure of agreement on free texts"), nobody)
    design = design_of(item, worker)
    left = measured(design, answers)
    if isinstance(left, Undefined):
        return Influence("", left, nobody)
    interval = two_way(left.theta, left.deletions, within=left.within)
    n = left.design.items
    figure = Estimate(left.theta, interval.low, interval.high, n, f"{left.name}; {interval.method}", interval.over)
    without = np.full(n_workers, left.theta)
    without[left.design.worker_codes] = left.worker
    return Influence(left.name, figure, without)


def measure_of(crowd: Crowd, sample: Sample) -> StatisticWithout | None:
    """The figure for a crowd's answers: of items with labels of their own, that against the chance of each item."""
    n_options = options_per_judgment(crowd, sample.item)
    if n_options is None:
        return statistics_of(crowd.kind).influence

    def own_labels(design: Design, answers: Answers) -> LeftOut | Undefined:
        of_item = np.ones(design.items)
        of_item[design.item] = n_options
        kappa = own_label_kappa(design, np.asarray(answers).astype(np.int64), of_item)
        if isinstance(kappa, Undefined):
            return kappa
        name = "Kappa against 1/k of each item's own labels"
        return LeftOut(name, kappa.theta, kappa.deletions, kappa.deletions.worker, design, kappa.within)

    return own_labels


# What is left out, by the type of the answers.


def alpha_of_numbers(design: Design, answers: Answers) -> LeftOut | Undefined:
    return _mean_alpha(design, [np.asarray(answers, dtype=np.float64)], "interval", "")


def alpha_of_labels(design: Design, answers: Answers) -> LeftOut | Undefined:
    return _mean_alpha(design, [np.asarray(answers, dtype=np.float64)], "nominal", "")


def alpha_of_label_sets(design: Design, answers: Answers) -> LeftOut | Undefined:
    """Each label as chosen or not."""
    return _mean_alpha(design, list(np.asarray(answers, dtype=np.float64).T), "nominal", "labels")


def alpha_of_numbers_by_label(design: Design, answers: Answers) -> LeftOut | Undefined:
    return _mean_alpha(design, list(np.asarray(answers, dtype=np.float64).T), "interval", "labels")


def alpha_of_properties(design: Design, answers: Answers) -> LeftOut | Undefined:
    """The commonest properties as named or not, as the report of agreement looks at them."""
    if not isinstance(answers, Properties):
        raise TypeError("properties are compared in answers that are Properties")
    frequency = np.bincount(answers.property, minlength=len(answers.names))
    commonest = np.argsort(-frequency, kind="stable")[:MOST_COLUMNS]
    judgment = np.repeat(np.arange(len(answers)), np.diff(answers.offsets))
    columns = []
    for code in commonest[frequency[commonest] >= NAMED_OFTEN]:
        column = np.zeros(len(answers))
        column[judgment[answers.property == code]] = 1.0
        columns.append(column)
    if not columns:
        return Undefined(f"no property was named in {NAMED_OFTEN} judgments or more")
    return _mean_alpha(design, columns, "nominal", "properties")


def _mean_alpha(design: Design, columns: Sequence[Floats], level: Level, noun: str) -> LeftOut | Undefined:
    """Alpha of one column, or the mean over those columns in which people didn't all answer the same."""
    alphas: list[tuple[float, Deletions]] = []
    paired, why = design, Undefined("there are no labels to compare")
    for column in columns:
        data = alpha.pairable(design, column + 0.0)
        if isinstance(data, Undefined):
            why = data
            continue
        delta = alpha.distance(data, level)
        if isinstance(delta, Undefined):
            why = delta
            continue
        paired = data.design
        alphas.append((alpha.alpha_of(data, delta), alpha.deletions(data, delta)))
    if not alphas:
        return why
    items, workers, judgments = (
        np.stack([getattr(left, name) for _, left in alphas]) for name in ("item", "worker", "judgment")
    )
    of = f", mean over {len(alphas)} {noun}" if noun else ""
    return LeftOut(
        name=f"Krippendorff's alpha ({level}){of}",
        theta=float(np.mean([theta for theta, _ in alphas])),
        deletions=Deletions(items.mean(axis=0), workers.mean(axis=0), judgments.mean(axis=0)),
        worker=_mean_of_defined(workers),
        design=paired,
        within=paired.agreement_range,
    )


def _mean_of_defined(rows: Floats) -> Floats:
    """[W] the mean over rows of what is defined, nan where nothing is."""
    is_defined = np.isfinite(rows)
    count = is_defined.sum(axis=0)
    total = np.where(is_defined, rows, 0.0).sum(axis=0)
    return divide(total, count)
