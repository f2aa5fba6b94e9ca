"""Workers' accuracies with their errors, and the rating scale model against a direct likelihood."""

import numpy as np
import pytest
from scipy import optimize

from agreement.gold.annotator_models import MODELS, dawid_skene
from agreement.gold.rating_scale_model import rating_scale_model
from agreement.gold.worker_accuracies import worker_accuracies


def labels(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    items, workers = 120, 10
    item, worker = np.repeat(np.arange(items), 6), rng.integers(0, workers, 720)
    knows = np.linspace(0.3, 0.95, workers)
    truth = rng.integers(0, 3, items)
    label = np.where(rng.random(720) < knows[worker], truth[item], rng.integers(0, 3, 720))
    return item, worker, label, knows + (1 - knows) / 3


@pytest.mark.parametrize("name", MODELS)
def test_limits_lie_around_the_accuracy_and_mostly_hold_the_truth(name: str) -> None:
    rng = np.random.default_rng(1)
    item, worker, label, true = labels(rng)
    found = worker_accuracies(MODELS[name], item, worker, label, 120, 3, rng=rng, processes=1)
    assert (found.low < found.accuracy).all()
    assert (found.accuracy < found.high).all()
    assert np.mean((found.low <= true) & (true <= found.high)) >= 0.8
    assert found.accuracy == pytest.approx(true, abs=0.2)


def test_the_standard_error_is_that_of_leaving_groups_of_items_out() -> None:
    rng = np.random.default_rng(2)
    item, worker, label, _ = labels(rng)
    made = worker_accuracies(dawid_skene, item, worker, label, 120, 3, rng=np.random.default_rng(5), processes=1)
    group = (np.random.default_rng(5).permutation(np.arange(120) % 20))[item]
    left = np.array(
        [dawid_skene(item[group != g], worker[group != g], label[group != g], 120, 3).accuracy for g in range(20)]
    )
    again = np.sqrt(19 / 20 * np.sum((left - left.mean(axis=0)) ** 2, axis=0))
    assert made.se == pytest.approx(again, abs=1e-12)


def test_a_worker_of_one_item_has_no_interval() -> None:
    rng = np.random.default_rng(3)
    item, worker, label, _ = labels(rng)
    item, worker, label = (np.append(each, extra) for each, extra in ((item, 0), (worker, 10), (label, 1)))
    found = worker_accuracies(dawid_skene, item, worker, label, 120, 3, rng=rng, processes=1)
    assert np.isfinite(found.accuracy[10])
    assert np.isnan([found.se[10], found.low[10], found.high[10]]).all()


# The rating scale model.

K, N, W = 4, 80, 6


def answers(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    theta, severity = rng.normal(0, 1.4, N), rng.normal(0, 0.6, W)
    item = np.repeat(np.arange(N), 4)
    worker = np.argsort(rng.random((N, W)), axis=1)[:, :4].reshape(-1)
    eta = np.arange(K) * (theta[item] - severity[worker])[:, None] - np.array([0, -1.0, -1.0, 0])
    p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    code = np.minimum((rng.random(len(item))[:, None] > p.cumsum(axis=1)).sum(axis=1), K - 1)
    return item, worker, code, severity


def direct(item: np.ndarray, worker: np.ndarray, code: np.ndarray) -> optimize.OptimizeResult:
    """The likelihood item by item on 61 Gauss-Hermite points, climbed with numerical slopes."""
    z, weight = np.polynomial.hermite_e.hermegauss(61)
    weight = weight / weight.sum()

    def lowered(x: np.ndarray) -> float:
        severity, tau, sigma = x[:W], np.append(x[W:-1], -x[W:-1].sum()), np.exp(x[-1])
        steps = np.concatenate([[0], np.cumsum(tau)])[:, None]
        total = 0.0
        for i in range(N):
            likely = np.ones(len(z))
            for j in np.flatnonzero(item == i):
                e = np.exp(np.outer(np.arange(K), sigma * z - severity[worker[j]]) - steps)
                likely = likely * e[code[j]] / e.sum(axis=0)
            total -= np.log(likely @ weight)
        return float(total + np.sum(severity**2) / 200)

    return optimize.minimize(lowered, np.zeros(W + K - 1), method="BFGS", options={"gtol": 1e-4})


def test_the_fit_is_that_of_a_direct_likelihood() -> None:
    item, worker, code, _ = answers(np.random.default_rng(4))
    found, theirs = rating_scale_model(item, worker, code, K), direct(item, worker, code)
    assert found.converged
    assert found.log_likelihood == pytest.approx(-theirs.fun, abs=1e-4)
    assert found.severity == pytest.approx(theirs.x[:W] - theirs.x[:W].mean(), abs=1e-3)
    assert found.steps[:-1] == pytest.approx(theirs.x[W:-1], abs=1e-3)
    assert found.sigma == pytest.approx(np.exp(theirs.x[-1]), abs=1e-3)


def test_severe_workers_are_found_and_a_worker_who_answers_at_random_misfits() -> None:
    rng = np.random.default_rng(5)
    theta, severity = rng.normal(0, 1.5, 400), np.linspace(-1, 1, 8)
    item, worker = np.repeat(np.arange(400), 8), np.tile(np.arange(8), 400)
    eta = np.arange(K) * (theta[item] - severity[worker])[:, None] - np.array([0, -1.0, -1.0, 0])
    p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    code = np.minimum((rng.random(len(item))[:, None] > p.cumsum(axis=1)).sum(axis=1), K - 1)
    found = rating_scale_model(item, worker, code, K)
    assert np.abs(found.severity - severity).max() < 4 * found.severity_se.max()
    assert found.infit == pytest.approx(np.ones(8), abs=0.15)
    random = np.where(worker == 3, rng.integers(0, K, len(code)), code)
    noisy = rating_scale_model(item, worker, random, K)
    assert noisy.infit.argmax() == 3
    assert noisy.infit[3] > 1.4
    assert np.corrcoef(found.value, theta)[0, 1] > 0.9


def test_a_worker_who_gives_the_lowest_answer_alone_has_a_finite_severity() -> None:
    item, worker, code, _ = answers(np.random.default_rng(6))
    found = rating_scale_model(item, worker, np.where(worker == 2, 0, code), K)
    assert np.isfinite(found.severity).all()
    assert found.severity.argmax() == 2
