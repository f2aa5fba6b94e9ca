"""The reliability of the gold as released: the squared correlation of gold with truth, however many judge an item."""

import numpy as np
import pytest
from scipy import stats

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate
from agreement.people.agreement_report import Statistic
from agreement.people.numeric_statistics import GOLD, numeric_statistics
from agreement.people.raw_statistic import RawStatistic, report_statistic

POOL = 60


def crowd(
    rng: np.random.Generator, items: int, *, median: float = 5.0, spread: float = 0.9, bias: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Item, worker, value and the items' truth; the judgments per item are log-normal around a median."""
    n = np.clip(np.round(np.exp(rng.normal(np.log(median), spread, items))), 1, POOL).astype(int)
    item = np.repeat(np.arange(items), n)
    worker = np.concatenate([rng.choice(POOL, size, replace=False) for size in n])
    truth = rng.normal(0, 10, items)
    biases = rng.normal(0, bias, POOL)
    return item, worker, truth[item] + biases[worker] + rng.normal(0, 18, len(item)), truth


def figures(item: np.ndarray, worker: np.ndarray, value: np.ndarray, *, replicates: int = 0) -> dict[str, Statistic]:
    found = numeric_statistics(design_of(item, worker), value, ("interval",), seed=1, replicates=replicates)
    return {name: report_statistic(one) for name, one in found.by_name.items()}


def estimate(statistic: Statistic) -> Estimate:
    assert isinstance(statistic.headline, Estimate)
    return statistic.headline


def test_reliability_is_the_squared_correlation_of_gold_with_truth_where_numbers_per_item_differ() -> None:
    rng = np.random.default_rng(1)
    found, true, averaged = [], [], []
    for _ in range(12):
        item, worker, value, truth = crowd(rng, 400)
        made = figures(item, worker, value)
        gold = np.bincount(item, weights=value) / np.bincount(item)
        found.append(estimate(made[GOLD]).estimate)
        averaged.append(estimate(made["icc1k"]).estimate)
        true.append(stats.pearsonr(gold, truth).statistic ** 2)
    assert np.mean(found) == pytest.approx(np.mean(true), abs=0.02)
    assert np.mean(averaged) > np.mean(true) + 0.08  # what stood in its place


def test_split_half_reliability_lies_within_its_interval() -> None:
    for seed in range(4):
        item, worker, value, _ = crowd(np.random.default_rng(seed), 150)
        several = np.bincount(item)[item] >= 2  # of which halves can be made
        made = figures(item[several], worker[several], value[several])
        figure, halves = estimate(made[GOLD]), estimate(made["split_half"])
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= halves.estimate <= figure.high


def test_interval_holds_the_truth() -> None:
    rng = np.random.default_rng(3)
    holds = []
    for _ in range(60):
        item, worker, value, _ = crowd(rng, 60, spread=0.6, bias=5.0)
        figure = estimate(figures(item, worker, value)[GOLD])
        true = 100 / (100 + (25 + 324) * np.mean(1 / np.bincount(item)))
        assert figure.low is not None
        assert figure.high is not None
        holds.append(figure.low <= true <= figure.high)
    assert np.mean(holds) >= 0.9


def test_equal_numbers_per_item_give_icc_of_the_average() -> None:
    item, slot = (place.ravel() for place in np.indices((30, 4)))
    rng = np.random.default_rng(4)
    value = rng.normal(0, 1, 30)[item] + rng.normal(0, 1, 120)
    made = figures(item, (item * 4 + slot) % 23, value, replicates=200)
    assert estimate(made[GOLD]).estimate == pytest.approx(estimate(made["icc1k"]).estimate, abs=1e-12)
    assert estimate(made[GOLD]).low == pytest.approx(estimate(made["icc1k"]).low, abs=0.02)
    assert made[GOLD].item_percentile is not None


def test_biases_of_workers_who_judged_everything_cancel_in_the_gold() -> None:
    """Shrout and Fleiss (1979), six targets by four judges: ICC(C,4) = .9093, where ICC(1,4) is .4428."""
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    item, worker = (place.ravel() for place in np.indices((6, 4)))
    found = numeric_statistics(
        design_of(item, worker), np.ravel(table).astype(float), ("interval",), seed=1, replicates=0
    )
    made = found.by_name[GOLD]
    assert isinstance(made, RawStatistic)
    assert made.theta == pytest.approx(0.9093, abs=5e-5)
    assert "ICC(C,k)" in made.method


def test_a_squared_correlation_is_never_below_zero() -> None:
    item, worker = (place.ravel() for place in np.indices((25, 3)))
    for seed in range(6):
        rng = np.random.default_rng(seed)
        value = rng.normal(0, 0.3, 25)[item] + rng.normal(0, 1, 75)
        figure = figures(item, worker, value)[GOLD].headline
        if isinstance(figure, Estimate):
            assert figure.low is not None
            assert 0 <= figure.low <= figure.estimate
        else:
            assert "no reliability above 0" in figure.why
