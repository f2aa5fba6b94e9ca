"""The gold of a crowd's judgments, or of some of them: as a table, and as models are scored against it."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Bools
from ..estimation.estimate import stream
from ..gold.annotator_models import Consensus
from ..gold.gold_table import gold_of
from ..judgments.crowd import Crowd, Sample, take_answers
from ..kinds.statistics import statistics_of
from ..typical_filters import Filter
from .answers_of_people import AnswersOfPeople, means_of_answers
from .metric import LabelMetric
from .metrics import FAMILIES, METRICS
from .other_workers import GoldOf, LeaveOutScores, gold_of_numbers, gold_of_weights, scores_again
from .probe import Probe, StudyItems
from .score_gold import Gold, gold_from_table

MOST_CELLS = 20_000_000  # of judgments x labels
MOST_IN_TABLES = 20_000  # judgments of lists and rankings, whose gold is made by way of its table
MOST_TEXTS = 5_000  # judgments, whose models take longest to score


def gold_frame(crowd: Crowd, kept: Sample, how: Filter, models: Mapping[str, Consensus] | None = None) -> pd.DataFrame:
    """The gold table of the judgments, typical labels by the rule `how`, with what `models` say beside the majority."""
    return gold_of(
        statistics_of(crowd.kind).gold_table,
        kept.item,
        kept.worker,
        kept.answers,
        crowd.n_items,
        crowd.labels,
        items=crowd.items,
        scale=crowd.scale,
        typical_filter=how,
        beside=models,
        coding=crowd.coding,
        ordered=crowd.ordered,
    )


def gold_in(table: pd.DataFrame, crowd: Crowd, how: Filter) -> Gold:
    """What models are scored against, as a gold table of the crowd has it."""
    kind = statistics_of(crowd.kind)
    return gold_from_table(
        kind.read_gold, crowd.kind, kind.gold_columns, table, crowd.labels, typical_filter=how, scale=crowd.scale
    )


def gold_of_sample(crowd: Crowd, kept: Sample, how: Filter) -> Gold:
    """What models are scored against, made of these judgments."""
    return gold_in(gold_frame(crowd, kept, how), crowd, how)


def gold_maker(crowd: Crowd, kept: Sample, release: Gold) -> GoldOf | None:
    """Gold of the judgments [J] that are marked; None where making and scoring it many times would take too long."""
    kind, J = statistics_of(crowd.kind), len(kept.item)
    row_of_item = _rows_in(release, crowd)
    answers = kept.answers
    if isinstance(answers, np.ndarray) and release.numbers is not None and answers.ndim == 1:
        return gold_of_numbers(release, row_of_item[kept.item], answers.astype(np.float64))
    weights = None if kind.person is None else kind.person.weights
    if isinstance(answers, np.ndarray) and release.by_label is not None and weights is not None:
        if J * len(crowd.labels) > MOST_CELLS:
            return None
        return gold_of_weights(release, row_of_item[kept.item], np.nan_to_num(weights(answers, len(crowd.labels))))
    if (MOST_TEXTS if release.texts is not None else MOST_IN_TABLES) < J:
        return None

    def made(keep: Bools) -> Gold:
        there = np.flatnonzero(keep)
        sample = Sample(kept.item[there], kept.worker[there], take_answers(answers, there))
        return gold_of_sample(crowd, sample, release.typical_filter)

    return made


def _rows_in(release: Gold, crowd: Crowd) -> npt.NDArray[np.int64]:
    """[N] the gold's row of each item of the crowd, -1 where it has none."""
    return pd.Index(release.ids).get_indexer(pd.Index(crowd.items["item_id"])).astype(np.int64)


def answers_of_people(crowd: Crowd, kept: Sample, release: Gold, rng: np.random.Generator) -> AnswersOfPeople | None:
    """The judgments of labels, or of their places, behind the gold; None where answers are of another kind."""
    kind, answers = statistics_of(crowd.kind), kept.answers
    if (
        not isinstance(answers, np.ndarray)
        or kind.person is None
        or (release.by_label is None and release.order is None)
    ):
        return None
    has_sets = release.by_label is None or release.by_label.chosen is not None
    if not kind.answer_is_a_label:
        answers = np.nan_to_num(answers.astype(np.float64))
    return AnswersOfPeople.of(
        _rows_in(release, crowd)[kept.item], kept.worker, answers, len(release), rng, has_sets=has_sets
    )


def scores_without_workers(
    crowd: Crowd, kept: Sample, release: Gold, probes: Sequence[Probe], study: StudyItems, seed: int
) -> dict[str, dict[str, LeaveOutScores]]:
    """By probe and metric, of metrics that hold for other workers: the scores without each worker, or group of them.

    Nothing of workers who are fixed. Groups are drawn once for a seed, so that a comparison comes out alike wherever it
    is made.
    """
    if crowd.fixed_workers:
        return {}
    rng = stream(seed, "gold made again")
    people = answers_of_people(crowd, kept, release, rng)
    found: dict[str, dict[str, LeaveOutScores]] = {}
    others = [probe for probe in probes if _has_more(probe, release, people)]
    made = gold_maker(crowd, kept, release) if others else None
    if made is not None:
        for probe, by_metric in scores_again(others, study, kept.worker, made, rng).items():
            found[probe] = {name: one for name, one in by_metric.items() if METRICS[name].holds_for_other_workers}
    if people is not None:
        for probe, by_metric in means_of_answers(probes, release, study, people).items():
            found[probe] = found.get(probe, {}) | by_metric
    return found


def _has_more(probe: Probe, gold: Gold, people: AnswersOfPeople | None) -> bool:
    """Whether a metric of the probe holds for other workers that is no mean over answers: gold is made again for it."""
    family = FAMILIES[gold.scored_as if probe.shape == gold.takes else probe.shape]
    probable = all(run.has_probabilities for run in probe.runs)
    return any(
        metric.holds_for_other_workers
        and not (people is not None and people.has_mean(metric))
        and (probable or not (isinstance(metric, LabelMetric) and metric.needs_probabilities))
        for metric in family.metrics
    )
