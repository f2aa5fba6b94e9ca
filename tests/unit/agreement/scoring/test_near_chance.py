"""Annotators near chance: who is named among clickers and careful people, and what it does to a model's test."""

from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class World:
    """`skill` is the share of the items (of numbers, the correlation with the truth) on which the best people aren't
    guessing, `apart` what the others have of it at least; `per_item` of the workers judge an item.
    """

    workers: int
    items: int
    per_item: int
    n_labels: int
    skill: float
    apart: float = 1.0
    rare: float | None = None

    def crowd(self, seed: int, clickers: int = 0) -> Annotators:
        rng, size = np.random.default_rng(seed), (self.workers, self.items)
        skill = (self.skill * rng.uniform(self.apart, 1, self.workers))[:, None]
        if self.n_labels:
            shares = [1 / self.n_labels] * self.n_labels if self.rare is None else [1 - self.rare, self.rare]
            truth, guess = (rng.choice(self.n_labels, each, p=shares) for each in (self.items, size))
            answers = np.where(rng.random(size) < skill, truth, guess).astype(float)
            answers[:clickers] = rng.integers(0, self.n_labels, (clickers, self.items))
        else:
            answers = skill * rng.normal(size=self.items) + np.sqrt(1 - skill**2) * rng.normal(size=size)
            answers[:clickers] = rng.normal(size=(clickers, self.items))
        is_judged = rng.permuted(np.tile(np.arange(self.workers) < self.per_item, (self.items, 1)), axis=1).T
        worker, item = np.nonzero(is_judged)
        return Annotators(item, worker, answers[is_judged], self.items, self.n_labels)


NEAR_THE_FLOOR = [World(12, 40, 5, of, 0.4, apart) for of in (2, 3, 0) for apart in (1, 0.65)]
CAREFUL = {
    "near the floor": [*NEAR_THE_FLOOR, *(replace(one, workers=30, items=60, per_item=10) for one in NEAR_THE_FLOOR)],
    "moderate": [replace(one, skill=0.6) for one in NEAR_THE_FLOOR],
    "few items": [World(12, 15, 12, of, skill, 0.65) for of in (2, 3, 0) for skill in (0.4, 0.6)],
    "sparse": [World(60, 100, 5, of, skill, 0.65) for of in (2, 3, 0) for skill in (0.4, 0.6)],
    "rare": [World(30, 100, 10, 2, skill, 0.65, rare) for rare in (0.1, 0.03) for skill in (0.4, 0.8)],
}


@pytest.mark.parametrize("studies", [8, pytest.param(100, marks=pytest.mark.prove)])
@pytest.mark.parametrize("world", CAREFUL)
def test_careful_people_are_hardly_ever_near_chance(world: str, studies: int) -> None:
    shares = [
        sum(len(near_chance(one.crowd(seed))) for seed in range(studies)) / (one.workers * studies)
        for one in CAREFUL[world]
    ]
    print(f"careful people called near chance: {np.mean(shares):.2%}, in the worst world {max(shares):.2%}")

    assert np.mean(shares) <= 0.01
    assert max(shares) <= (0.02 if studies >= 100 else 0.05)


@pytest.mark.parametrize("studies", [8, pytest.param(100, marks=pytest.mark.prove)])
@pytest.mark.parametrize("n_labels", [2, 3, 0])
def test_clickers_are_mostly_near_chance(n_labels: int, studies: int) -> None:
    world = World(12, 100, 12, n_labels, 0.8, 0.8)
    named = [set(near_chance(world.crowd(seed, 3)).tolist()) for seed in range(studies)]
    share = sum(len(who & {0, 1, 2}) for who in named) / (3 * studies)
    print(f"clickers called near chance: {share:.0%}")

    assert share >= 0.85
    assert sum(len(who - {0, 1, 2}) for who in named) <= 0.01 * 9 * studies


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
