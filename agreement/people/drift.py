"""Drift: whether the place of an answer in its assignment changes what people answer, or how far they are from others.

Each outcome y is regressed on the position p, 0 for the first answer of an assignment and 1 for the last, with an
effect of each item and each assignment: y = b p + item + assignment + e. The slope b is the change from the first
answer to the last. Its error is clustered by worker (Cameron and Miller 2015): the jackknife over workers of sums of
residuals, its variance times J / (J - N + 1) for the N items' effects, t with W - 1 df.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import SAME, t_quantile, variance

FEWEST_WORKERS = 3
FEWEST_OTHERS = 2  # of two people who judged an item both are equally far from each other, wherever it stood
LEAST_FREE = 0.01  # of the variance of positions, that items' places don't tell
MOST_SWEEPS, NEAR = 500, 1e-9
PARTS = 5  # of an assignment, in which means are shown
SAME_ORDER = "everybody had the items in nearly the same order, so that position can't be told from the items"


@dataclass(frozen=True, slots=True, eq=False)
class OrderedAnswers:
    """Judgments [J]: `assignment` is a code of each worker's assignments, `position` from 0 to 1 within it."""

    item: Ints
    worker: Ints
    assignment: Ints
    position: Floats

    def take(self, keep: Bools) -> OrderedAnswers:
        return OrderedAnswers(self.item[keep], self.worker[keep], self.assignment[keep], self.position[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What changes from the first answer of an assignment to the last; `free` is the share of the variance of positions
    that items' places don't tell, `means` [5] are of the fifths of an assignment, items and assignments allowed for.
    """

    figure: Figure
    p: float | None
    free: float
    means: Floats


def change_along(answers: OrderedAnswers, y: Floats, name: str) -> Change:
    """The slope of the outcome y [J], with its interval and p."""
    nothing = np.full(PARTS, np.nan)
    x, of, n = answers.position, answers.assignment, _size(answers.assignment)
    within = x - divide(sum_by(of, x, n), np.bincount(of, minlength=n))[of]
    x, residual = _without_effects(answers, x), _without_effects(answers, y)
    whole, xx = float(within @ within), float(x @ x)
    free = xx / whole if whole > 0 else 0.0
    W = len(np.unique(answers.worker))
    if why := _why_not(answers, y, whole, free, W):
        return Change(Undefined(why), None, free, nothing)
    b = float(x @ residual) / xx
    residual_of_b = residual - b * x
    worker = np.unique(answers.worker, return_inverse=True)[1]
    left_xx, left_xy = xx - sum_by(worker, x * x, W), -sum_by(worker, x * residual_of_b, W)
    without = b + divide(left_xy, left_xx)
    J, N = len(y), len(np.unique(answers.item))
    se = float(np.sqrt(variance(without) * J / (J - N + 1)))
    part = np.minimum((answers.position * PARTS).astype(np.int64), PARTS - 1)
    means = y.mean() + divide(sum_by(part, residual, PARTS), np.bincount(part, minlength=PARTS))
    if not np.isfinite(se) or se < SAME * max(float(np.ptp(y)), 1e-300):
        why = "leaving out any worker gives the same figure" if np.isfinite(se) else "one worker has all that counts"
        return Change(Estimate(b, None, None, J, f"{name}; no interval: {why}"), None, free, means)
    half = t_quantile(0.975, W - 1) * se
    method = f"{name}, items and assignments allowed for; errors clustered by worker, t with {W - 1} df"
    p = 2 * float(special.stdtr(W - 1, -abs(b) / se))
    return Change(Estimate(b, b - half, b + half, J, method), p, free, means)


def _why_not(answers: OrderedAnswers, y: Floats, whole: float, free: float, W: int) -> str:
    if not len(y):
        return "no item was judged by three people"
    if W < FEWEST_WORKERS:
        return f"it takes {FEWEST_WORKERS} workers, for errors are between workers"
    if not (np.bincount(answers.item) >= 2).any():
        return "no item has two judgments"
    if not whole > 0:
        return "nobody gave two answers"
    if free < LEAST_FREE:
        return SAME_ORDER
    return "all answers are the same" if np.ptp(y) == 0 else ""


def _size(codes: Ints) -> int:
    return int(codes.max(initial=-1)) + 1


def _without_effects(answers: OrderedAnswers, y: Floats) -> Floats:
    """What of y [J] the effects of items and assignments don't tell: means taken off in turns until nothing moves."""
    y = y - y.mean() if len(y) else y
    nearly = NEAR * float(np.abs(y).max(initial=0.0))
    codes = (answers.item, answers.assignment)
    n = [np.bincount(each) for each in codes]
    for _ in range(MOST_SWEEPS):
        moved = 0.0
        for each, counts in zip(codes, n, strict=True):
            mean = divide(sum_by(each, y, len(counts)), counts, by_zero=0.0)
            y = y - mean[each]
            moved = max(moved, float(np.abs(mean).max(initial=0.0)))
        if moved <= nearly:
            break
    return y


def distance_from_others(item: Ints, worker: Ints, answer: Floats, n_labels: int) -> Floats:
    """[J] how far an answer is from the mean of the others' answers to the item, or the share of the others who gave
    another label; NaN where there are fewer than two others.
    """
    pair = np.unique(item.astype(np.int64) * _size(worker) + worker, return_inverse=True)[1]

    def of_others(codes: Ints, own: Ints, values: Floats) -> Floats:
        return np.asarray(sum_by(codes, values, _size(codes))[codes] - sum_by(own, values, _size(own))[own])

    ones = np.ones(len(item))
    n = of_others(item, pair, ones)
    enough = n >= FEWEST_OTHERS
    if not n_labels:
        distance = np.abs(answer - divide(of_others(item, pair, answer), n))
    else:
        label = answer.astype(np.int64)
        distance = 1 - divide(of_others(item * n_labels + label, pair * n_labels + label, ones), n)
    return np.where(enough, distance, np.nan)
