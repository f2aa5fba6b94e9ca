"""Intra-annotator reliability (Abercrombie et al. 2023): how far people agree with themselves when asked again.

Of labels it is Cohen's kappa of first and second answers, all people's pairs in one table. Of numbers it is the
ICC(A,1) of McGraw and Wong (1996) of n pairs in two columns: (MSR - MSE) / (MSR + MSE + 2 (MSC - MSE) / n), which a
shift of everybody's second answers lowers too. Beside it stands the same of different people, Fleiss' kappa or
ICC(1,1), and the ratio of the two: how much further people agree with themselves than with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import AMOUNT, ANY, CORRELATION, SHARE, Deletions, Range, two_way
from ..estimation.two_way_jackknife import DeletedGroups, leave_groups_out
from .chance_corrected import from_totals
from .icc import ICC
from .raw_statistic import centre_values

FEWEST_ITEMS = 10  # that are answered again, for them to be a sample of items
FEWEST_PAIRS = 2


@dataclass(frozen=True, eq=False)
class RepeatedAnswers:
    """Answers [J] to questions by item and worker, sorted by both and then in the order in which they were given.

    `is_shared` [J] marks the answers that may be held against other people's: a worker's first to the item itself.
    `n_labels` is 0 where answers are numbers.
    """

    item: Ints
    worker: Ints
    answer: Floats
    is_shared: Bools
    n_labels: int = 0

    @cached_property
    def first(self) -> npt.NDArray[np.intp]:
        """[P] the places of answers that are followed by a second one: of three or more the first two are a pair."""
        same = (self.item[1:] == self.item[:-1]) & (self.worker[1:] == self.worker[:-1])
        again = np.concatenate([[False], same])[: len(self.item)]
        return np.flatnonzero(again & ~np.concatenate([[False], again[:-1]])[: len(again)]) - 1

    @property
    def repeated_items(self) -> Ints:
        return np.unique(self.item[self.first])

    def take(self, keep: Bools) -> RepeatedAnswers:
        return RepeatedAnswers(
            self.item[keep], self.worker[keep], self.answer[keep], self.is_shared[keep], self.n_labels
        )


@dataclass(frozen=True, slots=True)
class IntraAnnotator:
    """`same` is the share of pairs of equal labels, or the mean difference of the two numbers of a pair.

    `between` is of the `items` that were answered again, or of all where these are fewer than ten (`are_same_items`).
    """

    intra: Figure
    between: Figure
    ratio: Figure
    same: Figure
    pairs: int
    items: int
    workers: int
    are_same_items: bool


NAMES = {True: ("Cohen's kappa", "Fleiss' kappa"), False: ("ICC(A,1)", "ICC(1,1)")}


def intra_annotator(
    answers: RepeatedAnswers, *, rng: np.random.Generator, processes: int | None = None
) -> IntraAnnotator:
    """All four figures with 95 % intervals over items and workers, or over workers where few items were repeated."""
    pairs, repeated = len(answers.first), answers.repeated_items
    are_same = len(repeated) >= FEWEST_ITEMS
    sample = answers.take(np.isin(answers.item, repeated)) if are_same else answers
    everything = np.ones(len(sample.item), dtype=np.bool_)
    theta = _figures(sample, everything)
    deleted = leave_groups_out(sample.item, sample.worker, rng, lambda stays: _figures(sample, stays), processes)
    own, between = NAMES[bool(answers.n_labels)]
    shared = sample.item[sample.is_shared]
    judged = int(np.sum(np.bincount(shared) >= 2)) if len(shared) else 0
    alike = "every answer and its repeat is one and the same"
    nobody = "no two people answered one item" if not judged else "all answers to these items are one and the same"
    of_same = (SHARE, "share of equal pairs") if answers.n_labels else (AMOUNT, "mean absolute difference")
    workers = len(np.unique(answers.worker[answers.first]))
    interval = _Intervals(theta, deleted, are_same, len(repeated), workers)
    return IntraAnnotator(
        intra=interval.figure(0, pairs, CORRELATION, f"{own} of {pairs:,} pairs", alike),
        between=interval.figure(1, judged, CORRELATION if answers.n_labels else ANY, f"{between} of people", nobody),
        ratio=interval.figure(2, pairs, AMOUNT, f"{own} over {between}", _no_ratio(theta)),
        same=interval.figure(3, pairs, *of_same, ""),
        pairs=pairs,
        items=len(repeated),
        workers=workers,
        are_same_items=are_same,
    )


def _no_ratio(theta: Floats) -> str:
    if np.isnan(theta[0]):
        return "people's agreement with themselves has no figure"
    return "people's agreement with each other " + ("has no figure" if np.isnan(theta[1]) else "is not above chance")


@dataclass(frozen=True, slots=True, eq=False)
class _Intervals:
    theta: Floats
    deleted: DeletedGroups
    are_same_items: bool
    items: int  # and workers, who have pairs
    workers: int

    def figure(self, at: int, n: int, within: Range, name: str, why: str) -> Figure:
        """Figure `at` with its interval, or `why` there is none."""
        theta, deleted = float(self.theta[at]), self.deleted
        if np.isnan(theta):
            return Undefined(why)
        workers = deleted.worker[:, at]
        if self.are_same_items:
            left_out = Deletions(deleted.item[:, at], workers, deleted.judgment[:, at])
            interval = two_way(
                theta, left_out, within=within, n_items=self.items, fixed_workers=len(workers) == 1,
                nu_w=None if deleted.workers_alone else len(workers) - 1.0,
            )  # fmt: skip
            return Estimate(theta, interval.low, interval.high, n, f"{name}; {interval.method}", interval.over)
        # Few items: they are taken as they are, and the workers are left out as a one-way jackknife's items are.
        left_out = Deletions(workers, workers, workers)
        one_way = two_way(theta, left_out, within=within, n_items=self.workers, fixed_workers=True)
        if len(workers) < 3 or one_way.low is None or one_way.df is None:
            why = one_way.why.replace("item", "worker") or "there are fewer than three workers"
            return Estimate(theta, None, None, n, f"{name}; no interval: {why}")
        method = f"jackknife over workers, for these items{one_way.scale}, t with {one_way.df:.0f} df"
        return Estimate(theta, one_way.low, one_way.high, n, f"{name}; {method}")


def _figures(answers: RepeatedAnswers, stays: Bools) -> Floats:
    """Intra, between, their ratio, and how alike the answers of a pair are; NaN where undefined."""
    first = answers.first
    first = first[stays[first] & stays[first + 1]]
    shared = answers.is_shared & stays
    x, y, item, value = answers.answer[first], answers.answer[first + 1], answers.item[shared], answers.answer[shared]
    if answers.n_labels:
        own = cohen_kappa_of_pairs(x.astype(np.int64), y.astype(np.int64), answers.n_labels)
        between = _fleiss_kappa(item, value.astype(np.int64), answers.n_labels)
        same = float(np.mean(x == y)) if len(x) else np.nan
    else:
        own, between = icc_a1(x, y), _icc_1(item, value)
        same = float(np.mean(np.abs(x - y))) if len(x) else np.nan
    return np.array([own, between, own / between if between > 0 else np.nan, same])


def cohen_kappa_of_pairs(x: Ints, y: Ints, n_labels: int) -> float:
    """Of first and second answers [P]; NaN where all are one label, or there are too few.

    >>> round(cohen_kappa_of_pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2), 3)
    0.5
    """
    if len(x) < FEWEST_PAIRS:
        return float("nan")
    r, c = (np.bincount(codes, minlength=n_labels) / len(x) for codes in (x, y))
    P_o, P_e = float(np.mean(x == y)), float(r @ c)
    return (P_o - P_e) / (1 - P_e) if P_e < 1 else float("nan")


def icc_a1(x: Floats, y: Floats) -> float:
    """Of first and second answers [P]; NaN where nothing varies, or there are too few.

    >>> round(icc_a1(np.array([1.0, 2, 3, 4]), np.array([2.0, 3, 4, 5])), 3)
    0.769
    """
    n = len(x)
    if n < FEWEST_PAIRS:
        return float("nan")
    MSR, MSE = 2 * float(np.var((x + y) / 2, ddof=1)), float(np.var(x - y, ddof=1)) / 2
    MSC = n * float(np.mean(x) - np.mean(y)) ** 2 / 2
    total = MSR + MSE + 2 * (MSC - MSE) / n
    return (MSR - MSE) / total if total > 0 else float("nan")


def _fleiss_kappa(item: Ints, code: Ints, n_labels: int) -> float:
    size = int(item.max(initial=-1)) + 1
    n_ij = np.bincount(item * n_labels + code, minlength=size * n_labels).reshape(size, n_labels)
    n = n_ij.sum(axis=1, keepdims=True)
    several = n[:, 0] >= 2
    P = divide(np.sum(n_ij**2, axis=1) - n[:, 0], n[:, 0] * (n[:, 0] - 1))
    Q = np.nansum(divide(n_ij, n), axis=0)
    totals = (P[several].sum(), several.sum(), np.sum(Q**2), np.sum(n > 0))
    return float(from_totals(*(np.asarray(total, dtype=np.float64) for total in totals)))


def _icc_1(item: Ints, value: Floats) -> float:
    size, x = int(item.max(initial=-1)) + 1, centre_values(value)
    one_way = ICC(float(x @ x), 1.0)
    n = np.bincount(item, minlength=size).astype(np.float64)
    return float(one_way.values(one_way.rows(n, sum_by(item, x, size), sum_by(item, x * x, size)).sum(axis=1))[0])
