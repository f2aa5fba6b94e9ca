"""BLEU and ROUGE-L of texts against all of an item's references; words of a text, and METEOR of two texts."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from ..arrays import Floats
from .jackknifed_metric import JackknifedMetric

TOKENISER = "lower case, split at blanks, punctuation dropped"

_INSIDE = frozenset("'-.,")  # stay within a word: it's, well-known, 3.5 and 1,000
_NOT_IN_NUMBER = re.compile(r"(?<!\d)[.,]|[.,](?!\d)")


def words_of(text: str) -> list[str]:
    """Lower case, split at blanks, punctuation and symbols dropped, in any script that puts blanks between words.

    An apostrophe or a hyphen within a word stays, a point or a comma within a number too.

    >>> words_of("The CAT's well-known mat, 3.5 m wide (or so).")
    ['the', "cat's", 'well-known', 'mat', '3.5', 'm', 'wide', 'or', 'so']
    """
    lower = unicodedata.normalize("NFC", text).lower().replace("\u2019", "'")
    spaced = _NOT_IN_NUMBER.sub(" ", "".join(map(_kept_character, lower)))
    return [word for word in (part.strip("'-") for part in spaced.split()) if word]


@lru_cache(maxsize=4096)
def _kept_character(character: str) -> str:
    """The character, or a blank for punctuation (Unicode's P), symbols (S) and what can't be seen (Z, C)."""
    return character if character in _INSIDE or unicodedata.category(character)[0] not in "PSZC" else " "


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    # Its import takes a twentieth of a second, for which only studies of texts have to wait.
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer("porter")
    return stemmer


def stem_of(word: str) -> str:
    """Porter's stem (1980) of a lower-case English word.

    >>> stem_of("running"), stem_of("branches"), stem_of("dogs")
    ('run', 'branch', 'dog')
    """
    return _stemmer().stemWord(word)


# METEOR of two texts with the modules exact and stem: words are aligned, and many short runs of them cost a
# part.

# Banerjee and Lavie 2005: recall weighs nine times as much as precision, and m matches in ch runs cost .5 (ch / m)^3.
RECALL_WEIGHT = 0.9
PENALTY = 0.5
STATES = 40  # alignments followed at once; texts that repeat no word have one

_State = tuple[int, int]  # which words of the reference are taken, as bits, and which one the last word took
_NONE = -2  # so that no word stands right behind it


def meteor(words: Sequence[str], stems: Sequence[str], reference: Sequence[str], its_stems: Sequence[str]) -> float:
    """F (1 - .5 (ch / m)^3), F = P R / (.9 P + .1 R), P = m / words of the text, R = m / words of the reference.

    >>> a, b = "a bird on a branch".split(), "a red bird sits on a branch".split()
    >>> round(meteor(a, a, b, b), 6)
    0.655882
    """
    m, runs = align_words(words, stems, reference, its_stems)
    if not m:
        return 0.0
    P, R = m / len(words), m / len(reference)
    F = P * R / (RECALL_WEIGHT * P + (1 - RECALL_WEIGHT) * R)
    return F * (1 - PENALTY * (runs / m) ** 3)


def align_words(
    words: Sequence[str], stems: Sequence[str], reference: Sequence[str], its_stems: Sequence[str]
) -> tuple[int, int]:
    """Matches and runs of the alignment with the most matches; of several the most exact ones, then the fewest runs.

    Words match that are equal or have one stem. A run is matches that stand side by side, in one order, in both texts.

    >>> a, b = "the cat sat on the mat".split(), "on the mat sat the cat".split()
    >>> align_words(a, a, b, b)
    (6, 3)
    """
    places: dict[str, list[int]] = {}
    for position, stem in enumerate(its_stems):
        places.setdefault(stem, []).append(position)
    left = {stem: stems.count(stem) for stem in places.keys() & set(stems)}
    if all(count == 1 and len(places[stem]) == 1 for stem, count in left.items()):
        taken = [places[stem][0] if stem in left else _NONE for stem in stems]
        return len(left), _runs(taken)
    return _search_alignment(words, stems, reference, places, left)


def _runs(taken: Sequence[int]) -> int:
    before, runs = _NONE, 0
    for position in taken:
        runs += position != _NONE and position != before + 1
        before = position
    return runs


def _search_alignment(
    words: Sequence[str],
    stems: Sequence[str],
    reference: Sequence[str],
    places: dict[str, list[int]],
    left: dict[str, int],
) -> tuple[int, int]:
    """Word by word through the text, the best alignments so far beside each other: where words are repeated.

    `left` has how often each stem still comes in the text. A word is passed over only where the rest has enough of it,
    so that every alignment ends with the most matches.
    """
    states: dict[_State, tuple[int, int]] = {(0, _NONE): (0, 0)}  # less exact matches, runs: the smallest is best
    for word, stem in zip(words, stems, strict=True):
        best: dict[_State, tuple[int, int]] = {}
        for (taken, last), (exact, runs) in states.items():
            free = [position for position in places.get(stem, ()) if not taken >> position & 1]
            steps = [
                (
                    (taken | 1 << position, position),
                    (exact - (reference[position] == word), runs + (position != last + 1)),
                )
                for position in free
            ]
            if left.get(stem, 0) > len(free) or not free:
                steps.append(((taken, _NONE), (exact, runs)))
            for state, cost in steps:
                if state not in best or cost < best[state]:
                    best[state] = cost
        if stem in left:
            left[stem] -= 1
        if len(best) > STATES:
            best = dict(sorted(best.items(), key=lambda each: (each[1], each[0]))[:STATES])
        states = best
    (taken, _), (_, runs) = min(states.items(), key=lambda each: (each[1], each[0]))
    return taken.bit_count(), runs


# BLEU and ROUGE-L of texts against all of an item's references.

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
        counted = counting.sentence_score(text, list(others))
        row[:] = [*counted.counts, *counted.totals, counted.sys_len, counted.ref_len]
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
    for position, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << position
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
