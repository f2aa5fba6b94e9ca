"""Variance components of judgments that are crossed: y_iw = mu + a_i + b_w + e_iw, items i by workers w.

Every worker judges many items and every item is judged by many workers, so that answers are not independent: what one
worker adds to everything doesn't average out over items. Of numbers they are restricted maximum likelihood
(`agreement/people/variance_components.py`). Answers that are labels or sets enter as vectors of zeros and ones, and a
component, by pairs of judgments, is then the sum over the labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..estimation.design import design_of
from ..estimation.estimate import Undefined
from ..people.variance_components import generalisability, variance_components
from .alt_test_plan import shares_of_ties

Floats: TypeAlias = npt.NDArray[np.float64]
Codes: TypeAlias = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Components:
    """sigma^2 of items, of workers and of what is left; from so many judgments."""

    item: float
    worker: float
    residual: float
    items: int
    workers: int
    judgments: int
    parts: float = 1.0  # by how much the variance of one number of an answer is smaller than that of all of them
    method: str = "pairs of judgments"
    ties: tuple[float, ...] = ()  # how often two people do equally well against 1, 2, ... others; () if not one answer

    @property
    def within(self) -> float:
        """The variance of one judgment around its item: sigma_w^2 + sigma_e^2."""
        return self.worker + self.residual

    @property
    def agreement(self) -> float:
        """sigma_i^2 / (sigma_i^2 + sigma_w^2 + sigma_e^2): alpha with infinitely many items and workers."""
        total = self.item + self.within
        return self.item / total if total else float("nan")

    def generalisability(self, judgments_per_item: int, *, same_workers: bool) -> float:
        """The reliability of an item's mean: of its place where the same workers judge all items, else of its value."""
        noise = self.residual if same_workers else self.within
        return generalisability(self.item, noise, judgments_per_item)


def components_of(
    item: Codes, worker: Codes, y: Floats, parts: float = 1.0, *, is_one_label: bool = False
) -> Components | Undefined:
    """Of answers [J, D], whatever the design [J], [J]: by REML of one number, by pairs of judgments of more; never
    below 0. `is_one_label` says that a row of y is 1 at the label that was given, and 0 elsewhere.
    """
    found = _of_numbers(item, worker, y[:, 0]) if y.shape[1] == 1 else _from_pairs(item, worker, y, parts)
    if isinstance(found, Undefined) or not (is_one_label or y.shape[1] == 1):
        return found
    answer = np.argmax(y, axis=1).astype(np.float64) if is_one_label else y[:, 0]
    return replace(found, ties=shares_of_ties(item, answer, is_label=is_one_label))


def _of_numbers(item: Codes, worker: Codes, y: Floats) -> Components | Undefined:
    """
    >>> item, worker = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)
    >>> y = np.array([0, 1, 2, 10, 11, 12, 20, 21, 22], float)  # items 10 apart, workers 1 apart, nothing else
    >>> found = _of_numbers(item, worker, y)
    >>> round(found.item, 9), round(found.worker, 9), round(found.residual, 9)
    (100.0, 1.0, 0.0)
    """
    found = variance_components(design_of(np.asarray(item, np.int64), np.asarray(worker, np.int64)), y)
    if isinstance(found, Undefined):
        return found
    sizes = found.items, found.workers, found.judgments
    return Components(found.item, found.worker, found.residual, *sizes, method=found.method)


def _from_pairs(item: Codes, worker: Codes, y: Floats, parts: float) -> Components | Undefined:
    """Half the mean squared distance of two judgments is sigma_w^2 + sigma_e^2 where they share the item, sigma_i^2 +
    sigma_e^2 where they share the worker, and the sum of all three where they share neither. (Searle, Casella and
    McCulloch 1992, Variance Components, 5.)
    """
    items, i = np.unique(item, return_inverse=True)
    workers, w = np.unique(worker, return_inverse=True)
    same_item, pairs_i = _distances(i, len(items), y)
    same_worker, pairs_w = _distances(w, len(workers), y)
    everything, pairs = _distances(np.zeros(len(y), dtype=np.int64), 1, y)
    neither, pairs_n = everything - same_item - same_worker, pairs - pairs_i - pairs_w
    if not pairs_i:
        return Undefined("no item has two judgments")
    if not pairs_w or not pairs_n:
        return Undefined("no worker has judged two items that others have judged too")
    v_item, v_worker, v_neither = same_item / pairs_i, same_worker / pairs_w, neither / pairs_n
    return Components(
        item=max(v_neither - v_item, 0.0),
        worker=max(v_neither - v_worker, 0.0),
        residual=max(v_item + v_worker - v_neither, 0.0),
        items=len(items),
        workers=len(workers),
        judgments=len(y),
        parts=parts,
    )


def _distances(group: Codes, groups: int, y: Floats) -> tuple[float, float]:
    """Half the squared distances over all ordered pairs within groups, sum_g (n_g sum |y|^2 - |sum y|^2), and their
    number.
    """
    n = np.bincount(group, minlength=groups).astype(np.float64)
    squares = np.bincount(group, weights=(y**2).sum(axis=1), minlength=groups)
    sums = np.stack([np.bincount(group, weights=column, minlength=groups) for column in y.T], axis=1)
    return float((n * squares - (sums**2).sum(axis=1)).sum()), float((n * (n - 1)).sum())
