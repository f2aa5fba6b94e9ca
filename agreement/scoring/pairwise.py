"""Agreement of pairs of workers: the mean correlation over all pairs that share enough items."""

import numpy as np
from scipy import sparse

from agreement.gold.arrays import Floats, Ints, divide, sum_by
from agreement.scoring.pairs_of_workers import Pairs, without_each_cell
from agreement.scoring.people import LEAST_ITEMS
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import Deletions, two_way
from agreement.stats.ranges import CORRELATION

CELLS = 1 << 20  # of the tables that are held at once
FEW = 8  # such tables: pairs whose judgments fill no more are looked at one by one
MOST_WORKERS = 5_000  # above, pairs are taken among those with most judgments, and the method says so


def pairwise(
    item: Ints,
    worker: Ints,
    value: Floats,
    n_items: int,
    *,
    rng: np.random.Generator,
    least_items: int = LEAST_ITEMS,
) -> Figure:
    """Mean Pearson r over pairs of workers who share `least_items` items or more, with its two-way interval.

    A worker's answers to one item are averaged first. A worker leaves with all pairs; an item or a judgment leaves the
    pairs that share it, and these go on counting. Where the pairs are too many for that, `rng` draws some of them.
    """
    among = ""
    counts = np.bincount(worker)
    present = np.flatnonzero(counts)
    if len(present) > MOST_WORKERS:
        busiest = present[np.argsort(-counts[present], kind="stable")[:MOST_WORKERS]]
        mine = np.isin(worker, busiest)
        item, worker, value = item[mine], worker[mine], value[mine]
        among = f", among the {MOST_WORKERS} of {len(present)} workers with most judgments"
    codes = np.unique(worker, return_inverse=True)[1]
    x, seen = _tables(item, codes, value, int(codes.max(initial=-1)) + 1, n_items)
    pairs, most = _pairs(x, seen, least_items)
    number = len(pairs.r)
    if not number:
        return Undefined(
            f"no two workers share {least_items} items with answers that vary; the most that two share is {most}"
        )
    theta = float(pairs.r.mean())
    by_item, by_judgment, drawn = without_each_cell(x, seen, pairs, rng)
    left_out = Deletions(theta + by_item, _without_each_worker(pairs, x.shape[0]), theta + by_judgment)
    interval = two_way(theta, left_out, within=CORRELATION)
    of_some = f", items and judgments left out of {drawn} pairs drawn at random" if drawn < number else ""
    how = f"mean Pearson r over {number} pairs of workers with {least_items} or more items in common{among}"
    return Estimate(theta, interval.low, interval.high, number, f"{how}; {interval.method}{of_some}", interval.over)


def _without_each_worker(pairs: Pairs, n_workers: int) -> Floats:
    """The mean r once each worker who is in a pair has left with all pairs; NaN where that leaves none."""
    total, number = np.zeros(n_workers), np.zeros(n_workers, dtype=np.int64)
    for one in (pairs.a, pairs.b):
        total += np.bincount(one, weights=pairs.r, minlength=n_workers)
        number += np.bincount(one, minlength=n_workers)
    there = number > 0
    return divide(pairs.r.sum() - total[there], len(pairs.r) - number[there])


def _pairs(x: sparse.csr_array, seen: sparse.csr_array, least_items: int) -> tuple[Pairs, int]:
    """The pairs that count with their r, and the most items that any two share."""
    n_workers = x.shape[0]
    judged, across = seen.sum(axis=1), seen.T.tocsr()
    found, most = [Pairs.none()], 0
    rows = max(CELLS // max(n_workers, 1), 1)
    for start in range(0, n_workers, rows):
        shared = np.triu((seen[start : start + rows] @ across).toarray(), start + 1)
        most = max(most, int(shared.max(initial=0)))
        a, b = np.nonzero(shared >= max(least_items, 2))
        m, a = shared[a, b], a + start
        side_by_side = int(judged[a].sum() + judged[b].sum())
        if side_by_side <= FEW * CELLS:
            tables = side_by_side // CELLS + 1
            some = zip(np.array_split(a, tables), np.array_split(b, tables), strict=True)
            sx, sy, sxx, syy, sxy = np.hstack([_pair_by_pair(x, seen, *pair) for pair in some])
        else:
            sx, sy, sxx, syy, sxy = _all_pairs(x, seen, a, b)
        vx, vy = sxx - sx**2 / m, syy - sy**2 / m
        counts = (vx > 1e-9 * sxx) & (vy > 1e-9 * syy)
        r = np.clip((sxy - sx * sy / m)[counts] / np.sqrt(vx[counts] * vy[counts]), -1.0, 1.0)
        found.append(Pairs(a[counts].astype(np.int32), b[counts].astype(np.int32), m[counts].astype(np.int32), r))
    return Pairs.joined(found), most


def _pair_by_pair(x: sparse.csr_array, seen: sparse.csr_array, a: Ints, b: Ints) -> Floats:
    """[5, P] the sums of x, y, x^2, y^2 and xy over the items that workers a and b [P] share, from their rows alone."""
    mine, theirs, by_me, by_them = x[a], x[b], seen[a], seen[b]
    products = (
        mine.multiply(by_them),
        theirs.multiply(by_me),
        mine.power(2).multiply(by_them),
        theirs.power(2).multiply(by_me),
        mine.multiply(theirs),
    )
    return np.stack([product.sum(axis=1) for product in products])


def _all_pairs(x: sparse.csr_array, seen: sparse.csr_array, a: Ints, b: Ints) -> Floats:
    """The same from the products of whole tables: faster where most pairs are asked for, all of the same few a."""
    first, last = int(a.min()), int(a.max()) + 1
    some, here = (a - first, b), slice(first, last)
    squares = x.power(2)
    turned, across, turned_squares = x.T.tocsr(), seen.T.tocsr(), squares.T.tocsr()
    products = (
        x[here] @ across,
        seen[here] @ turned,
        squares[here] @ across,
        seen[here] @ turned_squares,
        x[here] @ turned,
    )
    return np.stack([product.toarray()[some] for product in products])


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
