"""Agreement without each worker, held against the figure recomputed without that worker by another package."""

import csv
from collections.abc import Callable
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.kinds.answers import Properties
from agreement.kinds.ranking.concordance import by_item, w_left_out
from agreement.people.agreement_report import Level
from agreement.people.agreement_without_each_worker import (
    Influence,
    StatisticWithout,
    alpha_of_label_sets,
    alpha_of_labels,
    alpha_of_numbers,
    alpha_of_numbers_by_label,
    alpha_of_properties,
    influence_of,
)
from tests.integration.agreement.analyse_file.command import needs_shared_data, shared
from tests.unit.agreement.people.crowds import crowds

Crowd = tuple[np.ndarray, np.ndarray, np.ndarray]


def recomputed(item: np.ndarray, value: np.ndarray, level: Level) -> float:
    """By the `krippendorff` package; nan where it has no figure."""
    domain, code = np.unique(value, return_inverse=True)
    counts = np.zeros((int(item.max(initial=0)) + 1, len(domain)), dtype=int)
    np.add.at(counts, (item, code), 1)
    if not (counts.sum(axis=1) >= 2).any() or np.count_nonzero(counts[counts.sum(axis=1) >= 2].sum(axis=0)) < 2:
        return float("nan")
    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def recomputed_without_each(crowd: Crowd, statistic: Callable[[np.ndarray, np.ndarray], float], n: int) -> np.ndarray:
    item, worker, value = crowd
    return np.array([statistic(item[worker != out], value[worker != out]) for out in range(n)])


@pytest.mark.parametrize(("measured", "level"), [(alpha_of_numbers, "interval"), (alpha_of_labels, "nominal")])
@settings(deadline=None)
@given(crowd=crowds(repeats=False))
def test_alpha_without_each_worker_is_that_of_the_crowd_without_them(
    measured: StatisticWithout, level: Level, crowd: Crowd
) -> None:
    item, worker, value = crowd
    n = int(worker.max()) + 1

    found = influence_of(item, worker, value, measured, n_workers=n)

    if isinstance(found.figure, Undefined):
        assert np.isnan(recomputed(item, value, level))
        return
    assert found.figure.estimate == pytest.approx(recomputed(item, value, level), abs=1e-9)
    expected = recomputed_without_each(crowd, lambda i, v: recomputed(i, v, level), n)
    np.testing.assert_allclose(found.without, expected, atol=1e-9)


def a_crowd_of_columns(seed: int, answers: Callable[[np.random.Generator, int], np.ndarray]) -> Crowd:
    rng = np.random.default_rng(seed)
    item, worker = np.nonzero(rng.random((25, 8)) < 0.7)
    return item, worker, answers(rng, len(item))


@pytest.mark.parametrize(
    ("measured", "level", "answers"),
    [
        (alpha_of_label_sets, "nominal", lambda rng, n: rng.random((n, 3)) < [0.5, 0.1, 0.02]),
        (alpha_of_numbers_by_label, "interval", lambda rng, n: rng.integers(0, 101, (n, 4)).astype(float)),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_the_mean_over_labels_without_each_worker_is_that_of_the_labels_that_are_left(
    measured: StatisticWithout, level: Level, answers: Callable[[np.random.Generator, int], np.ndarray], seed: int
) -> None:
    item, worker, given_answers = a_crowd_of_columns(seed, answers)

    found = influence_of(item, worker, given_answers, measured, n_workers=8)

    def mean(items: np.ndarray, rows: np.ndarray) -> float:
        return float(np.nanmean([recomputed(items, column.astype(float), level) for column in rows.T]))

    assert isinstance(found.figure, Estimate)
    assert found.figure.estimate == pytest.approx(mean(item, given_answers), abs=1e-9)
    expected = recomputed_without_each((item, worker, given_answers), mean, 8)
    np.testing.assert_allclose(found.without, expected, atol=1e-9)


def test_of_properties_the_commonest_are_compared() -> None:
    item, worker = np.repeat(np.arange(12), 4), np.tile(np.arange(4), 12)
    green = np.where(worker == 3, item % 2 == 0, item % 2 == 1)
    named = Properties(np.r_[0, np.cumsum(green)].astype(np.int64), np.zeros(green.sum(), dtype=np.int32), ("green",))

    found = influence_of(item, worker, named, alpha_of_properties, n_workers=4)

    expected = [recomputed(item[worker != w], green[worker != w].astype(float), "nominal") for w in range(4)]
    np.testing.assert_allclose(found.without, expected, atol=1e-9)
    assert found.most_influential == 3


def test_kendalls_w_without_a_worker_is_of_the_pairs_that_are_left_for_as_many_orders() -> None:
    rng = np.random.default_rng(4)
    item, worker = np.nonzero(rng.random((15, 6)) < 0.8)
    places = np.array([rng.permutation(4) + 1 for _ in item])
    n = np.bincount(item)

    def w(left: np.ndarray) -> float:
        of_items = []
        for one in range(15):
            orders = places[left & (item == one)]
            if len(orders) >= 2:
                rho = np.mean([stats.spearmanr(a, b)[0] for a, b in combinations(orders, 2)])
                of_items.append((1 + (n[one] - 1) * rho) / n[one])
        return float(np.mean(of_items))

    found = influence_of(item, worker, places, w_left_out, n_workers=6)

    assert isinstance(found.figure, Estimate)
    assert found.figure.estimate == pytest.approx(np.nanmean(by_item(item, places, 15)), abs=1e-12)
    np.testing.assert_allclose(found.without, [w(worker != out) for out in range(6)], atol=1e-12)


def test_a_worker_alone_on_their_items_changes_nothing() -> None:
    item, worker = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 4])

    found = influence_of(item, worker, np.array([1.0, 2, 3, 4, 9]), alpha_of_numbers, n_workers=5)

    assert found.change[4] == 0
    assert np.isnan(found.without[0])


def test_free_texts_have_no_influence_and_say_so() -> None:
    found = influence_of(np.array([0]), np.array([0]), np.array(["a"], dtype=object), None, n_workers=1)
    assert isinstance(found.figure, Undefined)
    assert "free texts" in found.figure.why
    assert found.most_influential is None


def test_a_design_without_two_judgments_of_an_item_says_why() -> None:
    left = alpha_of_numbers(design_of(np.array([0, 1]), np.array([0, 1])), np.array([1.0, 2.0]))
    assert isinstance(left, Undefined)
    assert "two or more" in left.why


@needs_shared_data
def test_the_public_crowd_of_ten_agrees_far_better_without_one_of_them() -> None:
    with shared("alt-test/numbers/judgments.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    workers, worker = np.unique([row["worker_id"] for row in rows], return_inverse=True)
    item = np.unique([row["item_id"] for row in rows], return_inverse=True)[1]
    value = np.array([float(row["value"]) for row in rows])

    found: Influence = influence_of(item, worker, value, alpha_of_numbers, n_workers=len(workers))

    assert isinstance(found.figure, Estimate)
    assert found.figure.estimate == pytest.approx(0.681, abs=5e-4)
    most = found.most_influential
    assert most is not None
    assert found.without[most] == pytest.approx(0.85, abs=5e-3)
    expected = recomputed_without_each((item, worker, value), lambda i, v: recomputed(i, v, "interval"), len(workers))
    np.testing.assert_allclose(found.without, expected, atol=1e-9)
