"""Agreement, ceilings and gold as functions: one figure each, of a data frame or an array of answers.

They compute what a report of the same answers has, and nothing is cleaned away before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pandas as pd

from ..analysis.run_statistics import people_in
from ..errors import TouchstoneError
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..kinds.statistics import statistics_of
from ..people import chance_corrected, cohen
from ..people.agreement_report import Level
from ..people.human_ceiling import noise_ceiling, upper_bound_of
from ..people.leave_one_out import LEAST_ITEMS, typical_person
from ..people.numeric_statistics import numeric_statistics
from ..people.raw_statistic import report_statistic
from ..scoring.crowd_gold import gold_frame
from ..typical_filters import AS_PUBLISHED
from .read_answers import Answers, ReadAnswers


class UndefinedFigure(TouchstoneError, ValueError):
    """There is no figure of these answers, and the sentence says why."""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """How well people do, which a model should be compared with; each a figure, or why there is none.

    upper_bound: the most that a model can correlate with the gold. leave_one_out: a typical person against the
    others' gold. noise_lower, noise_upper: the noise ceiling, where everybody judged everything.
    """

    upper_bound: Figure
    leave_one_out: Figure
    noise_lower: Figure
    noise_upper: Figure


def alpha(data: Answers, level: Level = "interval", *, seed: int = 1) -> Estimate:
    """Krippendorff's alpha.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers] with blanks where nobody answered
    level : "nominal", "ordinal", "interval" or "ratio"; labels are nominal
    seed : of the interval

    Returns
    -------
    Estimate
        With estimate, low, high, n and method; the interval is over items and workers.

    Examples
    --------
    >>> alpha([[90, 80, 85], [20, 10, 15], [60, 70, 55]]).estimate > 0.9
    True
    >>> alpha([["yes", "yes"], ["no", "no"], ["yes", "no"]], "nominal").estimate.__round__(3)
    0.444
    """
    read = ReadAnswers.of(data, as_labels=level == "nominal")
    if level == "nominal":
        return _figure(report_statistic(read.labelled(seed).alpha).headline)
    statistic = numeric_statistics(read.design, read.numbers, (level,), seed=seed, replicates=0, alone=True).by_name[
        level
    ]
    return _figure(report_statistic(statistic).headline)


def fleiss_kappa(data: Answers, *, seed: int = 1) -> Estimate:
    """Fleiss' kappa of labels by any number of workers.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    seed : of the interval

    Returns
    -------
    Estimate

    Examples
    --------
    >>> round(fleiss_kappa([["yes", "yes"], ["no", "no"], ["yes", "no"]]).estimate, 3)
    0.333
    """
    return _figure(
        report_statistic(ReadAnswers.of(data, as_labels=True).labelled(seed, with_alpha=False).kappa).headline
    )


def cohen_kappa(data: Answers, weights: cohen.Weights = "plain", *, labels: Sequence[str] = ()) -> Estimate:
    """Cohen's kappa of two workers who gave labels.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, 2]
    weights : "plain", or of ordered labels "linear" or "quadratic"
    labels : all labels in their order, which weights need

    Returns
    -------
    Estimate

    Examples
    --------
    >>> cohen_kappa([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]]).estimate
    0.5
    """
    read = ReadAnswers.of(data, as_labels=True, labels=labels)
    return _figure(cohen.cohen_kappa(read.design, read.codes, len(read.crowd.labels), weights))


def ac1(data: Answers) -> Estimate:
    """Gwet's AC1, which doesn't fall where one label is much commoner than the others.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]

    Returns
    -------
    Estimate

    Examples
    --------
    >>> round(ac1([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]]).estimate, 4)
    0.5294
    """
    return _gwet(data, "identity", ())


def ac2(data: Answers, labels: Sequence[str], weights: Literal["linear", "quadratic"] = "quadratic") -> Estimate:
    """Gwet's AC2 of ordered labels.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    labels : all labels in their order
    weights : "linear" or "quadratic"

    Returns
    -------
    Estimate

    Examples
    --------
    >>> answers = [["low", "low"], ["low", "mid"], ["high", "high"], ["mid", "high"]]
    >>> round(ac2(answers, ["low", "mid", "high"]).estimate, 3)
    0.636
    """
    return _gwet(data, weights, labels)


def icc(data: Answers, *, average: bool = False, seed: int = 1) -> Estimate:
    """The one-way intraclass correlation: ICC(1,1) of one judgment, or ICC(1,k) of an item's average.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    average : of the average of an item's judgments
    seed : of the interval

    Returns
    -------
    Estimate

    Examples
    --------
    >>> round(icc([[90, 80, 85], [20, 10, 15], [60, 70, 55]]).estimate, 3)
    0.972
    """
    return _of_numbers(data, "icc1k" if average else "icc1", seed)


def split_half(data: Answers, *, seed: int = 1) -> Estimate:
    """The split-half reliability of the items' means, expected over all splits and stepped up to all judgments.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    seed : of the interval

    Returns
    -------
    Estimate

    Examples
    --------
    >>> 0.9 < split_half([[90, 80, 85, 95], [20, 10, 15, 5], [60, 70, 55, 50], [40, 30, 35, 45]]).estimate < 1
    True
    """
    return _of_numbers(data, "split_half", seed)


def leave_one_out(
    data: Answers, *, kind: str | None = None, labels: Sequence[str] = (), least_items: int = LEAST_ITEMS, seed: int = 1
) -> Estimate:
    """How well a typical person does against the gold of the others: the mean over workers.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    kind : the kind of question; numbers are a slider's and texts labels unless it is said
    labels : all labels, in order
    least_items : workers with fewer items don't count
    seed : of the interval

    Returns
    -------
    Estimate
        Its method names the metric.

    Examples
    --------
    >>> rows = [[item * 8 + who * item % 3 for who in range(5)] for item in range(12)]
    >>> round(leave_one_out(rows).estimate, 2)
    1.0
    """
    read = ReadAnswers.of(data, kind=kind, labels=labels)
    return _figure(_typical(read, seed, least_items))


def ceilings(data: Answers, *, seed: int = 1) -> Ceilings:
    """How well people do on numbers, which a model should be compared with.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    seed : of the intervals

    Returns
    -------
    Ceilings
        Of each an Estimate, or an Undefined whose `why` says why there is none.

    Examples
    --------
    >>> rows = [[item * 8 + who * item % 3 for who in range(5)] for item in range(12)]
    >>> ceilings(rows).upper_bound.estimate > 0.99
    True
    """
    read = ReadAnswers.of(data, as_labels=False)
    halves = report_statistic(
        numeric_statistics(read.design, read.numbers, (), seed=seed, replicates=0).by_name["split_half"]
    ).headline
    item, worker, value = read.sample.item, read.sample.worker, read.numbers
    noise = noise_ceiling(item, worker, value, read.crowd.n_items)
    bound = upper_bound_of(item, worker, value, halves)
    return Ceilings(bound, _typical(read, seed, LEAST_ITEMS), noise.lower, noise.upper)


def gold_table(data: Answers, *, kind: str | None = None, labels: Sequence[str] = ()) -> pd.DataFrame:
    """What people say of each item, of all answers as they are; `analyse` cleans them first.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    kind : the kind of question; numbers are a slider's and texts labels unless it is said
    labels : all labels, in order

    Returns
    -------
    DataFrame
        A row per item, with the columns of gold.csv.

    Examples
    --------
    >>> gold_table([[90, 80, 85], [20, 10, 15]])[["item_id", "mean", "n"]].to_dict("records")
    [{'item_id': '0', 'mean': 85.0, 'n': 3}, {'item_id': '1', 'mean': 15.0, 'n': 3}]
    """
    read = ReadAnswers.of(data, kind=kind, labels=labels)
    return gold_frame(read.crowd, read.sample, AS_PUBLISHED)


def _figure(figure: Figure) -> Estimate:
    if isinstance(figure, Undefined):
        raise UndefinedFigure(figure.why)
    return replace(figure, most_influential_worker=None)  # who is known here by a code alone


def _gwet(data: Answers, weights: chance_corrected.Weights, labels: Sequence[str]) -> Estimate:
    read = ReadAnswers.of(data, as_labels=True, labels=labels)
    return _figure(chance_corrected.chance_corrected(read.design, read.codes, len(read.crowd.labels), weights)["gwet"])


def _of_numbers(data: Answers, name: str, seed: int) -> Estimate:
    read = ReadAnswers.of(data, as_labels=False)
    return _figure(
        report_statistic(
            numeric_statistics(read.design, read.numbers, (), seed=seed, replicates=0).by_name[name]
        ).headline
    )


def _typical(read: ReadAnswers, seed: int, least_items: int) -> Figure:
    person = statistics_of(read.crowd.kind).person
    if person is None:
        return Undefined(f"leave-one-out: kind {read.crowd.kind} has no metric of one person against the others")
    people = people_in(person, read.crowd, read.sample, AS_PUBLISHED)
    typical = typical_person(people, rng=stream(seed, "leave_one_out"), least_items=least_items)
    figure = typical.pooled if people.pools else typical.mean
    if isinstance(figure, Undefined):
        return figure
    return replace(figure, method=f"{typical.metric}; {figure.method}", most_influential_worker=None)
