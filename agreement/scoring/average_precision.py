"""Average precision of candidates ranked by a score, against the properties that people name often enough."""

import numpy as np

from agreement.gold.arrays import Bools, Floats, divide


def average_precision(score: Floats, gold: Bools) -> Floats:
    """[Q] AP = sum_n (R_n - R_(n-1)) P_n of each row of scores [Q, V], as in scikit-learn; NaN without a gold.

    Candidates with equal scores are one threshold; a NaN score is an absent candidate: last, and tied with the others
    that are absent.

    >>> average_precision(np.array([[0.1, 0.4, 0.35, 0.8]]), np.array([[False, False, True, True]])).round(4).tolist()
    [0.8333]
    """
    if not score.shape[1]:
        return np.full(len(score), np.nan)
    known = np.where(np.isnan(score), -np.inf, score)
    order = np.argsort(-known, axis=1, kind="stable")
    ordered = np.take_along_axis(known, order, axis=1)
    hits = np.cumsum(np.take_along_axis(gold, order, axis=1), axis=1).astype(np.float64)
    ends = np.ones(score.shape, dtype=np.bool_)
    ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    reached = np.maximum.accumulate(np.where(ends, hits, 0.0), axis=1)
    before = np.concatenate([np.zeros((len(score), 1)), reached[:, :-1]], axis=1)
    precision = hits / np.arange(1, score.shape[1] + 1)
    return divide(np.sum(np.where(ends, (hits - before) * precision, 0.0), axis=1), gold.sum(axis=1))


def expected_by_chance(gold: Bools) -> Floats:
    """[Q] the expected AP of a random order of V candidates, R of them gold; NaN without a gold.

    (H_V + (R - 1) (V - H_V) / (V - 1)) / V, H_V the V-th harmonic number: the first hit's share, and what the other
    hits before it add (Bestgen 2015).

    >>> expected_by_chance(np.array([[True, False, False], [True, True, True]])).round(4).tolist()
    [0.6111, 1.0]
    """
    size = gold.shape[1]
    harmonic = float(np.sum(1 / np.arange(1, size + 1)))
    right = gold.sum(axis=1)
    more = (right - 1) * (size - harmonic) / max(size - 1, 1)
    return np.where(right > 0, (harmonic + more) / max(size, 1), np.nan)
