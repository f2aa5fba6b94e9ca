"""Intra-annotator reliability beside statsmodels, mean squares and simulation; repeats read from a crowd."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from agreement.estimation.estimate import Estimate, Undefined
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd
from agreement.people.intra_annotator import RepeatedAnswers, cohen_kappa_of_pairs, icc_a1, intra_annotator
from tests.unit.agreement.analysis.test_every_further_analysis import asked_again, crowd
from tests.unit.agreement.analysis.test_every_further_analysis import part_of as part_of_crowd

Array = np.ndarray[Any, np.dtype[Any]]


def test_kappa_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 4, 60)
    y = np.where(rng.random(60) < 0.6, x, rng.integers(0, 4, 60))
    table = np.zeros((4, 4))
    np.add.at(table, (x, y), 1)
    assert cohen_kappa_of_pairs(x, y, 4) == pytest.approx(cohens_kappa(table).kappa, abs=1e-12)


def test_icc_is_that_of_the_mean_squares_of_a_two_way_table() -> None:
    rng = np.random.default_rng(2)
    table = rng.normal(50, 15, 40)[:, None] + rng.normal(0, 6, (40, 2)) + np.array([0.0, 4.0])
    n, k = table.shape
    grand = table.mean()
    rows = k * sum((row.mean() - grand) ** 2 for row in table) / (n - 1)
    columns = n * sum((column.mean() - grand) ** 2 for column in table.T) / (k - 1)
    error = sum(
        (table[i, j] - table[i].mean() - table[:, j].mean() + grand) ** 2 for i in range(n) for j in range(k)
    ) / ((n - 1) * (k - 1))
    by_hand = (rows - error) / (rows + (k - 1) * error + k / n * (columns - error))  # McGraw and Wong (1996)
    assert icc_a1(table[:, 0], table[:, 1]) == pytest.approx(by_hand, abs=1e-12)


def all_twice(answer: Array, again: Array, n_labels: int = 0) -> RepeatedAnswers:
    """Of answers [N, W] and their repeats."""
    N, W = answer.shape
    both = np.stack([answer, again], axis=2)
    item, worker = np.repeat(np.arange(N), 2 * W), np.tile(np.repeat(np.arange(W), 2), N)
    return RepeatedAnswers(item, worker, both.ravel().astype(float), np.tile([True, False], N * W), n_labels)


def test_people_are_held_against_each_other_by_their_first_answers_alone() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 3, (15, 5)), rng.integers(0, 3, (15, 5))
    made = intra_annotator(all_twice(x, y, 3), rng=rng)
    assert isinstance(made.between, Estimate)
    assert made.between.estimate == pytest.approx(fleiss_kappa(aggregate_raters(x, n_cat=3)[0]), abs=1e-12)
    assert (made.pairs, made.items, made.workers, made.are_same_items) == (75, 15, 5, True)


def test_of_three_answers_the_first_two_are_a_pair() -> None:
    item, worker = np.array([0, 0, 0, 1, 2, 2]), np.array([4, 4, 4, 4, 4, 5])
    answers = RepeatedAnswers(item, worker, np.zeros(6), np.ones(6, dtype=bool))
    assert answers.first.tolist() == [0]


def a_world(rng: np.random.Generator, items: int, workers: int) -> RepeatedAnswers:
    """Of variance 1 of items, .25 of workers, .5 of a worker's own view of an item, .5 of noise: intra 1.75 / 2.25,
    between 1 / 2.25.
    """
    view = rng.normal(0, 1, items)[:, None] + rng.normal(0, 0.5, workers) + rng.normal(0, 0.5**0.5, (items, workers))
    x, y = view[:, :, None] + rng.normal(0, 0.5**0.5, (2, items, workers, 1))
    return all_twice(x[..., 0], y[..., 0])


@pytest.mark.slow
def test_intervals_hold_the_truth_of_simulated_worlds() -> None:
    rng = np.random.default_rng(4)
    held = {"intra": 0, "ratio": 0, "between": 0}
    for _ in range(60):
        made = intra_annotator(a_world(rng, 25, 12), rng=rng, processes=1)
        for name, truth in (("intra", 1.75 / 2.25), ("ratio", 1.75), ("between", 1 / 2.25)):
            figure = getattr(made, name)
            assert figure.over == "items and workers"
            held[name] += figure.low <= truth <= figure.high
    assert all(53 <= count <= 60 for count in held.values()), held


def a_crowd(kind: str = "choice", repeats: int = 12) -> Crowd:
    return asked_again(crowd() if kind == "choice" else crowd(kind, ordered=False, scale=PER_CENT), repeats)


def part_of(given: Crowd) -> dict[str, Any]:
    return part_of_crowd(given, "intra-annotator")


@pytest.mark.parametrize("kind", ["choice", "slider"])
def test_a_check_that_repeats_an_item_is_its_second_answer_and_enters_nothing_else(kind: str) -> None:
    given = a_crowd(kind)
    part = part_of(given)
    figures, workers = part["tables"]
    own, between, ratio, _ = (row["figure"] for row in figures["rows"])
    first = np.asarray(given.answers)[given.item < 12].astype(float)
    second = np.asarray(given.answers)[given.item >= given.n_items - 12].astype(float)
    expected = cohen_kappa_of_pairs(first.astype(int), second.astype(int), 3) if kind == "choice" else None
    assert own["estimate"] == pytest.approx(icc_a1(first, second) if expected is None else expected, abs=1e-12)
    assert ratio["estimate"] == pytest.approx(own["estimate"] / between["estimate"], abs=1e-12)
    assert own["low"] < own["estimate"] < own["high"]
    assert "Of 12 people and 12 items there are 144 pairs" in part["says"][0]
    assert sum(row["pairs"] for row in workers["rows"]) == 144


def test_a_file_that_keeps_repeats_has_the_same_pairs() -> None:
    given = a_crowd()
    kept = replace(given, repeats="keep", item=np.where(given.item < 40, given.item, given.item - 40).astype(np.int32))
    assert part_of(kept)["tables"][0] == part_of(given)["tables"][0]


def test_time_tells_which_came_first_and_how_long_people_could_remember() -> None:
    given = a_crowd("slider")
    texts = [f"2026-01-01T{9 if item < 40 else 8:02}:00Z" for item in given.item]
    later = replace(given, extras=given.extras.assign(submitted_at=texts))
    part = part_of(later)
    assert "between the two lie 60 minutes" in part["says"][1]


def test_few_items_are_taken_as_they_are() -> None:
    part = part_of(a_crowd(repeats=2))
    figure = part["tables"][0]["rows"][0]["figure"]
    assert "jackknife over workers, for these items" in figure["method"]
    assert "over" not in figure
    assert "Fewer than 10 items were asked again" in " ".join(part["says"])
    assert "24 pairs are few" in " ".join(part["says"])


def test_bad_input_gives_words() -> None:
    rng = np.random.default_rng(7)
    assert "nobody answered an item twice" in part_of(crowd())["undefined"]
    given = a_crowd()
    first, *_ = np.flatnonzero(given.item == 40)
    one = given.take((given.item < 40) | (np.arange(given.n_judgments) == first))
    assert "one answer was given twice" in part_of(one)["undefined"]
    same = replace(given, answers=np.zeros_like(np.asarray(given.answers)))
    figures = {row["statistic"]: row["figure"] for row in part_of(same)["tables"][0]["rows"]}
    assert "one and the same" in figures["Cohen's kappa, a person with themselves"]["undefined"]
    alone = intra_annotator(all_twice(rng.normal(0, 1, (20, 1)), rng.normal(0, 1, (20, 1))), rng=rng)
    assert isinstance(alone.between, Undefined)
    assert isinstance(alone.intra, Estimate)
    assert alone.intra.over == "items"
