"""Indices of a worker's own answers in the order given: longest run, patterns, spread, halves.

`longest_runs`, `own_spread` and `even_odd` are those of R's package `careless` (Yentes and Wilhelm): longstring, irv,
and evenodd with groups of items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, Floats, Ints, count_by, divide, sum_by
from .with_others import Answers, ComparedAnswers

PERIODS = (2, 3, 4)
MOST_CELLS = 20_000_000  # of workers by answers, or by groups of items


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Answers in the order in which each worker gave them: `worker` [J] ascending, `code` [J] equal for equal answers.

    `first` [W + 1] is where each worker's answers begin.
    """

    worker: Ints
    code: Ints
    n_workers: int

    @property
    def n(self) -> Ints:
        """[W] how many answers each worker gave."""
        return count_by(self.worker, self.n_workers)

    @property
    def first(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.n)])


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """[W] the longest stretch of each worker that repeats itself: where it begins, its answers, and its period."""

    start: Ints
    length: Ints
    period: Ints


def longest_runs(sequence: Sequence) -> Stretch:
    """The longest run of equal answers, of length 0 for who gave none: `careless::longstring`.

    >>> answers = Sequence(np.array([0, 0, 0, 0, 1, 1]), np.array([3, 7, 7, 3, 5, 5]), 2)
    >>> longest_runs(answers).length.tolist()
    [2, 2]
    """
    return _longest(sequence, 1)


def longest_pattern(sequence: Sequence) -> Stretch:
    """The longest stretch that repeats 2, 3 or 4 answers which aren't all equal; the shortest period of equal ones.

    >>> alternating = Sequence(np.zeros(7, dtype=int), np.array([9, 1, 2, 1, 2, 1, 8]), 1)
    >>> stretch = longest_pattern(alternating)
    >>> stretch.start.tolist(), stretch.length.tolist(), stretch.period.tolist()
    ([1], [5], [2])
    """
    size = sequence.n_workers
    start, length, period = (np.zeros(size, dtype=np.int64) for _ in range(3))
    for each in PERIODS:
        stretch = _longest(sequence, each)
        longer = (stretch.length > length) & (stretch.length >= 2 * each)
        start[longer], length[longer], period[longer] = stretch.start[longer], stretch.length[longer], each
    return Stretch(start, length, period)


def _longest(sequence: Sequence, period: int) -> Stretch:
    """The longest stretch in which each answer is the one `period` before; of `period` above 1 with different ones."""
    worker, code, J = sequence.worker, sequence.code, len(sequence.code)
    again = np.zeros(J, dtype=np.bool_)
    again[period:] = (code[period:] == code[:-period]) & (worker[period:] == worker[:-period])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], again, [False]]).astype(np.int8)))
    begin, end = edges[::2] - period, edges[1::2]
    if period > 1:
        differ = np.zeros(len(begin), dtype=np.bool_)
        for step in range(1, period):
            differ |= code[begin] != code[begin + step]
        begin, end = begin[differ], end[differ]
    length = (sequence.n > 0).astype(np.int64) if period == 1 else np.zeros(sequence.n_workers, dtype=np.int64)
    start = sequence.first[:-1].copy()
    who = worker[begin]
    order = np.lexsort((-begin, end - begin))  # of each worker the longest is written last, the first of equal ones
    start[who[order]], length[who[order]] = begin[order], (end - begin)[order]
    return Stretch(start, length, np.full(sequence.n_workers, period))


def commonest_share(sequence: Sequence) -> Floats:
    """[W] the share of a worker's answers that are their commonest one.

    >>> commonest_share(Sequence(np.array([0, 0, 0, 0]), np.array([5, 2, 5, 5]), 2)).tolist()
    [0.75, nan]
    """
    n_codes = int(sequence.code.max(initial=-1)) + 1
    keys, W = sequence.worker.astype(np.int64) * n_codes + sequence.code, sequence.n_workers
    if W * n_codes <= MOST_CELLS:
        most = np.bincount(keys, minlength=W * n_codes).reshape(W, n_codes).max(axis=1, initial=0)
    else:
        keys, counts = np.unique(keys, return_counts=True)
        most = np.zeros(W, dtype=np.int64)
        np.maximum.at(most, keys // n_codes, counts)
    return divide(most, sequence.n)


def is_constant(sequence: Sequence, longest: Stretch) -> Bools:
    """[W] whether all answers are one and the same, exactly."""
    return np.asarray((longest.length == sequence.n) & (sequence.n > 0))


def own_spread(worker: Ints, value: Floats, n_workers: int) -> Floats:
    """[W] the standard deviation (n - 1) of a worker's numbers: `careless::irv`; 0, exactly, where all are equal.

    >>> own_spread(np.array([0, 0, 0, 1, 1]), np.array([1.0, 2.0, 3.0, 0.1, 0.1]), 2).tolist()
    [1.0, 0.0]
    """
    n = count_by(worker, n_workers)
    first = np.zeros(n_workers)
    first[worker[::-1]] = value[::-1]
    away = value - first[worker]  # 0 for all where all are equal
    dx = away - divide(sum_by(worker, away, n_workers), n)[worker]
    squares = sum_by(worker, dx * dx, n_workers)
    return np.where(n > 1, np.sqrt(divide(squares, np.maximum(n - 1, 1))), np.nan)


def strongest_echo(worker: Ints, value: Floats, n_workers: int) -> Floats:
    """[W] the largest correlation of a worker's numbers with their own 2, 3 or 4 answers before.

    A pattern that is clicked by hand repeats itself nearly, not exactly. What also holds one answer before is no
    pattern but a drift: nan where that correlation is as large.
    """
    n = count_by(worker, n_workers)
    dx = value - divide(sum_by(worker, value, n_workers), n)[worker]
    variance = sum_by(worker, dx * dx, n_workers)

    def echo(lag: int) -> Floats:
        same = worker[lag:] == worker[:-lag]
        return divide(sum_by(worker[lag:], np.where(same, dx[lag:] * dx[:-lag], 0.0), n_workers), variance)

    if len(value) <= max(PERIODS):
        return np.full(n_workers, np.nan)
    echoes = np.array([echo(lag) for lag in PERIODS])
    strongest = np.where(n > 2 * max(PERIODS), echoes.max(axis=0), np.nan)
    return np.where(strongest > echo(1) + 1e-9, strongest, np.nan)


# Whether a worker's own answers agree with each other.

FEWEST_GROUPS = 4


def even_odd(worker: Ints, found: ComparedAnswers) -> Floats:
    """[W] the correlation of a worker's even and odd answers over groups of items that the others answered alike.

    The index of `careless::evenodd`, not stepped up, for questions without scales of several items: of numbers a group
    is a tenth of the worker's items by the mean of the others, four of them or more; of labels it is the items with the
    same majority, and what is correlated is how often each label was given. Who follows the items gives both halves
    alike, also on another part of the scale and the other way round; who doesn't look, doesn't.
    """
    n_w, (group, G) = found.with_others.n, found.find_groups()
    W = len(n_w)
    if W * G * len(found.profile) > MOST_CELLS:
        return np.full(W, np.nan)
    who = worker[found.compared]
    place = np.arange(len(who)) - np.repeat(np.cumsum(n_w) - n_w, n_w)
    key = (who.astype(np.int64) * G + group) * 2 + place % 2
    count = sum_by(key, np.ones(len(key)), W * G * 2).reshape(W, G, 2)
    both = (count > 0).all(axis=2)
    halves = [np.nan_to_num(divide(sum_by(key, each, W * G * 2).reshape(W, G, 2), count)) for each in found.profile]
    cells = np.concatenate(halves, axis=1)  # [W, G x labels, 2]
    weight = np.tile(both, (1, len(halves))).astype(np.float64)
    n = weight.sum(axis=1)
    mean = divide((cells * weight[:, :, None]).sum(axis=1), n[:, None])
    away = (cells - mean[:, None, :]) * weight[:, :, None]
    xx, yy = (away * away).sum(axis=1).T
    r = divide((away[:, :, 0] * away[:, :, 1]).sum(axis=1), np.sqrt(xx * yy))
    return np.where(n >= FEWEST_GROUPS, r, np.nan)


# How probable a worker's answers are, if they answer as the others do about the same items.


def log_probability(answers: Answers, code: Ints, stretch: Stretch, skip: Ints, asked: Bools) -> Floats:
    """[W] the logarithm of how probable it is that answers like those of the others make up the stretch of each worker
    who is asked for, the first `skip` [W] of it aside; 0 for all others.

    An answer's probability is (n_il + P_l) / (n_i + 1), where n_il of the n_i others gave it to the item, and P_l is
    its share of all answers of the others.
    """
    W = answers.n_workers
    if not asked.any():
        return np.zeros(W)
    place, n = np.arange(len(code)), count_by(answers.worker, W)
    begin, end = np.maximum(stretch.start, np.cumsum(n) - n) + skip, stretch.start + stretch.length
    which = np.flatnonzero(asked[answers.worker] & (place >= begin[answers.worker]) & (place < end[answers.worker]))
    worker, own, n_codes = answers.worker[which], code[which], int(code.max(initial=-1)) + 1
    counted = answers.others[answers.worker]
    n_i = np.bincount(answers.item[counted], minlength=answers.n_items)[answers.item[which]]
    near = np.zeros(answers.n_items, dtype=np.bool_)
    near[answers.item[which]] = True
    near = near[answers.item] & counted
    cell = answers.item.astype(np.int64) * n_codes + code
    n_il = _how_often(cell[near], cell[which])
    theirs = np.bincount(code[counted], minlength=n_codes)
    pair = answers.worker.astype(np.int64) * n_codes + code
    counts = counted[which]
    n_wl = _how_often(pair[counted & asked[answers.worker]], pair[which])
    P_l = (theirs[own] - n_wl + 1) / (counted.sum() - np.where(counts, n[worker], 0) + n_codes)
    mine = counts.astype(np.int64)
    if answers.own is not None:
        pair_and_code = answers.own * n_codes + code
        mine = mine * np.bincount(pair_and_code)[pair_and_code[which]]
    return sum_by(worker, np.log((np.maximum(n_il - mine, 0) + P_l) / (n_i - mine + 1)), W)


def _how_often(keys: Ints, wanted: Ints) -> Ints:
    """How often each wanted key occurs."""
    in_order = np.sort(keys)
    return np.searchsorted(in_order, wanted, "right") - np.searchsorted(in_order, wanted, "left")
