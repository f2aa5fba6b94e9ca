"""BLEU and ROUGE-L of texts against all of an item's references."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Floats
from .jackknifed_metric import JackknifedMetric

# BLEU of texts against all of an item's references: sacrebleu counts (13a tokens), exponential smoothing.

ORDERS = 4


def counts(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """[n, 10] of each text: matches of orders 1 to 4, n-grams of orders 1 to 4, its length, the closest reference's.

    A match is clipped at the most that one reference has of it; of two references equally close the shorter counts.
    """
    # Its import takes a sixth of a second, for which only studies of texts have to wait.
    from sacrebleu.metrics.bleu import BLEU

    counting = BLEU(effective_order=True)  # for its counts alone; the score is taken below, of their sums
    rows = np.zeros((len(texts), 2 * ORDERS + 2))
    for row, text, others in zip(rows, texts, references, strict=True):
        found = counting.sentence_score(text, list(others))
        row[:] = [*found.counts, *found.totals, found.sys_len, found.ref_len]
    return rows


def bleu_of(totals: Floats) -> Floats:
    """[n] BLEU, 0 to 100, of summed counts [n, 10] (Papineni et al. 2002; smoothing "exp" of Chen and Cherry 2014).

    BLEU = BP exp(1/4 sum log p_n), BP = exp(1 - r / c) where c < r; the k-th order without a match has p = 1 / (2^k n).
    """
    matched, grams = totals[:, :ORDERS], totals[:, ORDERS : 2 * ORDERS]
    length, reference = totals[:, -2], totals[:, -1]
    empty = (matched == 0) & (grams > 0)
    smooth = 2.0 ** np.cumsum(empty, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(empty, 1 / (smooth * grams), matched / grams)
        shorter = np.where(length < reference, np.exp(1 - reference / length), 1.0)
        score = 100 * shorter * np.exp(np.log(p).mean(axis=1))
    return np.where(matched.any(axis=1) & (grams > 0).all(axis=1), score, 0.0)


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> JackknifedMetric:
    """Corpus BLEU of one text an item, and with each item left out; an item without a text is an empty text.

    >>> round(bleu(["the cat sat on the mat"], [["the cat is on the mat"]]).theta, 4)
    37.9918
    """
    rows = counts(texts, references)
    if not len(rows):
        return JackknifedMetric.undefined("BLEU: there are no texts", 0)
    total = rows.sum(axis=0)
    without = bleu_of(total - rows) if len(rows) > 1 else np.full(1, np.nan)
    return JackknifedMetric(float(bleu_of(total[None])[0]), without)


# ROUGE-L of a text against all of an item's references, by the algorithm of the rouge-score package.

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
    return common_length(places_of(a), len(a), b)


def places_of(a: Sequence[str]) -> dict[str, int]:
    """Where each word stands, as bits."""
    places: dict[str, int] = {}
    for at, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << at
    return places


def common_length(places: Mapping[str, int], size: int, b: Sequence[str]) -> int:
    """Length of the longest common subsequence of a text of `size` words, given where they stand, and another.

    A row of the usual table as the bits of one number (Hyyrö 2004): a bit is 0 where the row grows.
    """
    full = (1 << size) - 1
    row = full
    for word in b:
        both = row & places.get(word, 0)
        row = ((row + both) | (row - both)) & full
    return size - row.bit_count()


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
