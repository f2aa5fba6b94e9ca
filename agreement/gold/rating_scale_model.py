"""The many-facet rating scale model (Andrich 1978; Linacre 1989): items, workers' severity and steps of the scale.

Worker w gives item i the category k = 0 .. K-1 with

    Pr(x_iw = k) proportional to exp(k (sigma z_i - b_w) - sum_{j <= k} tau_j),   z_i ~ Normal(0, 1),   sum_j tau_j = 0,

b_w the worker's severity (a severe worker gives lower categories) and sigma the spread of items, all in logits. It is
fitted by marginal maximum likelihood: z is integrated out on 31 points from -5 to 5, and the likelihood climbed by
L-BFGS with its exact gradient. An item's own value is the posterior mean of sigma z_i with its sd.

Standard errors come from the Hessian, exact for severities and by differences of the exact gradient for steps and
sigma. Where all judged everything, workers with equal raw scores have equal severities and equal errors.

Fit: infit is the sum of squared residuals over the sum of their variances, outfit the mean of their quotients, both
averaged over the posterior of z_i, so that 1 is what the model expects. Above 1 a worker is noisier than it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..arrays import Floats, Ints, divide, sum_by

NODES = 31
REACH = 5.0
MOST_ROUNDS = 300
MOST_FOR_ALL = 1_500  # workers up to which standard errors take all covariances in
MOST_PAIRS = 5_000_000  # of workers on an item, likewise
STEP = 1e-4  # of a parameter, for the derivative of the exact gradient
MOST_CATEGORIES = 11
PRIOR_SD = 10.0  # of a severity, in logits: that of a worker who gave the lowest category alone stays finite


@dataclass(frozen=True, slots=True, eq=False)
class RatingScale:
    """Severity [W] in logits above the workers' mean with its standard error, fit, steps tau [K-1], values [N]."""

    severity: Floats
    severity_se: Floats
    infit: Floats
    outfit: Floats
    steps: Floats
    sigma: float
    value: Floats
    value_sd: Floats
    expected: Floats  # [J] the category that the model expects of each judgment
    log_likelihood: float
    rounds: int
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """Judgments of W workers and N items that have any, and [N, W K] which category each worker gave each item."""

    item: Ints
    worker: Ints
    code: Ints
    n_items: int
    n_workers: int
    K: int
    given: Any
    z: Floats
    log_weight: Floats
    prior_variance: float  # of a severity

    def unpacked(self, x: Floats) -> tuple[Floats, Floats, float]:
        """Severities, steps that sum to 0, and sigma."""
        free = x[self.n_workers : -1]
        return x[: self.n_workers], np.append(free, -free.sum()), float(np.exp(x[-1]))

    def log_p(self, x: Floats) -> Floats:
        """[W, K, Q] log probabilities of categories."""
        severity, tau, sigma = self.unpacked(x)
        k = np.arange(self.K)
        steps = np.concatenate([[0.0], np.cumsum(tau)])
        eta = k[None, :, None] * (sigma * self.z[None, None, :] - severity[:, None, None]) - steps[None, :, None]
        top = eta.max(axis=1, keepdims=True)
        return np.asarray(eta - top - np.log(np.exp(eta - top).sum(axis=1, keepdims=True)))

    def posterior(self, log_p: Floats) -> tuple[Floats, Floats]:
        """[N, Q] of each item's z, and [N] its log likelihood."""
        joint = self.given @ log_p.reshape(-1, len(self.z)) + self.log_weight
        top = joint.max(axis=1, keepdims=True)
        weight = np.exp(joint - top)
        total = weight.sum(axis=1, keepdims=True)
        return weight / total, (top + np.log(total))[:, 0]


def rating_scale_model(item: Ints, worker: Ints, code: Ints, categories: int) -> RatingScale:
    """Of category codes [J]; items and workers by any codes, the results in the order of `np.unique`."""
    data = _data(item, worker, code, categories)
    start = np.zeros(data.n_workers + categories - 1)
    n_w = np.bincount(data.worker, minlength=data.n_workers).astype(np.float64)
    scale = np.concatenate([1 / np.sqrt(n_w), np.full(categories - 1, 1 / np.sqrt(len(code)))])

    def lowered(y: Floats) -> tuple[float, Floats]:
        value, slope = _log_likelihood(data, y * scale)
        return -value, -slope * scale

    options: Any = {"maxiter": MOST_ROUNDS, "maxfun": 2 * MOST_ROUNDS, "ftol": 1e-11, "gtol": 1e-5}
    from scipy import optimize  # a tenth of a second, which most analyses have no use for

    found = optimize.minimize(lowered, start / scale, jac=True, method="L-BFGS-B", options=options)
    return _described(data, np.asarray(found.x) * scale, -float(found.fun), int(found.nit), bool(found.success))


def _data(item: Ints, worker: Ints, code: Ints, K: int) -> _Data:
    _, i = np.unique(item, return_inverse=True)
    _, w = np.unique(worker, return_inverse=True)
    N, W = int(i.max(initial=-1)) + 1, int(w.max(initial=-1)) + 1
    given = sparse.csr_array((np.ones(len(i)), (i, w * K + code)), shape=(N, W * K))
    z = np.linspace(-REACH, REACH, NODES)
    log_weight = -z * z / 2
    log_weight -= np.log(np.exp(log_weight).sum())
    return _Data(i, w, code, N, W, K, given, z, log_weight, PRIOR_SD**2)


def _log_likelihood(data: _Data, x: Floats) -> tuple[float, Floats]:
    """The marginal log likelihood and its gradient, by Fisher's identity that of the complete data's expectation.

    A normal prior on each severity keeps that of a worker who gave the lowest category alone finite.
    """
    severity, _, sigma = data.unpacked(x)
    log_p = data.log_p(x)
    posterior, of_item = data.posterior(log_p)
    counts = (data.given.T @ posterior).reshape(data.n_workers, data.K, -1)  # [W, K, Q]
    n = counts.sum(axis=1)
    residual = counts - n[:, None, :] * np.exp(log_p)  # seen less expected
    k = np.arange(data.K, dtype=np.float64)
    by_score = np.einsum("k,wkq->wq", k, residual)
    of_severity = -by_score.sum(axis=1) - severity / data.prior_variance
    at_least = residual.sum(axis=(0, 2))[::-1].cumsum()[::-1][1:]
    of_steps = -(at_least[:-1] - at_least[-1])
    of_sigma = float(np.sum(by_score * data.z[None, :])) * sigma
    slope = np.concatenate([of_severity, of_steps, [of_sigma]])
    return float(of_item.sum() - np.sum(severity**2) / (2 * data.prior_variance)), slope


def _described(data: _Data, x: Floats, log_likelihood: float, rounds: int, converged: bool) -> RatingScale:  # noqa: FBT001
    severity, tau, sigma = data.unpacked(x)
    log_p = data.log_p(x)
    posterior, _ = data.posterior(log_p)
    p, k = np.exp(log_p), np.arange(data.K, dtype=np.float64)
    mean = np.einsum("k,wkq->wq", k, p)
    variance = np.einsum("k,wkq->wq", k * k, p) - mean**2
    theta = sigma * data.z
    value = posterior @ theta
    spread = np.sqrt(np.maximum(posterior @ theta**2 - value**2, 0.0))
    value = value - severity.mean()  # the same zero
    parts = [_moments(data, posterior, mean, variance, at) for at in _portions(len(data.item))]
    expected, squares, variances, quotients = (np.concatenate(each) for each in zip(*parts, strict=True))
    n_w = np.bincount(data.worker, minlength=data.n_workers)
    infit = divide(sum_by(data.worker, squares, data.n_workers), sum_by(data.worker, variances, data.n_workers))
    outfit = divide(sum_by(data.worker, quotients, data.n_workers), n_w)
    se = _standard_errors(data, x, posterior, mean, variance)
    return RatingScale(
        severity - severity.mean(),
        se,
        infit,
        outfit,
        tau,
        sigma,
        value,
        spread,
        expected,
        log_likelihood,
        rounds,
        converged,
    )


def _portions(size: int) -> list[slice]:
    return [slice(start, start + 100_000) for start in range(0, size, 100_000)]


def _moments(
    data: _Data, posterior: Floats, mean: Floats, variance: Floats, at: slice
) -> tuple[Floats, Floats, Floats, Floats]:
    """[J] the expected category, the squared residual, its variance and their quotient, over the posterior."""
    weight, E, V = posterior[data.item[at]], mean[data.worker[at]], variance[data.worker[at]]
    square = (data.code[at, None] - E) ** 2
    quotient = square / np.maximum(V, 1e-9)
    return tuple(np.sum(weight * part, axis=1) for part in (E, square, V, quotient))


def _standard_errors(data: _Data, x: Floats, posterior: Floats, mean: Floats, variance: Floats) -> Floats:
    """[W] the standard errors of severities less their mean, from minus the Hessian of the marginal log likelihood.

    By Louis (1982) the severities' part of it is the expectation, over each item's posterior, of the categories'
    variance V_w(z), less the posterior covariance of the categories E_w(z) that are expected of the workers who judged
    the item. With more than 1,500 workers, or very many pairs of workers on an item, each worker's own diagonal
    element stands alone: covariances between workers are then small.
    """
    W = data.n_workers
    judged: Any = sparse.csr_array((np.ones(len(data.item)), (data.item, data.worker)), shape=(data.n_items, W))
    judged.sum_duplicates()
    cell_item = np.repeat(np.arange(data.n_items), np.diff(judged.indptr))
    expected = judged.copy()  # [N, W] the sum over q of the posterior times E_w(z_q), of each judgment
    for part in _portions(judged.nnz):
        expected.data[part] *= np.sum(posterior[cell_item[part]] * mean[judged.indices[part]], axis=1)
    own = np.sum((judged.T @ posterior) * variance, axis=1) + 1 / data.prior_variance
    if W > MOST_FOR_ALL or float(np.sum(np.diff(judged.indptr).astype(np.float64) ** 2)) > MOST_PAIRS:
        squares = np.sum((judged.power(2).T @ posterior) * mean**2, axis=1)
        spread = squares - np.asarray(expected.power(2).sum(axis=0)).reshape(-1)
        return np.asarray(1 / np.sqrt(np.maximum(own - spread, 1 / data.prior_variance)))
    information = np.zeros((len(x), len(x)))
    information[:W, :W] = np.diag(own) + (expected.T @ expected).toarray()
    for at in range(posterior.shape[1]):
        pairs = judged.T @ judged.multiply(posterior[:, at, None])
        information[:W, :W] -= pairs.toarray() * np.outer(mean[:, at], mean[:, at])
    for column in range(W, len(x)):
        step = np.zeros(len(x))
        step[column] = STEP
        slopes = [_log_likelihood(data, x + sign * step)[1] for sign in (1, -1)]
        information[column] = information[:, column] = (slopes[1] - slopes[0]) / (2 * STEP)
    covariance = np.linalg.pinv(information, hermitian=True)[:W, :W]
    to_mean = np.eye(W) - 1 / W
    return np.sqrt(np.maximum(np.diag(to_mean @ covariance @ to_mean), 0.0))
