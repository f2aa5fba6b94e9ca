"""Models over items and workers: gold made again, against plain scores, and the level of the tests."""

import numpy as np
import pytest
from scipy import stats

from agreement.estimation.estimate import Estimate
from agreement.estimation.intervals import ANY, effective_workers, variance
from agreement.scoring.jackknifed_metric import JackknifedMetric
from agreement.scoring.other_workers import (
    PULL,
    LeaveOutScores,
    figure_over_workers,
    gap_over_workers,
    gold_of_numbers,
    gold_of_weights,
    scores_again,
)
from agreement.scoring.paired_tests import Gap
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score_gold import Gold, LabelGold
from tools.benchmarks.subgroups_of_raters import study

N, W = 30, 6


def crowd() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    item, worker = (place.ravel() for place in np.indices((N, W)))
    truth = rng.normal(size=N)
    return item, worker, truth[item] + rng.normal(size=len(item)), truth + rng.normal(size=N)


def test_scores_without_each_worker_are_those_of_gold_without_them() -> None:
    item, worker, value, model = crowd()
    ids = np.array([f"i{at}" for at in range(N)], dtype=object)
    gold = Gold("slider", ids, numbers=np.bincount(item, weights=value) / W)
    probe = Probe("m", "numbers", (Run({}, model),))

    found = scores_again(
        [probe], StudyItems("slider", ids), worker, gold_of_numbers(gold, item, value), np.random.default_rng(0)
    )["m"]

    without = [np.bincount(item[worker != w], weights=value[worker != w]) / (W - 1) for w in range(W)]
    assert found["pearson"].worker == pytest.approx([stats.pearsonr(model, one)[0] for one in without])
    assert found["spearman"].worker == pytest.approx([stats.spearmanr(model, one)[0] for one in without])
    assert found["pearson"].workers is not None
    assert len(found["pearson"].judgment) == 15


def test_items_that_lose_all_judgments_leave_the_gold() -> None:
    item, worker = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 0, 0, 1])
    ids = np.array(["a", "b", "c"], dtype=object)
    released = Gold("slider", ids, numbers=np.zeros(3))
    gold = gold_of_numbers(released, item, np.array([1.0, 3.0, 5.0, 7.0, 9.0]))(worker != 0)

    assert gold.ids.tolist() == ["a", "c"]
    assert gold.numbers is not None
    assert gold.numbers.tolist() == [3.0, 9.0]


def test_gold_of_labels_is_that_of_the_labels_that_stay() -> None:
    item, code = np.repeat([0, 1], 4), np.array([0, 0, 1, 1, 1, 1, 1, 0])
    sets = np.zeros((2, 2), dtype=np.bool_)
    ids = np.array(["a", "b"], dtype=object)
    released = Gold("choice", ids, ("x", "y"), by_label=LabelGold(None, sets, sets, has_one_label=True))
    keep = np.ones(8, dtype=np.bool_)
    keep[0] = False
    gold = gold_of_weights(released, item, np.eye(2)[code])(keep)

    assert gold.by_label is not None
    assert gold.by_label.shares is not None
    assert gold.by_label.shares.tolist() == [[1 / 3, 2 / 3], [0.25, 0.75]]
    assert gold.by_label.majority.tolist() == [[False, True], [False, True]]
    assert gold.by_label.has_one_label


def again(worker: np.ndarray) -> LeaveOutScores:
    return LeaveOutScores(worker, np.full(15, worker.mean()), np.arange(len(worker)))


def test_interval_of_a_score_is_the_formula() -> None:
    rng = np.random.default_rng(3)
    credit, by_worker = rng.random(40), 0.5 + 0.05 * rng.normal(size=7)
    measured = JackknifedMetric.of_mean(credit, "")
    released = measured.figure(40, "credit")

    found = figure_over_workers(measured, again(by_worker), released)

    V_I, V_W = measured.variance, variance(by_worker)
    nu = effective_workers(by_worker)
    assert nu is not None
    df = (V_I + V_W) ** 2 / (V_I**2 / 39 + V_W**2 / nu)
    assert isinstance(found, Estimate)
    assert found.over == "items and workers"
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, df) * np.sqrt(V_I + V_W))
    assert "gold made again" in found.method


def test_two_workers_leave_the_interval_over_items() -> None:
    measured = JackknifedMetric.of_mean(np.random.default_rng(3).random(40), "")
    released = measured.figure(40, "credit", ANY)

    assert figure_over_workers(measured, again(np.array([0.4, 0.6])), released) is released
    assert figure_over_workers(measured, None, released) is released


def test_difference_has_what_workers_add_and_its_interval_is_that_of_its_test() -> None:
    rng = np.random.default_rng(6)
    gap = Gap(0.2, 0.05, 99.0, 100, "items")
    first, second = again(0.6 + 0.03 * rng.normal(size=8)), again(0.4 + 0.03 * rng.normal(size=8))

    found = gap_over_workers(gap, first, second)

    V_W = variance(first.worker - second.worker)
    assert found.se == pytest.approx(np.sqrt(0.05**2 + V_W))
    assert found.pull == pytest.approx(PULL * V_W / (V_W + 0.05**2) / 7)
    assert found.p > gap.p
    figure = found.figure()
    assert isinstance(figure, Estimate)
    assert figure.low is not None
    assert (figure.low > 0) == (found.p < 0.05)
    # At either end of the interval the difference from it is just not rejected.
    beyond = Gap(figure.estimate - figure.low, found.se, found.df, 100, "items", workers="w", pull=found.pull)
    assert beyond.p == pytest.approx(0.05)


def test_fewer_than_five_workers_have_no_test_that_speaks_for_others() -> None:
    gap = Gap(0.2, 0.05, 99.0, 100, "items")
    few = again(np.array([0.6, 0.61, 0.59, 0.6]))

    assert gap_over_workers(gap, few, few) is gap


@pytest.mark.parametrize(("studies", "most"), [(30, 0.2), pytest.param(100, 0.14, marks=pytest.mark.prove)])
def test_tests_over_items_and_workers_hold_their_level_where_subgroups_differ(studies: int, most: float) -> None:
    """Seven raters of two subgroups, 300 items: of 100 studies, about 45 are rejected over items alone."""
    simulated = [study(300, 7, 0.6, np.random.default_rng([5, number])) for number in range(studies)]
    over_items = np.mean([one.released < 0.05 for one in simulated])
    over_both = np.mean([one.again < 0.05 for one in simulated])
    print(
        f"of {studies} studies {over_items:.0%} are rejected over items alone, {over_both:.0%} over items and workers"
    )

    assert over_items > 0.3
    assert over_both < most
