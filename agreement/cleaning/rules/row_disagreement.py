"""The row-disagreement rule (Paik et al. 2021): drop an answer that orders the labels against its item's mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import Refused
from ...judgments.crowd import Answers, Crowd, Mask
from ...kinds.kind import QuestionKind
from ...kinds.registry import QUESTION_KINDS
from ...kinds.statistics import statistics_of
from ..rule import Correlation, RowRule, plain_number

Floats = npt.NDArray[np.float64]
_CHUNK = 1 << 14
FEWEST_LABELS = 2  # one label has no order


@dataclass(frozen=True, slots=True)
class RowDisagreement(RowRule):
    """Answers, not workers, that order the labels against the item's mean."""

    kind: ClassVar[str] = "row-disagreement"
    title: ClassVar[str] = "Answers against their item's order"
    words: ClassVar[Mapping[str, str]] = {"kendall_below": "Lowest Kendall's tau with the item's mean"}
    selects_on_outcome: ClassVar[bool] = True
    kendall_below: Correlation

    def __str__(self) -> str:
        return (
            "row disagreement: an item's answer of lowest Kendall tau-b with the item's mean is dropped, again and"
            f" again, while that is below {plain_number(self.kendall_below)}"
        )

    @classmethod
    def parameters_for(cls, kind: QuestionKind) -> list[str]:
        """Only where an answer orders the labels."""
        return [] if statistics_of(kind).label_weights is None else list(cls.parameters())

    def dropped(self, crowd: Crowd, counted: Mask) -> Mask:
        """[J] of each item the lowest, again while it is below the bound."""
        return _dropped_judgments(self, crowd, counted)


RULE = RowDisagreement


def _dropped_judgments(rule: RowDisagreement, crowd: Crowd, counted: Mask) -> Mask:
    """Answers are proportions, row / row sum of what they give the labels; the mean is that of the rows still there.

    A row that is constant, or whose item's mean is, has no tau and stays.
    """
    weights_of = statistics_of(crowd.kind).label_weights
    if weights_of is None:
        kinds = " or ".join(kind for kind in QUESTION_KINDS if statistics_of(kind).label_weights is not None)
        raise Refused(f"rule {rule}: it compares the order of labels within an answer, so it is for kind {kinds}")
    which = np.flatnonzero(counted)
    answers = weights_of(crowd.answers)[which]
    sums = answers.sum(axis=1, keepdims=True)
    shares = np.divide(answers, sums, out=np.zeros_like(answers), where=sums != 0)
    is_left = np.ones(len(which), dtype=np.bool_)
    bound, open_items = float(rule.kendall_below), np.ones(crowd.n_items, dtype=np.bool_)
    while True:
        rows = np.flatnonzero(is_left & open_items[crowd.item[which]])
        of = which[rows]
        lowest = _lowest(shares[rows], crowd.item[of], crowd.worker[of], crowd.n_items, bound)
        if not len(lowest):
            break
        is_left[rows[lowest]] = False
        open_items[:] = False
        open_items[crowd.item[which[rows[lowest]]]] = True
    dropped = np.zeros(crowd.n_judgments, dtype=np.bool_)
    dropped[which[~is_left]] = True
    return dropped


def numbers_by_label(answers: Answers) -> Floats:
    """[J, L] what answers that are a number for each label give the labels."""
    return np.asarray(answers, dtype=np.float64)


def _lowest(
    shares: Floats, item: npt.NDArray[np.int32], worker: npt.NDArray[np.int32], n_items: int, bound: float
) -> npt.NDArray[np.intp]:
    """The rows that are their item's lowest and below the bound; of equals the first worker's, however rows stand."""
    n = np.bincount(item, minlength=n_items)
    labels = shares.shape[1]
    if labels < FEWEST_LABELS:
        return np.empty(0, dtype=np.intp)
    sums = [np.bincount(item, weights=shares[:, label], minlength=n_items) for label in range(labels)]
    mean = np.column_stack(sums) / np.maximum(n, 1)[:, None]
    tau = kendall_tau_b(shares, mean[item])
    tau[np.isnan(tau)] = np.inf
    order = np.lexsort((worker, np.round(tau, 12), item))
    first = order[np.concatenate([[True], np.diff(item[order]) != 0])[: len(order)]]
    return np.sort(first[tau[first] < bound])


def kendall_tau_b(x: Floats, y: Floats) -> Floats:
    """[R] Kendall's tau-b of each row of x with the same row of y, nan where either is constant; x, y [R, L].

    >>> kendall_tau_b(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])).round(4).tolist()
    [0.3333]
    """
    first, second = np.triu_indices(x.shape[1], k=1)
    tau = np.full(len(x), np.nan)
    for start in range(0, len(x), _CHUNK):
        part = slice(start, start + _CHUNK)
        signs_x = np.sign(x[part][:, first] - x[part][:, second])
        # Means that differ by rounding only are tied.
        gap = y[part][:, first] - y[part][:, second]
        signs_y = np.sign(np.where(np.abs(gap) < 1e-12, 0.0, gap))
        pairs = np.sqrt(np.abs(signs_x).sum(axis=1) * np.abs(signs_y).sum(axis=1))
        out = np.full(len(pairs), np.nan)
        tau[part] = np.divide((signs_x * signs_y).sum(axis=1), pairs, out=out, where=pairs > 0)
    return tau
