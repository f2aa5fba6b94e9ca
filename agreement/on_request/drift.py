"""Drift and order: whether the position in the assignment changes answers, or how far people are from others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..errors import Refused
from ..estimation.estimate import Estimate
from ..people.drift import PARTS, Change, OrderedAnswers, change_along, distance_from_others
from ..scoring.paired_tests import holm
from ..screening.screen import known_times
from .further_analysis import AnalysisInput, Argument, Cell, FurtherAnalysis, FurtherResult, Table
from .intra_annotator import is_label_or_number

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
