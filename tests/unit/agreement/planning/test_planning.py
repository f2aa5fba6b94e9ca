"""Variance components and precision of planned studies, against studies that are simulated another way."""

import time
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.files.numbers import Scale
from agreement.gold.slider_gold import slider_gold
from agreement.people.numeric_statistics import GOLD, numeric_statistics
from agreement.people.raw_statistic import report_statistic
from agreement.people.variance_components import VarianceComponents, variance_components
from agreement.planning import precision
from agreement.planning.advice import Advice, advice_between
from agreement.planning.further_data import components_of_kind, said_plan
from agreement.planning.precision import (
    JUDGMENTS_PER_ITEM,
    Components,
    Goal,
    components_of,
    curve,
    first_within,
    judged_studies,
    places,
    points_of,
    standard_studies,
    why_no_plan,
    workers_for,
)
from agreement.planning.printed_intervals import alpha_half_widths, reliabilities

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
    ("item", "worker", "of_vectors", "of_numbers"),
    [
        ([0, 1, 2], [0, 0, 0], "no item has two judgments", "only one worker"),
        ([0, 0, 1, 1], [0, 1, 2, 3], "no worker has judged two", "too few judgments"),
    ],
)
def test_design_that_can_not_be_taken_apart_says_why(
    item: list[int], worker: list[int], of_vectors: str, of_numbers: str
) -> None:
    y = np.arange(float(len(item)))[:, None]
    for answers, why in ((np.hstack([y, -y]), of_vectors), (y, of_numbers)):
        found = components_of(np.array(item), np.array(worker), answers)
        assert isinstance(found, Undefined)
        assert why in found.why


def test_numbers_have_the_components_of_the_report() -> None:
    item, worker, y = a_study(np.random.default_rng(8), items=30, k=5, m=10)
    found, report = components_of(item, worker, y[:, None]), variance_components(design_of(item, worker), y)
    assert isinstance(found, Components)
    assert isinstance(report, VarianceComponents)
    assert (found.item, found.worker, found.residual) == (report.item, report.worker, report.residual)
    assert found.method == "REML"


@pytest.mark.parametrize(("items", "k", "m"), [(10, 3, 4), (7, 5, 7), (7, 4, 50), (30, 6, 11), (2, 9, 1)])
def test_places_give_every_item_k_workers_and_nobody_an_item_twice(items: int, k: int, m: int) -> None:
    worker = places(items, k, m, np.random.default_rng(1))
    assert worker.shape == (items, k)
    assert all(len(set(row)) == k for row in worker.tolist())
    assert np.bincount(worker.ravel()).max() <= min(m, items)
    assert workers_for(items, k, m) <= worker.max() + 1 <= workers_for(items, k, m) + k


def printed(item: np.ndarray, worker: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Half the width of alpha's printed interval, the reliability of the gold, and alpha."""
    found = numeric_statistics(design_of(item, worker), y, ("interval",), seed=1, replicates=0).by_name
    interval, reliability = (report_statistic(found[name]).headline for name in ("interval", GOLD))
    assert isinstance(interval, Estimate)
    assert isinstance(reliability, Estimate)
    assert interval.low is not None
    assert interval.high is not None
    half = (interval.high - interval.low) / 2
    return half, reliability.estimate, interval.estimate


@pytest.mark.parametrize(("items", "k", "m"), [(40, 6, 12), (30, 4, 30), (25, 2, 10)])
def test_what_is_simulated_is_what_a_report_prints(items: int, k: int, m: int) -> None:
    rng = np.random.default_rng(3)
    worker = places(items, k, m, rng)
    _, y = judged_studies(TRUE, standard_studies(4, worker, rng), worker)
    half, reliable = alpha_half_widths(y, worker), reliabilities(y, worker, same_workers=items == m)
    for study in range(4):
        report = printed(np.repeat(np.arange(items), k), worker.ravel(), y[study].ravel())
        assert half[study] == pytest.approx(report[0], abs=1e-9)
        assert reliable[study] == pytest.approx(report[1], abs=1e-9)


@pytest.mark.parametrize("studies", [60, pytest.param(400, marks=pytest.mark.prove)])
@pytest.mark.parametrize("goal", [Goal.ALPHA, Goal.RELIABILITY])
def test_four_studies_of_five_print_what_was_promised(goal: Goal, studies: int) -> None:
    """Fewer print an interval as narrow as 1.96 standard deviations of alpha, which plans promised before."""
    items, m = 40, 12
    [planned] = points_of(TRUE, goal, (6,), items, m, seed=1, assurance=0.8)
    rng = np.random.default_rng(6)
    kept, halves, alphas = [], [], []
    for _ in range(studies):
        item, worker, y = a_study(rng, items, 6, m)
        order = np.argsort(item, kind="stable")
        half, reliability, figure = printed(item[order], worker[order], y[order])
        halves.append(half)
        alphas.append(figure)
        kept.append(half <= planned.precision if goal == Goal.ALPHA else reliability >= planned.precision)
    before = np.mean(np.array(halves) <= 1.96 * np.std(alphas))
    beside = f"; {before:.1%} an interval of 1.96 standard deviations" if goal == Goal.ALPHA else ""
    print(f"{goal}: {np.mean(kept):.1%} of {studies} studies print what was promised{beside}")
    margin = 3 * np.sqrt(0.16 / studies)
    assert 0.8 - margin <= np.mean(kept) <= 0.8 + margin


def test_four_items_of_five_print_a_gold_as_narrow_as_was_promised() -> None:
    k = 8
    [planned] = points_of(TRUE, Goal.GOLD, (k,), 400, 400, seed=1, assurance=0.8)
    rng = np.random.default_rng(7)
    item, worker = np.repeat(np.arange(2000), k), rng.integers(0, 300, 2000 * k)
    value = rng.normal(0, 2, 2000)[item] + rng.normal(0, 3**0.5, len(item))
    gold = slider_gold(item, worker, value, 2000, Scale(Decimal(-2000), Decimal(2000)))
    half = (gold.ci_high - gold.ci_low) / 2
    assert np.mean(half <= planned.precision) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("pilots", [6, pytest.param(60, marks=pytest.mark.prove)])
def test_advice_of_a_pilot_lies_within_what_it_leaves_open(pilots: int) -> None:
    """Five pilots of twelve people gave 5 to 20 judgments per item for one goal, and said nothing of it."""
    size = {"items": 60, "items_per_worker": 30}
    target = 0.15
    right = first_within(curve(TRUE, Goal.ALPHA, **size), target, None, Goal.ALPHA)
    assert right is not None
    holds, widths = [], []
    for seed in range(pilots):
        rng = np.random.default_rng(seed)
        item = np.repeat(np.arange(60), 6)
        worker = np.argsort(rng.random((60, 12)), axis=1)[:, :6].ravel()
        y = rng.normal(0, 2, 60)[item] + rng.normal(0, 1, 12)[worker] + rng.normal(0, 2**0.5, len(item))
        found = components_of_kind("slider", item, worker, y[:, None])
        assert isinstance(found, Components)
        advice = advice_between(found, Goal.ALPHA, target, **size)
        assert advice is not None
        assert advice.least is not None
        most = advice.most or np.inf
        holds.append(advice.least <= right.judgments_per_item <= most)
        widths.append(most / advice.least)
    print(f"{np.mean(holds):.1%} of {pilots} pilots leave the right advice open")
    assert np.mean(holds) >= 0.8
    assert np.median(widths) > 1.5


@pytest.mark.parametrize("goal", [Goal.ALPHA, Goal.RELIABILITY, Goal.MODELS])
@pytest.mark.parametrize("m", [20, 600])
def test_a_page_of_600_items_simulates_a_bounded_number_of_judgments(
    goal: Goal, m: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty pilots that might have been are planned for, and simulated judgments are what that takes time for."""
    judged = []
    standard = precision.standard_studies

    def counted(studies: int, worker: np.ndarray, rng: np.random.Generator) -> precision.Standard:
        judged.append(studies * worker.size)
        return standard(studies, worker, rng)

    monkeypatch.setattr(precision, "standard_studies", counted)
    pilots = tuple((4.0 * size, 1.0, 2.0) for size in np.linspace(0.5, 2, 40))
    size = {"items": 600, "items_per_worker": m}

    advice = advice_between(replace(TRUE, drawn=pilots), goal, 0.1, **size)

    assert advice is not None
    assert len(judged) <= 17  # twice all pilots at once, and three plans by halving
    assert sum(judged) <= 6_000_000
    judged.clear()
    curve(TRUE, goal, **size)
    assert sum(judged) <= 12_000_000


@pytest.mark.parametrize(("goal", "target"), [(Goal.ALPHA, 0.15), (Goal.RELIABILITY, 0.9)])
def test_the_ends_of_advice_are_those_of_all_pilots_or_a_step_from_it(goal: Goal, target: float) -> None:
    """The easiest and the hardest pilots are found by ordering them; here each is planned for."""
    rng = np.random.default_rng(3)
    drawn = tuple((4 * each, worker, 2.0) for each, worker in rng.uniform(0.4, 1.8, (20, 2)).tolist())
    size = {"items": 40, "items_per_worker": 20}

    advice = advice_between(replace(TRUE, drawn=drawn), goal, target, **size)

    assert advice is not None
    alone = [advice_between(replace(TRUE, drawn=(one,)), goal, target, **size) for one in drawn]
    steps = (*JUDGMENTS_PER_ITEM, None)
    every = sorted(steps.index(one.least) for one in alone if one)
    for end, rank in ((advice.least, 0), (advice.most, 18)):
        assert abs(steps.index(end) - every[rank]) <= 1


def test_a_plan_for_two_models_says_what_it_assumes_of_them() -> None:
    points = curve(TRUE, Goal.MODELS, items=60, items_per_worker=20)
    size = {"items": 60, "items_per_worker": 20}
    said = said_plan(Goal.MODELS, 0.5, size, None, TRUE, points, lambda _: "")
    assert "two models that correlate 0.6 with the items and err independently" in said
    assert "report's own test leaves items and workers out in turn" in said


def test_a_plan_says_what_another_pilot_might_have_said() -> None:
    points = curve(TRUE, Goal.ALPHA, items=60, items_per_worker=20)
    size = {"items": 60, "items_per_worker": 20}
    said = said_plan(Goal.ALPHA, 0.15, size, None, TRUE, points, lambda _: "", Advice(5, 20, 15, 60), 0.8)
    assert "In 80% of such studies the printed interval is within ±" in said
    assert "Another pilot like this one might have said 5 to 20 judgments per item (15 to 60 people)." in said


OF_COMPONENTS = [goal for goal in Goal if goal != Goal.ALT_TEST]


@pytest.mark.parametrize("goal", OF_COMPONENTS)
def test_more_judgments_never_make_it_worse_and_the_same_seed_says_the_same(goal: Goal) -> None:
    points = curve(TRUE, goal, items=60, items_per_worker=20)
    precisions = [point.precision for point in points]
    assert precisions == sorted(precisions, reverse=not goal.rises)
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
    reached = first_within(points, 0.12, None, Goal.ALPHA)
    assert reached is not None
    assert first_within(points, 0.12, reached.workers, Goal.ALPHA) == reached
    assert first_within(points, 0.12, reached.workers - 1, Goal.ALPHA) is None
    assert first_within(points, 0.0001, None, Goal.ALPHA) is None


@pytest.mark.parametrize("goal", OF_COMPONENTS)
def test_largest_study_is_planned_in_bounded_time(goal: Goal) -> None:
    began = time.process_time()
    points = curve(TRUE, goal, items=1_000_000, items_per_worker=50)
    assert time.process_time() - began < 20
    assert points[0].workers == 40_000


@pytest.mark.parametrize(
    ("goal", "items", "why"),
    [
        (Goal.RELIABILITY, 100, "don't differ"),
        (Goal.MODELS, 100, "don't differ"),
        (Goal.ALT_TEST, 100, "three people"),
    ],
)
def test_goal_that_these_judgments_can_not_plan_is_said(goal: Goal, items: int, why: str) -> None:
    alike = Components(item=0.0, worker=1.0, residual=2.0, items=50, workers=20, judgments=400)
    assert why in why_no_plan(alike, goal, items=items, items_per_worker=100)
    assert why_no_plan(alike, Goal.ALPHA, items=items, items_per_worker=100) == ""


def test_alternative_annotator_test_takes_thirty_items_of_each_person() -> None:
    tied = Components(item=1.0, worker=1.0, residual=2.0, items=50, workers=20, judgments=400, ties=(0.5, 0.4))
    assert "30 items" in why_no_plan(tied, Goal.ALT_TEST, items=100, items_per_worker=29)
    assert why_no_plan(tied, Goal.ALT_TEST, items=100, items_per_worker=30) == ""
    points = curve(tied, Goal.ALT_TEST, items=100, items_per_worker=50)
    assert all(np.isfinite(point.precision) for point in points)
