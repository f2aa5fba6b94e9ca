from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from agreement.analysis.output_tables import gold_table, judgments_table, workers_table
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import load_rules
from agreement.files.numbers import number_column
from agreement.judgments.crowd import answer_texts, sample_of
from tests.unit.agreement.cleaning.crowds import crowd_of

SPATIAL = load_rules("spatial-2019")


def test_numbers_are_written_in_the_fewest_digits_and_blank_where_undefined() -> None:
    column = number_column(np.array([57.0, 4.6, np.nan, 0.1 + 0.2, -0.0]))

    assert column.text().tolist() == ["57", "4.6", "", "0.30000000000000004", "0"]


def test_gold_is_blank_where_a_figure_is_undefined() -> None:
    table = gold_table(pd.DataFrame({"item_id": ["a", "b"], "mean": [1.5, np.nan], "n": [2, 0]}))

    assert {name: column.text().tolist() for name, column in table.items()} == {
        "item_id": ["a", "b"],
        "mean": ["1.5", ""],
        "n": ["2", "0"],
    }


def test_sliders_are_written_by_label_and_shown_together_in_evidence() -> None:
    crowd = crowd_of([("w", "a", [0.0, 2.5])], kind="sliders", scale="0:5", labels=("blue", "red"))

    table = judgments_table(clean(crowd, SPATIAL))
    assert [table[name].text().tolist() for name in ("value", "v:blue", "v:red")] == [[""], ["0"], ["2.5"]]
    assert answer_texts(crowd, np.array([0])) == ["blue=0 red=2.5"]


def test_choices_are_written_with_bars() -> None:
    crowd = crowd_of([("w", "a", [1.0, 0.0, 1.0])], kind="choices", scale=None, labels=("x", "y", "z"))

    table = judgments_table(clean(crowd, SPATIAL))
    assert table["value"].text().tolist() == ["x|z"]


@pytest.mark.parametrize("marks_differ", [True, False])
def test_choices_of_many_labels_are_told_apart_even_where_their_marks_are_equal(
    monkeypatch: pytest.MonkeyPatch, *, marks_differ: bool
) -> None:
    if not marks_differ:
        monkeypatch.setattr(
            "agreement.kinds.choices.data._marks", lambda packed: np.zeros(len(packed), dtype=np.uint64)
        )
    chosen = (0, 19, 7, 19, 0)
    rows = [(f"w{j}", "a", [float(label == at) for label in range(20)]) for j, at in enumerate(chosen)]
    crowd = crowd_of(rows, kind="choices", scale=None, labels=tuple(f"l{label}" for label in range(20)))

    assert answer_texts(crowd, np.arange(5)) == [f"l{at}" for at in chosen]


def test_workers_without_judgments_are_not_listed() -> None:
    crowd = crowd_of([("v", "a", 1), ("w", "a", 2)])

    table = workers_table(clean(crowd.take(np.array([False, True])), SPATIAL), None, {})
    assert table["worker_id"].text().tolist() == ["w"]


def test_a_sample_is_sorted_by_item_then_worker() -> None:
    crowd = crowd_of([("w", "b", 1), ("v", "b", 2), ("w", "a", 3), ("v", "c", 4)])

    sample = sample_of(crowd, np.array([True, True, True, False]))

    assert np.asarray(sample.answers).tolist() == [3, 2, 1]
