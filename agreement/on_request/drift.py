"""Drift and order: whether the position in the assignment changes answers, or how far people are from others.

Each outcome y is regressed on the position p, 0 for the first answer of an assignment and 1 for the last, with an
effect of each item and each assignment: y = b p + item + assignment + e. The slope b is the change from the first
answer to the last. Its error is clustered by worker (Cameron and Miller 2015): the jackknife over workers of sums of
residuals, its variance times J / (J - N + 1) for the N items' effects, t with W - 1 df.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..errors import Refused
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import SAME, t_quantile, variance
from ..scoring.paired_tests import holm
from ..screening.screen import known_times
from .further_analysis import AnalysisInput, Argument, Cell, FurtherAnalysis, FurtherResult, Table
from .intra_annotator import is_label_or_number

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


ROWS = "rows"  # the argument that says in which order the rows of the file stand
MOST_LABELS = 20  # the commonest
LITTLE_FREE = 0.5  # of the variance of positions
MANY_TIED = 0.1
DISTANCE = {True: "Disagreement with the others", False: "Distance from the mean of the others"}


def _read_argument(text: str) -> str:
    if text != ROWS:
        raise Refused(
            f"order: {text!r} is not {ROWS}, which says that rows stand in the order in which people answered"
        )
    return text


def _ordered(inputs: AnalysisInput) -> tuple[OrderedAnswers, Floats, float]:
    """The kept answers to target items with their positions, and the share of them whose time is also another's."""
    crowd = inputs.crowd
    times = None if inputs.argument == ROWS else known_times(crowd)
    when = np.arange(crowd.n_judgments, dtype=np.float64) if times is None else times
    named = np.asarray(crowd.extras["assignment_id"].astype("category").cat.codes, dtype=np.int64)
    key = crowd.worker.astype(np.int64) * (int(named.max(initial=0)) + 2) + named
    assignment = np.unique(key, return_inverse=True)[1]
    order = np.lexsort((when, assignment))
    n = np.bincount(assignment)
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) - np.repeat(np.cumsum(n) - n, n)
    position = place / np.maximum(n[assignment] - 1, 1)
    same = (np.diff(when[order]) == 0) & (np.diff(assignment[order]) == 0)
    tied = float(np.mean(np.append(same, False) | np.insert(same, 0, False))) if len(order) else 0.0
    kept = crowd.on_target if inputs.counted is None else crowd.on_target & inputs.counted
    answers = OrderedAnswers(crowd.item.astype(np.int64), crowd.worker, assignment, position).take(kept)
    return answers, np.asarray(crowd.answers)[kept].astype(np.float64), tied


def _reason_against(inputs: AnalysisInput) -> str:
    if not is_label_or_number(inputs):
        return f"it takes one label or one number an answer, and kind {inputs.crowd.kind} has neither"
    if inputs.argument != ROWS and known_times(inputs.crowd) is None:
        return (
            "nobody knows in which order people answered: not every answer has a time (submitted_at); if the rows of"
            f" the file stand in that order, ask for drift:{ROWS}"
        )
    answers, values, _ = _ordered(inputs)
    changes, distance = _changes(inputs, answers, values)
    figures = [*(change.figure for change in changes.values()), distance.figure]
    if not any(isinstance(figure, Estimate) for figure in figures):
        return next(figure.why for figure in figures if not isinstance(figure, Estimate))
    return ""


def _changes(inputs: AnalysisInput, answers: OrderedAnswers, values: Floats) -> tuple[dict[str, Change], Change]:
    """Of the number or of each label, and of the distance from the others."""
    labels = inputs.crowd.labels
    distance = distance_from_others(answers.item, answers.worker, values, len(labels))
    has_others = np.isfinite(distance)
    of_distance = change_along(answers.take(has_others), distance[has_others], "slope of the distance")
    if not labels:
        return {"Answer": change_along(answers, values, "slope of the answer")}, of_distance
    counts = np.bincount(values.astype(np.int64), minlength=len(labels))
    used = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]][:MOST_LABELS]
    if len(used) == 2:  # what one of two labels gains the other loses
        used = [max(used)]
    return {
        f"Share of {labels[code]}": change_along(answers, (values == code).astype(np.float64), "slope of the share")
        for code in sorted(used)
    }, of_distance


def _compute(inputs: AnalysisInput) -> FurtherResult:
    answers, values, tied = _ordered(inputs)
    changes, distance = _changes(inputs, answers, values)
    p = holm(np.array([np.nan if change.p is None else change.p for change in changes.values()]))
    corrected = [None if np.isnan(each) else float(each) for each in p]
    name = DISTANCE[bool(inputs.crowd.labels)]
    says = [
        _definition("the rows of the file" if inputs.argument == ROWS else "the time"),
        *_order_notes(inputs, distance, next(iter(changes.values())), tied),
        _answers_sentence(changes, corrected),
        _sentence(name, distance),
    ]
    rows: list[dict[str, Cell]] = [
        {"outcome": outcome, "change": change.figure, "p": each}
        for (outcome, change), each in zip(changes.items(), corrected, strict=True)
    ]
    rows.append({"outcome": name, "change": distance.figure, "p": distance.p})
    holm_note = " p of labels are after Holm's correction." if len(changes) > 1 else ""
    table = Table(
        name="drift",
        caption=f"Change from the first answer of an assignment to the last, with 95 % intervals.{holm_note}",
        columns={"outcome": "Outcome", "change": "Change", "p": "p"},
        rows=rows,
    )
    return FurtherResult(says, [table, _means_table({**changes, name: distance})])


def _definition(told_by: str) -> str:
    return (
        "Drift is the change from the first answer of an assignment to the last, by linear regression on its position,"
        f" told by {told_by}; items and people are allowed for, errors are clustered by worker (Cameron and Miller"
        " 2015)."
    )


def _order_notes(inputs: AnalysisInput, distance: Change, answer: Change, tied: float) -> list[str]:
    notes = []
    if inputs.argument != ROWS and tied > MANY_TIED:
        notes.append(
            f"{tied:.0%} of the answers have the time of another of the same person, and stand in the order of the"
            " rows."
        )
    if (free := max(distance.free, answer.free)) < LITTLE_FREE:
        notes.append(
            f"People had the items in orders much alike: {free:.0%} of the variance of positions is free of the items,"
            " so that only a large drift would be found."
        )
    return notes


def _answers_sentence(changes: dict[str, Change], p: Sequence[float | None]) -> str:
    if len(changes) == 1:
        [(name, change)] = changes.items()
        return _sentence(name, change)
    changed = [name.removeprefix("Share of ") for name, each in zip(changes, p, strict=True) if (each or 1.0) < 0.05]
    if not changed:
        return "Of no label a change of its share is found."
    return f"The share changes of {', '.join(changed)} (p < .05 after Holm's correction)."


def _sentence(name: str, change: Change) -> str:
    figure = change.figure
    if not isinstance(figure, Estimate):
        return f"{name}: undefined: {figure.why}."
    if figure.low is None or figure.high is None or change.p is None:
        return f"{name}: {figure.estimate:+.3g}, without an interval."
    interval = f"{figure.estimate:+.3g} ({figure.low:+.3g} to {figure.high:+.3g})"
    if change.p < 0.05:
        return f"{name} changes by {interval}."
    return f"{name}: no change is found, {interval}."


def _means_table(changes: dict[str, Change]) -> Table:
    """The mean of each outcome in each fifth of the assignments."""
    return Table(
        name="drift-parts",
        caption=f"Means of each outcome by part of the assignment (first to last of {PARTS}), items and people allowed"
        " for; without intervals.",
        columns={"outcome": "Outcome", **{f"part_{part}": f"Part {part + 1}" for part in range(PARTS)}},
        rows=[
            {
                "outcome": name,
                **{f"part_{part}": None if np.isnan(mean) else float(mean) for part, mean in enumerate(change.means)},
            }
            for name, change in changes.items()
            if isinstance(change.figure, Estimate)
        ],
    )


FURTHER = FurtherAnalysis(
    name="drift",
    order=9,
    title="Drift and order",
    asks="Does the position in the assignment change what people answer, or how far they are from others?",
    needs="one label or one number an answer, three workers, and times of answers or rows in the order of answering",
    docs="Drift and order",
    argument=Argument(
        label="what tells the order",
        help=f"{ROWS} if the rows of the file stand in the order in which people answered; the times if left out",
        read=_read_argument,
    ),
    why_not=_reason_against,
    compute=_compute,
)
