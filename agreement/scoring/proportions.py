"""Scores of a distribution over labels against gold proportions, item by item: Kendall, Spearman, divergence, top-1.

p may have more columns than q: labels that the study doesn't have, which nobody chose.
"""

import numpy as np

from agreement.gold.arrays import Bools, Floats, divide
from agreement.gold.labels import leading
from agreement.scoring.correlation import kendall, spearman
from agreement.scoring.groups import Groups
from agreement.scoring.labels import r_acc

PLACES = 12


def kendall_rows(p: Floats, q: Floats) -> Floats:
    """[J] Kendall's tau-b of each row of p with the same row of q; NaN where either is constant or missing.

    A row of p that lies on other labels than the study's alone is no constant answer, it is a wrong one: 0.
    """
    return _by_row(p, q, "kendall")


def spearman_rows(p: Floats, q: Floats) -> Floats:
    """[J] Spearman's rho of each row of p with the same row of q, likewise."""
    return _by_row(p, q, "spearman")


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """[J] the Jensen-Shannon divergence in nats, H((p + q) / 2) - (H(p) + H(q)) / 2, not its square root.

    >>> jensen_shannon(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]])).round(4).tolist()
    [0.6931, 0.0]
    """
    q = np.concatenate([q, np.zeros((len(q), p.shape[1] - q.shape[1]))], axis=1)
    p, q = (divide(side, side.sum(axis=1, keepdims=True)) for side in (p, q))
    between = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    return np.asarray(np.maximum(between, 0.0))


def top_1(p: Floats, q: Floats) -> Floats:
    """[J] whether the most probable label is the one with the largest gold share, ties by their share."""
    return r_acc(p, leading(np.nan_to_num(q)))


def _by_row(p: Floats, q: Floats, how: str) -> Floats:
    """Shares of gold are sums of fractions: what differs beyond `PLACES` only is a tie that rounding has parted."""
    q = np.round(q, PLACES)
    p, beyond = p[:, : q.shape[1]], p[:, q.shape[1] :]
    out = np.full(len(p), np.nan)
    there = np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1)
    if there.any():
        groups = Groups.equal(int(there.sum()), p.shape[1])
        metric = kendall if how == "kendall" else spearman
        out[there] = metric(groups, p[there].reshape(-1), q[there].reshape(-1))
    is_elsewhere = there & (np.nan_to_num(beyond) > 0).any(axis=1) & ~p.any(axis=1) & (np.ptp(q, axis=1) > 0)
    return np.where(is_elsewhere, 0.0, out)


def _entropy(p: Floats) -> Floats:
    logs = np.zeros_like(p)
    there: Bools = p > 0
    np.log(p, out=logs, where=there)
    return np.asarray(-np.sum(np.where(there, p, 0.0) * logs, axis=1) + np.where(np.isnan(p).any(axis=1), np.nan, 0.0))
