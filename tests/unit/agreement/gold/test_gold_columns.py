"""The columns of gold.csv are those that are declared, and only what isn't declared is an item's own field."""

import dataclasses

import pandas as pd
import pytest

from agreement.gold.gold_columns import NUMBERS, GoldColumn, Role, item_fields, labels_in
from agreement.gold.slider_gold import SliderGold
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.scoring import score_gold
from agreement.scoring.score_gold import gold_from_numbers
from tests.by_kind import ANSWERS, ITEM, WORKER, consensus_of, gold_from_table, gold_of, labels_of


def gold(kind: QuestionKind) -> tuple[pd.DataFrame, tuple[str, ...]]:
    labels = labels_of(kind)
    items = pd.DataFrame({"item_id": ["i", "j"], "kind": "target", "scene": ["kitchen", "street"], "n": ["1", "2"]})
    beside = consensus_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels)
    ordered = KINDS[kind].labels_may_be_ordered
    table = gold_of(kind, ITEM, WORKER, ANSWERS[kind], 2, labels, items=items, beside=beside, ordered=ordered)
    return table, labels


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_has_the_declared_columns_and_the_items_own(kind: QuestionKind) -> None:
    table, labels = gold(kind)

    columns = statistics_of(kind).gold_columns
    declared = [(name, column.role) for column in columns for name in column.names(labels)]
    before = [name for name, role in declared if role is not Role.BESIDE]
    after = [name for name, role in declared if role is Role.BESIDE]
    assert list(table.columns) == [*before, "scene", "item:n", *after]
    assert item_fields(columns, table.columns, labels) == ["scene", "item:n"]
    has_label_columns = any(name.startswith("p:") for name in before)
    assert labels_in(table.columns) == (list(labels) if has_label_columns else [])


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_broken_down_by_the_items_own_fields_alone(kind: QuestionKind) -> None:
    table, labels = gold(kind)

    assert set(gold_from_table(kind, table, labels).fields) == {"scene", "item:n"}


@pytest.mark.parametrize("role", Role)
def test_a_new_column_is_no_breakdown_wherever_it_stands(role: Role) -> None:
    table, labels = gold("slider")
    columns = (GoldColumn("cv", role, "sd by mean", "number"), *statistics_of("slider").gold_columns)

    with_new = table.assign(cv=0.5)

    for order in (list(with_new.columns), sorted(with_new.columns)):
        read = score_gold.gold_from_table(gold_from_numbers, "slider", columns, with_new[order], labels)
        assert set(read.fields) == {"scene", "item:n"}
        assert read.numbers is not None
        assert read.numbers.tolist() == table["mean"].tolist()


def test_every_declared_figure_of_a_slider_is_computed() -> None:
    computed = {field.name for field in dataclasses.fields(SliderGold)}

    assert {column.name for column in NUMBERS} <= computed
