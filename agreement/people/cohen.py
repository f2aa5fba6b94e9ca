"""Cohen's kappa of pairs of workers, plain or weighted (Cohen 1960, 1968), and of every two with intervals."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..estimation.design import Codes, Design, sums
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import CORRELATION, SAME, t_quantile, variance

Weights: TypeAlias = Literal["plain", "linear", "quadratic"]
LEAST_SHARED = 10
MOST = 20_000_000  # pairs of judgments, or pairs of workers times labels


def cohen_kappa(design: Design, code: Codes, labels: int, weights: Weights) -> Figure:
    """Of label codes [J] below `labels`, which stand in their order.

    >>> from agreement.estimation.design import design_of
    >>> items, workers = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    >>> both = cohen_kappa(design_of(items, workers), np.array([0, 0, 1, 1, 0, 1, 1, 1]), 2, "plain")
    >>> both.estimate  # agreement 3/4, by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2
    0.5
    """
    name = {"plain": "Cohen's kappa", "linear": "Cohen's kappa, linear weights"}.get(
        weights, "Cohen's kappa, quadratic weights"
    )
    if design.workers < 2:
        return Undefined(f"{name}: it compares two workers, and there is one")
    if design.repeated:
        return Undefined(f"{name}: it compares one answer of each worker, and items have repeated ones")
    if float(np.sum(design.n * (design.n - 1))) / 2 > MOST:
        return Undefined(f"{name}: more than {MOST:,} pairs of judgments")
    item, key, k, j = _pairings(design, code)
    pairs, pair = np.unique(key, return_inverse=True)
    if len(pairs) * labels > MOST:
        return Undefined(f"{name}: more than {MOST:,} pairs of workers times labels")
    least = LEAST_SHARED if design.workers > 2 else 1
    m = sums(pair, None, len(pairs))
    w = _weights(labels, weights)
    r, c = (sums(pair * labels + side, None, len(pairs) * labels).reshape(-1, labels) for side in (k, j))
    D, S = sums(pair, w[k, j], len(pairs)), np.sum((r @ w) * c, axis=1)
    counted = (m >= least) & (S > 0)
    P = int(counted.sum())
    if not P:
        few = f"no two workers share {least} items" if not np.any(m >= least) else "both gave one and the same label"
        return Undefined(f"{name}: {few}")
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa = 1 - m * D / S
        S_left = S[pair] - (c @ w)[pair, k] - (r @ w)[pair, j] + w[k, j]
        left = 1 - (m[pair] - 1) * (D[pair] - w[k, j]) / np.where(S_left > 0, S_left, np.nan)
    theta = float(kappa[counted].mean())
    is_counted = counted[pair]
    moved = sums(item[is_counted], left[is_counted] - kappa[pair[is_counted]], design.items) / P
    used = np.bincount(item[is_counted], minlength=design.items) > 0
    method = (
        name if design.workers == 2 else f"{name}, mean over {P:,} pairs of workers who share {least} items or more"
    )
    return _with_interval(theta, theta + moved[used], method)


def _with_interval(theta: float, without: Floats, name: str) -> Estimate:
    n, V = len(without), variance(without)
    why = ""
    if not np.isfinite(without).all():
        why = "it is undefined without one of the items"
    elif not np.sqrt(V) >= SAME:
        why = "leaving out any item gives the same figure"
    half = 0.0 if why else t_quantile(0.975, n - 1) * float(np.sqrt(V))
    limits = None if why else CORRELATION.limits(theta, half)
    if limits is None:
        return Estimate(theta, None, None, n, f"{name}; no interval: {why or 'the figure is at the end of its range'}")
    method = f"{name}; jackknife over items, for these workers{CORRELATION.scale}, t with {n - 1} df"
    return Estimate(theta, *limits, n, method, "items")


def _pairings(design: Design, code: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Each two judgments of an item: the item, the pair of workers, and the labels, the lower worker's first."""
    order = np.lexsort((design.worker, design.item))
    item, worker, code = design.item[order], design.worker[order], code[order]
    pairs = []
    for step in range(1, int(design.n.max(initial=0))):
        first = np.flatnonzero(item[step:] == item[:-step])
        pairs.append(
            (item[first], worker[first] * design.workers + worker[first + step], code[first], code[first + step])
        )
    if not pairs:
        none = np.zeros(0, dtype=np.int64)
        return none, none, none, none
    joined = [np.concatenate(parts) for parts in zip(*pairs, strict=True)]
    return joined[0], joined[1], joined[2], joined[3]


def _weights(labels: int, weights: Weights) -> Floats:
    """[L, L] how far apart two labels are."""
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))).astype(np.float64)
    return {"plain": np.minimum(apart, 1.0), "linear": apart, "quadratic": apart**2}[weights]


# Cohen's kappa of every two workers, plain or weighted (Cohen 1960, 1968), each with its interval over items.
# kappa_w = 1 - m sum_kj w_kj n_kj / sum_kj w_kj r_k c_j of the m items that two workers share, as in
# `cohen.py`. Of numbers the quadratic one is taken of the numbers themselves, which is Lin's coefficient of
# concordance (1989): 2 s_xy / (s_x^2 + s_y^2 + (mean x - mean y)^2).

MOST_WORKERS = 40  # the busiest


@dataclass(frozen=True, slots=True)
class Pair:
    """Two workers, by the caller's codes, the items that they share, and their kappa."""

    first: int
    second: int
    shared: int
    kappa: Figure


def kappas_of_pairs(design: Design, answer: Floats | Codes, labels: int, weights: Weights) -> list[Pair]:
    """Every two of the 40 busiest workers who share ten items or more; `labels` is 0 for numbers."""
    busiest = np.argsort(-design.judgments_of_worker, kind="stable")[:MOST_WORKERS]
    busiest = np.sort(busiest)
    item_of, answer_of = {}, {}
    for worker in busiest.tolist():
        own = np.flatnonzero(design.worker == worker)
        items, first = np.unique(design.item[own], return_index=True)
        item_of[worker], answer_of[worker] = items, answer[own][first]
    return list(_pairs(design, busiest, item_of, answer_of, labels, weights))


def _pairs(
    design: Design,
    busiest: npt.NDArray[np.integer],
    item_of: dict[int, Codes],
    answer_of: dict[int, Floats | Codes],
    labels: int,
    weights: Weights,
) -> Iterator[Pair]:
    for first, second in combinations(busiest.tolist(), 2):
        _, in_first, in_second = np.intersect1d(
            item_of[first], item_of[second], assume_unique=True, return_indices=True
        )
        if len(in_first) < LEAST_SHARED:
            continue
        x, y = answer_of[first][in_first], answer_of[second][in_second]
        kappa = (
            concordance(x, y) if labels == 0 else pair_kappa(x.astype(np.int64), y.astype(np.int64), labels, weights)
        )
        codes = design.worker_codes
        yield Pair(int(codes[first]), int(codes[second]), len(in_first), kappa)


def pair_kappa(x: Codes, y: Codes, labels: int, weights: Weights) -> Figure:
    """Of two workers' label codes [m] on the same items.

    >>> pair_kappa(np.array([0, 1, 0, 1]), np.array([0, 1, 1, 1]), 2, "plain").estimate
    0.5
    """
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))).astype(np.float64)
    w = {"plain": np.minimum(apart, 1.0), "linear": apart, "quadratic": apart**2}[weights]
    n = np.bincount(x * labels + y, minlength=labels**2).reshape(labels, labels).astype(np.float64)
    m, r, c = float(n.sum()), n.sum(axis=1), n.sum(axis=0)
    D, S = float(np.sum(w * n)), float(r @ w @ c)
    if not S:
        return Undefined("both gave one and the same label")
    S_left = S - (w @ c)[:, None] - (r @ w)[None, :] + w
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.where(S_left > SAME, 1 - (m - 1) * (D - w) / S_left, np.nan)
    return _estimate(1 - m * D / S, without[n > 0], n[n > 0], f"Cohen's kappa, {weights}")


def concordance(x: Floats | Codes, y: Floats | Codes) -> Figure:
    """Of two workers' numbers [m] on the same items.

    >>> round(concordance(np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 4, 4])).estimate, 4)
    0.9167
    """
    m = float(len(x))
    a, b = np.asarray(x, dtype=np.float64) - np.mean(x), np.asarray(y, dtype=np.float64) - np.mean(x)
    sums = np.array([a.sum(), b.sum(), (a * b).sum(), (a * a + b * b).sum()])
    theta = float(_lin(sums, m))
    if np.isnan(theta):
        return Undefined("both gave one and the same number")
    left = sums[:, None] - np.stack([a, b, a * b, a * a + b * b])
    return _estimate(theta, _lin(left, m - 1), np.ones(len(a)), "Lin's concordance (quadratic weights)")


def _lin(sums: Floats, m: float) -> Floats:
    """2 (S_xy - S_x S_y / m) / (S_xx + S_yy - 2 S_x S_y / m): both moments about means, and the means apart."""
    s_x, s_y, s_xy, squares = sums
    below = squares - 2 * s_x * s_y / m
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > SAME, 2 * (s_xy - s_x * s_y / m) / below, np.nan)


def _estimate(theta: float, without: Floats, times: Floats, name: str) -> Figure:
    m = float(times.sum())
    n = int(m)
    if not np.isfinite(without).all():
        return Estimate(theta, None, None, n, f"{name}; no interval: it is undefined without one of the items")
    mean = float(np.sum(times * without)) / m
    V = (m - 1) / m * float(np.sum(times * (without - mean) ** 2))
    limits = CORRELATION.limits(theta, t_quantile(0.975, m - 1) * float(np.sqrt(V))) if np.sqrt(V) >= SAME else None
    if limits is None:
        why = "no item changes it, or it is at the end of its range"
        return Estimate(theta, None, None, n, f"{name}; no interval: {why}")
    return Estimate(theta, *limits, n, f"{name}; jackknife over items, for these two workers", "items")
