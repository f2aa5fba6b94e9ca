"""Who judged what: judgments as dense item and worker codes, and the cells (a worker on an item) that they fall in."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .estimate import Floats
from .intervals import RELIABILITY, Range

Codes: TypeAlias = npt.NDArray[np.int64]
AnyCodes: TypeAlias = npt.NDArray[np.integer]  # one byte each where there are hundreds of columns of them

DENSE = 16  # a table may have this many places a judgment: memory grows with the judgments and nothing else

WIDEST = 64  # labels up to which an item's counts are held as a full row


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """J judgments of N items by W workers. Without repeats a cell is a judgment."""

    item: Codes  # [J] 0 .. N-1, each of them used
    worker: Codes  # [J] 0 .. W-1, each of them used
    n: Floats  # [N] judgments of each item
    start: Codes | None  # [N] the first judgment of each item where judgments stand in order of items: sums are faster
    item_codes: Codes  # [N] the caller's code of each item
    worker_codes: Codes  # [W]
    cell: Codes | None  # [J] the cell of each judgment; None: judgment j is cell j
    cell_item: Codes  # [C]
    cell_worker: Codes  # [C]
    cell_size: Floats  # [C]
    fixed_workers: bool = False  # they are the population, and no sample of one

    @property
    def judgments(self) -> int:
        return len(self.item)

    @property
    def items(self) -> int:
        return len(self.n)

    @property
    def workers(self) -> int:
        return len(self.worker_codes)

    @property
    def repeated(self) -> int:
        """Judgments beyond a worker's first on an item."""
        return self.judgments - len(self.cell_item)

    def by_item(self, weights: Floats) -> Floats:
        """[J] -> [N] sums over each item's judgments."""
        if self.start is None:
            return sums(self.item, weights, self.items)
        return np.add.reduceat(weights, self.start) if len(weights) else np.zeros(self.items)

    def by_cell(self, weights: Floats) -> Floats:
        """[J] -> [C] sums over each cell's judgments."""
        return weights if self.cell is None else sums(self.cell, weights, len(self.cell_item))

    def by_worker(self, cell_weights: Floats) -> Floats:
        """[C] -> [W] sums over each worker's cells."""
        return sums(self.cell_worker, cell_weights, self.workers)

    @property
    def agreement_range(self) -> Range:
        """From -1 / (n - 1), n the fewest judgments of an item with two or more, to 1: where kappa and alpha can be.

        Items with one judgment, which enter the p_j of kappa and not P, may let it fall below that end.
        """
        in_pairs = self.n[self.n >= 2]
        return Range(-1 / (float(in_pairs.min()) - 1), 1.0) if len(in_pairs) else RELIABILITY

    def only(self, kept: npt.NDArray[np.bool_]) -> "Design":
        """The design of some of the judgments, its items and workers still named by the caller's codes."""
        if kept.all():
            return self
        part = design_of(self.item[kept], self.worker[kept])
        return replace(
            part,
            item_codes=self.item_codes[part.item_codes],
            worker_codes=self.worker_codes[part.worker_codes],
            fixed_workers=self.fixed_workers,
        )

    @property
    def judgments_of_worker(self) -> Floats:
        return self.by_worker(self.cell_size)


def design_of(item: npt.NDArray[np.integer], worker: npt.NDArray[np.integer]) -> Design:
    """The design of judgments given as any integer codes [J]: gaps, huge codes and repeats are all right."""
    dense_item, item_codes = _dense(item)
    dense_worker, worker_codes = _dense(worker)
    n = np.asarray(np.bincount(dense_item, minlength=len(item_codes)), dtype=np.float64)
    in_items = bool(np.all(dense_item[1:] >= dense_item[:-1]))
    start = (np.cumsum(n) - n).astype(np.int64) if in_items else None
    key = dense_worker * max(len(item_codes), 1) + dense_item
    in_order = np.sort(key)
    if not np.any(in_order[1:] == in_order[:-1]):
        ones = np.ones(len(key))
        return Design(
            dense_item, dense_worker, n, start, item_codes, worker_codes, None, dense_item, dense_worker, ones
        )
    cells, cell, size = np.unique(key, return_inverse=True, return_counts=True)
    cell_worker, cell_item = np.divmod(cells, len(item_codes))
    return Design(
        dense_item, dense_worker, n, start, item_codes, worker_codes, cell, cell_item, cell_worker, size.astype(float)
    )


def runs(codes: npt.NDArray[np.integer]) -> Codes | None:
    """[J] codes numbered as they come, where equal codes stand together; None where they don't.

    >>> runs(np.array([7, 7, 2, 2, 5])).tolist(), runs(np.array([7, 2, 7]))
    ([0, 0, 1, 1, 2], None)
    """
    first = np.concatenate([[True], codes[1:] != codes[:-1]])[: len(codes)]
    starts = codes[first]
    return np.cumsum(first) - 1 if len(np.unique(starts)) == len(starts) else None


def same(group: Codes, code: AnyCodes, *, groups: int, codes: int) -> Floats:
    """[K] how many elements of an element's own group have its own code, itself among them."""
    key = group * max(codes, 1) + code
    if groups * codes <= DENSE * max(len(key), 1):
        return np.asarray(np.bincount(key, minlength=groups * codes)[key], dtype=np.float64)
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.float64)


def counts(design: Design, code: AnyCodes, labels: int, each: Floats) -> Floats | sparse.csr_array:
    """[N, L] the counts n_ij times `each` [N]; sparse where the labels are many."""
    if labels <= WIDEST:
        key = design.item * labels + code
        return sums(key, None, design.items * labels).reshape(design.items, labels) * each[:, None]
    return sparse.csr_array((each[design.item], (design.item, code)), shape=(design.items, labels))


def sums(group: Codes, weights: Floats | None, groups: int) -> Floats:
    """[groups] the sum of the weights, or the number of elements, of each group."""
    return np.asarray(np.bincount(group, weights=weights, minlength=groups), dtype=np.float64)


def _dense(codes: npt.NDArray[np.integer]) -> tuple[Codes, Codes]:
    """Codes renumbered 0 .. K-1 in ascending order, and the old code of each new one."""
    if len(codes) and codes.min() >= 0 and codes.max() <= DENSE * len(codes):
        used = np.bincount(codes) > 0
        old = np.flatnonzero(used).astype(np.int64)
        if len(old) == len(used):
            return codes.astype(np.int64), old
        return (np.cumsum(used) - 1)[codes], old
    old, new = np.unique(codes, return_inverse=True)
    return new.astype(np.int64), old.astype(np.int64)
