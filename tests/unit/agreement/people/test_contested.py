"""How far people differ on an item, for each type of answer; test_statistics_of_every_kind.py walks the kinds."""

import numpy as np

from agreement.judgments.crowd import Sample
from agreement.kinds.answers import Answers, Properties
from agreement.people.answers_to_an_item import (
    share_against_each_label,
    share_named_once,
    share_of_different_texts,
    spread_of_numbers,
    spread_of_numbers_by_label,
)

ITEM = np.array([0, 0, 0, 1, 1, 2])


def a_sample(answers: Answers) -> Sample:
    return Sample(ITEM, np.array([0, 1, 2, 0, 1, 0]), answers)


def test_numbers_spread_as_numpy_says() -> None:
    given = np.array([10.0, 20, 60, 5, 5, 70])
    found = spread_of_numbers(a_sample(given), 4, 0)
    np.testing.assert_allclose(found, [np.std(given[:3], ddof=1), 0.0, np.nan, np.nan])


def test_numbers_by_label_take_the_mean_over_labels() -> None:
    given = np.array([[10.0, 0], [20, 0], [60, 0], [5, 1], [5, 3], [70, 2]])
    found = spread_of_numbers_by_label(a_sample(given), 3, 2)
    np.testing.assert_allclose(found, [np.std(given[:3, 0], ddof=1) / 2, np.sqrt(2) / 2, np.nan])


def test_sets_count_the_minority_of_each_label() -> None:
    chosen = np.array([[1, 1], [1, 0], [1, 0], [0, 1], [1, 1], [0, 0]], dtype=bool)
    np.testing.assert_allclose(share_against_each_label(a_sample(chosen), 3, 2), [1 / 6, 1 / 4, np.nan])


def test_properties_count_what_one_person_named() -> None:
    offsets = np.array([0, 2, 3, 4, 5, 6, 7])
    named = Properties(offsets, np.array([0, 1, 0, 0, 2, 3, 0], dtype=np.int32), ("green", "tall", "wet", "old"))
    np.testing.assert_allclose(share_named_once(a_sample(named), 3, 0), [1 / 2, 1.0, np.nan])


def test_texts_that_differ_by_capitals_are_one() -> None:
    texts = np.array(["A cat", "a cat ", "A dog", "x", "y", "z"], dtype=object)
    np.testing.assert_allclose(share_of_different_texts(a_sample(texts), 3, 0), [2 / 3, 1.0, np.nan])
