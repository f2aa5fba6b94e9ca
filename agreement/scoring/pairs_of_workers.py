"""What an item or a judgment does to the mean correlation of pairs of workers, in closed form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from agreement.gold.arrays import Floats, Ints

MOST_CELLS = 2_000_000  # pairs x the items that they share; above, some of the pairs are drawn
CELLS_AT_ONCE = 1 << 20
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


def without_each_cell(
    x: sparse.csr_array, seen: sparse.csr_array, pairs: Pairs, rng: np.random.Generator
) -> tuple[Floats, Floats, int]:
    """By how much the mean r moves without each item that pairs share, without each judgment, and over how many pairs.

    `x` [W, N] holds the answers and `seen` 1 in the same places. A pair has lost the same whether an item leaves or
    the judgment of it by one of the two; where that leaves a side constant, the pair keeps its r.
    """
    some = pairs
    total = int(pairs.m.sum(dtype=np.int64))
    if total > MOST_CELLS:
        size = max(len(pairs.r) * MOST_CELLS // total, 1)
        some = pairs.take(np.sort(rng.choice(len(pairs.r), size, replace=False)))
    cell = sparse.csr_array((np.arange(1.0, x.nnz + 1), x.indices, x.indptr), shape=x.shape)
    by_item, by_cell = np.zeros(x.shape[1]), np.zeros(x.nnz)
    item_is_shared, cell_is_shared = np.zeros(x.shape[1], dtype=np.bool_), np.zeros(x.nnz, dtype=np.bool_)
    for part in _parts(some):
        mine, theirs = _shared_cells(cell, seen, part.a, part.b), _shared_cells(cell, seen, part.b, part.a)
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


def _shared_cells(cell: sparse.csr_array, seen: sparse.csr_array, whose: Ints, with_whom: Ints) -> npt.NDArray[np.intp]:
    """The cells of the first worker that the second has too, pair by pair in order of items."""
    shared = sparse.csr_array(cell[whose].multiply(seen[with_whom]))
    shared.sort_indices()
    return np.asarray(shared.data, dtype=np.intp) - 1


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
