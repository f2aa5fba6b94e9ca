"""The columns of gold.csv are those that are declared, and only what isn't declared is an item's own field."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from agreement.crowd import QUESTION_KINDS, Answers, Properties, QuestionKind
from agreement.gold import gold_columns
from agreement.gold.annotator_models import consensus_of
from agreement.gold.gold_columns import GoldColumn, Place, columns_of, item_fields, labels_in
from agreement.gold.gold_table import gold_of
from agreement.gold.slider_gold import SliderGold
from agreement.scoring.score_gold import gold_from_table

ITEM, WORKER = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), np.array([0, 1, 2, 0, 1, 2], dtype=np.int32)
LABELS = ("a", "b")
ANSWERS: dict[QuestionKind, Answers] = {
    "slider": np.array([10.0, 20, 30, 40, 50, 60]),
    "sliders": np.array([[10.0, 20]] * 6),
    "choice": np.array([0, 1, 1, 0, 0, 1], dtype=np.int32),
    "choices": np.array([[1, 0]] * 6, dtype=bool),
    "verify": np.array([0, 1, 1, 0, 0, 1], dtype=np.int32),
    "list": Properties(
        np.array([0, 1, 3, 4, 5, 6, 7]), np.array([0, 0, 1, 0, 2, 2, 2], dtype=np.int32), ("red", "soft", "hot")
    ),
    "text": np.array(["x", "y", "z", "u", "v", "w"], dtype=object),
}


def gold(kind: QuestionKind) -> tuple[pd.DataFrame, tuple[str, ...]]:
    labels = LABELS if kind in ("sliders", "choice", "choices", "verify") else ()
    items = pd.DataFrame({"item_id": ["i", "j"], "kind": "target", "scene": ["kitchen", "street"], "n": ["1", "2"]})
    beside = consensus_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels)
    return gold_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels, items=items, beside=beside), labels


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_a_table_has_the_declared_columns_and_the_items_own(kind: QuestionKind) -> None:
    table, labels = gold(kind)

    declared = [(name, column.place) for column in columns_of(kind) for name in column.names(labels)]
    before = [name for name, place in declared if place is Place.BEFORE_FIELDS]
    after = [name for name, place in declared if place is Place.AFTER_FIELDS]
    assert list(table.columns) == [*before, "scene", "item:n", *after]
    assert item_fields(kind, table.columns, labels) == ["scene", "item:n"]
    assert labels_in(table.columns) == list(labels)


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_scores_are_broken_down_by_the_items_own_fields_alone(kind: QuestionKind) -> None:
    table, labels = gold(kind)

    assert set(gold_from_table(kind, table, labels).fields) == {"scene", "item:n"}


def test_a_new_column_is_no_breakdown(monkeypatch: pytest.MonkeyPatch) -> None:
    new = GoldColumn("cv", is_number=True, place=Place.AFTER_FIELDS)
    monkeypatch.setattr(gold_columns, "NUMBERS", (*gold_columns.NUMBERS, new))
    table, labels = gold("slider")

    with_new = table.assign(cv=0.5)

    assert set(gold_from_table("slider", with_new, labels).fields) == {"scene", "item:n"}


def test_every_declared_figure_of_a_slider_is_computed() -> None:
    computed = {field.name for field in dataclasses.fields(SliderGold)}

    assert {column.name for column in gold_columns.NUMBERS} <= computed
