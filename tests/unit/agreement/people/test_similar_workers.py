"""Accounts of one person, found by how their answers depart from everybody else's."""

import numpy as np
import pytest

from agreement.people.similar_workers import similar_pairs
from tools.benchmarks.coverage_worlds import study
from tools.benchmarks.similar_accounts import false_alarms, second_accounts


def doubled(noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Six people on 80 items, the third of them with a second account, 6."""
    rng = np.random.default_rng(3)
    given = study("crossed", 6, 80, rng)
    own = given.worker == 2
    again = given.number[own] + noise * rng.normal(size=int(own.sum()))
    item, worker = np.concatenate([given.item, given.item[own]]), np.concatenate([given.worker, np.full(80, 6)])
    return item, worker, np.concatenate([given.number, again])[:, None]


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_second_account_is_named_with_the_first(noise: float) -> None:
    [pair] = similar_pairs(*doubled(noise))

    assert (pair.first, pair.second, pair.shared) == (2, 6, 80)
    assert pair.r > 0.8


def test_same_bias_and_the_same_answer_throughout_make_nobody_alike() -> None:
    item, worker, answers = doubled(0.0)
    rng = np.random.default_rng(5)
    answers = np.where((worker == 2)[:, None], 3.0, answers)
    answers = np.where((worker == 6)[:, None], 3.0, answers) + 0
    assert similar_pairs(item, worker, answers) == []
    given = study("crossed", 6, 80, rng)
    biased = given.number + np.where(given.worker < 2, 5.0, 0.0)
    assert similar_pairs(given.item, given.worker, biased[:, None]) == []


def test_people_who_answer_for_themselves_are_hardly_ever_called_one() -> None:
    numbers, steps = false_alarms("crossed", 10, 60, 150, np.random.default_rng(1))

    assert max(numbers, steps) <= 2
    assert second_accounts(0.2, 60, 20, np.random.default_rng(1)) > 90


def test_too_few_shared_items_say_nothing() -> None:
    item, worker, answers = doubled(0.0)
    few = item < 15

    assert similar_pairs(item[few], worker[few], answers[few]) == []
