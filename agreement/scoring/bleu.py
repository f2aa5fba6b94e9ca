"""BLEU of texts against all of an item's references, as sacrebleu counts it: 13a tokens, exponential smoothing."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from agreement.gold.arrays import Floats
from agreement.scoring.measured import Measured

ORDERS = 4
_ESCAPES = (("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_SPLITS = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def tokens_13a(text: str) -> list[str]:
    """The tokens of mteval-v13a: punctuation apart, full stops and commas kept within numbers.

    >>> tokens_13a("It costs 3.50, doesn't it?")
    ['It', 'costs', '3.50', ',', "doesn't", 'it', '?']
    """
    text = text.rstrip()
    for old, new in _ESCAPES:
        text = text.replace(old, new)
    text = f" {text} "
    for pattern, replacement in _SPLITS:
        text = pattern.sub(replacement, text)
    return text.split()


def counts(text: str, references: Sequence[str]) -> Floats:
    """[10] of one text: matches of orders 1 to 4, n-grams of orders 1 to 4, its length, the closest reference's length.

    A match is clipped at the most that one reference has of it; of two references equally close the shorter counts.
    """
    tokens = tokens_13a(text)
    others = [tokens_13a(reference) for reference in references]
    row = np.zeros(2 * ORDERS + 2)
    for order in range(1, ORDERS + 1):
        found = _grams(tokens, order)
        most: Counter[tuple[str, ...]] = Counter()
        for other in others:
            most |= _grams(other, order)
        row[order - 1] = sum((found & most).values())
        row[ORDERS + order - 1] = max(len(tokens) - order + 1, 0)
    row[-2] = len(tokens)
    row[-1] = min((len(other) for other in others), key=lambda length: (abs(length - len(tokens)), length))
    return row


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


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
    """Corpus BLEU of one text an item, and with each item left out; an item without a text is an empty text.

    >>> round(bleu(["the cat sat on the mat"], [["the cat is on the mat"]]).theta, 4)
    37.9918
    """
    rows = np.array([counts(text, others) for text, others in zip(texts, references, strict=True)])
    if not len(rows):
        return Measured.undefined("BLEU: there are no texts", 0)
    total = rows.sum(axis=0)
    without = bleu_of(total - rows) if len(rows) > 1 else np.full(1, np.nan)
    return Measured(float(bleu_of(total[None])[0]), without)


def _grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
