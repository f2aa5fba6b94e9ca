"""Answers of chat models in a file's analysis: both ways of counting, every table, and a mapping that was decided."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows

RIGHT = ["red" if i % 2 else "blue" for i in range(12)]
# Ten of twelve say a label, nine of them the right one; one is cut off and one says nothing.
TEXTS = [f"**{label.title()}**." for label in RIGHT[:9]] + ["It is red and blue.", "Red.", "I can't answer that."]


def judgments(folder: Path) -> Path:
    rows = [f"w{w},i{i},{label}" for i, label in enumerate(RIGHT) for w in range(4)]
    return write_rows(folder / "study.csv", "worker_id,item_id,value", rows)


def chat(folder: Path) -> Path:
    ends = ["length" if i == 0 else "stop" for i in range(12)]
    rows = [f"i{i},{text},{end}" for i, (text, end) in enumerate(zip(TEXTS, ends, strict=True))]
    return write_rows(folder / "chat.csv", "item_id,answer,finish_reason", rows)


def figures(report: dict[str, Any], metric: str = "accuracy") -> dict[tuple[str, str], float]:
    rows = [one for one in report["scores"] if one["metric"] == metric]
    return {(one["breakdown"], one["group"]): one["estimate"] for one in rows}


def test_what_is_mapped_to_nothing_is_wrong_and_the_other_figure_stands_beside(tmp_path: Path) -> None:
    report = analyse(judgments(tmp_path), tmp_path / "out", "--probe", str(chat(tmp_path)))

    [about] = report["probes"]
    answers = about["answers"]
    assert (answers["answers"], answers["mapped"]) == (12, 9)
    assert (answers["refused"], answers["truncated"], answers["unmapped"]) == (1, 1, 1)
    assert about["coverage"]["is_full"]
    found = figures(report)
    assert found["", ""] == pytest.approx(8 / 12)
    assert found["mapped answers", "alone"] == pytest.approx(8 / 9)


def test_they_may_be_left_out_and_the_other_figure_stands_beside(tmp_path: Path) -> None:
    report = analyse(judgments(tmp_path), tmp_path / "out", "--probe", str(chat(tmp_path)), "--unmapped", "left-out")

    assert report["probes"][0]["answers"]["are_left_out"]
    found = figures(report)
    assert found["", ""] == pytest.approx(8 / 9)
    assert found["mapped answers", "with the others as wrong"] == pytest.approx(8 / 12)


def test_the_counts_stand_in_every_table(tmp_path: Path) -> None:
    said, out = io.StringIO(), tmp_path / "out"
    options = ["--probe", str(chat(tmp_path)), "--replicates", "20", "--out", str(out)]
    call_command("analyse_file", str(judgments(tmp_path)), *options, stdout=said)

    assert "9 of 12 mapped; 1 refused, 1 truncated, 1 unmapped" in " ".join(said.getvalue().split())
    rows = list(csv.DictReader(io.StringIO((out / "tables" / "models.csv").read_text())))
    models, people = [row for row in rows if row["Model"].startswith("chat")], rows[2:]
    assert {(row["Refused"], row["Truncated"], row["Unmapped"]) for row in models} == {("1", "1", "1")}
    assert [row["Model"] for row in models] == ["chat", "chat, mapped answers alone"]
    assert {row["Refused"] for row in people} == {""}
    page = (out / "report.html").read_text()
    assert "<th" in page
    assert "Truncated" in page
    assert "1 refused, 1 truncated, 1 unmapped, which count as wrong" in (out / "methods-details.md").read_text()


def test_a_table_is_made_filled_in_and_read_back(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id,reference", [f"i{i},{label}" for i, label in enumerate(RIGHT)])
    probe, table, said = chat(tmp_path), tmp_path / "mapping.csv", io.StringIO()
    call_command("map", str(probe), str(items), "--out", str(table), "--sample", "4", "--json", stdout=said)

    answer = json.loads(said.getvalue())
    assert answer["answers"]["by_rule"] == {"status": 1, "case": 9, "refusal-words": 1, "none": 1}
    assert answer["unmapped"] == [["It is red and blue.", 1]]
    assert len((tmp_path / "mapping-sample.csv").read_text().splitlines()) == 5
    table.write_text(table.read_text().replace("It is red and blue.,,none", "It is red and blue.,red,none"))
    report = analyse(judgments(tmp_path), tmp_path / "out", "--probe", str(probe), "--answer-mapping", str(table))

    assert figures(report)["", ""] == pytest.approx(9 / 12)
    assert report["probes"][0]["answers"]["by_rule"]["by-hand"] == 1
    assert [one["name"] for one in report["inputs"]].count("mapping.csv") == 1
    written = (tmp_path / "out" / "answer-mappings" / "chat.csv").read_text()
    assert "It is red and blue.,red,by-hand,1," in written


def test_a_table_of_another_study_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "m.csv", "answer,value,rule", ["Blue.,purple,by-hand"])

    reasons = refused(
        judgments(tmp_path), tmp_path / "out", "--probe", str(chat(tmp_path)), "--answer-mapping", str(table)
    )

    assert reasons[0].startswith("m.csv, row 2, column value: 'purple' is none of this study's labels blue, red")
    assert not (tmp_path / "out").exists()


def test_the_table_against_references_has_the_counts_too(tmp_path: Path) -> None:
    reference = write_rows(tmp_path / "r.csv", "item_id,reference", [f"i{i},{label}" for i, label in enumerate(RIGHT)])
    other = write_rows(tmp_path / "plain.csv", "item_id,label", [f"i{i},{label}" for i, label in enumerate(RIGHT)])
    said = io.StringIO()
    call_command("score_file", str(chat(tmp_path)), str(other), reference=reference, stdout=said)

    lines = {line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ") for line in said.getvalue().splitlines()}
    assert lines["chat"][-3:] == lines["chat, mapped answers alone"][-3:] == ["1", "1", "1"]
