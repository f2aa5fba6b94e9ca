"""BLEU-1 to BLEU-4, ROUGE-L (COCO), METEOR, CIDEr-D and their mean, from summed counts of texts (`text_pairs.py`).

Each figure is a function of sums over texts, so that it is exact and quick with any of them left out. The weights of
CIDEr-D alone are held, when a text is left out, at those of all items.
"""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, divide
from .text_pairs import (
    CIDER_D,
    CLIPPED_PRECISION,
    GRAMS,
    LENGTH,
    MATCHES,
    METEOR,
    ORDERS,
    PRECISION,
    REFERENCE_LENGTH,
    ROUGE_L,
    ROWS,
    TextCorpus,
    TextRows,
    pairs_within,
)

BLEU_1, BLEU_4, PRECISION_1, BREVITY = 0, ORDERS - 1, ORDERS, 2 * ORDERS
MEAN_ROUGE_L, MEAN_METEOR, MEAN_CIDER_D, MEAN_OF_FOUR, UNCLIPPED, CLIPPED = range(2 * ORDERS + 1, 2 * ORDERS + 7)
MEAN_FORMULA = "(BLEU-4 + METEOR + ROUGE-L + CIDEr-D / 10) / 4"


def caption_figures(totals: Floats, n_items: int) -> Floats:
    """[M, 15] of sums of counts [M, COLUMNS], in the order of the names above; NaN where a figure is undefined.

    BLEU-n = BP exp(1/n sum log p_k), k = 1 to n, p_k = matches of order k / n-grams of order k, BP = exp(1 - r / c)
    where c < r, else 1 (Papineni et al. 2002): no smoothing, so that an order without a match makes it 0.
    The mean of four is (BLEU-4 + METEOR + ROUGE-L + CIDEr-D / 10) / 4. With one item, `n_items`, every weight of
    CIDEr-D is log 1 = 0, and there is none.
    """
    p = divide(totals[:, MATCHES], totals[:, GRAMS])
    c, r = totals[:, LENGTH], totals[:, REFERENCE_LENGTH]
    with np.errstate(divide="ignore", over="ignore"):
        BP = np.where(c < r, np.exp(1 - divide(r, c)), 1.0)
        logs = np.cumsum(np.log(np.nan_to_num(p)), axis=1) / np.arange(1, ORDERS + 1)
    BP = np.where((c == 0) & (r > 0), 0.0, BP)
    bleu = BP[:, None] * np.exp(logs)
    means = divide(totals[:, [ROUGE_L, METEOR, CIDER_D, PRECISION, CLIPPED_PRECISION]], totals[:, [ROWS]])
    rouge_l, meteor, cider_d, unclipped, clipped = means.T
    if n_items < 2:
        cider_d = np.full(len(totals), np.nan)
    mean_of_four = (bleu[:, -1] + meteor + rouge_l + cider_d / 10) / 4
    figures = np.column_stack([bleu, p, BP, rouge_l, meteor, cider_d, mean_of_four, unclipped, clipped])
    return np.where(totals[:, [ROWS]] > 0, figures, np.nan)


def rows_against_all(corpus: TextCorpus, texts: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """[N, COLUMNS] the counts of one text per item against all of the item's references."""
    sizes = [len(item) for item in references]
    row = np.repeat(np.arange(len(texts)), sizes)
    its = [text for item in references for text in item]
    return TextRows.paired(corpus, texts, row, np.arange(len(its)), its).summed()


def rows_without_one(corpus: TextCorpus, texts: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """[N, COLUMNS] the same with each reference left out in turn, the mean over these; zeros where there is but one."""
    sizes = np.array([len(item) for item in references], dtype=np.int64)
    item = np.repeat(np.arange(len(texts)), sizes)  # a row for each reference that is left out
    its = [text for each in references for text in each]
    row, reference = pairs_within(item, np.arange(len(item)))
    summed = TextRows.paired(corpus, [texts[index] for index in item.tolist()], row, reference, its).summed()
    out = np.zeros((len(texts), summed.shape[1]))
    np.add.at(out, item, summed)
    return np.asarray(np.nan_to_num(divide(out, out[:, [ROWS]])))
