"""Variance components of judgments that are crossed: y_iw = mu + a_i + b_w + e_iw, items i by workers w.

Every worker judges many items and every item is judged by many workers, so that answers are not independent: what one
worker adds to everything doesn't average out over items. Of numbers they are restricted maximum likelihood
(`agreement/people/variance_components.py`). Answers that are labels or sets enter as vectors of zeros and ones, and a
component, by pairs of judgments, is then the sum over the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..estimation.design import design_of
from ..estimation.estimate import Undefined
from ..estimation.intervals import t_quantile
from ..people.variance_components import generalisability, variance_components
from ..scoring.alternative_annotator import LEAST_ITEMS, least_epsilon, shares_of_ties
from .printed_intervals import alpha_half_widths, gold_half_width, reliabilities

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Components:
    """sigma^2 of items, of workers and of what is left; from so many judgments."""

    item: float
    worker: float
    residual: float
    items: int
    workers: int
    judgments: int
    parts: float = 1.0  # by how much the variance of one number of an answer is smaller than that of all of them
    method: str = "pairs of judgments"
    drawn: tuple[
        tuple[float, float, float], ...
    ] = ()  # item, worker, residual of pilots whose workers and items are drawn
    ties: tuple[float, ...] = ()  # how often two people do equally well against 1, 2, ... others; () if not one answer

    @property
    def within(self) -> float:
        """The variance of one judgment around its item: sigma_w^2 + sigma_e^2."""
        return self.worker + self.residual

    @property
    def agreement(self) -> float:
        """sigma_i^2 / (sigma_i^2 + sigma_w^2 + sigma_e^2): alpha with infinitely many items and workers."""
        total = self.item + self.within
        return self.item / total if total else float("nan")

    def generalisability(self, judgments_per_item: int, *, same_workers: bool) -> float:
        """The reliability of an item's mean: of its place where the same workers judge all items, else of its value."""
        noise = self.residual if same_workers else self.within
        return generalisability(self.item, noise, judgments_per_item)


def components_of(
    item: Codes, worker: Codes, y: Floats, parts: float = 1.0, *, is_one_label: bool = False
) -> Components | Undefined:
    """Of answers [J, D], whatever the design [J], [J]: by REML of one number, by pairs of judgments of more; never
    below 0. `is_one_label` says that a row of y is 1 at the label that was given, and 0 elsewhere.
    """
    found = _of_numbers(item, worker, y[:, 0]) if y.shape[1] == 1 else _from_pairs(item, worker, y, parts)
    if isinstance(found, Undefined) or not (is_one_label or y.shape[1] == 1):
        return found
    answer = np.argmax(y, axis=1).astype(np.float64) if is_one_label else y[:, 0]
    return replace(found, ties=shares_of_ties(item, answer, is_label=is_one_label))


def _of_numbers(item: Codes, worker: Codes, y: Floats) -> Components | Undefined:
    """
    >>> item, worker = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    >>> y = np.array([0, 1, 2, 10, 11, 12, 20, 21, 22], float)  # items 10 apart, workers 1 apart, nothing else
    >>> found = _of_numbers(item, worker, y)
    >>> round(found.item, 9), round(found.worker, 9), round(found.residual, 9)
    (100.0, 1.0, 0.0)
    """
    found = variance_components(design_of(np.asarray(item, np.int64), np.asarray(worker, np.int64)), y)
    if isinstance(found, Undefined):
        return found
    sizes = found.items, found.workers, found.judgments
    return Components(found.item, found.worker, found.residual, *sizes, method=found.method)


def _from_pairs(item: Codes, worker: Codes, y: Floats, parts: float) -> Components | Undefined:
    """Half the mean squared distance of two judgments is sigma_w^2 + sigma_e^2 where they share the item, sigma_i^2 +
    sigma_e^2 where they share the worker, and the sum of all three where they share neither. (Searle, Casella and
    McCulloch 1992, Variance Components, 5.)
    """
    items, i = np.unique(item, return_inverse=True)
    workers, w = np.unique(worker, return_inverse=True)
    same_item, pairs_i = _distances(i, len(items), y)
    same_worker, pairs_w = _distances(w, len(workers), y)
    everything, pairs = _distances(np.zeros(len(y), dtype=np.int64), 1, y)
    neither, pairs_n = everything - same_item - same_worker, pairs - pairs_i - pairs_w
    if not pairs_i:
        return Undefined("no item has two judgments")
    if not pairs_w or not pairs_n:
        return Undefined("no worker has judged two items that others have judged too")
    v_item, v_worker, v_neither = same_item / pairs_i, same_worker / pairs_w, neither / pairs_n
    return Components(
        item=max(v_neither - v_item, 0.0),
        worker=max(v_neither - v_worker, 0.0),
        residual=max(v_item + v_worker - v_neither, 0.0),
        items=len(items),
        workers=len(workers),
        judgments=len(y),
        parts=parts,
    )


def _distances(group: Codes, groups: int, y: Floats) -> tuple[float, float]:
    """Half the squared distances over all ordered pairs within groups, sum_g (n_g sum |y|^2 - |sum y|^2), and their
    number.
    """
    n = np.bincount(group, minlength=groups).astype(np.float64)
    squares = np.bincount(group, weights=(y**2).sum(axis=1), minlength=groups)
    sums = np.stack([np.bincount(group, weights=column, minlength=groups) for column in y.T], axis=1)
    return float((n * squares - (sums**2).sum(axis=1)).sum()), float((n * (n - 1)).sum())


# How precise a study will be, by its judgments per item: by simulated studies of crossed items and workers.

Z = 1.959964  # of a 95 % interval
POWER = 0.841621  # of 80 %: a difference of (Z + POWER) standard errors is found in four studies of five
JUDGMENTS_PER_ITEM = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60)
# What keeps a page fast: so many simulated judgments for each number of judgments per item, of so many items at most.
SIMULATED, MOST_ITEMS = 600_000, 600
FEWEST_STUDIES, MOST_STUDIES = 40, 400
ASSURANCE = 0.8  # of the studies get what a plan promises
LEAST_ASSURANCE, MOST_ASSURANCE = 0.5, 0.95  # that can be asked for: few studies are simulated
MODEL_CORRELATION = 0.6  # assumed of two models that are to be told apart, whose errors are independent


class Goal(StrEnum):
    ALPHA = "alpha"  # half the width of the interval that is printed with alpha
    GOLD = "gold"  # half the width of one item's 95 % interval
    MODELS = "models"  # the least difference between two models' correlations that is found in four studies of five
    RELIABILITY = "reliability"  # the reliability of the gold that is printed
    ALT_TEST = "alt-test"  # the least epsilon at which a model like one more person passes it in four studies of five

    @property
    def rises(self) -> bool:
        """Whether more of it is better."""
        return self == Goal.RELIABILITY


@dataclass(frozen=True, slots=True)
class Point:
    judgments_per_item: int
    workers: int
    precision: float


def workers_for(items: int, judgments_per_item: int, items_per_worker: int) -> int:
    """N = ceil(N k / m), and at least k: nobody judges an item twice.

    >>> workers_for(66, 10, 20), workers_for(66, 10, 500)
    (33, 10)
    """
    each = min(items_per_worker, items)
    return max(ceil(items * judgments_per_item / each), judgments_per_item)


def why_no_plan(components: Components, goal: Goal, *, items: int, items_per_worker: int) -> str:
    """Why these judgments and this study have no such plan; "" where they have one."""
    if goal in {Goal.MODELS, Goal.RELIABILITY} and not components.item:
        return "the items don't differ beyond noise"
    if goal != Goal.ALT_TEST:
        return ""
    if not components.ties:
        return "the test takes one label or one number an answer, and items that three people judged"
    if min(items, items_per_worker) < LEAST_ITEMS:
        return f"the test takes {LEAST_ITEMS} items or more of each person"
    return ""


def curve(
    components: Components,
    goal: Goal,
    *,
    items: int,
    items_per_worker: int,
    seed: int = 1,
    assurance: float = ASSURANCE,
) -> list[Point]:
    """What `assurance` of the studies print, or better, with each number of judgments per item. More judgments never
    make what is simulated worse: what looks so is chance of the simulation, and is smoothed away.
    """
    return points_of(components, goal, JUDGMENTS_PER_ITEM, items, items_per_worker, seed=seed, assurance=assurance)


def points_of(
    components: Components,
    goal: Goal,
    each: Sequence[int],
    items: int,
    items_per_worker: int,
    *,
    seed: int,
    assurance: float,
) -> list[Point]:
    """The curve at `each` number of judgments per item."""
    found = [
        precisions([components], goal, k, items, items_per_worker, seed=seed, assurance=assurance)[0] for k in each
    ]
    smooth = np.maximum.accumulate(found) if goal.rises else np.minimum.accumulate(found)
    return [
        Point(k, workers_for(items, k, items_per_worker), float(precision))
        for k, precision in zip(each, smooth, strict=True)
    ]


def precisions(
    several: Sequence[Components],
    goal: Goal,
    k: int,
    items: int,
    items_per_worker: int,
    *,
    seed: int,
    assurance: float,
    simulated: int = SIMULATED,
    fewest: int = FEWEST_STUDIES,
) -> list[float]:
    """What `assurance` of the studies with k judgments per item print, or better, if the components are each of these:
    the same simulated studies for all of them, of about as many judgments as are to be `simulated`, `fewest` at least.
    """
    if goal == Goal.ALT_TEST:
        workers, m = workers_for(items, k, items_per_worker), min(items, items_per_worker)
        return [least_epsilon(one.ties, k, workers, m) for one in several]
    if goal == Goal.GOLD:
        return [gold_half_width(one.within / one.parts, k, assurance) for one in several]
    shown = min(items, MOST_ITEMS)
    studies = int(np.clip(simulated // (shown * k), fewest, MOST_STUDIES))
    rng = np.random.default_rng([seed, k])
    worker = places(shown, k, min(items_per_worker, shown), rng)
    standard = standard_studies(studies, worker, rng)
    if goal == Goal.MODELS:
        models = rng.standard_normal((2, studies, shown))
        return [
            _least_difference(one, *judged_studies(one, standard, worker), models, int(worker.max()) + 1)
            for one in several
        ]
    found = []
    for one in several:
        y = judged_studies(one, standard, worker)[1]
        if goal == Goal.RELIABILITY:
            reliable = reliabilities(y, worker, same_workers=items_per_worker >= items)
            found.append(float(np.quantile(reliable, 1 - assurance)))
        else:
            half = alpha_half_widths(y, worker)
            found.append(float(np.quantile(np.where(np.isnan(half), 1.0, half), assurance)))
    return found


def first_within(points: Sequence[Point], target: float, most_workers: int | None, goal: Goal) -> Point | None:
    """The fewest judgments per item that are precise enough with the people that there are."""
    reached = (point for point in points if (point.precision >= target if goal.rises else point.precision <= target))
    return next((point for point in reached if most_workers is None or point.workers <= most_workers), None)


def places(items: int, k: int, m: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """[N, k] the worker of each judgment, as places are given out: every item once, then every item once more; each
    worker takes the next m, none of them twice.
    """
    worker = np.empty((items, k), dtype=np.int64)
    taken, last = 0, np.empty(0, dtype=np.int64)  # of the worker who is under way
    number = 0
    for layer in range(k):
        order = rng.permutation(items)
        if taken:  # what this worker has had goes to the end
            had = np.isin(order, last)
            order = np.concatenate([order[~had], order[had]])
        position = 0
        while position < items:
            part = order[position : position + m - taken]
            if taken and np.isin(part, last).any():  # a worker who has had all of them leaves earlier
                part = part[~np.isin(part, last)]
            if not len(part):
                number, taken, last = number + 1, 0, np.empty(0, dtype=np.int64)
                continue
            worker[part, layer] = number
            position += len(part)
            taken, last = taken + len(part), np.concatenate([last, part])
            if taken >= m:
                number, taken, last = number + 1, 0, np.empty(0, dtype=np.int64)
    return worker


Standard: TypeAlias = tuple[Floats, Floats, Floats]


def standard_studies(studies: int, worker: npt.NDArray[np.int64], rng: np.random.Generator) -> Standard:
    """[R, N] of items, [R, W] of workers and [R, N, k] of what is left, normal with variance 1."""
    items, k = worker.shape
    sizes = (studies, items), (studies, int(worker.max()) + 1), (studies, items, k)
    a, b, e = (rng.standard_normal(size) for size in sizes)
    return a, b, e


def judged_studies(components: Components, standard: Standard, worker: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """[R, N] the items' true values and [R, N, k] their judgments, normal with these components."""
    a, b, e = standard
    y = sqrt(components.residual) * e
    y += (sqrt(components.worker) * b)[:, worker]
    of_items = sqrt(components.item) * a
    y += of_items[:, :, None]
    return of_items, y


def _least_difference(components: Components, a: Floats, y: Floats, models: Floats, workers: int) -> float:
    """In the correlation with the items' true values, which the gold's noise shrinks by the root of its reliability.
    `models` [2, R, N] is what two of them get wrong.
    """
    if not components.item:
        return float("inf")
    truth = a / sqrt(components.item)
    noise = sqrt(1 - MODEL_CORRELATION**2)
    gold = y.mean(axis=2)
    scores = [_correlations(MODEL_CORRELATION * truth + noise * error, gold) for error in models]
    reliability = components.item / (components.item + components.within / y.shape[2])
    t = t_quantile(0.975, max(min(y.shape[1], workers) - 1, 1))
    return float((t + POWER) * np.std(scores[0] - scores[1], ddof=1) / sqrt(reliability))


def _correlations(x: Floats, y: Floats) -> Floats:
    """[R] Pearson's r of each study."""
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    return np.asarray((x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1)))
