"""Figures of labels: models beside people in each group, and which labels of an item go together."""

import io
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from agreement.figures.of_agreement import coincidences
from agreement.figures.of_models import draw_against_reference
from agreement.report.people_and_models import AgainstReference, stored_reference
from tests.integration.agreement.analyse_file.command import write_rows


def row(name: str, kind: str, group: str, estimate: float) -> dict[str, object]:
    place = {"kind": kind, "name": name, "metric": "r_acc", "breakdown": "cardinality", "group": group}
    return {**place, "estimate": estimate, "low": None, "high": None, "n": 5, "method": "", "chance": None}


def test_models_and_people_stand_side_by_side_in_each_group() -> None:
    scores = [row("m", "model", "2", 0.5), row("m", "model", "10", 0.6), row("people, one by one", "people", "2", 0.9)]
    part = stored_reference({"source": "r.csv", "items": 5, "scores": scores})
    assert isinstance(part, AgainstReference)
    figure = draw_against_reference(part, "r_acc", "cardinality")
    assert figure is not None
    assert figure.rows["group"].tolist() == ["2", "10", "2"]
    assert figure.specification["layer"][1]["mark"]["type"] == "line"
    assert draw_against_reference(part, "r_acc", "scene") is None


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

    assert coincidences(item, label, 4) == pytest.approx(expected, abs=1e-12)


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
