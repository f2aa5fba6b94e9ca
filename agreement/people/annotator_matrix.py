"""The agreement of every two workers who share enough items: the cells of the annotator matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..arrays import divide
from ..estimation.estimate import Floats
from ..kinds.answer_arrays import Answers, Properties

LEAST_ITEMS = 5  # a figure of fewer shared items is mostly chance
MOST_WORKERS = 40  # a larger matrix can't be read


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatorMatrix:
    """Workers a < b [P] by code, how many items they share, and how far they agree on them.

    `workers` are those who were compared: all, or those with most judgments.
    """

    workers: npt.NDArray[np.int64]
    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    shared: npt.NDArray[np.int64]
    agreement: Floats


def annotator_matrix(
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: Answers,
    by: Literal["correlation", "hits"],
) -> AnnotatorMatrix:
    """`correlation`: Pearson's r over what both answered, of all labels; `hits`: the share of equal answers.

    A pair whose correlation is undefined, because one of them always answered the same, is left out.

    >>> item, worker = np.tile(np.arange(6), 3), np.repeat(np.arange(3), 6)
    >>> code = np.array([0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1])
    >>> found = annotator_matrix(item, worker, code, "hits")
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.agreement.round(3).tolist()))
    [(0, 1, 0.833), (0, 2, 0.333), (1, 2, 0.333)]
    """
    if isinstance(answers, Properties):
        raise TypeError("lists of properties are not compared pair by pair")
    given = np.asarray(answers)
    counts = np.bincount(worker)
    busiest = np.argsort(-counts, kind="stable")[:MOST_WORKERS]
    workers = np.sort(busiest[counts[busiest] > 0]).astype(np.int64)
    mine = np.isin(worker, workers)
    who = np.searchsorted(workers, worker[mine])
    items = np.unique(item[mine], return_inverse=True)[1]
    columns = given[mine].reshape(len(who), -1)
    shared = _products(_table(who, items, np.ones(len(who)), len(workers)))
    a, b = np.nonzero(np.triu(shared >= LEAST_ITEMS, 1))
    L = columns.shape[1]
    rows, cells, values = np.repeat(who, L), (items[:, None] * L + np.arange(L)).ravel(), columns.ravel()
    if by == "correlation":
        figure = _correlations(rows, cells, values.astype(np.float64), len(workers))[a, b]
    else:
        code = np.unique(values, return_inverse=True)[1]
        alike = _products(_table(rows, cells * (code.max(initial=0) + 1) + code, np.ones(len(rows)), len(workers)))
        figure = divide(alike[a, b], shared[a, b] * L)
    there = np.isfinite(figure)
    a, b = a[there], b[there]
    return AnnotatorMatrix(workers, workers[a], workers[b], shared[a, b].astype(np.int64), figure[there])


def _table(row: npt.NDArray[np.integer], column: npt.NDArray[np.integer], value: Floats, rows: int) -> sparse.csr_array:
    """Several judgments of a worker on an item count as their mean."""
    columns = np.unique(column, return_inverse=True)[1]
    shape = (rows, int(columns.max(initial=-1)) + 1)
    total = sparse.csr_array((value, (row, columns)), shape=shape)
    times = sparse.csr_array((np.ones(len(value)), (row, columns)), shape=shape)
    total.data = total.data / times.data
    return total


def _products(table: sparse.csr_array, other: sparse.csr_array | None = None) -> Floats:
    return np.asarray((table @ (table if other is None else other).T).toarray(), dtype=np.float64)


def _correlations(row: npt.NDArray[np.integer], cell: npt.NDArray[np.integer], value: Floats, workers: int) -> Floats:
    """[W, W] Pearson's r over the cells that both have."""
    x = _table(row, cell, value - value.mean() if len(value) else value, workers)
    seen = x.copy()
    seen.data = np.ones_like(seen.data)
    n, sx, sxx, sxy = _products(seen), _products(x, seen), _products(x.power(2), seen), _products(x)
    vx = sxx - divide(sx**2, n)
    varies = (vx > 1e-9 * sxx) & (vx.T > 1e-9 * sxx.T)
    below = np.where(varies, vx * vx.T, np.nan)
    return np.clip((sxy - divide(sx * sx.T, n)) / np.sqrt(below), -1.0, 1.0)
