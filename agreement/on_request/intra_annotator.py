"""Intra-annotator reliability: how far people agree with themselves when they are asked again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Floats, as_they_come
from ..estimation.estimate import Estimate
from ..kinds.statistics import statistics_of
from ..people.intra_annotator import FEWEST_ITEMS, FEWEST_PAIRS, IntraAnnotator, RepeatedAnswers, intra_annotator
from ..screening.screen import known_times
from .further_analysis import AnalysisInput, Cell, FurtherAnalysis, FurtherResult, Table

FEW_PAIRS = 30  # below, it is said
NO_REPEATS = (
    "{}, and it takes two pairs: check items that repeat another item, or a file in which people answer an item twice,"
    " read with repeats kept"
)


def is_label_or_number(inputs: AnalysisInput) -> bool:
    """Whether an answer is one label or one number."""
    kind = statistics_of(inputs.crowd.kind)
    is_number = kind.person is not None and kind.person.of_numbers
    is_label = kind.takes == "labels" and np.asarray(inputs.kept.answers).ndim == 1 and bool(inputs.crowd.labels)
    return is_number or is_label


def places_in(codes: np.ndarray[Any, np.dtype[np.integer]], size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """[size] the place of each code in the order in which the answers put them; codes that aren't there come last.

    >>> places_in(np.array([2, 2, 0]), 4).tolist()
    [1, 4, 0, 4]
    """
    place = np.full(size, size, dtype=np.int64)
    there = as_they_come(codes)
    place[there] = np.arange(len(there))
    return place


def _repeated(inputs: AnalysisInput) -> tuple[RepeatedAnswers, Floats | None]:
    """The kept answers to items that were asked again or judged by several, and when they were given, if it is known.

    Of two answers that nothing tells apart in time, that to the repeat comes second, then that in the later row.
    """
    crowd, question = inputs.crowd, inputs.crowd.question_of_item
    is_repeat = question != np.arange(crowd.n_items)
    counted = np.ones(crowd.n_judgments, dtype=np.bool_) if inputs.counted is None else inputs.counted
    rows = np.flatnonzero(counted & (crowd.on_target | is_repeat[crowd.item]))
    times = known_times(crowd)
    item, worker = question[crowd.item[rows]], crowd.worker[rows]
    place = places_in(inputs.kept.item, crowd.n_items)[item] * crowd.n_items + item  # of items nobody judged, by code
    when = (rows, is_repeat[crowd.item[rows]], np.zeros(len(rows)) if times is None else times[rows])
    order = np.lexsort((*when, places_in(inputs.kept.worker, crowd.n_workers)[worker], place))
    rows, item, worker = rows[order], item[order], worker[order]
    is_target = crowd.on_target[rows]
    pair = item * crowd.n_workers + worker
    firsts = np.zeros(len(rows), dtype=np.bool_)
    firsts[np.flatnonzero(is_target)[np.unique(pair[is_target], return_index=True)[1]]] = True
    answer = np.asarray(crowd.answers)[rows].astype(np.float64)
    answers = RepeatedAnswers(item, worker, answer, firsts, len(crowd.labels))
    return answers, None if times is None else times[rows]


def _reason_against(inputs: AnalysisInput) -> str:
    if not is_label_or_number(inputs):
        return f"it takes one label or one number an answer, and kind {inputs.crowd.kind} has neither"
    pairs = len(_repeated(inputs)[0].first)
    if pairs < FEWEST_PAIRS:
        return NO_REPEATS.format("one answer was given twice" if pairs else "nobody answered an item twice")
    return ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    answers, times = _repeated(inputs)
    made = intra_annotator(answers, rng=inputs.stream("intra-annotator"))
    says = [
        (
            f"Of {made.workers:,} people and {made.items:,} items there are {made.pairs:,} pairs of one person's"
            " answers to one item (Abercrombie et al. 2023)."
        ),
        _order_sentence(answers, times),
        _ratio_sentence(made),
    ]
    if not made.are_same_items:
        says.append(
            f"Fewer than {FEWEST_ITEMS} items were asked again: intervals are over workers, for these items, and"
            " agreement between people is of all items."
        )
    if made.pairs < FEW_PAIRS:
        says.append(f"{made.pairs} pairs are few: {FEW_PAIRS} or more would say more.")
    return FurtherResult(says, [_figures_table(made, has_labels=bool(answers.n_labels)), _workers(inputs, answers)])


def _order_sentence(answers: RepeatedAnswers, times: Floats | None) -> str:
    if times is None:
        return "Which came first is told by the item that repeats the other, or by the rows of the file."
    minutes = float(np.median(times[answers.first + 1] - times[answers.first])) / 60
    return (
        f"Which came first is told by the time; between the two lie {minutes:,.0f} minutes in the median, and people"
        " may remember what they answered a short time ago."
    )


def _ratio_sentence(made: IntraAnnotator) -> str:
    if not isinstance(made.ratio, Estimate):
        return f"There is no ratio to the agreement between people: {made.ratio.why}."
    ratio, low, high = made.ratio.estimate, made.ratio.low, made.ratio.high
    interval = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    first = f"People agree with themselves {ratio:.2f} times as far as with each other{interval}."
    if (ratio if low is None else low) > 1:
        return first
    return f"{first} So what they disagree on may be as much noise of each person as a difference between people."


def _figures_table(made: IntraAnnotator, *, has_labels: bool) -> Table:
    same = "Share of equal pairs" if has_labels else "Mean difference within a pair"
    own, between = ("Cohen's kappa", "Fleiss' kappa") if has_labels else ("ICC(A,1)", "ICC(1,1)")
    named = {
        f"{own}, a person with themselves": made.intra,
        f"{between}, between people": made.between,
        "Ratio of the two": made.ratio,
        same: made.same,
    }
    return Table(
        name="intra-annotator",
        caption="Agreement of people with themselves and with each other, with 95 % intervals.",
        columns={"statistic": "Statistic", "figure": "Figure"},
        rows=[{"statistic": name, "figure": figure} for name, figure in named.items()],
    )


def _workers(inputs: AnalysisInput, answers: RepeatedAnswers) -> Table:
    """The least consistent first."""
    first, W = answers.first, inputs.crowd.n_workers
    apart = np.abs(answers.answer[first] - answers.answer[first + 1])
    if answers.n_labels:
        apart = (apart > 0).astype(np.float64)
    n = np.bincount(answers.worker[first], minlength=W)
    mean = np.bincount(answers.worker[first], weights=apart, minlength=W) / np.maximum(n, 1)
    who = as_they_come(answers.worker[first])
    rows: list[dict[str, Cell]] = [
        {"worker": str(inputs.crowd.workers[worker]), "pairs": int(n[worker]), "apart": float(mean[worker])}
        for worker in who[np.argsort(-mean[who], kind="stable")].tolist()
    ]
    heading = "Share of pairs that differ" if answers.n_labels else "Mean difference"
    return Table(
        name="intra-annotator-workers",
        caption="How far each worker's two answers to an item differ; those that differ most first.",
        columns={"worker": "Worker", "pairs": "Pairs", "apart": heading},
        rows=rows,
    )


FURTHER = FurtherAnalysis(
    name="intra-annotator",
    order=8,
    title="Intra-annotator reliability",
    asks="How far do people agree with themselves when asked again, and how much further than with each other?",
    needs="one label or one number an answer, and items that people answered twice",
    docs="Intra-annotator reliability",
    why_not=_reason_against,
    compute=_compute,
)
