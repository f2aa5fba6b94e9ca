"""How wide the intervals of simulated studies are printed: the report's own formulas, many studies at a time.

A plan promises what a study will print, and not the spread of its estimates: the printed interval is a jackknife with
few degrees of freedom, wider than 1.96 standard deviations, and wider in one study than in another.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from ..estimation.intervals import FIXED, UNEVEN_TAILS, Range

Floats: TypeAlias = npt.NDArray[np.float64]
AT_ONCE = 30_000  # judgments of simulated studies, which a processor's own memory holds


def alpha_half_widths(y: Floats, worker: npt.NDArray[np.int64]) -> Floats:
    """[R] half the width of interval alpha's two-way interval, of studies [R, N, k] by the workers [N, k].

    As `two_way` of alpha's deletions: V = max(V_I + V_W - V_J, V_I, V_W), Satterthwaite's df, the logit from
    -1 / (k - 1) to 1, 1 and 3 % beyond. NaN where alpha is at an end of its range.
    """
    order = np.argsort(worker.ravel(), kind="stable")
    starts = np.flatnonzero(np.diff(worker.ravel()[order], prepend=-1))
    each = max(AT_ONCE // worker.size, 1)
    parts = [_half_widths_of(y[first : first + each], order, starts) for first in range(0, len(y), each)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _half_widths_of(y: Floats, order: npt.NDArray[np.intp], starts: npt.NDArray[np.intp]) -> Floats:
    """`order` [N k] puts judgments worker by worker, each of whom `starts` there."""
    studies, items, k = y.shape
    n = items * k
    y = y - y.mean(axis=(1, 2), keepdims=True)
    squares = y * y
    S_i, Q_i = y.sum(axis=2), squares.sum(axis=2)
    g_i = (k * Q_i - S_i**2) / (k - 1)  # an item's part of the observed disagreement
    whole = (g_i.sum(axis=1), np.full(studies, float(n)), S_i.sum(axis=1), Q_i.sum(axis=1))
    theta = _alpha(*whole)
    by_item = _alpha(*(part[:, None] - own for part, own in zip(whole, (g_i, float(k), S_i, Q_i), strict=True)))
    # A judgment that leaves takes its item along where the item had two.
    left = k - 1
    cells: tuple[Floats, ...]
    if left >= 2:
        g_left = (left * (Q_i[:, :, None] - squares) - (S_i[:, :, None] - y) ** 2) / (left - 1)
        cells = (g_i[:, :, None] - g_left, np.ones_like(y), y, squares)
    else:
        cells = tuple(np.broadcast_to(part[:, :, None], y.shape) for part in (g_i, np.full_like(S_i, k), S_i, Q_i))
    flat = [cell.reshape(studies, n) for cell in cells]
    by_judgment = _alpha(*(part[:, None] - own for part, own in zip(whole, flat, strict=True)))
    of_workers = [np.add.reduceat(cell[:, order], starts, axis=1) for cell in flat]
    by_worker = _alpha(*(part[:, None] - own for part, own in zip(whole, of_workers, strict=True)))
    return _half_widths(theta, by_item, by_worker, by_judgment, Range(-1 / (k - 1), 1.0))


def _alpha(observed: Floats, n: Floats, S: Floats, Q: Floats) -> Floats:
    """1 - D_o / D_e, D_o = 2 observed / n and D_e = 2 (n Q - S^2) / (n (n - 1))."""
    spread = n * Q - S**2
    there = (n > 1.5) & (spread > 0)
    return np.asarray(1 - (n - 1) * np.divide(observed, spread, out=np.full(np.shape(spread), np.nan), where=there))


def _half_widths(theta: Floats, by_item: Floats, by_worker: Floats, by_judgment: Floats, within: Range) -> Floats:
    if by_worker.shape[1] <= FIXED:  # what is printed of two workers is for them alone, and no plan promises it
        return np.full(len(theta), np.nan)
    v_i, v_w, v_j = (_variance(each) for each in (by_item, by_worker, by_judgment))
    v = np.maximum(np.maximum(v_i + v_w - v_j, v_i), v_w)
    W = by_worker.shape[1]
    d = by_worker - by_worker.mean(axis=1, keepdims=True)
    quotient = np.sum(d**2, axis=1) ** 2 / np.maximum(np.sum(d**4, axis=1), 1e-300)
    nu_w = np.clip(max(3.16 - 2.77 / np.sqrt(W), 1.0) * quotient, 1.0, max(W - 1.0, 1.0))
    taken = v_i**2 / max(by_item.shape[1] - 1, 1) + np.maximum(v_w - v_j, 0.0) * v_w / nu_w
    df = np.maximum(v**2 / taken, 1.0)
    below, above = (special.stdtrit(df, 1 - tail) * np.sqrt(v) for tail in UNEVEN_TAILS)
    return _half_of(theta, below, above, within)


def _half_of(theta: Floats, below: Floats, above: Floats, within: Range) -> Floats:
    """Half of what lies between theta - below and theta + above on the logit; NaN at an end of the range."""
    a, b = within.low, within.high
    theta = np.where((theta > a) & (theta < b), theta, np.nan)
    slope = 1 / (theta - a) + 1 / (b - theta)
    odds = (theta - a) / (b - theta)
    low, high = (odds * np.exp(np.clip(side * slope, -300, 300)) for side in (-below, above))
    ends = [a + (b - a) * each / (1 + each) for each in (low, high)]
    return np.asarray((ends[1] - ends[0]) / 2)


def _variance(theta_g: Floats) -> Floats:
    G = theta_g.shape[1]
    return np.asarray((G - 1) * theta_g.var(axis=1))


def gold_half_width(variance: float, k: int, assurance: float) -> float:
    """Half the width that so many items' intervals of k judgments stay within; `variance` is that within an item.

    As `limits_of_means` far from the scale's ends: an item's own variance s^2 with k - 1 degrees of freedom is averaged
    with four of all items, and t has k + 3. Of normal answers (k - 1) s^2 / variance is chi square.
    """
    df = k - 1
    own = float(special.chdtri(df, 1 - assurance)) * variance
    return float(special.stdtrit(df + BORROWED, 0.975)) * float(
        np.sqrt((BORROWED * variance + own) / (BORROWED + df) / k)
    )


BORROWED = 4.0  # degrees of freedom that an item's variance borrows from all


def reliabilities(y: Floats, worker: npt.NDArray[np.int64], *, same_workers: bool) -> Floats:
    """[R] the reliability of the gold that studies [R, N, k] print: where the same people judge all items ICC(C,k).

    Else ICC(1,1) stepped up, (MSB - MSW) / MSB.
    """
    _, items, k = y.shape
    means = y.mean(axis=2)
    between = k * means.var(axis=1, ddof=1)
    within = y.var(axis=2, ddof=1).mean(axis=1)
    if same_workers:
        order = np.argsort(worker, axis=1)
        table = np.take_along_axis(y, np.broadcast_to(order, y.shape), axis=2)
        residual = table - table.mean(axis=1, keepdims=True) - means[:, :, None] + means.mean(axis=1)[:, None, None]
        within = np.sum(residual**2, axis=(1, 2)) / ((items - 1) * (k - 1))
    return np.asarray((between - within) / np.maximum(between, 1e-300))
