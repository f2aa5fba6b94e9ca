"""Which labels are typical of an item: ViPhy's filter as its paper says it, and as its released code does it."""

from typing import assert_never

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, divide
from ..typical_filters import Filter

SMALLEST_SHARE = {2: 0.30, 3: 0.20}  # by how many labels remain; 0.10 for four and more
SHARE_OF_MANY = 0.10
SAME = 1e-12  # a share this close to p_min is p_min, whatever order its parts were added in


def typical(weights: Floats) -> Bools:
    """[N, L] the labels that stay, from [N, L] counts or proportions (docs/statistics.md, section 2).

    Keep c with p_c > p_min, p_min by the number of labels that remain; renormalise; repeat until nothing falls. One
    label left stays; if none would be left, nothing falls. Shares are taken anew from the weights in each round, so a
    share of exactly p_min falls whatever came before it.

    >>> typical(np.array([[222.0, 34.0, 152.0], [70.0, 30.0, 0.0], [26.0, 47.0, 146.0]])).tolist()
    [[True, False, True], [True, False, False], [False, False, True]]
    """
    stays = weights > 0
    while True:
        remain = stays.sum(axis=1, keepdims=True)
        kept = np.where(stays, weights, 0.0)
        above = stays & (divide(kept, kept.sum(axis=1, keepdims=True)) > _smallest(remain) + SAME)
        above = np.where((remain <= 1) | ~above.any(axis=1, keepdims=True), stays, above)
        if np.array_equal(above, stays):
            return stays
        stays = above


def typical_viphy(weights: Floats) -> Bools:
    """[N, L] the labels that ViPhy's released code keeps, from [N, L] counts or proportions.

    Start with p >= 0.10 (nothing left: the input); renormalise; if nothing fell, stop; else p >= p_min by the number
    left, stopping at one, and again. Proportions are in single precision and renormalised one after the other: a share
    of .3 that stands on 126 of 420 so falls by its last digit, one of 30 of 100 doesn't, and the released labels say
    both. For a study of three labels or two the start is that number's p_min: so all 5,256 released spatial labels
    come out.

    >>> typical_viphy(np.array([[222.0, 34.0, 152.0], [70.0, 30.0, 0.0], [126.0, 23.0, 294.0]])).tolist()
    [[True, False, True], [True, True, False], [False, False, True]]
    """
    p = _renormalised(weights.astype(np.float32))
    stays = np.ones(weights.shape, dtype=np.bool_)
    going = np.ones(len(weights), dtype=np.bool_)
    smallest = _smallest(np.full((len(weights), 1), weights.shape[1])).astype(np.float32)
    while going.any():
        left = stays & (p >= smallest)
        moves = going & (left != stays).any(axis=1) & left.any(axis=1)
        stays = np.where(moves[:, None], left, stays)
        p = np.where(moves[:, None], _renormalised(np.where(stays, p, np.float32(0))), p)
        remain = stays.sum(axis=1, keepdims=True)
        smallest = _smallest(remain).astype(np.float32)
        going = moves & (remain[:, 0] > 1)
    return stays & (weights > 0)


def filtered(weights: Floats, how: Filter) -> Bools:
    """[N, L] the label sets by the filter of that name."""
    match how:
        case "typical":
            return typical(weights)
        case "typical-viphy":
            return typical_viphy(weights)
    assert_never(how)


def _renormalised(p: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    total = p.sum(axis=1, keepdims=True)
    out = np.zeros_like(p)
    np.divide(p, total, out=out, where=total > 0)
    return out


def _smallest(remain: npt.NDArray[np.int64]) -> Floats:
    return np.select([remain == 2, remain == 3], [SMALLEST_SHARE[2], SMALLEST_SHARE[3]], SHARE_OF_MANY)
