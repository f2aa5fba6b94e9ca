"""Cohen's kappa of pairs of workers, plain or weighted (Cohen 1960, 1968).

kappa_w = 1 - m sum_kj w_kj n_kj / sum_kj w_kj r_k c_j.

Of the m items that two workers share, n_kj got label k from the one and j from the other, with margins r_k and c_j.
w_kj is 1 off the diagonal (plain), |k - j| (linear) or (k - j)^2 (quadratic). Of two workers it is theirs; of more it
is the mean over the pairs who share ten items or more. The interval is over items, for these workers.
"""

from typing import Literal, TypeAlias

import numpy as np

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
    there = counted[pair]
    moved = sums(item[there], left[there] - kappa[pair[there]], design.items) / P
    used = np.bincount(item[there], minlength=design.items) > 0
    what = name if design.workers == 2 else f"{name}, mean over {P:,} pairs of workers who share {least} items or more"
    return _with_interval(theta, theta + moved[used], what)


def _with_interval(theta: float, without: Floats, what: str) -> Estimate:
    n, V = len(without), variance(without)
    why = ""
    if not np.isfinite(without).all():
        why = "it is undefined without one of the items"
    elif not np.sqrt(V) >= SAME:
        why = "leaving out any item gives the same figure"
    half = 0.0 if why else t_quantile(0.975, n - 1) * float(np.sqrt(V))
    limits = None if why else CORRELATION.limits(theta, half)
    if limits is None:
        return Estimate(theta, None, None, n, f"{what}; no interval: {why or 'the figure is at the end of its range'}")
    how = f"{what}; jackknife over items, for these workers{CORRELATION.scale}, t with {n - 1} df"
    return Estimate(theta, *limits, n, how, "items")


def _pairings(design: Design, code: Codes) -> tuple[Codes, Codes, Codes, Codes]:
    """Each two judgments of an item: the item, the pair of workers, and the labels, the lower worker's first."""
    order = np.lexsort((design.worker, design.item))
    item, worker, code = design.item[order], design.worker[order], code[order]
    found = []
    for step in range(1, int(design.n.max(initial=0))):
        at = np.flatnonzero(item[step:] == item[:-step])
        found.append((item[at], worker[at] * design.workers + worker[at + step], code[at], code[at + step]))
    if not found:
        none = np.zeros(0, dtype=np.int64)
        return none, none, none, none
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    return joined[0], joined[1], joined[2], joined[3]


def _weights(labels: int, how: Weights) -> Floats:
    """[L, L] how far apart two labels are."""
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))).astype(np.float64)
    return {"plain": np.minimum(apart, 1.0), "linear": apart, "quadratic": apart**2}[how]
