"""Annotators near chance: who is named among clickers and careful people, and what it does to a model's test."""

import numpy as np
import pytest

from agreement.scoring.alternative_annotator import (
    PASS,
    Annotators,
    alternative_annotator_tests,
    people_as_models,
    winning_rate,
)
from agreement.scoring.near_chance import near_chance

W, N = 12, 100


def crowd(
    seed: int, clickers: int, *, constant: bool = False, rare: float = 0.5, wrong: float = 0.12
) -> tuple[Annotators, np.ndarray]:
    """Two labels; the first workers are the clickers. With the truth [N]."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(N) < rare).astype(int)
    answers = np.where(rng.random((W, N)) < wrong, rng.random((W, N)) < rare, truth)
    answers[:clickers] = 0 if constant else rng.integers(0, 2, (clickers, N))
    worker, item = (place.ravel() for place in np.indices((W, N)))
    return Annotators(item, worker, answers.ravel().astype(float), N, 2), truth


@pytest.mark.parametrize("clickers", [0, 2, 6])
def test_clickers_are_named_and_careful_people_are_not(clickers: int) -> None:
    named = [near_chance(crowd(seed, clickers)[0]).tolist() for seed in range(40)]

    assert all(set(who) <= set(range(clickers)) for who in named)
    assert sum(map(len, named)) >= 0.85 * clickers * 40


def test_the_same_answer_throughout_is_named_where_the_others_hardly_give_it() -> None:
    assert near_chance(crowd(1, 3, constant=True)[0]).tolist() == [0, 1, 2]
    assert near_chance(crowd(1, 3, constant=True, rare=0.01, wrong=0.01)[0]).tolist() == []


def test_numbers_are_held_against_the_mean_of_the_others() -> None:
    rng = np.random.default_rng(5)
    truth = rng.uniform(0, 100, N)
    answers = truth + rng.normal(0, 20, (W, N))
    answers[:4] = rng.uniform(0, 100, (4, N))
    answers[4] = 50
    worker, item = (place.ravel() for place in np.indices((W, N)))

    assert near_chance(Annotators(item, worker, answers.ravel(), N)).tolist() == [0, 1, 2, 3, 4]


def test_where_nobody_agrees_nobody_can_be_told_from_chance() -> None:
    assert near_chance(crowd(3, 12)[0]).tolist() == []


def test_too_few_items_and_no_others_name_nobody() -> None:
    alone = Annotators(np.arange(20), np.zeros(20, dtype=int), np.ones(20), 20, 2)
    assert near_chance(alone).tolist() == []
    assert near_chance(Annotators(np.zeros(0, int), np.zeros(0, int), np.zeros(0), 0, 2)).tolist() == []


def test_six_clickers_of_twelve_let_no_poor_model_pass_without_them() -> None:
    people, truth = crowd(2, 6)
    rng = np.random.default_rng(2)
    model = np.eye(2)[np.where(rng.random(N) < 0.57, truth, 1 - truth)]
    with_all, without = (
        alternative_annotator_tests(each, [model], epsilon=0.2, rng=rng, processes=1)[0]
        for each in (people, people.without(near_chance(people)))
    )

    assert with_all is not None
    assert without is not None
    assert with_all.winning_rate >= PASS
    assert without.winning_rate < PASS


def test_people_in_a_models_place_are_tested_as_a_model_with_their_answers() -> None:
    people, _ = crowd(4, 2)
    for one, found in zip((0, 5), people_as_models(people, np.array([0, 5])), strict=True):
        others = people.without(np.array([one]))
        output = np.eye(2)[people.answer[people.worker == one].astype(int)]
        [tested] = alternative_annotator_tests(others, [output], rng=np.random.default_rng(1), processes=1)
        assert tested is not None
        assert found == tested.annotators
        assert winning_rate(found) == tested.winning_rate
    few = Annotators(
        people.item[people.item < 20], people.worker[people.item < 20], people.answer[people.item < 20], N, 2
    )
    assert people_as_models(few, np.array([3])) == [()]
