"""The gold of a crowd's judgments, or of some of them: as a table, and as models are scored against it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..arrays import Bools
from ..gold.annotator_models import Consensus
from ..gold.gold_table import gold_of
from ..judgments.crowd import Crowd, Sample, taken
from ..kinds.statistics import statistics_of
from ..typical_filters import Filter
from .other_workers import GoldOf, gold_of_numbers, gold_of_weights
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
    )


def gold_in(table: pd.DataFrame, crowd: Crowd, how: Filter) -> Gold:
    """What models are scored against, as a gold table of the crowd has it."""
    kind = statistics_of(crowd.kind)
    return gold_from_table(kind.read_gold, crowd.kind, kind.gold_columns, table, crowd.labels, typical_filter=how)


def gold_of_sample(crowd: Crowd, kept: Sample, how: Filter) -> Gold:
    """What models are scored against, made of these judgments."""
    return gold_in(gold_frame(crowd, kept, how), crowd, how)


def gold_maker(crowd: Crowd, kept: Sample, release: Gold) -> GoldOf | None:
    """Gold of the judgments [J] that are marked; None where making and scoring it many times would take too long."""
    kind, J = statistics_of(crowd.kind), len(kept.item)
    row_of_item = pd.Index(release.ids).get_indexer(pd.Index(crowd.items["item_id"])).astype(np.int64)
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
        sample = Sample(kept.item[there], kept.worker[there], taken(answers, there))
        return gold_of_sample(crowd, sample, release.typical_filter)

    return made
