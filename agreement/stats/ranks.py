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
    n = design.by_item(kept.astype(np.float64))
    if n.min() < 2:
        kept = kept & (n >= 2)[design.item]
        n = np.where(n >= 2, n, 0.0)
    code = np.where(kept, code, codes)  # a code of its own for what is left out, with rank 0
    counts = sums(code, None, codes + 1)[:codes]
    rank, M, D_e = _expected(counts)
    r = np.append(rank, 0.0)[code]
    s, ss = design.by_item(r), design.by_item(r * r)
    D_o = np.sum(2 * (n * ss - s * s) / np.maximum(n - 1, 1))
    return float(1 - (M - 1) * D_o / D_e) if np.count_nonzero(counts) > 1 else float("nan")


def ordinal_alpha_weighted(design: Design, code: Codes, codes: int, weight: Floats) -> float:
    """Ordinal alpha with each item counted `weight` [N] times, as in a replicate; NaN where undefined."""
    counts = sums(code, weight[design.item], codes)
    rank, M, D_e = _expected(counts)
    r, n = rank[code], design.n
    s, ss = design.by_item(r), design.by_item(r * r)
    D_o = np.sum(weight * 2 * (n * ss - s * s) / np.maximum(n - 1, 1))
    return float(1 - (M - 1) * D_o / D_e) if np.count_nonzero(counts) > 1 else float("nan")


def _rank_of_code(counts: Floats) -> Floats:
    return np.asarray(np.cumsum(counts) - (counts - 1) / 2)


def _expected(counts: Floats) -> tuple[Floats, float, float]:
    """The centred rank of each code, M and D_e."""
    M = float(counts.sum())
    rank = _rank_of_code(counts) - (M + 1) / 2
    S, SS = float(np.sum(counts * rank)), float(np.sum(counts * rank * rank))
    return rank, M, 2 * (M * SS - S * S)
