"""The disagreement rule, and the figure behind it: how far a worker agrees with the others about the same items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import Refused
from ...judgments.crowd import Crowd, Mask
from ...kinds.kind import QuestionKind
from ...kinds.statistics import statistics_of
from ..rule import Correlation, CountedJudgments, Share, Verdicts, WorkerRule, by_figure, plain_number

Floats = npt.NDArray[np.float64]
FEWEST_ITEMS = 10
NEAR = Decimal("0.05")  # of a correlation or an accuracy
CELLS = 4_000_000  # judgments x labels held at once


@dataclass(frozen=True, slots=True)
class Disagreement(WorkerRule):
    """A worker who agrees too little with the others."""

    kind: ClassVar[str] = "disagreement"
    title: ClassVar[str] = "Disagreement with the others"
    words: ClassVar[Mapping[str, str]] = {
        "correlation_below": "Lowest correlation with the others",
        "accuracy_below": "Lowest accuracy against the others' majority",
    }
    selects_on_outcome: ClassVar[bool] = True
    correlation_below: Correlation | None = None
    accuracy_below: Share | None = None

    def __str__(self) -> str:
        r = f"correlation at least {plain_number(self.correlation_below)}" if self.correlation_below is not None else ""
        hits = f"accuracy at least {plain_number(self.accuracy_below)}" if self.accuracy_below is not None else ""
        return f"disagreement: with the other workers, {' and '.join(filter(None, (r, hits)))}"

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:
        """The figure by which this kind's workers agree."""
        declared = statistics_of(kind)
        by = {"correlation": "correlation_below", "hits": "accuracy_below"}
        return [] if declared.agrees is None else [by[declared.agrees_by]]

    def judge(self, judged: CountedJudgments) -> Verdicts:
        """From the answers to target items; workers with fewer than ten shared items have no verdict."""
        crowd, parts = judged.crowd, []
        declared = statistics_of(crowd.kind)
        if self.correlation_below is not None:
            if declared.agrees_by != "correlation":
                raise Refused(f"rule {self}: kind {crowd.kind} has labels; it takes accuracy_below")
            r, floor = agreement_with_others(crowd, crowd.on_target), float(self.correlation_below)
            parts.append((r, r < floor, "correlation with the others", f"at least {floor:g}"))
        if self.accuracy_below is not None:
            if declared.agrees_by != "hits" or declared.agrees is None:
                raise Refused(f"rule {self}: kind {crowd.kind} has no labels to be right about")
            hits, floor = agreement_with_others(crowd, crowd.on_target), float(self.accuracy_below)
            parts.append((hits, hits < floor, "accuracy against the others' majority", f"at least {floor:g}"))
        return by_figure(self, parts)

    def stricter(self) -> Disagreement:
        """Five hundredths more agreement."""
        bounds = {"correlation_below": self.correlation_below, "accuracy_below": self.accuracy_below}
        nearer = {name: min(bound + NEAR, Decimal(1)) for name, bound in bounds.items() if bound is not None}
        return replace(self, **nearer)


RULE = Disagreement


def agreement_with_others(crowd: Crowd, counted: Mask, *, others: Mask | None = None) -> Floats:
    """[W] numbers: Pearson's r with the mean of the others; labels: share equal to the others' majority, ties shared.

    `others` are the judgments that may stand for the others, all those counted if not said; a worker's own never do.
    Of sets each label is a yes or no of its own. nan with fewer than ten items that others judged too, or where one
    side is constant, and where answers are neither labels nor numbers.
    """
    agrees = statistics_of(crowd.kind).agrees
    if agrees is None:
        return np.full(crowd.n_workers, np.nan)
    others = counted if others is None else others
    own = _own_judgments(crowd)
    n = np.bincount(crowd.item[others], minlength=crowd.n_items)[crowd.item]
    n = n - np.bincount(own.of, weights=others[own.member], minlength=crowd.n_judgments).astype(np.int64)
    shared = np.flatnonzero(counted & (n > 0))
    figure = agrees(SharedJudgments(crowd, own, others, shared, n[shared]))
    return np.where(np.bincount(crowd.worker[shared], minlength=crowd.n_workers) >= FEWEST_ITEMS, figure, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class OwnJudgments:
    """Every judgment `of`, ascending, beside each `member` of the judgments by the same worker of the same item."""

    of: npt.NDArray[np.intp]
    member: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class SharedJudgments:
    """The judgments `which` that `n` [len(which)] others are beside, among the `others` [J], less those of `own`."""

    crowd: Crowd
    own: OwnJudgments
    others: Mask
    which: npt.NDArray[np.intp]
    n: npt.NDArray[np.int64]

    @property
    def worker(self) -> npt.NDArray[np.int32]:
        return self.crowd.worker[self.which]


def _own_judgments(crowd: Crowd) -> OwnJudgments:
    """Itself alone, unless `keep` lets a worker judge an item again."""
    itself = np.arange(crowd.n_judgments)
    if crowd.repeats != "keep":
        return OwnJudgments(itself, itself)
    pair = crowd.worker.astype(np.int64) * max(crowd.n_items, 1) + crowd.item
    _, code, size = np.unique(pair, return_inverse=True, return_counts=True)
    order = np.argsort(code, kind="stable")
    first = np.cumsum(size) - size
    times = size[code]
    of = np.repeat(itself, times)
    within = np.arange(len(of)) - np.repeat(np.cumsum(times) - times, times)
    return OwnJudgments(of, order[np.repeat(first[code], times) + within])


# [W] how far each worker agrees with the others, by the type of the answers.


def correlation_with_the_mean(shared: SharedJudgments) -> Floats:
    """Of numbers, or a number for each label: Pearson's r with the mean of the others, over all labels."""
    columns = list(_columns_and_rest(shared))
    if not columns:  # nobody gave a number to any label
        return np.full(shared.crowd.n_workers, np.nan)
    mine, rest = (np.column_stack(side) for side in zip(*columns, strict=True))
    return _correlations(shared.worker, mine, rest / shared.n[:, None], shared.crowd.n_workers)


def right_about_the_label(shared: SharedJudgments) -> Floats:
    """The share of labels that are the others' majority, ties shared."""
    return _mean_by(shared.worker, _credit(shared), shared.crowd.n_workers)


def right_about_each_label(shared: SharedJudgments) -> Floats:
    """The share of labels on which the yes or no of a set is the others' majority, a tie among them counting half."""
    right, labels = np.zeros(len(shared.n)), 0
    for mine, rest in _columns_and_rest(shared):
        yes = 2 * rest
        right += np.where(yes == shared.n, 0.5, (yes > shared.n) == (mine > 0))
        labels += 1
    return _mean_by(shared.worker, right / max(labels, 1), shared.crowd.n_workers)


def _columns_and_rest(shared: SharedJudgments) -> Iterator[tuple[Floats, Floats]]:
    """Of each column in turn, [shared] the numbers and the sums of the others': all at once are 16 bytes x J x L."""
    crowd, own, others = shared.crowd, shared.own, shared.others
    answers = np.ascontiguousarray(np.atleast_2d(np.asarray(crowd.answers).T))
    item = crowd.item[others]
    for answer_column in answers:
        column = answer_column.astype(np.float64)
        total = np.bincount(item, weights=column[others], minlength=crowd.n_items)[crowd.item]
        mine = np.bincount(own.of, weights=(column * others)[own.member], minlength=crowd.n_judgments)
        rest: Floats = np.asarray(total - mine, dtype=np.float64)
        yield column[shared.which], rest[shared.which]


def _mean_by(worker: npt.NDArray[np.int32], right: Floats, n_workers: int) -> Floats:
    n = np.bincount(worker, minlength=n_workers)
    mean = np.full(n_workers, np.nan)
    np.divide(np.bincount(worker, weights=right, minlength=n_workers), n, out=mean, where=n > 0)
    return mean


def _correlations(worker: npt.NDArray[np.int32], mine: Floats, gold: Floats, size: int) -> Floats:
    """Pearson's r over a worker's items, for sliders over all labels of them."""
    who = np.repeat(worker, mine.shape[1])
    x, y = mine.ravel(), gold.ravel()
    n = np.maximum(np.bincount(who, minlength=size), 1)
    dx = x - (np.bincount(who, weights=x, minlength=size) / n)[who]
    dy = y - (np.bincount(who, weights=y, minlength=size) / n)[who]
    xx, yy, xy = (np.bincount(who, weights=product, minlength=size) for product in (dx * dx, dy * dy, dx * dy))
    tiny = 1e-18 * (np.abs(x).max(initial=0) ** 2 + 1) * n
    r = np.full(size, np.nan)
    np.divide(xy, np.sqrt(xx * yy), out=r, where=(xx > tiny) & (yy > tiny))
    return r


def _credit(shared: SharedJudgments) -> Floats:
    """[shared] 1 where the answer alone leads among the others' answers, 1 / k where k labels lead together, else 0."""
    crowd, own, others = shared.crowd, shared.own, shared.others
    answers, n_labels = np.asarray(crowd.answers), len(crowd.labels)
    cells = crowd.item[others].astype(np.int64) * n_labels + answers[others]
    counts = np.bincount(cells, minlength=crowd.n_items * n_labels).reshape(crowd.n_items, n_labels)
    right = np.zeros(len(shared.which))
    chunk = max(1, CELLS // max(n_labels, 1))
    for start in range(0, len(shared.which), chunk):
        part = shared.which[start : start + chunk]
        rest, rows = counts[crowd.item[part]], np.arange(len(part))
        low, high = np.searchsorted(own.of, part, "left"), np.searchsorted(own.of, part, "right")
        of = np.repeat(rows, high - low)
        member = own.member[np.repeat(low - np.cumsum(high - low) + (high - low), high - low) + np.arange(len(of))]
        np.subtract.at(rest, (of, answers[member]), others[member].astype(np.int64))
        leads = rest == rest.max(axis=1, keepdims=True)
        right[start : start + len(part)] = leads[rows, answers[part]] / leads.sum(axis=1)
    return right
