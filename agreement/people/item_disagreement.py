"""How far people differ on each item, by the type of the answers: nan where an item has fewer than two judgments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ..arrays import Ints, count_by, divide, sum_by
from ..estimation.estimate import Floats
from ..judgments.crowd import Sample
from ..kinds.answers import Properties

# A sample, the number of items and the number of labels.
Contested: TypeAlias = "Callable[[Sample, int, int], Floats]"


def spread_of_numbers(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the standard deviation (n - 1)."""
    return _spread(sample, np.asarray(sample.answers, dtype=np.float64)[:, None], n_items)


def spread_of_numbers_by_label(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the mean over labels of the standard deviations."""
    return _spread(sample, np.asarray(sample.answers, dtype=np.float64), n_items)


def share_against_the_majority(sample: Sample, n_items: int, n_labels: int) -> Floats:
    """[N] the share of judgments that are not the commonest label.

    >>> sample = Sample(np.array([0, 0, 0, 1, 1]), np.arange(5), np.array([0, 0, 1, 1, 1]))
    >>> share_against_the_majority(sample, 2, 2).round(4).tolist()
    [0.3333, 0.0]
    """
    cells = sample.item.astype(np.int64) * max(n_labels, 1) + np.asarray(sample.answers)
    most = count_by(cells, n_items * max(n_labels, 1)).reshape(n_items, max(n_labels, 1)).max(axis=1)
    n = count_by(sample.item, n_items)
    return _of_two(1 - divide(most, n), n)


def share_against_each_label(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the mean over labels of the share of judgments in the minority, which chose the label or didn't."""
    n = count_by(sample.item, n_items)
    chosen = np.asarray(sample.answers, dtype=np.float64)
    shares = [divide(sum_by(sample.item, column, n_items), n) for column in chosen.T]
    minority = (
        np.mean([np.minimum(share, 1 - share) for share in shares], axis=0) if shares else np.full(n_items, np.nan)
    )
    return _of_two(minority, n)


def share_named_once(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the share of the properties named of an item that one person alone named."""
    answers = sample.answers
    if not isinstance(answers, Properties):
        raise TypeError("properties are counted in answers that are Properties")
    item = np.repeat(sample.item, np.diff(answers.offsets)).astype(np.int64)
    cells, times = np.unique(item * max(len(answers.names), 1) + answers.property, return_counts=True)
    of_item = cells // max(len(answers.names), 1)
    alone = sum_by(of_item, times == 1, n_items)
    return _of_two(divide(alone, count_by(of_item, n_items)), count_by(sample.item, n_items))


def share_of_different_texts(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] how many different texts an item has, over its judgments; capitals and spaces at the ends aside."""
    texts = [str(text).strip().casefold() for text in np.asarray(sample.answers)]
    codes = np.unique(np.array([*texts, ""], dtype=object).astype(str), return_inverse=True)[1][:-1]
    cells = np.unique(sample.item.astype(np.int64) * (len(texts) + 1) + codes)
    n = count_by(sample.item, n_items)
    return _of_two(divide(count_by(cells // (len(texts) + 1), n_items), n), n)


def _spread(sample: Sample, answers: Floats, n_items: int) -> Floats:
    n = count_by(sample.item, n_items)
    spreads = []
    for given in answers.T:
        mean = divide(sum_by(sample.item, given, n_items), n)
        squares = sum_by(sample.item, (given - mean[sample.item]) ** 2, n_items)
        spreads.append(np.sqrt(divide(squares, n - 1.0)))
    return _of_two(np.mean(spreads, axis=0) if spreads else np.full(n_items, np.nan), n)


def _of_two(figure: Floats, n: Ints) -> Floats:
    return np.where(n >= 2, figure, np.nan)
