"""Files whose items bring labels of their own: what is refused by row, gold by value, models and references."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import call_command

from agreement.errors import Refused
from agreement.judgments.judgments_file import read_judgments


def files(folder: Path, answers: Sequence[str], options: Sequence[str] = ("cat|dog", "b|c|d", "x|y|z|w")) -> list[Path]:
    judgments, items = folder / "judgments.csv", folder / "items.csv"
    judgments.write_text("worker_id,item_id,value\n" + "\n".join(answers) + "\n")
    rows = [f"i{at},{cell},{cell.split('|')[-1]}" for at, cell in enumerate(options)]
    items.write_text("item_id,options,reference\n" + "\n".join(rows) + "\n")
    return [judgments, items]


ANSWERS = [
    f"{who},i{item},{value}"
    for who, values in (("a", "dog d w"), ("b", "dog d z"), ("c", "cat d w"))
    for item, value in enumerate(values.split())
]


def test_gold_models_and_the_reference_are_by_value(tmp_path: Path) -> None:
    judgments, items = files(tmp_path, ANSWERS)
    (tmp_path / "model.csv").write_text("item_id,label\ni0,dog\ni1,b\ni2,w\n")
    (tmp_path / "sure.csv").write_text("item_id,label,probability\ni0,dog,.5\ni0,cat,.5\ni1,d,1\ni2,w,.7\ni2,x,.3\n")
    probes = [tmp_path / "model.csv", tmp_path / "sure.csv"]
    options = {"items": items, "kind": "choice", "out": tmp_path / "out", "no_report": True, "replicates": 50}

    call_command("analyse_file", judgments, probe=probes, stdout=io.StringIO(), **options)

    with (tmp_path / "out" / "gold.csv").open() as stream:
        gold = {row["item_id"]: row for row in csv.DictReader(stream)}
    assert [gold[f"i{at}"]["label"] for at in range(3)] == ["dog", "d", "w"]
    assert float(gold["i0"]["p:option 2"]) == pytest.approx(2 / 3)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    rows = {(row["probe"], row["metric"]): row for row in report["scores"] if not row.get("breakdown")}
    assert rows["model", "accuracy"]["estimate"] == pytest.approx(2 / 3)
    assert rows["model", "accuracy"]["chance"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)
    assert rows["sure", "accuracy"]["estimate"] == pytest.approx((0.5 + 1 + 1) / 3)
    written = (tmp_path / "out" / "judgments.csv").read_text()
    assert "a,i0,dog" in written
    assert "option" not in written


def test_a_model_is_scored_against_a_reference_alone(tmp_path: Path) -> None:
    _, items = files(tmp_path, ANSWERS)
    probe = tmp_path / "model.csv"
    probe.write_text("item_id,label\ni0,dog\ni1,b\ni2,w\n")
    call_command("score_file", probe, reference=items, kind="choice", out=tmp_path / "out", stdout=io.StringIO())
    with (tmp_path / "out" / "scores.csv").open() as stream:
        rows = [row for row in csv.DictReader(stream) if row["name"] == "model" and not row["breakdown"]]
    accuracy = {row["metric"]: float(row["estimate"]) for row in rows}
    assert accuracy["r_acc"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("answers", "options", "reason"),
    [
        (
            ["a,i0,fox"],
            ("cat|dog",),
            "judgments.csv, row 2, column value: 'fox' is not one of the item's own labels ('cat', 'dog')",
        ),
        (["a,i0,cat"], ("cat",), "items.csv, row 2, column options: 'cat' is one label; give 2 to 20"),
        (["a,i0,cat"], ("cat|cat",), "items.csv, row 2, column options: 'cat' reads like another label"),
        (["a,i0,cat"], ("cat|dog", ""), "items.csv, row 3, column options: is blank"),
        (["a,i0,"], ("cat|dog",), "judgments.csv, row 2, column value: '' is not an answer"),
    ],
)
def test_what_is_wrong_is_named_by_row(
    tmp_path: Path, answers: list[str], options: tuple[str, ...], reason: str
) -> None:
    judgments, items = files(tmp_path, answers, options)
    with pytest.raises(Refused) as refused:
        read_judgments(judgments, items_path=items, kind="choice")
    assert any(each.startswith(reason) for each in refused.value.reasons), list(refused.value.reasons)


def test_labels_of_the_study_come_before_a_column_of_that_name(tmp_path: Path) -> None:
    judgments, items = files(tmp_path, ["a,i0,A", "b,i0,B"])
    read = read_judgments(judgments, items_path=items, kind="choice", labels=("A", "B"))
    assert read.labels == ("A", "B")


def test_a_column_of_options_of_another_kind_stays_a_field(tmp_path: Path) -> None:
    judgments, items = files(tmp_path, ["a,i0,A", "b,i0,B"])
    assert read_judgments(judgments, items_path=items, kind="choices").labels == ("A", "B")
