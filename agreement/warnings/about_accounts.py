"""Accounts that may be one person's: the same answers throughout, or numbers that depart alike from all others'."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse, special
from scipy.sparse import csgraph

from ..judgments.crowd import Crowd, Properties, Sample
from ..people.similar_workers import SimilarPair, similar_pairs
from .warning import AnalysisWarning, named

# Workers whose answers are the same, or nearly: one person with several accounts, or one file read twice.
#
# The criterion, which must not take easy questions or a label that nearly everybody gives for copying:
#
# - Only items count on which not all answers are the same, and two workers must share ten of them or more. Where the
#   answers are numbers on a fine scale, all items count: two people don't give the same number by being right.
# - Two are alike if 95 % or more of their answers there are the same; workers alike to one another form a group.
# - What a group agrees on must surprise: by the best agreement that any of its members has with a worker outside of it,
#   so many equal answers have a chance below one in a million, all pairs of workers counted. A group of more than a
#   third of the workers is agreement, not copying.
# - Where the group's answers are fine (two of them are equal with a chance of one in twenty or less), its size
#   doesn't matter.

Ints = npt.NDArray[np.int64]

LEAST_SHARED = 10
ALIKE = 0.95
MOST_ALIKE = 3  # a group is at most this part of the workers
CHANCE = 1e-6
FINE = 1 / 20  # the chance that two answers are equal, below which a scale is a fine one
MOST_PAIRS = 500_000  # pairs of judgments of an item that are looked at; of more, a seeded sample of the items
LEAST_SHARED_ITEMS = 20  # of a sample, however many judgments each has
MOST_CELLS = 10_000_000  # of a dense table of workers by answers


def identical_accounts(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Groups of workers with the same answers."""
    if isinstance(sample.answers, Properties) or not len(sample.item):
        return
    looked_at = _coded(*_looked_at(crowd, sample))
    all_items = crowd.scale is not None and _chance_of_equal(looked_at[2]) <= FINE
    item, worker, code = looked_at if all_items else _varying(*looked_at)
    if not len(item):
        return
    there, dense = np.unique(worker, return_inverse=True)
    first, second, shared, same = _pairs(item, dense.astype(np.int64), code, len(there))
    alike = same >= ALIKE * shared
    if not alike.any():
        return
    links = sparse.coo_array((np.ones(int(alike.sum())), (first[alike], second[alike])), shape=(len(there),) * 2)
    _, group = csgraph.connected_components(links, directed=False)
    sizes = np.bincount(group)
    pairs = len(there) * (len(there) - 1) / 2
    for which in np.flatnonzero(sizes > 1).tolist():
        inside, other = group[first] == which, group[second] == which
        within, across = inside & other, inside != other
        least = np.argmin(np.where(within & alike, same / shared, np.inf))
        is_fine = _chance_of_equal(code[group[dense] == which]) <= FINE
        if not is_fine:
            if MOST_ALIKE * sizes[which] > len(there) or not across.any():
                continue
            best = float(np.max((same[across] + 1) / (shared[across] + 2)))
            strongest = np.argmax(shared[within])
            n, k = int(shared[within][strongest]), int(same[within][strongest])
            if special.bdtrc(k - 1, n, best) * pairs >= CHANCE:
                continue
        who = [str(crowd.workers[there[at]]) for at in np.flatnonzero(group == which).tolist()]
        which_items = "share" if all_items else "share and on which answers vary"
        yield AnalysisWarning(
            "identical-accounts",
            f"Workers {named(who)} gave the same answers to {same[least]:,} of {shared[least]:,} items that two of them"
            f" {which_items}: they may be one person or one file read twice, which raises agreement.",
        )


def _looked_at(crowd: Crowd, sample: Sample) -> tuple[Ints, Ints, npt.NDArray[np.generic]]:
    """Item, worker and answer of the judgments that are compared; the sample of items is the same every time."""
    item, worker, answers = sample.item, sample.worker, np.asarray(sample.answers)
    n = np.bincount(item, minlength=crowd.n_items).astype(np.float64)
    cost = n * n
    if cost.sum() > MOST_PAIRS:
        order = np.random.default_rng(1).permutation(crowd.n_items)
        taken = np.zeros(crowd.n_items, dtype=np.bool_)
        taken[order[np.cumsum(cost[order]) <= MOST_PAIRS]] = True
        taken[order[:LEAST_SHARED_ITEMS]] = True
        keep = taken[item]
        item, worker, answers = item[keep], worker[keep], answers[keep]
    return item.astype(np.int64), worker.astype(np.int64), answers


def _chance_of_equal(code: Ints) -> float:
    """The chance that two of these answers, drawn at random, are equal."""
    return float(np.sum((np.bincount(code) / max(len(code), 1)) ** 2))


def _coded(item: Ints, worker: Ints, answers: npt.NDArray[np.generic]) -> tuple[Ints, Ints, Ints]:
    """The judgments with answers as codes."""
    if answers.ndim == 2:
        is_set = answers.dtype == np.bool_
        rows = np.packbits(answers.astype(np.bool_), axis=1) if is_set else np.ascontiguousarray(answers)
        answers = rows.view([("", rows.dtype)] * rows.shape[1])[:, 0]
    return item, worker, np.unique(answers, return_inverse=True)[1].astype(np.int64)


def _varying(item: Ints, worker: Ints, code: Ints) -> tuple[Ints, Ints, Ints]:
    """The judgments of items whose answers aren't all the same."""
    if not len(item):
        return item, worker, code
    starts = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]]))
    varies = np.maximum.reduceat(code, starts) > np.minimum.reduceat(code, starts)
    keep = np.repeat(varies, np.diff(np.append(starts, len(item))))
    return item[keep], worker[keep], code[keep]


def _pairs(item: Ints, worker: Ints, code: Ints, workers: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Pairs of workers who share enough items: both, how many items, and how many equal answers."""
    shared, same = _together(worker, item, workers), _together(worker, item * (int(code.max()) + 1) + code, workers)
    if isinstance(shared, np.ndarray):
        first, second = np.nonzero(np.triu(shared >= LEAST_SHARED, k=1))
        together = shared[first, second]
    else:
        found = sparse.triu(shared, k=1).tocoo()
        enough = found.data >= LEAST_SHARED
        first, second, together = found.coords[0][enough], found.coords[1][enough], found.data[enough]
    equal = np.asarray(same[first, second]).ravel() if len(first) else np.zeros(0)
    return first.astype(np.int64), second.astype(np.int64), together.astype(np.int64), equal.astype(np.int64)


def _together(worker: Ints, key: Ints, workers: int) -> npt.NDArray[np.float32] | sparse.csr_array:
    """[W, W] how many keys each two workers have in common: dense while that is small, for it is faster."""
    _, place = np.unique(key, return_inverse=True)
    size = int(place.max()) + 1
    if workers * max(size, workers) <= MOST_CELLS:
        table = np.zeros((workers, size), dtype=np.float32)
        table[worker, place] = 1
        return np.asarray(table @ table.T)
    rows = sparse.csr_array((np.ones(len(key), dtype=np.int32), (worker, place)), shape=(workers, size))
    return sparse.csr_array(rows @ rows.T)


# Numbers that depart from everybody else's in the same way, item by item.


def similar_accounts(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """The pairs in one sentence; those with the very same answers are warned of as identical accounts."""
    if isinstance(sample.answers, Properties) or not len(sample.item):
        return
    answers = np.asarray(sample.answers, dtype=np.float64)
    columns = answers[:, None] if answers.ndim == 1 else answers
    pairs = [one for one in similar_pairs(sample.item, sample.worker, columns) if not _same(one, sample, columns)]
    if not pairs:
        return
    who = [f"{crowd.workers[one.first]} with {crowd.workers[one.second]} (r = {one.r:.2f})" for one in pairs]
    many = "Two workers answer" if len(pairs) == 1 else f"{len(pairs):,} pairs of workers answer"
    yield AnalysisWarning(
        "similar-accounts",
        f"{many} alike far beyond what items explain: {named(who)}. They may be one person with two accounts, which"
        " raises agreement and makes intervals too narrow.",
    )


def _same(pair: SimilarPair, sample: Sample, columns: np.ndarray) -> bool:
    """Whether nearly all answers that two workers share are equal."""
    mine, theirs = (
        {int(item): tuple(row) for item, row in zip(sample.item[own], columns[own].tolist(), strict=True)}
        for own in (sample.worker == pair.first, sample.worker == pair.second)
    )
    shared = mine.keys() & theirs.keys()
    return sum(mine[item] == theirs[item] for item in shared) >= ALIKE * len(shared)
