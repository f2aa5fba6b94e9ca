"""Scores of ordered labels in steps, beside scikit-learn and scipy."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from agreement.gold.label_gold import median_labels
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import Units
from agreement.scoring.step_metrics import RankCorrelation, WeightedKappa, by_units, in_groups

STEPS = 5


def steps(seed: int, size: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, STEPS, size)
    x = np.clip(y + rng.integers(-1, 2, size), 0, STEPS - 1)
    return x.astype(np.float64), y.astype(np.float64)


@pytest.mark.parametrize(("power", "weights"), [(1, "linear"), (2, "quadratic")])
def test_weighted_kappa_is_that_of_scikit_learn(power: int, weights: str) -> None:
    for seed in range(100):
        x, y = steps(seed)
        expected = cohen_kappa_score(x.astype(int), y.astype(int), weights=weights, labels=range(STEPS))
        assert WeightedKappa(power).figure(x, y) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("formula", [WeightedKappa(1), WeightedKappa(2), RankCorrelation()])
def test_each_item_left_out_is_the_figure_of_the_others(formula: WeightedKappa | RankCorrelation) -> None:
    x, y = steps(7)
    x[3] = np.nan  # an item without an output counts nowhere
    [figure] = in_groups(formula, Groups.one(len(x)), x, y)
    known = np.isfinite(x)
    assert figure.n == len(x) - 1
    assert figure.without[3] == figure.theta
    for at in (0, 1, 11):
        others = known & (np.arange(len(x)) != at)
        assert figure.without[at] == pytest.approx(formula.figure(x[others], y[others]), abs=1e-12)


def test_spearman_is_scipys() -> None:
    x, y = steps(2)
    assert RankCorrelation().figure(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("formula", [WeightedKappa(2), RankCorrelation()])
def test_units_are_left_out_with_all_their_items(formula: WeightedKappa | RankCorrelation) -> None:
    x, y = steps(5)
    units = Units("clusters", (np.arange(len(x)) // 4)[None, :])
    figure = by_units(formula, x, y, units)
    others = np.arange(len(x)) // 4 != 2
    assert figure.without[2] == pytest.approx(formula.figure(x[others], y[others]), abs=1e-12)


def test_one_label_for_everything_has_no_kappa() -> None:
    [figure] = in_groups(WeightedKappa(2), Groups.one(3), np.ones(3), np.ones(3))
    assert not figure.is_defined
    assert "never vary" in figure.why


def test_a_median_between_two_labels_is_both() -> None:
    weights = np.array([[1.0, 0, 1, 0], [2, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 5]])
    assert median_labels(weights, ["a", "b", "c", "d"]).tolist() == ["a|c", "a", "b|c", "d"]
