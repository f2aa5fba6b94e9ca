"""Mid-ranks of values given as codes, and ordinal alpha, which ranks again for every deletion and replicate."""

import numpy as np
import numpy.typing as npt

from agreement.stats.design import Codes, Design, sums
from agreement.stats.estimate import Floats


def mid_ranks(code: Codes, codes: int) -> Floats:
    """[K] the average rank of each element among all, ties sharing theirs; `code` orders the values."""
    return np.asarray(_rank_of_code(sums(code, None, codes))[code])


def ordinal_alpha_of(design: Design, code: Codes, codes: int, kept: npt.NDArray[np.bool_]) -> float:
    """Ordinal alpha of the judgments kept, ranked among themselves; NaN where undefined."""
    item = design.item[kept]
    n = sums(item, None, design.items)
    if n.min() < 2:
        pairable = n[item] >= 2
        item, code = item[pairable], code[kept][pairable]
        n = np.where(n >= 2, n, 0.0)
    else:
        code = code[kept]
    if len(code) == 0:
        return float("nan")
    return float(_alpha(item, code, n, np.ones(len(n)), codes))


def ordinal_alpha_weighted(design: Design, code: Codes, codes: int, weight: Floats) -> float:
    """Ordinal alpha with each item counted `weight` [N] times, as in a replicate; NaN where undefined."""
    return _alpha(design.item, code, design.n, weight, codes)


def _rank_of_code(counts: Floats) -> Floats:
    return np.asarray(np.cumsum(counts) - (counts - 1) / 2)


def _alpha(item: Codes, code: Codes, n: Floats, weight: Floats, codes: int) -> float:
    """Interval alpha on mid-ranks, centred; items with n = 0 count nothing."""
    counts = sums(code, weight[item], codes)
    M = counts.sum()
    rank = _rank_of_code(counts) - (M + 1) / 2
    S, SS = np.dot(counts, rank), np.dot(counts, rank * rank)
    r = rank[code]
    s, ss = sums(item, r, len(n)), sums(item, r * r, len(n))
    D_o = np.dot(weight, 2 * (n * ss - s * s) / np.maximum(n - 1, 1))
    D_e = 2 * (M * SS - S * S)
    return float(1 - (M - 1) * D_o / D_e) if np.count_nonzero(counts) > 1 else float("nan")
