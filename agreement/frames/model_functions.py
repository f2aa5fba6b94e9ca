"""Models beside people, as functions: the alternative annotator test, and comparisons of models by people's gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..analysis.score_probes import score_probes, study_items
from ..arrays import Floats
from ..errors import PYTHON, use_surface
from ..estimation.estimate import Estimate, stream
from ..kinds.statistics import statistics_of
from ..scoring.alternative_annotator import (
    EPSILON,
    FEWEST,
    LEAST_ITEMS,
    PASS,
    Annotators,
    alternative_annotator_tests,
    named_labels,
)
from ..scoring.crowd_gold import gold_of_sample
from ..scoring.near_chance import near_chance
from ..scoring.probe import Probe, refuse_unfit
from ..scoring.probe_file import probe_of_table
from ..typed_json import object_of
from ..typical_filters import AS_PUBLISHED
from .frame_tables import table_of_frame
from .people_functions import UndefinedFigure
from .read_answers import Answers, ReadAnswers


@dataclass(frozen=True, slots=True)
class AnnotatorTest:
    """Whether a model may stand in for a person: it may where `winning_rate` is .5 or more.

    `near_chance` are annotators who agree with the others hardly better than by chance, and
    `winning_rate_without_them` is that of the others, by which it is judged; None where fewer than three are left.
    `advantage` is the share of items on which the model is as close to the other people as the person whom it
    replaces, the mean over annotators; `annotators` has a row for each of them.
    """

    winning_rate: float
    advantage: Estimate
    annotators: pd.DataFrame
    near_chance: tuple[str, ...] = ()
    winning_rate_without_them: float | None = None

    @property
    def is_passed(self) -> bool:
        rate = self.winning_rate_without_them if self.near_chance else self.winning_rate
        return rate is not None and rate >= PASS


def alternative_annotator_test(
    data: Answers,
    model: pd.DataFrame,
    *,
    epsilon: float = EPSILON,
    least_items: int = LEAST_ITEMS,
    kind: str | None = None,
    labels: Sequence[str] = (),
    seed: int = 1,
) -> AnnotatorTest:
    """The alternative annotator test of Calderon et al. (2025).

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    model : DataFrame with item_id and what the model gives, in any shape that docs/formats.md has for models
    epsilon : by how much a person has to be better, for what a person costs
    least_items : annotators with fewer items don't count
    kind, labels : of the question; numbers are a slider's and texts labels unless it is said
    seed : of the interval

    Returns
    -------
    AnnotatorTest

    Examples
    --------
    >>> answers = [["yes"] * 3 if item % 2 else ["no", "no", "no" if item % 6 else "yes"] for item in range(40)]
    >>> model = pd.DataFrame({"item_id": range(40), "label": ["yes" if item % 2 else "no" for item in range(40)]})
    >>> alternative_annotator_test(answers, model).is_passed
    True
    """
    read = ReadAnswers.of(data, kind=kind, labels=labels)
    people, output = _people_and_output(read, model)
    rng = stream(seed, "alt-test")
    [tested] = alternative_annotator_tests(people, [output], epsilon=epsilon, rng=rng, least_items=least_items)
    if tested is None:
        raise UndefinedFigure(f"no annotator has {least_items} items that count")
    rows = [
        (str(read.crowd.workers[one.worker]), one.items, one.advantage, one.p, one.is_won) for one in tested.annotators
    ]
    annotators = pd.DataFrame(rows, columns=["worker_id", "items", "advantage", "p", "is_won"]).sort_values(
        "worker_id", ignore_index=True
    )
    clickers = near_chance(people)
    rate = _rate_without(people, clickers, output, epsilon, least_items, seed) if len(clickers) else None
    named = tuple(str(read.crowd.workers[one]) for one in clickers)
    return AnnotatorTest(tested.winning_rate, tested.advantage, annotators, named, rate)


def _people_and_output(read: ReadAnswers, model: pd.DataFrame) -> tuple[Annotators, Floats]:
    """People's answers, and the model's one output for each item."""
    probe = _probe("model", model, read)
    statistics = statistics_of(read.crowd.kind)
    person, is_labels = statistics.person, statistics.takes == "labels" and np.asarray(read.sample.answers).ndim == 1
    if not is_labels and (person is None or not person.of_numbers):
        raise UndefinedFigure(f"it takes one label or one number an answer, and kind {read.crowd.kind} has neither")
    if probe.shape != statistics.takes:
        raise UndefinedFigure(f"the model gives {probe.shape}, and people give {statistics.takes}")
    answers = np.asarray(read.sample.answers, dtype=np.float64)
    count = len(read.crowd.labels) if is_labels else 0
    runs = [np.asarray(run.values, dtype=np.float64) for run in probe.runs]
    output = named_labels(runs) if count else np.mean(runs, axis=0)
    return Annotators(read.sample.item, read.sample.worker, answers, read.crowd.n_items, count), output


def _rate_without(
    people: Annotators, who: npt.NDArray[np.intp], output: Floats, epsilon: float, least_items: int, seed: int
) -> float | None:
    """The winning rate without some annotators; None where too few are left for a verdict."""
    rng, others = stream(seed, "alt-test others"), people.without(who)
    [test] = alternative_annotator_tests(others, [output], epsilon=epsilon, rng=rng, least_items=least_items)
    return None if test is None or len(test.annotators) < FEWEST else test.winning_rate


def compare_models(
    data: Answers,
    models: Mapping[str, pd.DataFrame],
    *,
    kind: str | None = None,
    labels: Sequence[str] = (),
    seed: int = 1,
) -> pd.DataFrame:
    """Every pair of models by how well they meet people's gold, with tests over items and workers.

    Parameters
    ----------
    data : DataFrame with worker_id, item_id and value, or array [items, workers]
    models : by name, each a DataFrame with item_id and what the model gives (docs/formats.md)
    kind, labels : of the question; numbers are a slider's and texts labels unless it is said
    seed : of the intervals

    Returns
    -------
    DataFrame
        A row per pair and metric: metric, first, second, the estimate of first less second, low, high, n, method, p,
        p_holm_all_pairs, and in words what may be said.

    Examples
    --------
    >>> answers = [[item * 2, item * 2 + 1, item * 2 + item % 3] for item in range(30)]
    >>> good = pd.DataFrame({"item_id": range(30), "score": range(0, 60, 2)})
    >>> poor = good.assign(score=[item * 7 % 30 for item in range(30)])
    >>> compared = compare_models(answers, {"good": good, "poor": poor})
    >>> compared["in_words"].iloc[0]
    'good is above poor, for these workers'
    """
    read = ReadAnswers.of(data, kind=kind, labels=labels)
    probes = [_probe(name, frame, read) for name, frame in models.items()]
    release = gold_of_sample(read.crowd, read.sample, AS_PUBLISHED)
    scores = score_probes(read.crowd, read.sample, release, probes, seed=seed)
    return pd.DataFrame([object_of(pair) for pair in scores.comparisons])


def _probe(name: str, frame: pd.DataFrame, read: ReadAnswers) -> Probe:
    with use_surface(PYTHON):
        probe = probe_of_table(table_of_frame(name, frame), study_items(read.crowd), name=name)
        refuse_unfit(probe, read.crowd.kind, statistics_of(read.crowd.kind).shapes)
    return probe
