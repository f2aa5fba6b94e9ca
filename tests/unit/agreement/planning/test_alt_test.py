"""The plan of the alternative annotator test, against the test itself in simulated studies."""

import numpy as np
import pytest
from scipy import stats

from agreement.scoring.alternative_annotator import (
    Annotators,
    alternative_annotator_tests,
    items_for,
    items_needed,
    least_epsilon,
    level_for_half,
    shares_of_ties,
)

LABELS = 3


def crowd(rng: np.random.Generator, items: int, people: int) -> np.ndarray:
    """[N, W] labels of people who know two in three."""
    truth = rng.integers(0, LABELS, items)
    knows = rng.random((items, people)) < 2 / 3
    return np.where(knows, truth[:, None], rng.integers(0, LABELS, (items, people)))


def of_table(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    items, people = table.shape
    return np.repeat(np.arange(items), people), np.tile(np.arange(people), items), table.ravel().astype(float)


def wins_less(given: np.ndarray, model: np.ndarray, others: np.ndarray, *, is_label: bool) -> np.ndarray:
    """[N] d of one annotator, item by item."""
    found = []
    for x, m, rest in zip(given.tolist(), model.tolist(), others.tolist(), strict=True):
        if is_label:
            mine, its = (float(np.mean([one == other for other in rest])) for one in (x, m))
        else:
            mine, its = (-float(np.mean([(one - other) ** 2 for other in rest])) for one in (x, m))
        found.append(float(mine >= its) - float(its >= mine))
    return np.array(found)


@pytest.mark.parametrize("is_label", [True, False])
def test_shares_of_ties_are_those_of_plain_loops(is_label: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng(3)
    table = crowd(rng, 600, 7) if is_label else np.round(2 * rng.normal(size=(600, 1)) + rng.normal(size=(600, 7)))
    item, _, answer = of_table(table)
    found = shares_of_ties(item, answer, is_label=is_label)
    assert len(found) == 5
    for others in (1, 2, 5):
        d = [
            wins_less(table[:, a], table[:, b], np.delete(table, [a, b], axis=1)[:, :others], is_label=is_label)
            for a, b in ((0, 1), (2, 3), (4, 5), (6, 0), (1, 4))
        ]
        assert found[others - 1] == pytest.approx(np.mean(np.equal(d, 0)), abs=0.03)


def test_model_like_one_more_person_wins_an_annotator_with_power_of_four_in_five() -> None:
    rng = np.random.default_rng(4)
    people, items = 6, 120
    pilot = crowd(rng, 400, people)
    item, _, answer = of_table(pilot)
    epsilon = least_epsilon(shares_of_ties(item, answer, is_label=True), people, people, items)
    level = level_for_half(people)
    won: list[float] = []
    for _ in range(60):
        table = crowd(rng, items, people + 1)
        for w in range(3):
            d = wins_less(table[:, w], table[:, people], np.delete(table, [w, people], axis=1), is_label=True)
            won.append(float(stats.ttest_1samp(d, epsilon, alternative="less").pvalue < level))
    assert np.mean(won) == pytest.approx(0.8, abs=0.09)


def test_plan_asks_for_about_the_items_that_the_test_of_such_a_model_asks_for() -> None:
    rng = np.random.default_rng(5)
    people = 8
    table = crowd(rng, 4_000, people + 1)
    item, worker, answer = of_table(table[:, :people])
    model = np.eye(LABELS)[table[:, people]]
    given = Annotators(item, worker, answer, len(table), LABELS)
    [found] = alternative_annotator_tests(given, [model], epsilon=0.1, rng=rng, processes=1)
    assert found is not None
    assert found.items_needed is not None
    planned = items_for(shares_of_ties(item, answer, is_label=True), people, people, 0.1)
    assert planned == pytest.approx(found.items_needed, rel=0.35)  # its mean differs from 0 by chance


def test_items_and_epsilon_are_each_others_inverse_and_that_of_the_tests_own_formula() -> None:
    ties, people = (0.5, 0.45), 8
    for items in (60, 250):
        epsilon = least_epsilon(ties, 3, people, items)
        assert items_for(ties, 3, people, epsilon) in {items, items + 1}
        assert items_needed(0.0, float(np.sqrt(0.55)), epsilon, level_for_half(people)) == pytest.approx(items)
    assert np.isinf(least_epsilon(ties, 3, people, 29))


def test_no_item_with_three_people_has_no_ties() -> None:
    assert shares_of_ties(np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 1.0, 1.0]), is_label=True) == ()
