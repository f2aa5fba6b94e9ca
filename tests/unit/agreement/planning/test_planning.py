"""Variance components and precision of planned studies, against studies that are simulated another way."""

import time

import numpy as np
import pytest

from agreement.planning.components import Components, components_of
from agreement.planning.precision import JUDGMENTS_PER_ITEM, Goal, curve, first_within, places, workers_for
from agreement.stats import alpha
from agreement.stats.design import design_of
from agreement.stats.estimate import Undefined

TRUE = Components(item=4.0, worker=1.0, residual=2.0, items=50, workers=20, judgments=400)


def a_study(
    rng: np.random.Generator, items: int, k: int, m: int, true: Components = TRUE
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Judgment by judgment, in a loop: nothing of the module's own arrays."""
    a = {i: rng.normal(0, true.item**0.5) for i in range(items)}
    wanted = dict.fromkeys(range(items), k)
    item, worker, y = [], [], []
    number = 0
    while any(wanted.values()):
        b = rng.normal(0, true.worker**0.5)
        most_wanted = sorted((i for i in wanted if wanted[i]), key=lambda i: (-wanted[i], rng.random()))[:m]
        for i in most_wanted:
            wanted[i] -= 1
            item.append(i)
            worker.append(number)
            y.append(a[i] + b + rng.normal(0, true.residual**0.5))
        number += 1
    return np.array(item), np.array(worker), np.array(y)


def test_components_are_recovered_without_bias_from_an_incomplete_design() -> None:
    rng = np.random.default_rng(4)
    found = []
    for _ in range(150):
        item, worker, y = a_study(rng, items=40, k=6, m=12)
        one = components_of(item, worker, y[:, None])
        assert isinstance(one, Components)
        found.append((one.item, one.worker, one.residual))
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(means - (4, 1, 2)) < 4 * errors)


def test_labels_as_vectors_have_components_that_sum_to_what_is_expected_of_two_judgments() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 80)
    item, worker = np.repeat(np.arange(80), 5), np.tile(np.arange(5), 80)
    said = np.where(rng.random(400) < 0.8, truth[item], rng.integers(0, 3, 400))
    found = components_of(item, worker, np.eye(3)[said])
    assert isinstance(found, Components)
    # By chance two thirds of the rest are wrong: each judgment is right with 1 - .2 * 2 / 3.
    right = 1 - 0.2 * 2 / 3
    same = right**2 + 2 * ((1 - right) / 2) ** 2
    assert found.within == pytest.approx(1 - same, abs=0.04)
    assert found.agreement == pytest.approx(1 - (1 - same) / (2 / 3), abs=0.06)


@pytest.mark.parametrize(
    ("item", "worker", "why"),
    [([0, 1, 2], [0, 0, 0], "no item has two judgments"), ([0, 0, 1, 1], [0, 1, 2, 3], "no worker has judged two")],
)
def test_design_that_can_not_be_taken_apart_says_why(item: list[int], worker: list[int], why: str) -> None:
    found = components_of(np.array(item), np.array(worker), np.arange(float(len(item)))[:, None])
    assert isinstance(found, Undefined)
    assert why in found.why


@pytest.mark.parametrize(("items", "k", "m"), [(10, 3, 4), (7, 5, 7), (7, 4, 50), (30, 6, 11), (2, 9, 1)])
def test_places_give_every_item_k_workers_and_nobody_an_item_twice(items: int, k: int, m: int) -> None:
    worker = places(items, k, m, np.random.default_rng(1))
    assert worker.shape == (items, k)
    assert all(len(set(row)) == k for row in worker.tolist())
    assert np.bincount(worker.ravel()).max() <= min(m, items)
    assert workers_for(items, k, m) <= worker.max() + 1 <= workers_for(items, k, m) + k


def test_planned_half_width_of_alpha_holds_the_truth_in_19_of_20_studies() -> None:
    items, k, m = 40, 6, 12
    (planned,) = (
        point.precision
        for point in curve(TRUE, Goal.ALPHA, items=items, items_per_worker=m)
        if point.judgments_per_item == k
    )
    rng = np.random.default_rng(6)
    inside = 0
    for _ in range(300):
        item, worker, y = a_study(rng, items, k, m)
        order = np.argsort(item, kind="stable")
        data = alpha.pairable(design_of(item[order], worker[order]), y[order])
        assert not isinstance(data, Undefined)
        estimate = alpha.alpha(data, "interval")
        assert isinstance(estimate, float)
        inside += abs(estimate - TRUE.agreement) <= planned
    assert 0.90 <= inside / 300 <= 0.985


def test_planned_half_width_of_gold_holds_the_items_own_value() -> None:
    k = 8
    planned = next(
        p.precision for p in curve(TRUE, Goal.GOLD, items=40, items_per_worker=40) if p.judgments_per_item == k
    )
    rng = np.random.default_rng(7)
    error = rng.normal(0, 1, (4000, k)) + rng.normal(0, 2**0.5, (4000, k))
    assert np.mean(np.abs(error.mean(axis=1)) <= planned) == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize("goal", Goal)
def test_more_judgments_never_make_it_worse_and_the_same_seed_says_the_same(goal: Goal) -> None:
    points = curve(TRUE, goal, items=60, items_per_worker=20)
    precisions = [point.precision for point in points]
    assert precisions == sorted(precisions, reverse=True)
    assert points == curve(TRUE, goal, items=60, items_per_worker=20)
    assert [point.judgments_per_item for point in points] == list(JUDGMENTS_PER_ITEM)


def test_people_with_a_habit_of_their_own_cost_more_than_noise_alone() -> None:
    """The same variance within items, once shared by all that a worker says and once independent."""
    few = {"items": 300, "items_per_worker": 300}
    shared = Components(item=4, worker=3, residual=0.01, items=1, workers=1, judgments=1)
    alone = Components(item=4, worker=0, residual=3.01, items=1, workers=1, judgments=1)
    of_shared, of_alone = (curve(each, Goal.ALPHA, **few)[3].precision for each in (shared, alone))
    assert of_shared > 2 * of_alone


def test_target_beyond_the_people_that_there_are_is_not_reached() -> None:
    points = curve(TRUE, Goal.ALPHA, items=60, items_per_worker=20)
    reached = first_within(points, 0.12, None)
    assert reached is not None
    assert first_within(points, 0.12, reached.workers) == reached
    assert first_within(points, 0.12, reached.workers - 1) is None
    assert first_within(points, 0.0001, None) is None


@pytest.mark.parametrize("goal", Goal)
def test_largest_study_is_planned_in_bounded_time(goal: Goal) -> None:
    began = time.perf_counter()
    points = curve(TRUE, goal, items=1_000_000, items_per_worker=50)
    assert time.perf_counter() - began < 20
    assert points[0].workers == 40_000
