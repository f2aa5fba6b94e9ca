"""Agreement of pairs of workers: the mean correlation over all pairs that share enough items."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..arrays import Floats, Ints, divide, sum_by
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import CORRELATION, Deletions, two_way
from ..estimation.two_way_jackknife import most_influential
from .leave_one_out import LEAST_ITEMS

# What an item or a judgment does to the mean correlation of pairs of workers, in closed form.

MOST_CELLS = 2_000_000  # pairs x the items that they share; above, some of the pairs are drawn
CELLS_AT_ONCE = 1 << 20
FULL = 10  # a table with an answer in every tenth place
CONSTANT = 1e-9  # of a side's sum of squares: below it all that is left is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Workers a and b [P], the number m of items that they share, and their r."""

    a: Ints
    b: Ints
    m: Ints
    r: Floats

    @classmethod
    def none(cls) -> "Pairs":
        nobody = np.zeros(0, dtype=np.int32)
        return cls(nobody, nobody, nobody, np.zeros(0))

    @classmethod
    def joined(cls, parts: "Sequence[Pairs]") -> "Pairs":
        return cls(*(np.concatenate([getattr(part, side) for part in parts]) for side in ("a", "b", "m", "r")))

    def take(self, which: npt.NDArray[np.intp]) -> "Pairs":
        return Pairs(self.a[which], self.b[which], self.m[which], self.r[which])


def without_each_cell(x: sparse.csr_array, pairs: Pairs, rng: np.random.Generator) -> tuple[Floats, Floats, int]:
    """By how much the mean r moves without each item that pairs share, without each judgment, and over how many pairs.

    `x` [W, N] holds the answers. A pair has lost the same whether an item leaves or the judgment of it by one of the
    two; where that leaves a side constant, the pair keeps its r.
    """
    some = pairs
    total = int(pairs.m.sum(dtype=np.int64))
    if total > MOST_CELLS:
        size = max(len(pairs.r) * MOST_CELLS // total, 1)
        some = pairs.take(np.sort(rng.choice(len(pairs.r), size, replace=False)))
    by_item, by_cell = np.zeros(x.shape[1]), np.zeros(x.nnz)
    item_is_shared, cell_is_shared = np.zeros(x.shape[1], dtype=np.bool_), np.zeros(x.nnz, dtype=np.bool_)
    for part in _parts(some):
        mine, theirs = _shared_cells(x, part)
        item = x.indices[mine]
        moves = _moves(x.data[mine], x.data[theirs], part.m)
        by_item += np.bincount(item, weights=moves, minlength=len(by_item))
        item_is_shared[item] = True
        for side in (mine, theirs):
            by_cell += np.bincount(side, weights=moves, minlength=len(by_cell))
            cell_is_shared[side] = True
    size = len(some.r)
    return by_item[item_is_shared] / size, by_cell[cell_is_shared] / size, size


def _parts(pairs: Pairs) -> Iterator[Pairs]:
    """The pairs in runs that share so many items together."""
    run = np.cumsum(pairs.m, dtype=np.int64) // CELLS_AT_ONCE
    edges = np.flatnonzero(np.diff(run)) + 1
    for which in np.split(np.arange(len(pairs.r)), edges):
        yield pairs.take(which)


def _shared_cells(x: sparse.csr_array, pairs: Pairs) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The cells of x of the items that a pair shares, a's and b's, pair by pair in order of items.

    The shorter row of the two is looked up in a list of the longer one's places, which is made once for all its pairs.
    """
    length = np.diff(x.indptr)
    a_is_longer = length[pairs.a] > length[pairs.b]
    longer, shorter = np.where(a_is_longer, (pairs.a, pairs.b), (pairs.b, pairs.a))
    first = np.cumsum(pairs.m, dtype=np.int64) - pairs.m
    of_longer, of_shorter = np.empty((2, int(pairs.m.sum(dtype=np.int64))), dtype=np.intp)
    place = np.full(x.shape[1], -1, dtype=np.int64)
    order = np.argsort(longer, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(longer[order])) + 1):
        who = longer[group[:1]]
        own = _ranges(x.indptr[who], length[who])
        place[x.indices[own]] = own
        cells = _ranges(x.indptr[shorter[group]], length[shorter[group]])
        matches = place[x.indices[cells]]
        is_shared = matches >= 0
        to = _ranges(first[group], pairs.m[group])
        of_longer[to], of_shorter[to] = matches[is_shared], cells[is_shared]
        place[x.indices[own]] = -1
    swapped = np.repeat(a_is_longer, pairs.m)
    return np.where(swapped, of_longer, of_shorter), np.where(swapped, of_shorter, of_longer)


def _ranges(start: Ints, length: Ints) -> npt.NDArray[np.int64]:
    """start, start + 1, … of each, so many as its length, one after the other."""
    before = np.cumsum(length, dtype=np.int64) - length
    return np.asarray(np.arange(int(length.sum(dtype=np.int64))) + np.repeat(start - before, length))


def _moves(x: Floats, y: Floats, m: Ints) -> Floats:
    """How r moves as each of a pair's items leaves, 0 where r would be undefined.

    With u and v the deviations from the pair's means, sum u v loses u v m / (m - 1), and the squares likewise.
    """
    first = np.cumsum(m, dtype=np.int64) - m
    u, v = (side - np.repeat(np.add.reduceat(side, first) / m, m) for side in (x, y))
    suu, svv, suv = (np.add.reduceat(product, first) for product in (u * u, v * v, u * v))
    r = np.repeat(suv / np.sqrt(suu * svv), m)
    suu, svv, suv, times = (np.repeat(of_pair, m) for of_pair in (suu, svv, suv, m / (m - 1)))
    left_u, left_v = suu - u * u * times, svv - v * v * times
    varies = (left_u > CONSTANT * suu) & (left_v > CONSTANT * svv)
    squares = np.where(varies, left_u * left_v, 1.0)
    return np.where(varies, np.clip((suv - u * v * times) / np.sqrt(squares), -1.0, 1.0) - r, 0.0)


# The mean over pairs, with its interval.

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
    fixed_workers: bool = False,
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
    present, codes = np.unique(worker, return_inverse=True)
    x, seen = _tables(item, codes, value, len(present), n_items)
    pairs, most = _pairs(x, seen, least_items)
    number = len(pairs.r)
    if not number:
        return Undefined(
            f"no two workers share {least_items} items with answers that vary; the most that two share is {most}"
        )
    theta = float(pairs.r.mean())
    by_item, by_judgment, drawn = without_each_cell(x, pairs, rng)
    without, who = _without_each_worker(pairs, x.shape[0])
    left_out = Deletions(theta + by_item, without, theta + by_judgment)
    interval = two_way(theta, left_out, within=CORRELATION, fixed_workers=fixed_workers)
    of_some = f", items and judgments left out of {drawn} pairs drawn at random" if drawn < number else ""
    name = f"mean Pearson r over {number} pairs of workers with {least_items} or more items in common{among}"
    influential = None if fixed_workers else most_influential(without, present[who])
    method = f"{name}; {interval.method}{of_some}"
    return Estimate(theta, interval.low, interval.high, number, method, interval.over, influential)


def _without_each_worker(pairs: Pairs, n_workers: int) -> tuple[Floats, npt.NDArray[np.intp]]:
    """The mean r once each worker who is in a pair has left with all pairs, NaN where that leaves none; and who."""
    total, number = np.zeros(n_workers), np.zeros(n_workers, dtype=np.int64)
    for one in (pairs.a, pairs.b):
        total += np.bincount(one, weights=pairs.r, minlength=n_workers)
        number += np.bincount(one, minlength=n_workers)
    who = np.flatnonzero(number)
    return divide(pairs.r.sum() - total[who], len(pairs.r) - number[who]), who


def _pairs(x: sparse.csr_array, seen: sparse.csr_array, least_items: int) -> tuple[Pairs, int]:
    """The pairs that count with their r, and the most items that any two share."""
    n_workers = x.shape[0]
    judged, across = seen.sum(axis=1), seen.T.tocsr()
    parts, most = [Pairs.none()], 0
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
        parts.append(Pairs(a[counts].astype(np.int32), b[counts].astype(np.int32), m[counts].astype(np.int32), r))
    return Pairs.joined(parts), most


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


class _Sides(NamedTuple):
    """Some rows of a table, and the whole of it turned: full or sparse."""

    rows: Any
    columns: Any


def _all_pairs(x: sparse.csr_array, seen: sparse.csr_array, a: Ints, b: Ints) -> Floats:
    """The same from the products of whole tables: faster where most pairs are asked for, all of the same few a."""
    first, last = int(a.min()), int(a.max()) + 1
    some, here = (a - first, b), slice(first, last)
    tables = (x, seen, x.power(2))
    if FULL * x.nnz > x.shape[0] * x.shape[1]:
        values, ones, squares = (_Sides(table[here].toarray(), table.toarray().T) for table in tables)
    else:
        values, ones, squares = (_Sides(table[here], table.T.tocsr()) for table in tables)
    sums = (
        values.rows @ ones.columns,
        ones.rows @ values.columns,
        squares.rows @ ones.columns,
        ones.rows @ squares.columns,
        values.rows @ values.columns,
    )
    return np.stack([(one if isinstance(one, np.ndarray) else one.toarray())[some] for one in sums])


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
