"""How probable a worker's answers are, if they answer as the others do about the same items."""

from __future__ import annotations

import numpy as np

from ..arrays import Bools, Floats, Ints, count_by, sum_by
from .sequences import Stretch
from .with_others import Answers


def log_probability(answers: Answers, code: Ints, stretch: Stretch, skip: Ints, asked: Bools) -> Floats:
    """[W] the logarithm of how probable it is that answers like those of the others make up the stretch of each worker
    who is asked for, the first `skip` [W] of it aside; 0 for all others.

    An answer's probability is (n_il + P_l) / (n_i + 1), where n_il of the n_i others gave it to the item, and P_l is
    its share of all answers of the others.
    """
    W = answers.n_workers
    if not asked.any():
        return np.zeros(W)
    place, n = np.arange(len(code)), count_by(answers.worker, W)
    begin, end = np.maximum(stretch.start, np.cumsum(n) - n) + skip, stretch.start + stretch.length
    which = np.flatnonzero(asked[answers.worker] & (place >= begin[answers.worker]) & (place < end[answers.worker]))
    worker, own, n_codes = answers.worker[which], code[which], int(code.max(initial=-1)) + 1
    counted = answers.others[answers.worker]
    n_i = np.bincount(answers.item[counted], minlength=answers.n_items)[answers.item[which]]
    near = np.zeros(answers.n_items, dtype=np.bool_)
    near[answers.item[which]] = True
    near = near[answers.item] & counted
    cell = answers.item.astype(np.int64) * n_codes + code
    n_il = _how_often(cell[near], cell[which])
    theirs = np.bincount(code[counted], minlength=n_codes)
    pair = answers.worker.astype(np.int64) * n_codes + code
    counts = counted[which]
    n_wl = _how_often(pair[counted & asked[answers.worker]], pair[which])
    P_l = (theirs[own] - n_wl + 1) / (counted.sum() - np.where(counts, n[worker], 0) + n_codes)
    mine = counts.astype(np.int64)
    if answers.own is not None:
        pair_and_code = answers.own * n_codes + code
        mine = mine * np.bincount(pair_and_code)[pair_and_code[which]]
    return sum_by(worker, np.log((np.maximum(n_il - mine, 0) + P_l) / (n_i - mine + 1)), W)


def _how_often(keys: Ints, wanted: Ints) -> Ints:
    """How often each wanted key occurs."""
    in_order = np.sort(keys)
    return np.searchsorted(in_order, wanted, "right") - np.searchsorted(in_order, wanted, "left")
