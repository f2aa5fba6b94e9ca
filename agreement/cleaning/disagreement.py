"""The disagreement rule, and the figure behind it: how far a worker agrees with the others about the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agreement.cleaning.rules import Disagreement
from agreement.cleaning.verdicts import Verdicts, by_figure
from agreement.crowd import Crowd, Mask
from annotation.errors import Refused

Floats = npt.NDArray[np.float64]
FEWEST_ITEMS = 10


def judge_disagreement(crowd: Crowd, rule: Disagreement, *, counted: Mask) -> Verdicts:
    """Verdicts from the judgments in `counted`; workers with fewer than ten shared items have none."""
    numeric = crowd.scale is not None
    parts = []
    if rule.correlation_below is not None:
        if not numeric:
            raise Refused(f"rule {rule}: kind {crowd.kind} has labels; it takes accuracy_below")
        r, floor = agreement_with_others(crowd, counted), float(rule.correlation_below)
        parts.append((r, r < floor, "correlation with the others", f"at least {floor:g}"))
    if rule.accuracy_below is not None:
        if numeric or crowd.kind in ("list", "text"):
            raise Refused(f"rule {rule}: kind {crowd.kind} has no labels to be right about")
        hits, floor = agreement_with_others(crowd, counted), float(rule.accuracy_below)
        parts.append((hits, hits < floor, "accuracy against the others' majority", f"at least {floor:g}"))
    return by_figure(rule, parts)


def agreement_with_others(crowd: Crowd, counted: Mask, *, others: Mask | None = None) -> Floats:
    """[W] numbers: Pearson's r with the mean of the others; labels: share equal to the others' majority, ties shared.

    `others` are the judgments that may stand for the others, all those counted if not said; a worker's own never do.
    For kind choices each label is a yes or no of its own. nan with fewer than ten items that others judged too, or
    where one side is constant, and for kinds list and text.
    """
    if crowd.kind in ("list", "text"):
        return np.full(crowd.n_workers, np.nan)
    shared = _Shared.of(crowd, counted, counted if others is None else others)
    if crowd.kind in ("slider", "sliders"):
        figure = _correlations(shared)
    else:
        right = _right_about_each_label(shared) if crowd.kind == "choices" else _right_about_the_label(shared)
        figure = _share(np.bincount(shared.worker, weights=right, minlength=crowd.n_workers), shared.n_of_worker)
    return np.where(shared.n_of_worker >= FEWEST_ITEMS, figure, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """Answers [J, L] with what the others said: `rest` [J, L] their sum and `n` [J] how many they are, at least one."""

    worker: npt.NDArray[np.int32]
    answers: Floats
    rest: Floats
    n: npt.NDArray[np.int64]
    n_of_worker: npt.NDArray[np.int64]

    @classmethod
    def of(cls, crowd: Crowd, counted: Mask, others: Mask) -> _Shared:
        answers = _as_numbers(crowd)
        own_n, own = _of_worker_and_item(crowd, answers, others)
        n = np.bincount(crowd.item[others], minlength=crowd.n_items)[crowd.item] - own_n
        total = _by_item(crowd, answers, others)
        keep = counted & (n > 0)
        worker, item = crowd.worker[keep], crowd.item[keep]
        per_worker = np.bincount(worker, minlength=crowd.n_workers)
        return cls(worker, answers[keep], total[item] - own[keep], n[keep], per_worker)


def _as_numbers(crowd: Crowd) -> Floats:
    """[J, L] the answers as numbers: labels as one 1 among zeros."""
    answers = np.asarray(crowd.answers)
    if crowd.kind in ("choice", "verify"):
        return np.asarray(answers[:, None] == np.arange(len(crowd.labels)), dtype=np.float64)
    return answers.reshape(len(answers), -1).astype(np.float64, copy=False)


def _by_item(crowd: Crowd, answers: Floats, others: Mask) -> Floats:
    item = crowd.item[others]
    sums = [np.bincount(item, weights=column, minlength=crowd.n_items) for column in answers[others].T]
    return np.column_stack(sums) if sums else np.zeros((crowd.n_items, 0))


def _of_worker_and_item(crowd: Crowd, answers: Floats, others: Mask) -> tuple[npt.NDArray[np.int64], Floats]:
    """[J] and [J, L] what of the others' judgments is the worker's own: none, the one, or all under `keep`."""
    if crowd.repeats != "keep":
        return others.astype(np.int64), np.where(others[:, None], answers, 0.0)
    pair = np.unique(crowd.worker.astype(np.int64) * max(crowd.n_items, 1) + crowd.item, return_inverse=True)[1]
    size = int(pair.max(initial=-1)) + 1
    own = [np.bincount(pair[others], weights=column, minlength=size)[pair] for column in answers[others].T]
    return np.bincount(pair[others], minlength=size)[pair], np.column_stack(own) if own else np.zeros((len(pair), 0))


def _share(part: npt.NDArray[np.float64] | npt.NDArray[np.int64], whole: npt.NDArray[np.int64]) -> Floats:
    share = np.full(len(part), np.nan)
    np.divide(part, whole, out=share, where=whole > 0)
    return share


def _correlations(shared: _Shared) -> Floats:
    """Pearson's r over a worker's items, for sliders over all labels of them."""
    size, cells = len(shared.n_of_worker), shared.answers.shape[1]
    who = np.repeat(shared.worker, cells)
    x, y = shared.answers.ravel(), (shared.rest / shared.n[:, None]).ravel()
    n = np.maximum(np.bincount(who, minlength=size), 1)
    dx = x - (np.bincount(who, weights=x, minlength=size) / n)[who]
    dy = y - (np.bincount(who, weights=y, minlength=size) / n)[who]
    xx, yy, xy = (np.bincount(who, weights=product, minlength=size) for product in (dx * dx, dy * dy, dx * dy))
    tiny = 1e-18 * (np.abs(x).max(initial=0) ** 2 + 1) * n
    r = np.full(size, np.nan)
    np.divide(xy, np.sqrt(xx * yy), out=r, where=(xx > tiny) & (yy > tiny))
    return r


def _right_about_the_label(shared: _Shared) -> Floats:
    """[J] 1 where the answer alone leads among the others' answers, 1 / k where k labels lead together, else 0."""
    leads = shared.rest == shared.rest.max(axis=1, keepdims=True, initial=0)
    return np.asarray((leads * shared.answers).sum(axis=1) / np.maximum(leads.sum(axis=1), 1))


def _right_about_each_label(shared: _Shared) -> Floats:
    """[J] the share of labels on which the yes or no is the others' majority, a tie among them counting half."""
    yes, n = 2 * shared.rest, shared.n[:, None]
    right = np.where(yes == n, 0.5, (yes > n) == (shared.answers > 0))
    return np.asarray(right.sum(axis=1) / max(right.shape[1], 1))
