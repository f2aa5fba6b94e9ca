"""How uncertain a plan is: the components of variance of pilots whose workers and items are drawn again.

Each draw weighs workers and items by how often they are drawn. Pairs of judgments are of two workers on one item, of
one worker on two items, or of neither: copies of a worker are never a pair, nor are copies of an item, so that a worker
who is drawn twice doesn't agree with their own copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.integer]

DRAWS, MOST_JUDGMENTS = 40, 200_000  # of so many judgments in all; of more the interval says next to nothing
SEED = 1


def drawn_components(item: Codes, worker: Codes, y: Floats) -> Iterator[tuple[float, float, float]]:
    """sigma^2 of items, of workers and of what is left, of each draw; never below 0. `y` is [J, D]."""
    rng = np.random.default_rng([SEED, len(y)])
    items, i = np.unique(item, return_inverse=True)
    workers, w = np.unique(worker, return_inverse=True)
    y = y - y.mean(axis=0)
    for _ in range(DRAWS):
        v = np.bincount(rng.integers(0, len(items), len(items)), minlength=len(items)).astype(np.float64)
        u = np.bincount(rng.integers(0, len(workers), len(workers)), minlength=len(workers)).astype(np.float64)
        components = _components(i, w, y, v, u)
        if components is not None:
            yield components


def _components(i: Codes, w: Codes, y: Floats, v: Floats, u: Floats) -> tuple[float, float, float] | None:
    """By the three kinds of pairs, as `components_of` does without weights; None where a kind has no pair."""
    same_item, pairs_i = _pairs(i, u[w], y, v)
    same_worker, pairs_w = _pairs(w, v[i], y, u)
    everything, pairs = _pairs(np.zeros(len(y), dtype=np.int64), u[w] * v[i], y, np.ones(1))
    of_items, of_workers = _pairs(i, u[w], y, v**2), _pairs(w, v[i], y, u**2)
    neither, pairs_n = everything - of_items[0] - of_workers[0], pairs - of_items[1] - of_workers[1]
    if min(pairs_i, pairs_w, pairs_n) <= 0:
        return None
    v_item, v_worker, v_neither = same_item / pairs_i, same_worker / pairs_w, neither / pairs_n
    return max(v_neither - v_item, 0.0), max(v_neither - v_worker, 0.0), max(v_item + v_worker - v_neither, 0.0)


def _pairs(group: Codes, weight: Floats, y: Floats, times: Floats) -> tuple[float, float]:
    """Half the squared distances over ordered pairs of different judgments of a group, by their weights' products, and
    the pairs; each group counts so many `times`.
    """
    groups = len(times)
    n = np.bincount(group, weights=weight, minlength=groups)
    own = np.bincount(group, weights=weight**2, minlength=groups)
    squares = np.bincount(group, weights=weight * np.sum(y**2, axis=1), minlength=groups)
    sums = np.stack([np.bincount(group, weights=weight * column, minlength=groups) for column in y.T], axis=1)
    return float(times @ (n * squares - np.sum(sums**2, axis=1))), float(times @ (n**2 - own))
