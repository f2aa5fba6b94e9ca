"""How far every two workers agree, and pairs whose answers depart from everybody else's in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse, special

from ..arrays import Floats, Ints, divide
from ..kinds.answers import Answers, Properties
from ..scoring.groups import Groups

LEAST_ITEMS = 5  # a figure of fewer shared items is mostly chance
MOST_IN_MATRIX = 40  # a larger matrix can't be read


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
    answer_array = np.asarray(answers)
    counts = np.bincount(worker)
    busiest = np.argsort(-counts, kind="stable")[:MOST_IN_MATRIX]
    workers = np.sort(busiest[counts[busiest] > 0]).astype(np.int64)
    mine = np.isin(worker, workers)
    who = np.searchsorted(workers, worker[mine])
    items = np.unique(item[mine], return_inverse=True)[1]
    columns = answer_array[mine].reshape(len(who), -1)
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
    is_defined = np.isfinite(figure)
    a, b = a[is_defined], b[is_defined]
    return AnnotatorMatrix(workers, workers[a], workers[b], shared[a, b].astype(np.int64), figure[is_defined])


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


# Pairs of workers whose answers depart from everybody else's in the same way: accounts that may be one
# person's. An answer is a number, or a row of one number a label. Of each worker's answers the line over the
# items' means is taken away, so that neither a bias nor giving always the same answer makes two workers
# alike. Of what is left, u_i and v_i on the items that two workers share, r = sum u_i v_i / sqrt(sum u_i^2
# sum v_i^2) is how alike they are, and t = sum u_i v_i / sqrt(sum (u_i v_i)^2) whether that rests on enough
# items: about normal if they answer by themselves. A pair is found where r is 0.7 or more, t beyond the point
# that one pair in any passes in 1 % of crowds, and the two are three times as near to each other, by 1 - r,
# as either is to anybody else: workers who are all nearly right, where others are not, are alike too.

ALIKE = 0.7
LEVEL = 0.01  # of one pair or more in a crowd of workers who answer by themselves
STANDS_OUT = 3.0  # times as near to each other as to anybody else
LEAST_SHARED = 20
MOST_WORKERS = 300  # those with most answers, where there are more
MOST_CELLS = 20_000_000  # of a table of workers by items and columns
FULL = 10  # a table with an answer in every tenth place
NOTHING_LEFT = 1e-9  # of the sum of squares


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two workers by the caller's codes, how many items they share, and r."""

    first: int
    second: int
    shared: int
    r: float


def similar_pairs(item: Ints, worker: Ints, answers: Floats) -> list[SimilarPair]:
    """The pairs among answers [J, D], most alike first; `item` and `worker` [J] are any codes."""
    counts = np.bincount(worker)
    busiest = np.argsort(-counts, kind="stable")[:MOST_WORKERS]
    codes = np.sort(busiest[counts[busiest] >= LEAST_SHARED])
    if len(codes) < 3:
        return []
    n_items, D = int(np.count_nonzero(np.bincount(item))), answers.shape[1]
    if len(codes) * n_items * D > MOST_CELLS:
        return []
    left, seen = _departures(item, worker, answers, codes)
    shared = _sums([seen], [seen])
    # Sums of squares over the items that the other worker has seen too.
    squares = _sums([one.power(2) for one in left], [seen] * D)
    r = divide(_sums(left, left), np.sqrt(squares * squares.T))
    r = np.where((shared >= LEAST_SHARED) & np.isfinite(r), r, -1.0)
    np.fill_diagonal(r, -1.0)
    first, second = np.nonzero(np.triu((r >= ALIKE) & (STANDS_OUT * (1 - r) <= 1 - _best_of_others(r)), k=1))
    pairs = len(codes) * (len(codes) - 1) / 2
    far = float(special.ndtri(1 - LEVEL / pairs))
    alike = []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        products = sum(one[[a]].multiply(one[[b]]) for one in left).toarray()
        if float(products.sum()) >= far * float(np.sqrt(np.sum(products**2))):
            alike.append(SimilarPair(int(codes[a]), int(codes[b]), int(shared[a, b]), float(r[a, b])))
    return sorted(alike, key=lambda pair: -pair.r)


def _best_of_others(r: Floats) -> Floats:
    """[W, W] the largest r that either of two workers has with a third."""
    in_order = np.sort(r, axis=1)
    largest, second = in_order[:, -1:], in_order[:, -2:-1]
    others = np.where(r == largest, second, largest)
    return np.maximum(others, others.T)


def _departures(
    item: Ints, worker: Ints, answers: Floats, codes: Ints
) -> tuple[list[sparse.csr_array], sparse.csr_array]:
    """What the items' means leave of each worker's answers, a table [W, N] a column, and 1 where there is an answer.

    The mean of an item is of all workers; an item that one worker judged says nothing. Tables hold answers alone.
    """
    n_items = int(item.max()) + 1
    n = np.bincount(item, minlength=n_items)
    place = np.full(int(worker.max()) + 1, -1)
    place[codes] = np.arange(len(codes))
    kept = (place[worker] >= 0) & (n[item] > 1)
    rows, of, kept_answers = place[worker[kept]], item[kept], answers[kept]
    seen = sparse.csr_array((np.ones(len(rows)), (rows, of)), shape=(len(codes), n_items))
    times, seen.data = seen.data, np.ones_like(seen.data)
    left = []
    for column, all_of_column in zip(kept_answers.T, answers.T, strict=True):
        one = sparse.csr_array((column, (rows, of)), shape=seen.shape)
        mean = divide(np.bincount(item, weights=all_of_column, minlength=n_items), n)
        one.data = _off_the_line(one.data / times, mean[one.indices], Groups(one.indptr.astype(np.int64)))
        left.append(one)
    return left, seen


def _off_the_line(x: Floats, over: Floats, workers: Groups) -> Floats:
    """[C] each worker's x less its own line over `over`."""
    x, over = (side - workers.spread(divide(workers.sum(side), workers.sizes)) for side in (x, over))
    slope = np.nan_to_num(divide(workers.sum(x * over), workers.sum(over * over)))
    left = x - workers.spread(slope) * over
    is_left = workers.sum(left * left) > NOTHING_LEFT * workers.sum(x * x)
    return np.where(workers.spread(is_left.astype(np.int64)) > 0, left, 0.0)


def _sums(ours: Sequence[sparse.csr_array], theirs: Sequence[sparse.csr_array]) -> Floats:
    """[W, W] over all items and columns, of one table times the other; those that are rather full as full tables."""
    total = np.zeros((ours[0].shape[0], theirs[0].shape[0]))
    for one, other in zip(ours, theirs, strict=True):
        is_full = FULL * one.nnz > one.shape[0] * one.shape[1]
        total += one.toarray() @ other.toarray().T if is_full else (one @ other.T).toarray()
    return total
