"""The gold table has the promised columns for each of the seven kinds, ties stay ties, and checks stay out."""

import numpy as np
import pandas as pd
import pytest

from agreement.errors import Refused
from agreement.judgments.crowd import Properties
from tests.by_kind import gold_of

ITEMS = pd.DataFrame(
    {
        "item_id": ["a", "b", "c", "d"],
        "kind": ["target", "target", "check", "target"],
        "check": ["", "", "self", ""],
        "left": ["on", "in", "by", "at"],
        "right": ["over", "inside", "by", "near"],
        "scene": ["x", "x", "y", "y"],
        "n": ["1", "2", "3", "4"],
    }
)
ITEM, WORKER = np.array([0, 0, 0, 1, 1], dtype=np.int32), np.array([0, 1, 2, 0, 1], dtype=np.int32)


def test_slider_has_the_promised_columns_then_fields_then_ours() -> None:
    gold = gold_of("slider", ITEM, WORKER, np.array([10.0, 20, 30, 40, 50]), 4, items=ITEMS)

    promised = ["item_id", "left", "right", "mean", "median", "sd", "n", "ci_low", "ci_high"]
    assert list(gold.columns[:9]) == promised
    assert list(gold.columns[9:11]) == ["scene", "item:n"]
    assert gold["item_id"].tolist() == ["a", "b", "d"]
    assert gold["left"].tolist() == ["on", "in", "at"]
    assert gold["mean"].tolist()[:2] == [20, 45]
    assert np.isnan(gold["mean"][2])
    assert gold["n"].tolist() == [3, 2, 0]


@pytest.mark.parametrize("kind", ["choice", "verify"])
def test_labels_keep_ties(kind: str) -> None:
    gold = gold_of(kind, ITEM, WORKER, np.array([1, 1, 0, 1, 0], dtype=np.int32), 4, ("yes", "no"), items=ITEMS)

    assert list(gold.columns[:8]) == ["item_id", "label", "tied", "n", "entropy", "p:yes", "p:no", "typical"]
    assert gold["label"].tolist() == ["no", "no|yes", ""]
    assert gold["tied"].tolist() == [0, 1, 0]
    assert gold["typical"].tolist() == ["no|yes", "no|yes", ""]
    assert gold["entropy"].tolist()[:2] == pytest.approx([0.9182958340544896, 1.0])


def test_choices_share_what_was_chosen() -> None:
    chosen = np.array([[1, 1], [1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)

    gold = gold_of("choices", ITEM, WORKER, chosen, 4, ("above", "below"), items=ITEMS)

    assert gold["p:above"].tolist()[:2] == [0.75, 0.0]
    assert gold["n:above"].tolist() == [3, 0, 0]
    assert gold["label"].tolist() == ["above", "below", ""]
    assert gold["typical"].tolist() == ["above", "below", ""]
    assert gold["n"].tolist() == [3, 2, 0]


def test_sliders_average_proportions_and_a_row_of_zeros_says_nothing() -> None:
    values = np.array([[1.0, 1.0], [4.0, 0.0], [0.0, 0.0], [0.0, 2.0], [2.0, 2.0]])

    gold = gold_of("sliders", ITEM, WORKER, values, 4, ("red", "blue"), items=ITEMS)

    assert gold["n"].tolist() == [2, 2, 0]
    assert gold["p:red"].tolist()[:2] == [0.75, 0.25]


def test_sliders_refuse_negative_numbers() -> None:
    with pytest.raises(Refused, match="negative"):
        gold_of("sliders", ITEM, WORKER, np.full((5, 2), -1.0), 4, ("red", "blue"), items=ITEMS)


def test_list_counts_people_once_whatever_the_spelling() -> None:
    names = ("is green", "Is  green.", "has leaves", " ")
    answers = Properties(np.array([0, 2, 3, 5, 6, 7]), np.array([0, 1, 1, 2, 3, 2, 0], dtype=np.int32), names)

    gold = gold_of("list", ITEM, WORKER, answers, 4, items=ITEMS)

    assert list(gold.columns[:4]) == ["item_id", "property", "frequency", "n"]
    assert gold[["item_id", "property", "frequency", "n"]].to_numpy().tolist() == [
        ["a", "is green", 2, 3],
        ["a", "has leaves", 1, 3],
        ["b", "has leaves", 1, 2],
        ["b", "is green", 1, 2],
    ]


def test_text_keeps_every_text_by_the_alphabet() -> None:
    gold = gold_of("text", ITEM[::-1], WORKER[::-1], np.array(list("edcba"), dtype=object), 4, items=ITEMS)

    assert gold[["item_id", "text", "n"]].to_numpy().tolist() == [
        ["a", "a", 3],
        ["a", "b", 3],
        ["a", "c", 3],
        ["b", "d", 2],
        ["b", "e", 2],
    ]


def test_names_of_labels_do_not_matter() -> None:
    codes = np.array([2, 1, 0, 2, 2], dtype=np.int32)

    first = gold_of("choice", ITEM, WORKER, codes, 4, ("a", "b", "c"), items=ITEMS)
    second = gold_of("choice", ITEM, WORKER, 2 - codes, 4, ("c", "b", "a"), items=ITEMS)

    pd.testing.assert_frame_equal(first, second[first.columns])
