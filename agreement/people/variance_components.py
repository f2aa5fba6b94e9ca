"""Variance components of numbers by items and workers, and what they say of more judgments per item.

x_ij = mu + item_i + worker_j + residual, all random and crossed, with any numbers of judgments in any cells: the
model of generalisability theory (Cronbach et al. 1972; Brennan 2001) with one facet. What a worker and an item have in
particular can't be told from noise where a worker judges an item once: it is in the residual.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import linalg, sparse

from ..estimation.design import Design, sums
from ..estimation.estimate import Floats, Undefined
from .raw_statistic import centre_values

MOST_WORKERS = 2_000  # or items, whichever are fewer: REML holds a table of them by them
MOST_PRODUCTS = 50_000_000  # of judgments of one item, made for every step of REML
MOST_JUDGMENTS = 500  # per item, up to which a decision study looks
CONVERGED = 1e-10
SMALLEST = 1e-9  # of the residual variance: a component below it is 0
NO_NOISE = 1e7  # a component so many times the residual variance, to which the likelihood then has no end


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """The variances of items, workers and residual, none below 0, and how they were estimated."""

    item: float
    worker: float
    residual: float
    mean: float
    items: int
    workers: int
    judgments: int
    method: Literal["REML", "analysis of variance"]

    def generalisability(self, n: float, *, same_workers: bool = False) -> float:
        """The reliability of an item's mean over n workers: of its place among items, or of its value.

        Where the same workers judge all items their biases shift all means alike, and only the residual counts:
        E rho^2 = item / (item + residual / n). Elsewhere Phi = item / (item + (worker + residual) / n), which at n = 1
        is what ICC(1,1) estimates.

        >>> five = VarianceComponents(4.0, 1.0, 3.0, 50.0, 100, 20, 400, "REML")
        >>> round(five.generalisability(5), 3), round(five.generalisability(5, same_workers=True), 3)
        (0.833, 0.87)
        """
        return generalisability(self.item, self._noise(same_workers=same_workers), n)

    def judgments_needed(self, reliability: float, *, same_workers: bool = False) -> int | None:
        """The fewest judgments per item whose mean is that reliable; None if 500 aren't enough.

        >>> VarianceComponents(4.0, 1.0, 3.0, 50.0, 100, 20, 400, "REML").judgments_needed(0.9)
        9
        """
        if not 0 < reliability < 1:
            raise ValueError(f"a reliability is between 0 and 1, and {reliability} isn't")
        if self.item <= 0:
            return None
        n = self._noise(same_workers=same_workers) / self.item * reliability / (1 - reliability)
        needed = max(int(np.ceil(n - CONVERGED)), 1)
        return needed if needed <= MOST_JUDGMENTS else None

    def _noise(self, *, same_workers: bool) -> float:
        return self.residual + (0.0 if same_workers else self.worker)


def generalisability(item: float, noise: float, n: float) -> float:
    """Item / (item + noise / n), 0 where nothing varies.

    >>> generalisability(4.0, 4.0, 4)
    0.8
    """
    return item / (item + noise / n) if item + noise > 0 else 0.0


def variance_components(design: Design, value: Floats) -> VarianceComponents | Undefined:
    """The components of the values [J]: by REML, or by analysis of variance where there are too many to hold.

    >>> from agreement.estimation.design import design_of
    >>> x = np.array([9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7], dtype=float)
    >>> found = variance_components(design_of(np.repeat(np.arange(6), 4), np.tile(np.arange(4), 6)), x)
    >>> round(found.item, 4), round(found.worker, 4), round(found.residual, 4)
    (2.5556, 5.2444, 1.0194)
    """
    why = _why_none(design, value)
    if why:
        return Undefined(why)
    found = _Sums.of(design, value)
    if found is None:
        item, worker, residual = by_analysis_of_variance(design, value)
        mean, method = float(value.mean()), "analysis of variance"
    else:
        item, worker, residual, shift = _reml(found) or _without_noise(design, value)
        mean, method = float(value.mean()) + shift, "REML"
    sizes = design.items, design.workers, design.judgments
    return VarianceComponents(item, worker, residual, mean, *sizes, method)  # type: ignore[arg-type]


def _why_none(design: Design, value: Floats) -> str:
    plain = (
        (design.judgments == 0, "there are no judgments"),
        (design.items < 2, "there is only one item: the variance between items can't be had"),
        (
            design.workers < 2,
            "there is only one worker: what is the worker's and what is the item's can't be told apart",
        ),
        (
            bool(np.ptp(value) == 0) if len(value) else True,
            "every judgment is the same: there is no variance to share out",
        ),
    )
    if whys := [why for is_so, why in plain if is_so]:
        return whys[0]
    size = design.items + design.workers
    pairs = design.item, design.worker + design.items
    links = sparse.csr_array(sparse.coo_array((np.ones(len(value)), pairs), shape=(size, size)))
    parts, _ = sparse.csgraph.connected_components(links, directed=False)
    if design.judgments < size - parts + 1:
        return "there are too few judgments to tell noise from items and workers"
    if parts in (design.workers, design.items):
        return "no item was judged by two workers, or no worker judged two items: their variances can't be told apart"
    return ""


# Restricted maximum likelihood (Patterson & Thompson 1971), with variances relative to the residual's.
#
# V / residual = I + Z Z', Z = (sqrt(g_a) Z_a, sqrt(g_b) Z_b) for a = the side of more levels, b = that of fewer. With
# M = I + Z'Z, log|V| = log|M| and V^-1 = I - Z M^-1 Z' (Woodbury); the part of a in M is diagonal and is eliminated, so
# that a table of b by b is left: S = D_b - C' D_a^-1 C. The likelihood is profiled over the residual's variance.


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """All that REML needs: sizes and sums of both sides, and how often each pair of them met."""

    n_a: Floats
    n_b: Floats
    y_a: Floats
    y_b: Floats
    yy: float
    J: int
    met: sparse.csr_array  # [A, B]
    by_size: tuple[tuple[float, Floats], ...]  # n, and [B, B] sum of the products of the rows of `met` with that n
    a_is_item: bool
    scale: float

    @classmethod
    def of(cls, design: Design, value: Floats) -> "_Sums | None":
        """None where the tables would be too large."""
        x = centre_values(value)
        a_is_item = design.items >= design.workers
        a, b = (design.item, design.worker) if a_is_item else (design.worker, design.item)
        A, B = (design.items, design.workers) if a_is_item else (design.workers, design.items)
        n_a, n_b = (np.bincount(side, minlength=size).astype(np.float64) for side, size in ((a, A), (b, B)))
        if B > MOST_WORKERS or float(np.sum(n_a**2)) > MOST_PRODUCTS * 20:
            return None
        met = sparse.csr_array(sparse.coo_array((np.ones(len(x)), (a, b)), shape=(A, B)))
        sizes = np.unique(n_a)
        if len(sizes) * B * B > MOST_PRODUCTS:
            return None
        by_size = []
        for n in sizes.tolist():
            rows = met[np.flatnonzero(n_a == n)]
            by_size.append((n, np.asarray((rows.T @ rows).todense())))
        y_a, y_b = (sums(side, x, size) for side, size in ((a, A), (b, B)))
        _, power = np.frexp(np.abs(value - value.mean()).max())
        return cls(
            n_a, n_b, y_a, y_b, float(x @ x), len(x), met, tuple(by_size), a_is_item, float(np.ldexp(1.0, power))
        )


@dataclass(frozen=True, slots=True)
class _Point:
    """-2 log of the restricted likelihood at one g, its slope [2] in log g, the residual's variance and the mean."""

    deviance: float
    slope: Floats
    residual: float
    mean: float


def _at(s: _Sums, g_a: float, g_b: float) -> _Point:
    D_a = 1 + g_a * s.n_a
    weighted, squared = np.diag(1 + g_b * s.n_b), np.zeros((len(s.n_b), len(s.n_b)))
    for n, products in s.by_size:
        weighted -= g_a * g_b / (1 + g_a * n) * products
        squared += g_a * g_b / (1 + g_a * n) ** 2 * products
    factor = linalg.cho_factor(weighted, lower=True)
    log_M = float(np.sum(np.log(D_a)) + 2 * np.sum(np.log(np.diag(factor[0]))))
    both_a = np.sqrt(g_a) * np.column_stack([s.y_a, s.n_a])
    both_b = np.sqrt(g_b) * np.column_stack([s.y_b, s.n_b])
    C = np.sqrt(g_a * g_b)
    u_b = linalg.cho_solve(factor, both_b - C * (s.met.T @ (both_a / D_a[:, None])))
    u_a = (both_a - C * (s.met @ u_b)) / D_a[:, None]
    whole = np.array([[s.yy, 0.0], [0.0, float(s.J)]])
    whole[0, 1] = whole[1, 0] = float(s.y_a.sum())
    cross = whole - both_a.T @ u_a - both_b.T @ u_b  # of y and 1 with V^-1
    mean = cross[0, 1] / cross[1, 1]
    yPy = cross[0, 0] - cross[0, 1] * mean
    deviance = (s.J - 1) * np.log(yPy) + log_M + np.log(cross[1, 1])
    inverse = linalg.cho_solve(factor, np.eye(len(s.n_b)))
    trace_b = float(np.trace(inverse))
    trace_a = float(np.sum(1 / D_a) + np.sum(inverse * squared))
    slope = np.zeros(2)
    for at, (u, size, trace) in enumerate(((u_a, len(s.n_a), trace_a), (u_b, len(s.n_b), trace_b))):
        own = u[:, 0] - mean * u[:, 1]
        slope[at] = size - trace - float(u[:, 1] @ u[:, 1]) / cross[1, 1] - (s.J - 1) * float(own @ own) / yPy
    return _Point(float(deviance), slope, float(yPy / (s.J - 1)), float(mean))


def _reml(s: _Sums) -> tuple[float, float, float, float] | None:
    """Item, worker, residual, and how far the mean lies from that of all judgments; None where nothing is left over."""

    def of(log_g: Floats) -> tuple[float, Floats]:
        point = _at(s, *np.exp(log_g).tolist())
        return point.deviance, point.slope

    low, high = np.log(SMALLEST / 100), np.log(1e8)
    from scipy import optimize  # a tenth of a second, which most analyses have no use for

    found = optimize.minimize(
        of, np.zeros(2), jac=True, method="L-BFGS-B", bounds=[(low, high)] * 2, options={"ftol": 1e-15, "gtol": 1e-9}
    )
    if np.exp(found.x).max() > NO_NOISE:
        return None
    log_g = _polished(s, found.x, low)
    point = _at(s, *np.exp(log_g).tolist())
    g = np.where(np.exp(log_g) < SMALLEST, 0.0, np.exp(log_g))
    of_a, of_b = (float(part) for part in g * point.residual * s.scale**2)
    item, worker = (of_a, of_b) if s.a_is_item else (of_b, of_a)
    return item, worker, point.residual * s.scale**2, point.mean * s.scale


def _without_noise(design: Design, value: Floats) -> tuple[float, float, float, float]:
    """The same where items and workers explain every judgment: the variances of their effects, and no residual."""
    J, N = design.judgments, design.items
    places = np.tile(np.arange(J), 2), np.concatenate([design.item, N + design.worker])
    both = sparse.csr_array((np.ones(2 * J), places), shape=(J, N + design.workers))
    effects = sparse.linalg.lsqr(both, value - value.mean(), atol=1e-14, btol=1e-14)[0]
    of_items, of_workers = np.split(effects, [N])
    item, worker = (float(np.var(side, ddof=1)) for side in (of_items, of_workers))
    least = SMALLEST * (item + worker)
    shift = float(of_items.mean() + of_workers.mean())
    return item if item > least else 0.0, worker if worker > least else 0.0, 0.0, shift


def _polished(s: _Sums, log_g: Floats, low: float) -> Floats:
    """Newton's steps on the slope, of the components that aren't at 0."""
    free = np.flatnonzero(log_g > low + 5)
    for _ in range(20):
        slope = _at(s, *np.exp(log_g).tolist()).slope[free]
        if len(free) == 0 or np.abs(slope).max() < CONVERGED * s.J:
            break
        step = 1e-5
        columns = []
        for k in free:
            up, down = log_g.copy(), log_g.copy()
            up[k], down[k] = up[k] + step, down[k] - step
            ends = (_at(s, *np.exp(end).tolist()).slope[free] for end in (up, down))
            columns.append(np.subtract(*ends) / (2 * step))
        move = np.linalg.solve(np.stack(columns, axis=1), -slope)
        if not np.isfinite(move).all() or np.abs(move).max() > 1:
            break
        log_g = log_g.copy()
        log_g[free] += move
        if np.abs(move).max() < CONVERGED:
            break
    return log_g


# Analysis of variance: Henderson's first method, whose expected sums of squares need nothing but counts.


def by_analysis_of_variance(design: Design, value: Floats) -> tuple[float, float, float]:
    """Item, worker and residual from three sums of squares and their expectations, none below 0.

    With T = sum x^2, A = sum of squared item sums over n_i, B the same of workers and m = G^2 / J: the expectations of
    T, A, B and m are linear in mu^2 and the three variances (Henderson 1953, method 1).
    """
    x, J = value - value.mean(), float(design.judgments)
    n_i, n_w = design.n, design.judgments_of_worker
    cell = design.cell_size
    T, m = float(x @ x), float(x.sum()) ** 2 / J
    A = float(np.sum(design.by_item(x) ** 2 / n_i))
    B = float(np.sum(np.bincount(design.worker, weights=x, minlength=design.workers) ** 2 / n_w))
    shared = cell**2
    k_w_in_A, k_i_in_B = float(np.sum(shared / n_i[design.cell_item])), float(np.sum(shared / n_w[design.cell_worker]))
    k_i, k_w = float(np.sum(n_i**2)) / J, float(np.sum(n_w**2)) / J
    # Rows: T - m, A - m, B - m; columns: item, worker, residual.
    expected = np.array(
        [
            [J - k_i, J - k_w, J - 1],
            [J - k_i, k_w_in_A - k_w, design.items - 1],
            [k_i_in_B - k_i, J - k_w, design.workers - 1],
        ]
    )
    found = np.linalg.solve(expected, np.array([T - m, A - m, B - m]))
    item, worker, residual = np.maximum(found, 0.0).tolist()
    return item, worker, residual
