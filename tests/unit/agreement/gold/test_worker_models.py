"""Workers' accuracies with their errors; the rating scale model against a direct likelihood and R's packages."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
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


def know_or_guess(
    rng: np.random.Generator, *, items: int, workers: int, per_item: int, labels: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Item, worker and label of workers who know or guess, and their accuracies, which are MACE's own world."""
    knows, habit = rng.uniform(0.1, 0.95, workers), rng.dirichlet(np.full(labels, 2.0), workers)
    item = np.repeat(np.arange(items), per_item)
    worker = np.argsort(rng.random((items, workers)), axis=1)[:, :per_item].reshape(-1)
    guess = np.minimum((rng.random(len(item))[:, None] > habit[worker].cumsum(axis=1)).sum(axis=1), labels - 1)
    label = np.where(rng.random(len(item)) < knows[worker], rng.integers(0, labels, items)[item], guess)
    return item, worker, label, knows + (1 - knows) / labels


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("items", "workers", "per_item", "labels"), [(8, 9, 9, 5), (60, 20, 3, 2)], ids=["eight-items", "three-each"]
)
def test_few_answers_leave_wide_limits_that_hold_the_truth(
    name: str, items: int, workers: int, per_item: int, labels: int
) -> None:
    rng = np.random.default_rng(21)
    holds, widths = [], []
    for _ in range(6):
        design = {"items": items, "workers": workers, "per_item": per_item, "labels": labels}
        item, worker, label, true = know_or_guess(rng, **design)
        found = worker_accuracies(MODELS[name], item, worker, label, items, labels, rng=rng, processes=1)
        has_limits = np.isfinite(found.low)
        holds += ((found.low <= true) & (true <= found.high))[has_limits].tolist()
        widths += (found.high - found.low)[has_limits].tolist()
    assert np.mean(holds) >= 0.9
    assert min(widths) > 0.1


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
    return optimize.minimize(
        lowered_likelihood(item, worker, code), np.zeros(W + K - 1), method="BFGS", options={"gtol": 1e-4}
    )


def numerical_hessian(item: np.ndarray, worker: np.ndarray, code: np.ndarray, x: np.ndarray) -> np.ndarray:
    lowered, h = lowered_likelihood(item, worker, code), 1e-3
    ends = np.eye(len(x)) * h
    return np.array(
        [
            [
                (lowered(x + a + b) - lowered(x + a - b) - lowered(x - a + b) + lowered(x - a - b)) / (4 * h * h)
                for b in ends
            ]
            for a in ends
        ]
    )


def lowered_likelihood(item: np.ndarray, worker: np.ndarray, code: np.ndarray) -> Callable[[np.ndarray], float]:
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

    return lowered


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


def complete_answers(rng: np.random.Generator, items: int, workers: int) -> tuple[np.ndarray, ...]:
    """Item, worker and code of a crowd in which everybody judged everything, and the severities less their mean."""
    theta, severity = rng.normal(0, 1.5, items), rng.normal(0, 0.7, workers)
    item, worker = np.repeat(np.arange(items), workers), np.tile(np.arange(workers), items)
    steps = np.concatenate([[0], np.cumsum(np.linspace(-1.5, 1.5, K - 1))])
    eta = np.arange(K) * (theta[item] - severity[worker])[:, None] - steps
    p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    code = np.minimum((rng.random(len(item))[:, None] > p.cumsum(axis=1)).sum(axis=1), K - 1)
    return item, worker, code, severity - severity.mean()


def test_equal_raw_scores_of_the_same_items_have_equal_severities_and_equal_errors() -> None:
    """Where all judged everything, a worker's raw score is sufficient: also with fewer items than parameters."""
    for seed, items, workers in ((7, 8, 12), (8, 30, 20)):
        item, worker, code, _ = complete_answers(np.random.default_rng(seed), items, workers)
        score = np.bincount(worker, weights=code)
        found = rating_scale_model(item, worker, code, K)
        pairs = [(v, w) for v in range(workers) for w in range(v) if score[v] == score[w]]
        assert pairs
        for v, w in pairs:
            assert found.severity[v] == pytest.approx(found.severity[w], abs=1e-3)
            assert found.severity_se[v] == pytest.approx(found.severity_se[w], rel=1e-3)


def test_errors_of_severities_are_as_large_as_their_spread_over_studies() -> None:
    rng = np.random.default_rng(9)
    off, errors = [], []
    for _ in range(12):
        item, worker, code, severity = complete_answers(rng, 30, 20)
        found = rating_scale_model(item, worker, code, K)
        off.append(found.severity - severity)
        errors.append(found.severity_se)
    rmse, reported = (float(np.sqrt(np.mean(np.square(each)))) for each in (off, errors))
    assert 0.85 < reported / rmse < 1.15
    assert 0.92 <= np.mean(np.abs(off) < 1.96 * np.array(errors)) <= 0.98


def test_errors_of_severities_are_those_of_a_numerical_hessian() -> None:
    item, worker, code, _ = answers(np.random.default_rng(10))
    found, theirs = rating_scale_model(item, worker, code, K), direct(item, worker, code)
    to_mean = np.eye(W) - 1 / W
    covariance = np.linalg.inv(numerical_hessian(item, worker, code, theirs.x))[:W, :W]
    assert found.severity_se == pytest.approx(np.sqrt(np.diag(to_mean @ covariance @ to_mean)), rel=0.01)


# R's packages on public crowds. TAM and mirt have no package in Debian and were not compared with.

RTE = Path(__file__).parents[3] / "cases" / "crowds" / "snow-rte" / "judgments.csv"
REVIEWS = Path("../shared/data/alt-test/numbers/judgments.csv")

# lme4 1.1-31 (Debian 12): glmer(y ~ 0 + worker + (1 | item), binomial, nAGQ = 25, bobyqa with rhoend 1e-9), y = 1 for
# "yes", the nine workers with a hundred judgments or more; minus the fixed effects, less their mean.
GLMER_SEVERITY = {
    "w008": 0.81385930,
    "w023": -0.73795090,
    "w042": 0.02117822,
    "w051": 0.63234506,
    "w056": -0.66076149,
    "w058": -0.01547938,
    "w094": 0.29526498,
    "w116": -1.04584508,
    "w157": 0.69738929,
}
GLMER_SIGMA, GLMER_LOG_LIKELIHOOD = 0.589138971, -2312.493

# eRm 1.0-2 (Debian 12): thresholds(RSM(X)), which is conditional likelihood: locations less their mean, and steps.
ERM_LOCATION = {
    "w197": 1.9856890,
    "w40": 1.6759044,
    "w152": 1.5115871,
    "w198": 2.3958480,
    "w162": 2.5536479,
    "w168": 1.4679796,
    "w44": 1.8581492,
    "w2": 1.8456858,
    "w65": 2.1204047,
    "w91": 1.7625474,
}
ERM_STEPS = np.array([0.067944704, 1.23771916, 2.9175231, 3.7195692])


def codes(crowd: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    return tuple(pd.factorize(crowd[column], sort=True)[0] for column in ("item_id", "worker_id"))  # type: ignore[return-value]


@pytest.mark.parametrize(("prior_sd", "within"), [(np.inf, 3e-5), (10.0, 2e-4)])
def test_two_categories_are_the_logistic_mixed_model_of_lme4(
    prior_sd: float, within: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement.gold.rating_scale_model.PRIOR_SD", prior_sd)
    crowd = pd.read_csv(RTE)
    crowd = crowd[crowd["worker_id"].isin(GLMER_SEVERITY)]
    yes = np.asarray(crowd["value"] == "yes", dtype=np.int64)
    found = rating_scale_model(*codes(crowd), yes, 2)
    assert found.severity == pytest.approx(np.array(list(GLMER_SEVERITY.values())), abs=within)
    assert found.sigma == pytest.approx(GLMER_SIGMA, abs=within)
    if np.isinf(prior_sd):
        assert found.log_likelihood == pytest.approx(GLMER_LOG_LIKELIHOOD, abs=1e-3)


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not REVIEWS.is_file(), reason="the public crowds in ../shared/data are not here")
def test_five_categories_are_as_near_to_the_conditional_likelihood_of_erm_as_two_estimators_come() -> None:
    crowd = pd.read_csv(REVIEWS)
    found = rating_scale_model(*codes(crowd), crowd["value"].to_numpy(dtype=np.int64) - 1, 5)
    theirs = np.array([ERM_LOCATION[name] for name in np.unique(crowd["worker_id"])])
    theirs -= theirs.mean()
    assert np.abs((found.severity - theirs) / found.severity_se).max() < 0.4
    assert found.severity == pytest.approx(theirs, abs=0.025)
    assert found.steps == pytest.approx(ERM_STEPS - ERM_STEPS.mean(), abs=0.11)
