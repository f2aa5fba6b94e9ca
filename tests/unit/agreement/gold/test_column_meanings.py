"""What is declared of the columns of gold.csv is what is computed: each meaning made again in plain Python."""

import math
from collections import Counter
from statistics import fmean, median, stdev

import numpy as np
import pytest

from agreement.gold.gold_columns import LABELS, NUMBERS, TRIMMED
from agreement.gold.slider_gold import slider_gold
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from tests.by_kind import gold_of

MEANINGS = {column.name: column.meaning for column in (*NUMBERS, *LABELS)}
ANSWERS = [3.0, 90.0, 41.0, 40.0, 44.0, 47.0, 39.0, 100.0, 52.0, 48.0, 45.0]


@pytest.mark.parametrize("n", range(3, len(ANSWERS) + 1))
def test_numbers_are_what_their_columns_say(n: int) -> None:
    answers = ANSWERS[:n]
    gold = slider_gold(np.zeros(n, dtype=int), np.arange(n), np.array(answers), 1)
    cut = math.floor(TRIMMED * n)
    assert MEANINGS["trimmed_mean"].startswith("mean without the lowest and the highest 20 % of the answers")
    assert gold.trimmed_mean[0] == pytest.approx(fmean(sorted(answers)[cut : n - cut]))
    assert gold.mean[0] == pytest.approx(fmean(answers))
    assert gold.median[0] == pytest.approx(median(answers))
    assert "with n - 1" in MEANINGS["sd"]
    assert gold.sd[0] == pytest.approx(stdev(answers))
    assert gold.n[0] == n


def test_shares_of_sets_are_of_all_labels_that_were_chosen() -> None:
    chosen = [("a", "b"), ("a",), ("a", "b"), ("b",), ("b",)]
    sets = np.array([[label in one for label in "ab"] for one in chosen])
    table = gold_of("choices", np.zeros(5, dtype=int), np.arange(5), sets, 1, ("a", "b"))
    counts = Counter(label for one in chosen for label in one)
    assert "share of all labels that people chose" in MEANINGS["p:{label}"]
    for label in "ab":
        assert table[f"n:{label}"].iloc[0] == counts[label]
        assert table[f"p:{label}"].iloc[0] == pytest.approx(counts[label] / counts.total())


def test_shares_of_numbers_per_label_are_of_each_persons_sum() -> None:
    numbers = np.array([[1.0, 3.0], [2.0, 2.0], [0.0, 5.0]])
    table = gold_of("sliders", np.zeros(3, dtype=int), np.arange(3), numbers, 1, ("a", "b"))
    shares = [a / (a + b) for a, b in numbers.tolist()]
    assert "its mean share of a person's sum" in MEANINGS["p:{label}"]
    assert table["p:a"].iloc[0] == pytest.approx(fmean(shares))
    assert "the sum of its shares of people's numbers" in MEANINGS["n:{label}"]
    assert table["n:a"].iloc[0] == pytest.approx(sum(shares))


def test_entropy_is_in_bits() -> None:
    codes = np.array([0, 0, 0, 1])
    table = gold_of("choice", np.zeros(4, dtype=int), np.arange(4), codes, 1, ("a", "b"))
    expected = -sum(p * math.log2(p) for p in (0.75, 0.25))
    assert table["entropy"].iloc[0] == pytest.approx(expected)


def test_every_column_of_gold_says_what_it_means() -> None:
    for kind in KINDS:
        for column in statistics_of(kind).gold_columns:
            assert column.meaning, column.name
            assert (column.cells is str) == (column.value_type == "text")
