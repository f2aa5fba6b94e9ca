"""Figures of labels: shares, groups, and the order by entropy; and the command that draws what it counts."""

import io
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import call_command

from studies.figures import labels as figures
from tests.integration.agreement.analyse_file.command import write_rows

REFERENCES = ["red", "red|blue", "blue", "red"]


def test_an_item_of_several_labels_counts_under_each() -> None:
    rows = figures.draw_distribution(REFERENCES, ["red", "blue", "green"]).rows
    assert rows["share"].tolist() == [0.75, 0.5, 0.0]
    assert rows["items"].tolist() == [3, 2, 0]


def test_labels_by_a_column_and_by_their_number() -> None:
    figure = figures.draw_distribution(REFERENCES, ["red", "blue"], ["x", "x", "y", "y"], column="a_column")
    assert figure.name == "label-distribution-by-a-column"
    assert figure.rows.groupby("group")["share"].sum().to_dict() == {"x": 1.5, "y": 1.0}
    groups = figures.by_cardinality(REFERENCES)
    assert groups == ["1", "2", "1", "1"]


def test_items_stand_from_the_least_entropy_to_the_most_and_many_are_thinned_evenly() -> None:
    shares = pd.DataFrame({"red": [0.5, 1.0, 0.7], "blue": [0.5, 0.0, 0.3]}, index=["a", "b", "c"])
    assert list(dict.fromkeys(figures.draw_by_entropy(shares).rows["item"])) == ["b", "c", "a"]
    thinned = figures.draw_by_entropy(shares, most=2)
    assert list(dict.fromkeys(thinned.rows["item"])) == ["b", "a"]
    assert "2 of 3 items" in thinned.caption


@pytest.mark.parametrize("by", ["", "scene"])
def test_the_command_draws_what_it_counts(by: str, tmp_path: Path) -> None:
    rows = [f"i{at},{reference},{'xy'[at % 2]}" for at, reference in enumerate(REFERENCES)]
    items = write_rows(tmp_path / "items.csv", "item_id,reference,scene", rows)
    given = ["--by", by] if by else []
    call_command("summarise_items", items, *given, "--figures", str(tmp_path / "figures"), stdout=io.StringIO())
    drawn = {file.name for file in (tmp_path / "figures").glob("*.svg")}
    expected = {"label-distribution.svg", "label-distribution-by-labels-per-item.svg"}
    assert drawn == expected | ({"label-distribution-by-scene.svg"} if by else set())
