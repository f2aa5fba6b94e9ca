"""Pairs of workers whose answers depart from everybody else's in the same way: accounts that may be one person's.

An answer is a number, or a row of one number a label. Of each worker's answers the line over the items' means is taken
away, so that neither a bias nor giving always the same answer makes two workers alike. Of what is left, u_i and v_i on
the items that two workers share, r = sum u_i v_i / sqrt(sum u_i^2 sum v_i^2) is how alike they are, and
t = sum u_i v_i / sqrt(sum (u_i v_i)^2) whether that rests on enough items: about normal if they answer by themselves.
A pair is found where r is 0.7 or more, t beyond the point that one pair in any passes in 1 % of crowds, and the two are
three times as near to each other, by 1 - r, as either is to anybody else: workers who are all nearly right, where
others are not, are alike too.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from agreement.arrays import Floats, Ints, divide

ALIKE = 0.7
LEVEL = 0.01  # of one pair or more in a crowd of workers who answer by themselves
STANDS_OUT = 3.0  # times as near to each other as to anybody else
LEAST_SHARED = 20
MOST_WORKERS = 300  # those with most answers, where there are more
MOST_CELLS = 20_000_000  # of a table of workers by items and columns
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
    items, at_item = np.unique(item, return_inverse=True)
    n_items, D = len(items), answers.shape[1]
    if len(codes) * n_items * D > MOST_CELLS:
        return []
    left, seen = _departures(at_item, worker, answers, codes, n_items)
    flat = left.reshape(len(codes), -1)
    shared = seen @ seen.T
    # Sums of squares over the items that the other worker has seen too.
    squares = np.sum(left**2, axis=2) @ seen.T
    r = divide(flat @ flat.T, np.sqrt(squares * squares.T))
    r = np.where((shared >= LEAST_SHARED) & np.isfinite(r), r, -1.0)
    np.fill_diagonal(r, -1.0)
    first, second = np.nonzero(np.triu((r >= ALIKE) & (STANDS_OUT * (1 - r) <= 1 - _best_of_others(r)), k=1))
    pairs = len(codes) * (len(codes) - 1) / 2
    far = float(special.ndtri(1 - LEVEL / pairs))
    found = []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        products = np.sum(left[a] * left[b], axis=1)
        if float(products.sum()) >= far * float(np.sqrt(np.sum(products**2))):
            found.append(SimilarPair(int(codes[a]), int(codes[b]), int(shared[a, b]), float(r[a, b])))
    return sorted(found, key=lambda pair: -pair.r)


def _best_of_others(r: Floats) -> Floats:
    """[W, W] the largest r that either of two workers has with a third."""
    in_order = np.sort(r, axis=1)
    largest, second = in_order[:, -1:], in_order[:, -2:-1]
    others = np.where(r == largest, second, largest)
    return np.maximum(others, others.T)


def _departures(item: Ints, worker: Ints, answers: Floats, codes: Ints, n_items: int) -> tuple[Floats, Floats]:
    """[W, N, D] what the items' means leave of each worker's answers, 0 where there is none, and [W, N] where they are.

    The mean of an item is of all workers; an item that one worker judged says nothing.
    """
    n = np.bincount(item, minlength=n_items)
    mean = np.stack([divide(np.bincount(item, weights=of, minlength=n_items), n) for of in answers.T], axis=1)
    place = np.full(int(worker.max()) + 1, -1)
    place[codes] = np.arange(len(codes))
    kept = (place[worker] >= 0) & (n[item] > 1)
    at, of, given = place[worker[kept]], item[kept], answers[kept]
    times = np.bincount(at * n_items + of, minlength=len(codes) * n_items).reshape(len(codes), n_items)
    seen = (times > 0).astype(np.float64)
    left = np.zeros((len(codes), n_items, answers.shape[1]))
    for column in range(answers.shape[1]):
        flat = np.bincount(at * n_items + of, weights=given[:, column], minlength=len(codes) * n_items)
        x = divide(flat.reshape(times.shape), times)
        left[:, :, column] = _off_the_line(np.nan_to_num(x), mean[None, :, column] * np.ones_like(seen), seen)
    return left, seen


def _off_the_line(x: Floats, over: Floats, seen: Floats) -> Floats:
    """Each row of x less its own line over `over`, on the places that it has seen."""
    n = seen.sum(axis=1, keepdims=True)
    x, over = ((side - divide(np.sum(side * seen, axis=1, keepdims=True), n)) * seen for side in (x, over))
    slope = np.nan_to_num(divide(np.sum(x * over, axis=1, keepdims=True), np.sum(over * over, axis=1, keepdims=True)))
    left = x - slope * over
    whole = np.sum(x * x, axis=1, keepdims=True)
    return np.where(np.sum(left**2, axis=1, keepdims=True) > NOTHING_LEFT * whole, left, 0.0)
