"""Scores of labels that are the points of a scale: the step that a model names beside people's median step.

Steps are counted from 0; where an item's median lies between two points it is half a step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, divide
from .correlation import deletions, spearman
from .groups import Groups
from .jackknifed_metric import JackknifedMetric, Units
from .label_metrics import tops

CONSTANT = "the labels or the gold never vary, or there are fewer than two items"


def named_steps(p: Floats, n_labels: int) -> Floats:
    """[J] the step of the most probable label, the mean of those that tie; NaN without one of the scale's labels.

    >>> named_steps(np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0], [np.nan] * 3]), 3).tolist()
    [2.0, 0.5, nan]
    """
    top = tops(p)[:, :n_labels].astype(np.float64)
    return divide(top @ np.arange(n_labels), top.sum(axis=1))


def distance_in_steps(p: Floats, median: Floats, n_labels: int) -> Floats:
    """[J] how many steps lie between the two."""
    return np.abs(named_steps(p, n_labels) - median)


# kappa_w = 1 - m sum_i w(x_i, y_i) / sum_ij w(x_i, y_j) of m items, w being how far apart two steps are, or its square
# (Cohen 1968); without item i its own terms come off both sums.


@dataclass(frozen=True, slots=True)
class WeightedKappa:
    """`power` 1 has linear weights, 2 quadratic ones."""

    power: int

    def figure(self, x: Floats, y: Floats) -> float:
        """Of the steps of all items.

        >>> WeightedKappa(1).figure(np.array([0.0, 1, 2]), np.array([0.0, 1, 1])), WeightedKappa(2).figure(
        ...     np.array([0.0, 1, 2]), np.array([0.0, 1, 1])
        ... )
        (0.5714285714285714, 0.6666666666666667)
        """
        return self.with_deletions(x, y)[0]

    def with_deletions(self, x: Floats, y: Floats) -> tuple[float, Floats]:
        """The figure, and [m] the figure without each item."""
        m = len(x)
        steps_x, at_x = np.unique(x, return_inverse=True)
        steps_y, at_y = np.unique(y, return_inverse=True)
        w = np.abs(steps_x[:, None] - steps_y[None, :]) ** self.power
        r, c = (np.bincount(at).astype(np.float64) for at in (at_x, at_y))
        own = w[at_x, at_y]
        D, S = float(own.sum()), float(r @ w @ c) if m else 0.0
        if not S > 0:
            return float("nan"), np.full(m, np.nan)
        S_left = S - (w @ c)[at_x] - (r @ w)[at_y] + own
        with np.errstate(divide="ignore", invalid="ignore"):
            left = 1 - (m - 1) * (D - own) / np.where(S_left > 1e-9 * S, S_left, np.nan)
        return 1 - m * D / S, left


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho of the two steps."""

    def figure(self, x: Floats, y: Floats) -> float:
        return float(spearman(Groups.one(len(x)), x, y)[0])

    def with_deletions(self, x: Floats, y: Floats) -> tuple[float, Floats]:
        theta, without = deletions(Groups.one(len(x)), x, y)["spearman"]
        return float(theta[0]), without


Formula = WeightedKappa | RankCorrelation


def in_groups(formula: Formula, groups: Groups, x: Floats, y: Floats) -> list[JackknifedMetric]:
    """The figure of each group over the items that have both steps, with each of them left out."""
    return [
        _of_group(formula, x[start:end], y[start:end])
        for start, end in zip(groups.starts[:-1], groups.starts[1:], strict=True)
    ]


def _of_group(formula: Formula, x: Floats, y: Floats) -> JackknifedMetric:
    is_known: Bools = np.isfinite(x) & np.isfinite(y)
    n = int(is_known.sum())
    if n < 2:
        return JackknifedMetric.undefined(CONSTANT, len(x))
    theta, left = formula.with_deletions(x[is_known], y[is_known])
    without = np.full(len(x), theta)
    without[is_known] = left
    is_correlation = isinstance(formula, RankCorrelation)
    return JackknifedMetric(theta, without, is_known, n, why=CONSTANT, is_correlation=is_correlation)


def by_units(formula: Formula, x: Floats, y: Floats, units: Units) -> JackknifedMetric:
    """The same over all items, leaving out each unit with all its items."""
    whole = _of_group(formula, x, y)
    is_known = np.isfinite(x) & np.isfinite(y)
    if not whole.is_defined:
        return JackknifedMetric.undefined(CONSTANT, units.size)

    def figures(groups: Groups, items: npt.NDArray[np.int64]) -> Floats:
        parts = (items[start:end] for start, end in zip(groups.starts[:-1], groups.starts[1:], strict=True))
        known = (part[is_known[part]] for part in parts)
        return np.array([formula.figure(x[part], y[part]) if len(part) > 1 else np.nan for part in known])

    counts = units.sums(is_known.astype(np.float64)) > 0
    return JackknifedMetric(
        whole.theta,
        units.without(figures),
        counts,
        int(is_known.sum()),
        units.what,
        why=CONSTANT,
        is_correlation=whole.is_correlation,
    )
