"""The hierarchical model of annotators beside the exact posterior, in worlds whose truth is known, and its chains."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special

from agreement.estimation.chains import convergence, effective_size, r_hat
from agreement.gold import hierarchical_annotators as hierarchical
from agreement.gold.annotator_models import dawid_skene
from agreement.gold.hierarchical_annotators import hierarchical_model

Array = np.ndarray[Any, np.dtype[Any]]


def exact_posterior(x: Array, cells: int = 300) -> tuple[Array, Array]:
    """Of answers [N, W] with two labels, -1 where there is none: the probabilities of label 1, and the workers' mean
    competences. Every truth of the items is summed over, beta integrated on a grid; pi and theta have closed forms.
    """
    N, W = x.shape
    u = (np.arange(cells) + 0.5) / cells
    m, s = (grid.ravel() for grid in np.meshgrid(u, 2 * (1 - u) / u))  # K / (K + s) is uniform
    total, p, competence = 0.0, np.zeros(N), np.zeros(W)
    for z in product((0, 1), repeat=N):
        truth = np.array(z)
        weight, n_1 = 1.0, truth.sum()
        weight *= special.beta(1 + n_1, 1 + N - n_1)
        right = np.zeros(W)
        for k in (0, 1):
            counts = np.stack([np.sum((x == answer) & (truth == k)[:, None], axis=0) for answer in (k, 1 - k)])
            a, b = s * m, s * (1 - m)
            likelihood = 2 * m  # mu ~ Dirichlet(2, 1)
            for own, other in counts.T:
                likelihood = likelihood * np.exp(special.betaln(a + own, b + other) - special.betaln(a, b))
            mean = likelihood.mean()
            weight *= mean
            theta = np.array([np.mean(likelihood * (a + own) / (s + own + other)) / mean for own, other in counts.T])
            right += theta * (1 + np.sum(truth == k)) / (N + 2)
        total += weight
        p += weight * truth
        competence += weight * right
    return p / total, competence / total


@pytest.mark.slow
def test_it_is_the_exact_posterior_of_few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchical, "FEWEST_EFFECTIVE", 2_000)
    x = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, -1], [1, 0, 0]])
    item, worker = np.nonzero(x >= 0)
    made = hierarchical_model(item, worker, x[item, worker], 2, rng=np.random.default_rng(1))
    p, competence = exact_posterior(x)
    assert made.p[:, 1] == pytest.approx(p, abs=0.015)
    assert made.competence == pytest.approx(competence, abs=0.015)
    assert made.p.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-12)


def a_world(rng: np.random.Generator, items: int, per_item: int, workers: int, labels: int) -> tuple[Array, ...]:
    """Truth, prevalence, confusions [W, K, K] around a population's, and who gave what to which item."""
    pi = rng.dirichlet(np.full(labels, 5.0))
    mu = np.where(np.eye(labels, dtype=bool), 0.7, 0.3 / (labels - 1))
    theta = np.array([[rng.dirichlet(10 * mu[k]) for k in range(labels)] for _ in range(workers)])
    z = rng.choice(labels, items, p=pi)
    item = np.repeat(np.arange(items), per_item)
    worker = np.argsort(rng.random((items, workers)), axis=1)[:, :per_item].ravel()
    below = np.cumsum(theta[worker, z[item]], axis=1)
    label = np.minimum((rng.random(len(item))[:, None] >= below).sum(axis=1), labels - 1)
    return z, pi, theta, item, worker, label


@pytest.mark.slow
def test_in_worlds_with_few_answers_per_worker_limits_hold_and_labels_are_no_worse_than_plain_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hierarchical, "DRAWS", 800)
    rng = np.random.default_rng(5)
    held, prevalence, right, plain = [], [], [], []
    for _ in range(4):
        z, pi, theta, item, worker, label = a_world(rng, items=150, per_item=3, workers=40, labels=3)
        made = hierarchical_model(item, worker, label, 3, rng=rng)
        true = np.diagonal(theta, axis1=1, axis2=2) @ pi
        low, high = made.competence_limits
        held += ((low <= true) & (true <= high)).tolist()
        low, high = made.prevalence_limits
        prevalence += ((low <= pi) & (pi <= high)).tolist()
        right.append(np.mean(np.argmax(made.p, axis=1) == z))
        plain.append(np.mean(np.argmax(dawid_skene(item, worker, label, 150, 3).p, axis=1) == z))
    assert 0.91 <= np.mean(held) <= 0.99
    assert np.mean(prevalence) >= 0.85
    assert np.mean(right) > np.mean(plain)


def test_the_same_seed_gives_the_same_figures_and_little_work_is_owned_up_to() -> None:
    rng = np.random.default_rng(3)
    _, _, _, item, worker, label = a_world(rng, items=30, per_item=4, workers=8, labels=2)
    first, second = (hierarchical_model(item, worker, label, 2, rng=np.random.default_rng(9), work=1) for _ in range(2))
    assert np.array_equal(first.p, second.p)
    assert (first.warm_up, first.draws, first.is_converged) == (10, 10, False)


def test_items_of_equal_answers_have_equal_probabilities() -> None:
    rng = np.random.default_rng(4)
    item, worker = np.repeat(np.arange(20), 4), np.tile(np.arange(4), 20)
    label = np.tile(rng.integers(0, 2, 40), 2)  # items 10 to 19 got what 0 to 9 got
    made = hierarchical_model(item, worker, label, 2, rng=rng, work=1)
    assert made.p[:10] == pytest.approx(made.p[10:], abs=1e-12)


def autoregressive(rng: np.random.Generator, rho: float, chains: int, draws: int) -> Array:
    x = np.zeros((chains, draws, 1))
    noise = rng.normal(0, np.sqrt(1 - rho**2), (chains, draws))
    x[:, 0, 0] = rng.normal(0, 1, chains)
    for t in range(1, draws):
        x[:, t, 0] = rho * x[:, t - 1, 0] + noise[:, t]
    return x


@pytest.mark.parametrize("rho", [-0.3, 0.0, 0.5, 0.9])
def test_effective_size_of_autoregressive_chains_is_the_known_one(rho: float) -> None:
    x = autoregressive(np.random.default_rng(2), rho, 4, 20_000)
    assert effective_size(x)[0] == pytest.approx(80_000 * (1 - rho) / (1 + rho), rel=0.1)


def test_r_hat_is_that_of_its_formula_and_of_one_chain_apart_it_is_large() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(0, 1, (4, 500, 2))
    W = np.mean([np.var(chain[:, 1], ddof=1) for chain in x])
    B = 500 * np.var([chain[:, 1].mean() for chain in x], ddof=1)
    assert r_hat(x)[1] == pytest.approx(np.sqrt((499 / 500 * W + B / 500) / W), abs=1e-12)
    worst, smallest = convergence(x)
    assert worst < 1.01
    assert smallest > 1_000
    x[0, :, 1] += 3
    assert convergence(x)[0] > 1.2
    x = rng.normal(0, 1, (4, 500, 1)) * np.array([1, 1, 1, 9])[:, None, None]  # one chain of another spread
    assert convergence(x)[0] > 1.05
