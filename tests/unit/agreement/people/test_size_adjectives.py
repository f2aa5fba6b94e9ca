"""The rule of size adjectives on every MALeViC object, and k recovered from verdicts with known k."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement.estimation.estimate import Estimate, Undefined
from agreement.people.size_adjectives import distance, fit_threshold, is_big
from agreement.scoring.groups import Groups

SCENES = Path("../shared/data/malevic/scenes.csv")


def _verdicts(seed: int, mu: float = 0.29, sigma: float = 0.066, lapse: float = 0.0) -> tuple[np.ndarray, ...]:
    """20 workers on 150 of 600 objects each; every verdict draws its own k."""
    rng = np.random.default_rng(seed)
    d = rng.uniform(-0.1, 1.1, 600).clip(0, 1)
    item = np.concatenate([rng.choice(600, 150, replace=False) for _ in range(20)])
    worker = np.repeat(np.arange(20), 150)
    big = rng.normal(mu, sigma, len(item)) > d[item]
    lapses = rng.random(len(item)) < lapse
    big[lapses] = rng.random(int(lapses.sum())) < 0.5
    return d[item], big, item, worker


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not SCENES.is_file(), reason="the public crowds in ../shared/data are not here")
def test_the_rule_holds_for_every_malevic_object() -> None:
    objects = pd.read_csv(SCENES)
    code = objects.groupby(["scene_id", "shape"]).ngroup().to_numpy()
    order = np.argsort(code, kind="stable")
    groups = Groups.of_sorted(code[order], int(code.max()) + 1)
    sorted_objects = objects.iloc[order]

    big = is_big(groups, sorted_objects["area_px"].to_numpy(dtype=float), sorted_objects["k"].to_numpy(dtype=float))

    assert len(objects) == 6303
    assert (big == (sorted_objects["size"] == "big").to_numpy()).all()


def test_distance_runs_from_the_largest_to_the_smallest() -> None:
    d = distance(Groups(np.array([0, 3, 5])), np.array([20.0, 60, 100, 7, 7]))

    assert d[:3].tolist() == [1, 0.5, 0]
    assert np.isnan(d[3:]).all()


@pytest.mark.parametrize("lapse", [0.0, 0.08])
def test_k_is_found_within_its_interval(lapse: float) -> None:
    d, big, item, worker = _verdicts(1, lapse=lapse)

    fit = fit_threshold(d, big, item, worker, np.random.default_rng(2))

    for figure, truth in ((fit.mu, 0.29), (fit.sigma, 0.066)):
        assert isinstance(figure, Estimate)
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low < truth < figure.high
        assert figure.high - figure.low < 0.06
    assert isinstance(fit.lapse, Estimate)
    assert abs(fit.lapse.estimate - lapse) < 0.03
    assert fit.informative < fit.verdicts == 3000


def test_the_fit_is_the_maximum_of_the_likelihood() -> None:
    d, big, item, worker = _verdicts(3, lapse=0.05)

    def log_likelihood(mu: float, sigma: float, lapse: float) -> float:
        inside = (d > 0) & (d < 1)
        p = lapse / 2 + (1 - lapse) * stats.norm.cdf((mu - d[inside]) / sigma)
        return float(np.sum(np.log(np.where(big[inside], p, 1 - p))))

    fit = fit_threshold(d, big, item, worker, None)

    assert isinstance(fit.mu, Estimate)
    assert isinstance(fit.sigma, Estimate)
    assert isinstance(fit.lapse, Estimate)
    best = (fit.mu.estimate, fit.sigma.estimate, fit.lapse.estimate)
    for at in range(3):
        for step in (-1e-3, 1e-3):
            moved = [value + (step if at == i else 0) for i, value in enumerate(best)]
            assert log_likelihood(*moved) < log_likelihood(*best)


def test_separated_verdicts_give_a_range_and_no_sigma() -> None:
    d = np.array([0.1, 0.2, 0.4, 0.9, 0.0, 1.0])

    fit = fit_threshold(d, d < 0.3, np.arange(6), np.zeros(6, dtype=int), np.random.default_rng(1))

    assert isinstance(fit.mu, Estimate)
    assert (fit.mu.estimate, fit.mu.low, fit.mu.high) == pytest.approx((0.3, 0.2, 0.4))
    assert isinstance(fit.sigma, Undefined)
    assert "separated" in fit.sigma.why
    assert fit.informative == 4


@pytest.mark.parametrize(
    ("d", "big", "why"),
    [
        ([0.0, 1.0], [True, False], "neither the largest nor"),
        ([0.2, 0.4], [True, True], "all 2 verdicts off the extremes"),
    ],
)
def test_verdicts_without_news_of_k_are_undefined(d: list[float], big: list[bool], why: str) -> None:
    fit = fit_threshold(np.array(d), np.array(big), np.arange(2), np.zeros(2, dtype=int), None)

    assert isinstance(fit.mu, Undefined)
    assert why in fit.mu.why
