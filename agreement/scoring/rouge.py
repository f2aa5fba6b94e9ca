"""ROUGE-L of a text against all of an item's references, by the algorithm of the rouge-score package."""

import re
from collections.abc import Sequence

import numpy as np

from agreement.gold.arrays import Floats

_NOT_WORD = re.compile(r"[^a-z0-9]+")


def words(text: str) -> list[str]:
    """Lower-cased runs of a-z and 0-9, not stemmed: rouge-score's own tokens, so only of Latin script.

    >>> words("The CAT's mat.")
    ['the', 'cat', 's', 'mat']
    """
    return _NOT_WORD.sub(" ", text.lower()).split()


def longest_common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence.

    >>> longest_common("the cat sat on the mat".split(), "the cat is on the mat".split())
    5
    """
    row = [0] * (len(b) + 1)
    for word in a:
        before = 0
        for at, other in enumerate(b, start=1):
            before, row[at] = row[at], before + 1 if word == other else max(row[at], row[at - 1])
    return row[-1]


def rouge_l(text: str, references: Sequence[str]) -> tuple[float, float, float]:
    """Precision, recall and F of the longest common subsequence (Lin 2004), of the reference with the largest F.

    P = LCS / words of the text, R = LCS / words of the reference, F = 2 P R / (P + R); all 0 where either is empty.

    >>> rouge_l("police ended the gunman", ["police killed the gunman"])
    (0.75, 0.75, 0.75)
    """
    ours = words(text)
    return max((_score(ours, words(reference)) for reference in references), key=lambda score: score[2])


def rouge_l_rows(texts: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[Floats, Floats, Floats]:
    """[N] precision, recall and F, an item each."""
    rows = np.array([rouge_l(text, others) for text, others in zip(texts, references, strict=True)]).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _score(ours: list[str], theirs: list[str]) -> tuple[float, float, float]:
    if not ours or not theirs:
        return 0.0, 0.0, 0.0
    common = longest_common(ours, theirs)
    precision, recall = common / len(ours), common / len(theirs)
    f = 2 * precision * recall / (precision + recall) if common else 0.0
    return precision, recall, f
