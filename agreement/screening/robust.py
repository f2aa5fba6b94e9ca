"""Robust z values, and the distance of a worker from all others in several indices together."""

from __future__ import annotations

import numpy as np

from ..arrays import Bools, Floats

NORMAL = 1.4826  # of a normal distribution: the standard deviation over the median absolute deviation


def robust_z(x: Floats, usual: Bools, floor: Floats | float) -> Floats:
    """[W] (x - median) / max(1.4826 MAD, floor), median and MAD of the `usual` workers; nan where x is nan.

    The floor is what an index varies by at least, so that a crowd in which all are alike makes nobody stand out.

    >>> robust_z(np.array([1.0, 2.0, 3.0, 10.0]), np.ones(4, dtype=bool), 0.1).round(3).tolist()
    [-1.012, -0.337, 0.337, 5.059]
    """
    among = x[usual & np.isfinite(x)]
    if not len(among):
        return np.full(len(x), np.nan)
    median = np.median(among)
    mad = np.median(np.abs(among - median))
    return np.asarray((x - median) / np.maximum(NORMAL * mad, floor))


def usual_value(x: Floats, usual: Bools) -> float:
    """The median of the workers who count as usual; nan where there is none."""
    among = x[usual & np.isfinite(x)]
    return float(np.median(among)) if len(among) else np.nan


def mahalanobis(indices: Floats) -> Floats:
    """[W] the squared distance of each row [W, K] from the mean in the covariance of all rows: `careless::mahad`.

    Rows with an index missing have none; columns that most rows lack, or that don't vary, don't count.

    >>> mahalanobis(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])).round(6).tolist()
    [1.5, 1.5, 1.5, 1.5]
    """
    there = np.isfinite(indices)
    columns = there.mean(axis=0) > 0.5 if len(indices) else np.zeros(indices.shape[1], dtype=np.bool_)
    rows = there[:, columns].all(axis=1)
    distance = np.full(len(indices), np.nan)
    x = indices[np.ix_(rows, columns)]
    if len(x) <= x.shape[1] or not x.shape[1]:
        return distance
    x = x - x.mean(axis=0)
    covariance = np.atleast_2d(x.T @ x) / (len(x) - 1)
    distance[rows] = np.einsum("wk,kl,wl->w", x, np.linalg.pinv(covariance, hermitian=True), x)
    return distance
