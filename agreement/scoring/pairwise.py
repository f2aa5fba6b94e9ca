"""Agreement of pairs of workers: the mean correlation over all pairs that share enough items."""

import numpy as np
import numpy.typing as npt
from scipy import sparse, stats

from agreement.gold.arrays import Floats, Ints, divide, sum_by
from agreement.scoring.people import LEAST_ITEMS
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import variance

CELLS = 1 << 20  # of the table of pairs that are held at once
MOST_WORKERS = 5_000  # above, pairs are taken among those with most judgments, and the method says so


def pairwise(item: Ints, worker: Ints, value: Floats, n_items: int, *, least_items: int = LEAST_ITEMS) -> Figure:
    """Mean Pearson r over pairs of workers who share `least_items` items or more.

    A worker's answers to one item are averaged first. The interval leaves workers out one at a time, all their pairs
    with them.
    """
    among = ""
    present, counts = np.unique(worker, return_counts=True)
    if len(present) > MOST_WORKERS:
        busiest = present[np.argsort(-counts, kind="stable")[:MOST_WORKERS]]
        mine = np.isin(worker, busiest)
        item, worker, value = item[mine], worker[mine], value[mine]
        among = f", among the {MOST_WORKERS} of {len(present)} workers with most judgments"
    codes = np.unique(worker, return_inverse=True)[1]
    total, pairs, most = _sums_of_pairs(item, codes, value, n_items, least_items)
    number = int(pairs.sum()) // 2
    if not number:
        return Undefined(
            f"no two workers share {least_items} items with answers that vary; the most that two share is {most}"
        )
    theta = float(total.sum() / 2 / number)
    how = f"mean Pearson r over {number} pairs of workers with {least_items} or more items in common{among}"
    there = pairs > 0
    deleted = divide(total.sum() / 2 - total[there], number - pairs[there])
    if not np.isfinite(deleted).all():
        return Estimate(theta, None, None, number, f"{how}; no interval: one worker is in every pair")
    half = float(stats.t.ppf(0.975, len(deleted) - 1)) * float(np.sqrt(variance(deleted)))
    return Estimate(theta, theta - half, min(theta + half, 1.0), number, f"{how}; jackknife over workers")


def _sums_of_pairs(
    item: Ints, worker: Ints, value: Floats, n_items: int, least_items: int
) -> tuple[Floats, npt.NDArray[np.int64], int]:
    """[W] the sum of r over each worker's pairs, [W] how many they are, and the most items that any two share."""
    n_workers = int(worker.max(initial=-1)) + 1
    x, seen = _tables(item, worker, value, n_workers, n_items)
    squares, across, total = x.power(2), seen.T.tocsr(), np.zeros(n_workers)
    pairs, most = np.zeros(n_workers, dtype=np.int64), 0
    turned, turned_squares = x.T.tocsr(), squares.T.tocsr()
    rows = max(CELLS // max(n_workers, 1), 1)
    for start in range(0, n_workers, rows):
        block = slice(start, start + rows)
        shared = (seen[block] @ across).toarray()
        mine, theirs = (x[block] @ across).toarray(), (seen[block] @ turned).toarray()
        m = np.maximum(shared, 1)
        sxy = (x[block] @ turned).toarray() - mine * theirs / m
        sxx = (squares[block] @ across).toarray()
        syy = (seen[block] @ turned_squares).toarray()
        vx, vy = sxx - mine**2 / m, syy - theirs**2 / m
        shared[np.arange(shared.shape[0]), start + np.arange(shared.shape[0])] = 0
        most = max(most, int(shared.max(initial=0)))
        counts = (shared >= max(least_items, 2)) & (vx > 1e-9 * sxx) & (vy > 1e-9 * syy)
        r = np.zeros(counts.shape)
        r[counts] = np.clip(sxy[counts] / np.sqrt(vx[counts] * vy[counts]), -1.0, 1.0)
        total[block], pairs[block] = r.sum(axis=1), counts.sum(axis=1)
    return total, pairs, most


def _tables(
    item: Ints, worker: Ints, value: Floats, n_workers: int, n_items: int
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """[W, N] each worker's mean answer to each item, less the worker's mean, and 1 where there is one."""
    n_w = np.bincount(worker, minlength=n_workers)
    centred = value - divide(sum_by(worker, value, n_workers), n_w)[worker]
    times = sparse.csr_array((np.ones(len(value)), (worker, item)), shape=(n_workers, n_items))
    x = sparse.csr_array((centred, (worker, item)), shape=(n_workers, n_items))
    x.data = x.data / times.data
    times.data = np.ones_like(times.data)
    return x, times
