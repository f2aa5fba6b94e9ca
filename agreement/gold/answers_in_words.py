"""What several people answered to one item, in a few words, by the type of the answers: for pages beside one answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from ..files.numbers import number_text
from ..kinds.answers import Answers, Properties

# Of one item's answers and the labels' texts; there is one answer at least.
InWords: TypeAlias = "Callable[[Answers, Sequence[str]], str]"
MOST_NAMED = 3
DIGITS = 4


def mean_number(answers: Answers, _labels: Sequence[str]) -> str:
    """The mean, in four digits.

    >>> mean_number(np.array([10.0, 20.0, 25.0]), ())
    'mean 18.33'
    """
    return f"mean {_short(float(np.mean(np.asarray(answers))))}"


def commonest_label(answers: Answers, labels: Sequence[str]) -> str:
    """The label that most chose, or the several that as many did.

    >>> commonest_label(np.array([0, 1, 1, 1]), ("red", "blue"))
    'blue (3 of 4)'
    """
    counts = np.bincount(np.asarray(answers), minlength=len(labels))
    return _named(np.flatnonzero(counts == counts.max()).tolist(), counts, labels, len(np.asarray(answers)))


def commonest_labels(answers: Answers, labels: Sequence[str]) -> str:
    """Those that half or more chose.

    >>> commonest_labels(np.array([[1, 0], [1, 1], [1, 0]], dtype=bool), ("red", "blue"))
    'red (3 of 3)'
    """
    chosen = np.asarray(answers)
    counts = chosen.sum(axis=0)
    most = [at for at in np.argsort(-counts, kind="stable").tolist() if 2 * counts[at] >= len(chosen)]
    return _named(most, counts, labels, len(chosen)) or "no label that half of them chose"


def mean_numbers(answers: Answers, labels: Sequence[str]) -> str:
    """The labels with the highest means.

    >>> mean_numbers(np.array([[10.0, 80.0], [20.0, 90.0]]), ("red", "blue"))
    'mean blue 85, red 15'
    """
    means = np.asarray(answers).mean(axis=0)
    most = np.argsort(-means, kind="stable")[:MOST_NAMED].tolist()
    return "mean " + ", ".join(f"{labels[at]} {_short(float(means[at]))}" for at in most)


def mean_order(answers: Answers, labels: Sequence[str]) -> str:
    """By the mean place.

    >>> mean_order(np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3]]), ("a", "b", "c"))
    'a, then b, then c'
    """
    order = np.argsort(np.asarray(answers).mean(axis=0), kind="stable").tolist()
    return ", then ".join(labels[at] for at in order)


def commonest_properties(answers: Answers, _labels: Sequence[str]) -> str:
    if not isinstance(answers, Properties):
        raise TypeError("properties are counted in answers that are Properties")
    counts = np.bincount(answers.property, minlength=len(answers.names))
    most = [at for at in np.argsort(-counts, kind="stable")[:MOST_NAMED].tolist() if counts[at]]
    return _named(most, counts, answers.names, len(answers))


def number_of_texts(answers: Answers, _labels: Sequence[str]) -> str:
    count = len(np.asarray(answers))
    return f"{count} {'text' if count == 1 else 'texts'}"


def _named(which: Sequence[int], counts: np.ndarray, names: Sequence[str], n: int) -> str:
    return ", ".join(f"{names[at]} ({int(counts[at])} of {n})" for at in which[:MOST_NAMED])


def _short(number: float) -> str:
    return number_text(float(f"{number:.{DIGITS}g}"))
