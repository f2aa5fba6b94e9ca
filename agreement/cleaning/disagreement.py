"""The disagreement rule, and the figure behind it: how far a worker agrees with the others about the same items."""

from __future__ import annotations

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


def agreement_with_others(crowd: Crowd, counted: Mask) -> Floats:
    """[W] numbers: Pearson's r with the mean of the others; labels: share equal to the others' majority, ties shared.

    For kind choices each label is a yes or no of its own. nan with fewer than ten items that others judged too, or
    where one side is constant, and for kinds list and text.
    """
    if crowd.kind in ("list", "text"):
        return np.full(crowd.n_workers, np.nan)
    answers = np.asarray(crowd.answers)[counted]
    worker, item = crowd.worker[counted], crowd.item[counted].astype(np.int64)
    others = np.bincount(item, minlength=crowd.n_items)[item] > 1
    answers, worker, item = answers[others], worker[others], item[others]
    if crowd.kind in ("slider", "sliders"):
        figure = _correlations(crowd, answers, worker, item)
    else:
        figure = _accuracies(crowd, answers, worker, item)
    n = np.bincount(worker, minlength=crowd.n_workers)
    return np.where(n >= FEWEST_ITEMS, figure, np.nan)


def _correlations(
    crowd: Crowd, answers: npt.NDArray[np.float64], worker: npt.NDArray[np.int32], item: npt.NDArray[np.int64]
) -> Floats:
    wide = answers.reshape(len(answers), -1)
    cells = wide.shape[1]
    x, who = wide.ravel(), np.repeat(worker, cells)
    cell = (item[:, None] * cells + np.arange(cells)).ravel()
    n = np.bincount(item, minlength=crowd.n_items)[item].repeat(cells)
    y = (np.bincount(cell, weights=x, minlength=crowd.n_items * cells)[cell] - x) / (n - 1)
    return _pearson(x, y, who, crowd.n_workers)


def _pearson(x: Floats, y: Floats, who: npt.NDArray[np.int32], size: int) -> Floats:
    n = np.maximum(np.bincount(who, minlength=size), 1)
    dx = x - (np.bincount(who, weights=x, minlength=size) / n)[who]
    dy = y - (np.bincount(who, weights=y, minlength=size) / n)[who]
    xx, yy, xy = (np.bincount(who, weights=product, minlength=size) for product in (dx * dx, dy * dy, dx * dy))
    tiny = 1e-18 * (np.abs(x).max(initial=0) ** 2 + 1) * n
    r = np.full(size, np.nan)
    np.divide(xy, np.sqrt(xx * yy), out=r, where=(xx > tiny) & (yy > tiny))
    return r


def _accuracies(
    crowd: Crowd, answers: npt.NDArray[np.int32], worker: npt.NDArray[np.int32], item: npt.NDArray[np.int64]
) -> Floats:
    if crowd.kind == "choices":
        right = _right_about_each_label(answers, item, crowd.n_items)
    else:
        right = _right_about_the_label(answers, item, crowd.n_items, len(crowd.labels))
    n = np.bincount(worker, minlength=crowd.n_workers)
    figure = np.full(crowd.n_workers, np.nan)
    np.divide(np.bincount(worker, weights=right, minlength=crowd.n_workers), n, out=figure, where=n > 0)
    return figure


def _right_about_the_label(
    answers: npt.NDArray[np.int32], item: npt.NDArray[np.int64], n_items: int, n_labels: int
) -> Floats:
    """[J] 1 where the answer alone leads among the others' answers, 1 / k where k labels lead together, else 0."""
    counts = np.bincount(item * n_labels + answers, minlength=n_items * n_labels).reshape(n_items, n_labels)
    right = np.zeros(len(answers))
    chunk = max(1, 4_000_000 // max(n_labels, 1))
    for start in range(0, len(answers), chunk):
        part = slice(start, start + chunk)
        others, rows = counts[item[part]], np.arange(len(item[part]))
        others[rows, answers[part]] -= 1
        leads = others == others.max(axis=1, keepdims=True)
        right[part] = leads[rows, answers[part]] / leads.sum(axis=1)
    return right


def _right_about_each_label(chosen: npt.NDArray[np.int32], item: npt.NDArray[np.int64], n_items: int) -> Floats:
    """[J] the share of labels on which the yes or no is the others' majority, a tie among them counting half."""
    n = np.bincount(item, minlength=n_items)[item] - 1
    right = np.zeros(len(chosen))
    for label in range(chosen.shape[1]):
        mine = chosen[:, label].astype(np.float64)
        yes = np.bincount(item, weights=mine, minlength=n_items)[item] - mine
        right += np.where(2 * yes == n, 0.5, (2 * yes > n) == (mine > 0))
    return np.asarray(right / max(chosen.shape[1], 1))
