"""The hierarchical model of Dawid and Skene (Paun et al. 2018): workers' confusions come from those of a population.

z_i ~ Categorical(pi), x_iw ~ Categorical(theta_wk) where z_i = k, theta_wk ~ Dirichlet(beta_k), K labels. Priors: pi ~
Dirichlet(1, ..., 1); beta_k = s_k mu_k with mu_k ~ Dirichlet of K at k and 1 elsewhere, so that people are expected to
be right more often than not, and K / (K + s_k) uniform from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse, special

from ..arrays import Floats, Ints, count_by
from ..estimation.chains import FEWEST_EFFECTIVE, MOST_R_HAT, convergence
from .annotator_models import Votes, swapped_classes

CHAINS = 4
WARM_UP, DRAWS = 500, 24_000  # of each chain; after 750, 1,500, 3,000, … it is seen whether that is enough
FEWEST_SEEN = 10  # draws, whose convergence is looked at
WORK = 120_000_000_000  # about as many nanoseconds of a processor: a large crowd has fewer draws
MOST_CELLS = 4_000_000  # confusions of all workers in all chains, and a fifth of the items' probabilities
MOST_KEPT = 40_000_000  # numbers of the draws that intervals are made of
WANTED = 0.44  # of the steps of a random walk in one dimension to be taken


@dataclass(frozen=True, slots=True, eq=False)
class HierarchicalModel:
    """`p` [N, K] the posterior probability of every label; `competence` [W] the chance that a worker gives an item of
    this crowd its label, sum_k pi_k theta_wkk; `prevalence` [K] is pi. Both have limits [2, .] of 95 %: posterior
    quantiles. `confusion` [K, K] is the mean of mu: the labels that the population gives to items of each true one.
    """

    p: Floats
    competence: Floats
    competence_limits: Floats
    prevalence: Floats
    prevalence_limits: Floats
    confusion: Floats
    warm_up: int
    draws: int
    r_hat: float
    effective: float
    swapped: tuple[tuple[int, int], ...]

    @property
    def is_converged(self) -> bool:
        """Whether the chains agree and are long enough for what is read from them."""
        return self.r_hat <= MOST_R_HAT and self.effective >= FEWEST_EFFECTIVE


@dataclass(slots=True, eq=False)
class _State:
    """Of C chains: `z` [C, N], `log_beta` [C, K, K], `log_theta` [C, W, K, K] and `pi` [C, K] as they stand, and `p`
    [N, C, K] the probability of each label given theta and pi. The last `step` of `log_beta` [K, K + 1] moves all of a
    row together.
    """

    z: Ints
    log_beta: Floats
    step: Floats
    log_theta: Floats
    pi: Floats
    p: Floats


def is_too_large(n_items: int, n_workers: int, n_labels: int) -> bool:
    """Whether the chains' states would take a gigabyte or more, or a round of them more than a second."""
    return CHAINS * n_labels * (n_workers * n_labels + n_items // 5) > MOST_CELLS


def hierarchical_model(
    item: Ints, worker: Ints, label: Ints, n_labels: int, *, rng: np.random.Generator, work: int = WORK
) -> HierarchicalModel:
    """Of items, workers and labels [J] by codes from 0 without gaps, by Gibbs sampling in four chains.

    Each chain starts from labels drawn from the vote shares. A round draws beta given z with theta integrated out (a
    random walk on log beta, one place at a time and a row's sum), then theta, pi and z from their own distributions.
    Draws end when R-hat is at most 1.01 and 400 of them are effective for each competence and prevalence, and after
    24,000 of each chain, or as many as `work` allows.
    """
    votes = Votes.of(item, worker, label, int(item.max()) + 1, n_labels)
    B = sparse.csr_array(
        (np.ones(len(item)), (votes.item, votes.worker.astype(np.int64) * n_labels + votes.label)),
        shape=(votes.n_items, votes.n_workers * n_labels),
    )
    of_a_round = CHAINS * n_labels * (5 * len(item) // 2 + 300 * votes.n_workers * n_labels + 10 * votes.n_items)
    of_a_round += 2_000_000
    rounds = int(min(max(work // of_a_round, 20), WARM_UP + DRAWS))
    warm_up = min(WARM_UP, rounds // 2)
    state = _start(votes, rng)
    for number in range(warm_up):
        _advance(state, B, rng, gain=1 / np.sqrt(number + 1))
    return _drawn(state, B, rng, warm_up, rounds - warm_up)


def _start(votes: Votes, rng: np.random.Generator) -> _State:
    K, W = votes.n_labels, votes.n_workers
    shares = votes.shares()
    z = _categorical(np.repeat(shares[:, None], CHAINS, axis=1), rng).T
    log_beta = np.log(np.tile(np.eye(K) * K + 1.0, (CHAINS, 1, 1)))
    empty = np.zeros((CHAINS, W, K, K))
    return _State(z, log_beta, np.full((K, K + 1), 0.5), empty, np.zeros((CHAINS, K)), np.zeros((0, CHAINS, K)))


def _advance(state: _State, B: sparse.csr_array, rng: np.random.Generator, gain: float = 0.0) -> None:
    """One round of all chains; with a `gain` the random walk learns how far to step."""
    C, N = state.z.shape
    K = state.pi.shape[1]
    one_hot = np.zeros((N, C * K))
    one_hot[np.arange(N)[:, None], np.arange(C) * K + state.z.T] = 1.0
    n = (B.T @ one_hot).reshape(-1, K, C, K).transpose(2, 0, 3, 1)  # [C, W, true, given]
    _walk(state, n, rng, gain)
    log_gamma = _log_gamma(np.exp(state.log_beta)[:, None] + n, rng)
    log_gamma -= log_gamma.max(axis=3, keepdims=True)
    state.log_theta = log_gamma - np.log(np.exp(log_gamma).sum(axis=3, keepdims=True))
    met = one_hot.sum(axis=0).reshape(C, K)
    state.pi = rng.standard_gamma(1.0 + met)
    state.pi /= state.pi.sum(axis=1, keepdims=True)
    scores = (B @ state.log_theta.transpose(1, 3, 0, 2).reshape(-1, C * K)).reshape(N, C, K) + np.log(state.pi)
    state.p = np.exp(scores - scores.max(axis=2, keepdims=True))
    state.p /= state.p.sum(axis=2, keepdims=True)
    state.z = _categorical(state.p, rng).T


def _walk(state: _State, n: Floats, rng: np.random.Generator, gain: float) -> None:
    """Metropolis steps of log beta given the counts n [C, W, K, K], one column at a time, all rows and chains at once:
    rows are independent of each other given z.
    """
    C, _, K, _ = n.shape
    met = n.sum(axis=3)
    terms = _terms(state.log_beta, n)  # [C, K, K]
    rest = _of_sums(state.log_beta, met) + _log_prior(state.log_beta)  # [C, K]
    for column in range(K + 1):
        move = state.step[:, column] * rng.standard_normal((C, K))
        moved = state.log_beta.copy()
        places = slice(None) if column == K else slice(column, column + 1)
        moved[:, :, places] += move[:, :, None]
        new_terms = terms.copy()
        new_terms[:, :, places] = _terms(moved[:, :, places], n[:, :, :, places])
        new_rest = _of_sums(moved, met) + _log_prior(moved)
        log_ratio = new_terms.sum(axis=2) - terms.sum(axis=2) + new_rest - rest
        is_taken = np.log(rng.random((C, K))) < log_ratio
        state.log_beta = np.where(is_taken[:, :, None], moved, state.log_beta)
        terms = np.where(is_taken[:, :, None], new_terms, terms)
        rest = np.where(is_taken, new_rest, rest)
        if gain:
            state.step[:, column] *= np.exp(gain * (is_taken.mean(axis=0) - WANTED))


def _terms(log_beta: Floats, n: Floats) -> Floats:
    """[C, K, .] sum over workers of log Gamma(beta_kl + n_wkl) - log Gamma(beta_kl)."""
    beta = np.exp(log_beta)
    return np.asarray(special.gammaln(beta[:, None] + n).sum(axis=1) - n.shape[1] * special.gammaln(beta))


def _of_sums(log_beta: Floats, met: Floats) -> Floats:
    """[C, K] sum over workers of log Gamma(s_k) - log Gamma(s_k + n_wk)."""
    s = np.exp(log_beta).sum(axis=2)
    return np.asarray(met.shape[1] * special.gammaln(s) - special.gammaln(s[:, None] + met).sum(axis=1))


def _log_prior(log_beta: Floats) -> Floats:
    """[C, K] of the density of log beta, up to a constant.

    With p(s) = K / (K + s)^2 and mu ~ Dirichlet(a): log p(s) + sum (a_l - 1) log mu_l - (K - 1) log s + sum log beta_l.
    """
    K = log_beta.shape[2]
    log_s = np.log(np.exp(log_beta).sum(axis=2))
    log_mu_own = np.diagonal(log_beta, axis1=1, axis2=2) - log_s
    return np.asarray(-2 * np.log(K + np.exp(log_s)) + (K - 1) * (log_mu_own - log_s) + log_beta.sum(axis=2))


def _log_gamma(shape: Floats, rng: np.random.Generator) -> Floats:
    """Logarithms of gamma draws, which for small shapes would be 0: G(a) is G(a + 1) U^(1 / a)."""
    return np.asarray(np.log(rng.standard_gamma(shape + 1)) - rng.standard_exponential(shape.shape) / shape)


def _categorical(p: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """[N, C] a draw from each distribution [N, C, K]."""
    below = np.cumsum(p, axis=2)
    drawn = (rng.random(p.shape[:2])[:, :, None] * below[:, :, -1:] >= below).sum(axis=2)
    return np.asarray(np.minimum(drawn, p.shape[2] - 1), dtype=np.int64)


def _drawn(state: _State, B: sparse.csr_array, rng: np.random.Generator, warm_up: int, most: int) -> HierarchicalModel:
    """Draws until the chains agree, with the mean of p over all of them."""
    C, W, K, _ = state.log_theta.shape
    thin = -(-most * C * (W + K) // MOST_KEPT)
    kept: list[Floats] = []
    samples = np.zeros((C, 0, W + K))
    p, mu, draws, enough = np.zeros((B.shape[0], K)), np.zeros((K, K)), 0, max(DRAWS // 32, FEWEST_SEEN)
    r_hat, effective = np.inf, 0.0
    while draws < most and not (r_hat <= MOST_R_HAT and effective >= FEWEST_EFFECTIVE):
        for _ in range(min(enough, most) - draws):
            _advance(state, B, rng)
            draws += 1
            p += state.p.mean(axis=1)
            beta = np.exp(state.log_beta)
            mu += (beta / beta.sum(axis=2, keepdims=True)).mean(axis=0)
            if draws % thin == 0:
                right = np.exp(np.diagonal(state.log_theta, axis1=2, axis2=3))  # [C, W, K]
                kept.append(np.concatenate([np.einsum("cwk,ck->cw", right, state.pi), state.pi], axis=1))
        enough *= 2
        samples = np.stack(kept, axis=1)
        r_hat, effective = convergence(samples)
    mean, limits = samples.mean(axis=(0, 1)), np.quantile(samples.reshape(-1, W + K), (0.025, 0.975), axis=0)
    p, mu = p / draws, mu / draws
    leads = count_by(np.argmax(p, axis=1), K) > 0
    swapped = tuple(pair for pair in swapped_classes(mean[None, W:], mu.T[None]) if leads[pair[0]])
    return HierarchicalModel(
        p=p,
        competence=mean[:W],
        competence_limits=limits[:, :W],
        prevalence=mean[W:],
        prevalence_limits=limits[:, W:],
        confusion=mu,
        warm_up=warm_up,
        draws=draws,
        r_hat=r_hat,
        effective=effective,
        swapped=swapped,
    )
