"""Figures of labels: shares, groups, the order by entropy, and models beside people in each group."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from django.core.management import call_command

from agreement.figures import against_reference, label_confusion, label_distribution, labels_by_entropy
from agreement.report.model_scores import AgainstReference
from agreement.report.stored_parts import stored_reference
from tests.integration.agreement.analyse_file.command import write_rows

REFERENCES = ["red", "red|blue", "blue", "red"]


def test_an_item_of_several_labels_counts_under_each() -> None:
    rows = label_distribution.draw(REFERENCES, ["red", "blue", "green"]).rows
    assert rows["share"].tolist() == [0.75, 0.5, 0.0]
    assert rows["items"].tolist() == [3, 2, 0]


def test_labels_by_a_column_and_by_their_number() -> None:
    figure = label_distribution.draw(REFERENCES, ["red", "blue"], ["x", "x", "y", "y"], column="a_column")
    assert figure.name == "label-distribution-by-a-column"
    assert figure.rows.groupby("group")["share"].sum().to_dict() == {"x": 1.5, "y": 1.0}
    groups = label_distribution.by_cardinality(REFERENCES)
    assert groups == ["1", "2", "1", "1"]


def test_items_stand_from_the_least_entropy_to_the_most_and_many_are_thinned_evenly() -> None:
    shares = pd.DataFrame({"red": [0.5, 1.0, 0.7], "blue": [0.5, 0.0, 0.3]}, index=["a", "b", "c"])
    assert list(dict.fromkeys(labels_by_entropy.draw(shares).rows["item"])) == ["b", "c", "a"]
    thinned = labels_by_entropy.draw(shares, most=2)
    assert list(dict.fromkeys(thinned.rows["item"])) == ["b", "a"]
    assert "2 of 3 items" in thinned.caption


def row(name: str, kind: str, group: str, estimate: float) -> dict[str, object]:
    place = {"kind": kind, "name": name, "metric": "r_acc", "breakdown": "cardinality", "group": group}
    return {**place, "estimate": estimate, "low": None, "high": None, "n": 5, "method": "", "chance": None}


def test_models_and_people_stand_side_by_side_in_each_group() -> None:
    scores = [row("m", "model", "2", 0.5), row("m", "model", "10", 0.6), row("people, one by one", "people", "2", 0.9)]
    part = stored_reference({"source": "r.csv", "items": 5, "scores": scores})
    assert isinstance(part, AgainstReference)
    figure = against_reference.draw(part, "r_acc", "cardinality")
    assert figure is not None
    assert figure.rows["group"].tolist() == ["2", "10", "2"]
    assert figure.specification["layer"][1]["mark"]["type"] == "line"
    assert against_reference.draw(part, "r_acc", "scene") is None


@pytest.mark.parametrize("by", ["", "scene"])
def test_the_command_draws_what_it_counts(by: str, tmp_path: Path) -> None:
    rows = [f"i{at},{reference},{'xy'[at % 2]}" for at, reference in enumerate(REFERENCES)]
    items = write_rows(tmp_path / "items.csv", "item_id,reference,scene", rows)
    given = ["--by", by] if by else []
    call_command("summarise_items", items, *given, "--figures", str(tmp_path / "figures"), stdout=io.StringIO())
    drawn = {file.name for file in (tmp_path / "figures").glob("*.svg")}
    expected = {"label-distribution.svg", "label-distribution-by-labels-per-item.svg"}
    assert drawn == expected | ({"label-distribution-by-scene.svg"} if by else set())


def test_labels_of_the_same_item_are_counted_pair_by_pair() -> None:
    rng = np.random.default_rng(5)
    item, label = rng.integers(0, 30, 200), rng.integers(0, 4, 200)
    expected = np.zeros((4, 4))
    for u in range(30):
        of_item = label[item == u]
        for a in range(len(of_item)):
            for b in range(len(of_item)):
                if a != b:
                    expected[of_item[a], of_item[b]] += 1 / (len(of_item) - 1)

    assert label_confusion.coincidences(item, label, 4) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["choice", "verify", "slider"])
def test_kinds_whose_answers_are_labels_have_a_map_of_them(kind: str, tmp_path: Path) -> None:
    values = {"choice": ["red", "blue", "green"], "verify": ["true", "false"], "slider": ["10", "90"]}[kind]
    rows = [f"w{w},i{i},{values[(w * i) % len(values)]}" for w in range(4) for i in range(6)]
    write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", rows)
    out = tmp_path / "out"
    call_command(
        "analyse_file", tmp_path / "judgments.csv", "--out", out, "--kind", kind, "--replicates", "50",
        stdout=io.StringIO(), stderr=io.StringIO(),
    )  # fmt: skip

    assert (out / "figures" / "label-confusion.svg").exists() == (kind != "slider")
