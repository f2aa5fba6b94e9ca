"""What several people answered to one item: how far they differ, and their answers in a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from ..arrays import Ints, count_by, divide, sum_by
from ..estimation.estimate import Floats
from ..files.numbers import number_text
from ..judgments.crowd import Sample
from ..kinds.answers import Answers, Properties

# A sample, the number of items and the number of labels.
Contested: TypeAlias = "Callable[[Sample, int, int], Floats]"


def spread_of_numbers(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the standard deviation (n - 1)."""
    return _mean_spread(sample, np.asarray(sample.answers, dtype=np.float64)[:, None], n_items)


def spread_of_numbers_by_label(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the mean over labels of the standard deviations."""
    return _mean_spread(sample, np.asarray(sample.answers, dtype=np.float64), n_items)


def share_against_the_majority(sample: Sample, n_items: int, n_labels: int) -> Floats:
    """[N] the share of judgments that are not the commonest label.

    >>> sample = Sample(np.array([0, 0, 0, 1, 1]), np.arange(5), np.array([0, 0, 1, 1, 1]))
    >>> share_against_the_majority(sample, 2, 2).round(4).tolist()
    [0.3333, 0.0]
    """
    cells = sample.item.astype(np.int64) * max(n_labels, 1) + np.asarray(sample.answers)
    most = count_by(cells, n_items * max(n_labels, 1)).reshape(n_items, max(n_labels, 1)).max(axis=1)
    n = count_by(sample.item, n_items)
    return _where_two_judged(1 - divide(most, n), n)


def share_against_each_label(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the mean over labels of the share of judgments in the minority, which chose the label or didn't."""
    n = count_by(sample.item, n_items)
    chosen = np.asarray(sample.answers, dtype=np.float64)
    shares = [divide(sum_by(sample.item, column, n_items), n) for column in chosen.T]
    minority = (
        np.mean([np.minimum(share, 1 - share) for share in shares], axis=0) if shares else np.full(n_items, np.nan)
    )
    return _where_two_judged(minority, n)


def share_named_once(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] the share of the properties named of an item that one person alone named."""
    answers = sample.answers
    if not isinstance(answers, Properties):
        raise TypeError("properties are counted in answers that are Properties")
    item = np.repeat(sample.item, np.diff(answers.offsets)).astype(np.int64)
    cells, times = np.unique(item * max(len(answers.names), 1) + answers.property, return_counts=True)
    of_item = cells // max(len(answers.names), 1)
    alone = sum_by(of_item, times == 1, n_items)
    return _where_two_judged(divide(alone, count_by(of_item, n_items)), count_by(sample.item, n_items))


def share_of_different_texts(sample: Sample, n_items: int, _n_labels: int) -> Floats:
    """[N] how many different texts an item has, over its judgments; capitals and spaces at the ends aside."""
    texts = [str(text).strip().casefold() for text in np.asarray(sample.answers)]
    codes = np.unique(np.array([*texts, ""], dtype=object).astype(str), return_inverse=True)[1][:-1]
    cells = np.unique(sample.item.astype(np.int64) * (len(texts) + 1) + codes)
    n = count_by(sample.item, n_items)
    return _where_two_judged(divide(count_by(cells // (len(texts) + 1), n_items), n), n)


def _mean_spread(sample: Sample, answers: Floats, n_items: int) -> Floats:
    n = count_by(sample.item, n_items)
    spreads = []
    for column in answers.T:
        mean = divide(sum_by(sample.item, column, n_items), n)
        squares = sum_by(sample.item, (column - mean[sample.item]) ** 2, n_items)
        spreads.append(np.sqrt(divide(squares, n - 1.0)))
    return _where_two_judged(np.mean(spreads, axis=0) if spreads else np.full(n_items, np.nan), n)


def _where_two_judged(figure: Floats, n: Ints) -> Floats:
    return np.where(n >= 2, figure, np.nan)


# What several people answered to one item, in a few words, by the type of the answers: for pages beside one
# answer.

# Of one item's answers and the labels' texts; there is one answer at least.
InWords: TypeAlias = "Callable[[Answers, Sequence[str]], str]"
MOST_NAMED = 3
DIGITS = 4


def mean_number(answers: Answers, _labels: Sequence[str]) -> str:
    """The mean, in four digits.

    >>> mean_number(np.array([10.0, 20.0, 25.0]), ())
    'mean 18.33'
    """
    return f"mean {_short_number(float(np.mean(np.asarray(answers))))}"


def commonest_label(answers: Answers, labels: Sequence[str]) -> str:
    """The label that most chose, or the several that as many did.

    >>> commonest_label(np.array([0, 1, 1, 1]), ("red", "blue"))
    'blue (3 of 4)'
    """
    counts = np.bincount(np.asarray(answers), minlength=len(labels))
    return _name_counts(np.flatnonzero(counts == counts.max()).tolist(), counts, labels, len(np.asarray(answers)))


def commonest_labels(answers: Answers, labels: Sequence[str]) -> str:
    """Those that half or more chose.

    >>> commonest_labels(np.array([[1, 0], [1, 1], [1, 0]], dtype=bool), ("red", "blue"))
    'red (3 of 3)'
    """
    chosen = np.asarray(answers)
    counts = chosen.sum(axis=0)
    most = [label for label in np.argsort(-counts, kind="stable").tolist() if 2 * counts[label] >= len(chosen)]
    return _name_counts(most, counts, labels, len(chosen)) or "no label that half of them chose"


def mean_numbers(answers: Answers, labels: Sequence[str]) -> str:
    """The labels with the highest means.

    >>> mean_numbers(np.array([[10.0, 80.0], [20.0, 90.0]]), ("red", "blue"))
    'mean blue 85, red 15'
    """
    means = np.asarray(answers).mean(axis=0)
    most = np.argsort(-means, kind="stable")[:MOST_NAMED].tolist()
    return "mean " + ", ".join(f"{labels[label]} {_short_number(float(means[label]))}" for label in most)


def mean_order(answers: Answers, labels: Sequence[str]) -> str:
    """By the mean place.

    >>> mean_order(np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3]]), ("a", "b", "c"))
    'a, then b, then c'
    """
    order = np.argsort(np.asarray(answers).mean(axis=0), kind="stable").tolist()
    return ", then ".join(labels[label] for label in order)


def commonest_properties(answers: Answers, _labels: Sequence[str]) -> str:
    if not isinstance(answers, Properties):
        raise TypeError("properties are counted in answers that are Properties")
    counts = np.bincount(answers.property, minlength=len(answers.names))
    most = [code for code in np.argsort(-counts, kind="stable")[:MOST_NAMED].tolist() if counts[code]]
    return _name_counts(most, counts, answers.names, len(answers))


def number_of_texts(answers: Answers, _labels: Sequence[str]) -> str:
    count = len(np.asarray(answers))
    return f"{count} {'text' if count == 1 else 'texts'}"


def _name_counts(which: Sequence[int], counts: np.ndarray, names: Sequence[str], n: int) -> str:
    return ", ".join(f"{names[code]} ({int(counts[code])} of {n})" for code in which[:MOST_NAMED])


def _short_number(number: float) -> str:
    return number_text(float(f"{number:.{DIGITS}g}"))
