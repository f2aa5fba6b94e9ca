"""Warnings about workers: reversed, unlike all others, on another scale, or several accounts of one person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse, special
from scipy.sparse import csgraph

from agreement.analysis.warnings_of.warning import AnalysisWarning, named
from agreement.arrays import Bools, Floats, divide
from agreement.crowd import Crowd, Properties, Sample
from agreement.stats.digits import in_digits

# Each worker's numbers beside the mean of the others' on the same items.

LEAST_ITEMS = 10


@dataclass(frozen=True, slots=True, eq=False)
class BesideOthers:
    """By worker [W]: `n` answers to items that others answered too, and of these the mean, sd, least and largest of
    their own (`x`) and of the others' means (`y`), and their correlation; nan where there is none.
    """

    n: Floats
    mean_x: Floats
    mean_y: Floats
    sd_x: Floats
    sd_y: Floats
    low_x: Floats
    high_x: Floats
    low_y: Floats
    high_y: Floats
    r: Floats

    @property
    def enough(self) -> Bools:
        return self.n >= LEAST_ITEMS

    def correlations(self, crowd: Crowd, workers: npt.NDArray[np.intp]) -> list[str]:
        """Each of these workers with the correlation and how many items it is over, in words."""
        return [f"{crowd.workers[who]} ({self.r[who]:.2f} over {int(self.n[who])} items)" for who in workers.tolist()]


def beside_others(crowd: Crowd, sample: Sample, value: Floats) -> BesideOthers:
    """One pass over the judgments [J], of which there are some, whose values are given."""
    W, N = crowd.n_workers, crowd.n_items
    shift = float(value.mean())
    x = value - shift  # of large numbers with small differences no digit is lost
    total, count = np.bincount(sample.item, weights=x, minlength=N), np.bincount(sample.item, minlength=N)
    several = count[sample.item] > 1
    item, worker, x = sample.item[several], sample.worker[several], x[several]
    y = (total[item] - x) / (count[item] - 1)
    n = np.bincount(worker, minlength=W).astype(np.float64)

    def mean(values: Floats) -> Floats:
        return divide(np.bincount(worker, weights=values, minlength=W), n)

    mean_x, mean_y = mean(x), mean(y)
    dx, dy = x - mean_x[worker], y - mean_y[worker]
    var_x, var_y = mean(dx * dx), mean(dy * dy)
    order = np.argsort(worker, kind="stable")
    there = np.flatnonzero(n)
    starts = (np.cumsum(n) - n)[there].astype(np.intp)

    def extreme(values: Floats, of: np.ufunc) -> Floats:
        each = np.full(W, np.nan)
        if len(starts):
            each[there] = of.reduceat(values[order], starts)
        return each + shift

    product = np.sqrt(var_x * var_y)
    tiny = 1e-12 * float(np.ptp(value)) ** 2
    return BesideOthers(
        n=n,
        mean_x=mean_x + shift,
        mean_y=mean_y + shift,
        sd_x=np.sqrt(var_x),
        sd_y=np.sqrt(var_y),
        low_x=extreme(x, np.minimum),
        high_x=extreme(x, np.maximum),
        low_y=extreme(y, np.minimum),
        high_y=extreme(y, np.maximum),
        r=np.where(product > tiny, divide(mean(dx * dy), product), np.nan),
    )


def warnings_on_numbers(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """All that can be said of workers whose answers are numbers on a scale."""
    if len(sample.item):
        beside = beside_others(crowd, sample, np.asarray(sample.answers))
        yield from reversed_workers(crowd, beside)
        yield from unlike_the_others(crowd, beside)
        yield from mixed_scales(crowd, beside)


def warnings_on_labels(crowd: Crowd, sample: Sample) -> Iterator[AnalysisWarning]:
    """Who answers the other way round, where two labels or ordered ones have another way round."""
    if len(sample.item) and (len(crowd.labels) == 2 or crowd.ordered):
        yield from reversed_workers(crowd, beside_others(crowd, sample, np.asarray(sample.answers, dtype=np.float64)))


# Workers who answer the other way round: their answers fall where those of the others rise.

AT_MOST = -0.5
TELLING = 3.3  # standard errors of Fisher's z below 0: one worker in 2,000 by chance alone


def reversed_workers(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """A correlation with the others' mean of -.5 or less over ten or more items, and clearly below 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1)) * np.sqrt(np.maximum(beside.n - 3, 0))
        found = np.flatnonzero(beside.enough & (beside.r <= AT_MOST) & (z <= -TELLING))
    if not len(found):
        return
    read = "read the scale backwards" if crowd.scale is not None else "taken the labels the wrong way round"
    if crowd.n_workers == 2 and len(found) == 2:
        first, second = map(str, crowd.workers)
        yield AnalysisWarning(
            "reversed-worker",
            f"Workers {first} and {second} answer in opposite directions (correlation {beside.r[found[0]]:.2f} over"
            f" {int(beside.n[found[0]])} items): one of them may have {read}.",
        )
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield AnalysisWarning(
        "reversed-worker",
        f"Workers who answer in the opposite direction, by their correlation with the mean of the others: "
        f"{named(each)}."
        f" They may have {read}, and lower every figure of agreement.",
    )


# Workers whose answers have next to nothing in common with those of the others, who agree well among themselves.

USUAL = 0.5  # the correlation with the others that half of the workers have or exceed
SHARE = 0.5  # of the usual one: who is clearly below it is named
LEAST_WORKERS = 4


def unlike_the_others(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """Half of the workers correlate at .5 or more with the mean of the others, and this one clearly below half of that.

    Clearly: by 3.3 standard errors of Fisher's z. Who answers the other way round is spoken of elsewhere.
    """
    usable = beside.enough & np.isfinite(beside.r)
    if int(usable.sum()) < LEAST_WORKERS:
        return
    usual = float(np.median(beside.r[usable]))
    if usual < USUAL:
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.arctanh(np.clip(beside.r, -1 + 1e-12, 1 - 1e-12))
        upper = z + TELLING / np.sqrt(np.maximum(beside.n - 3, 1))
    found = np.flatnonzero(usable & (upper < np.arctanh(SHARE * min(usual, 1 - 1e-12))) & (beside.r > AT_MOST))
    if not len(found):
        return
    worst = found[np.argsort(beside.r[found], kind="stable")]
    each = beside.correlations(crowd, worst)
    yield AnalysisWarning(
        "unlike-the-others",
        f"Workers whose answers hardly follow those of the others, by their correlation with the others' mean, which is"
        f" {usual:.2f} for the median worker: {named(each)}. They lower every figure of agreement.",
    )


# Workers who seem to have answered on another scale than the others.

TIMES = 10.0  # a spread so many times larger or smaller than that of the others' means on the same items
APART = 0.25  # of the scale, between the means of two ranges that don't meet


def mixed_scales(crowd: Crowd, beside: BesideOthers) -> Iterator[AnalysisWarning]:
    """A tenth or less of the others' spread, ten times it or more, or a range that theirs doesn't meet."""
    width = float(crowd.scale.high - crowd.scale.low) if crowd.scale is not None else np.inf
    varies = beside.enough & (beside.sd_x > 0) & (beside.sd_y > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = beside.sd_x / beside.sd_y
        apart = (beside.low_x > beside.high_y) | (beside.high_x < beside.low_y)
        far = np.abs(beside.mean_x - beside.mean_y) >= APART * width
        usual = np.median(beside.sd_x[varies]) if varies.any() else np.inf
        wide = (ratio >= TIMES) & (beside.sd_x >= TIMES * usual)  # a mean of many varies less than any one person
        narrow = ratio <= 1 / TIMES
    found = np.flatnonzero(varies & (narrow | wide | (apart & far)))
    if not len(found):
        return
    each = [
        f"{crowd.workers[who]} ({in_digits(beside.low_x[who])} to {in_digits(beside.high_x[who])},"
        f" where the others' means go from {_short(beside.low_y[who])} to {_short(beside.high_y[who])})"
        for who in found.tolist()
    ]
    yield AnalysisWarning(
        "mixed-scales",
        f"Workers who use another part of the scale than the others on the same items: {named(each, 3)}."
        " If they saw another scale, convert their numbers to the same scale first.",
    )


def _short(mean: float) -> str:
    """A mean in four digits, or with one place where that would take off whole ones.

    >>> _short(12.3456), _short(1000000012.3456)
    ('12.35', '1000000012.3')
    """
    return f"{mean:.4g}" if abs(mean) < 10_000 else in_digits(round(mean, 1))


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
