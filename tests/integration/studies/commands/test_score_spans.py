"""Sets of spans from files alone, against a file of gold and against people's lists."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, read_rows, write_rows

GOLD = ["s1,S:0-3,news", "s1,NP:0-2,news", "s1,NP:0-2,news", "s2,S:0-2,news", "s3,S:0-4,fiction", "s4,,fiction"]
BLANK = "it is blank, which says that the item has no span, and the item has other rows; leave this one out"
MODEL = ["s1,S:0-3", "s1,NP:0-2", "s2,S:0-2", "s2,X:0-1", "s3,VP:0-4", "s4,"]


def gold(folder: Path, rows: list[str] = GOLD, header: str = "item_id,span,section") -> Path:
    return write_rows(folder / "gold.csv", header, rows)


def scored(*arguments: Any) -> dict[str, Any]:
    said = io.StringIO()
    call_command("score_spans", *map(str, arguments), "--json", stdout=said)
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def refused(*arguments: Any) -> list[str]:
    said = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("score_spans", *map(str, arguments), stdout=io.StringIO(), stderr=said)
    assert stopped.value.code == 1
    return said.getvalue().splitlines()


def test_models_are_scored_against_a_file_and_with_each_other(tmp_path: Path) -> None:
    model = write_rows(tmp_path / "model.csv", "item_id,span", MODEL)
    other = write_rows(tmp_path / "other.csv", "item_id,span", ["s1,S:0-3", "s2,X:0-2", "s3,S:0-4", "s4,S:0-1"])
    out = tmp_path / "scores.csv"

    found = scored(gold(tmp_path), model, other, "--out", out)

    overall = {
        score["metric"]: score for score in found["scores"] if (score["probe"], score["breakdown"]) == ("model", "")
    }
    assert (found["items"], found["spans"], found["items_without_spans"]) == (4, 5, 1)
    assert overall["span_precision_micro"]["estimate"] == pytest.approx(3 / 5)
    assert overall["span_recall_micro"]["estimate"] == pytest.approx(3 / 5)
    assert overall["unlabelled_span_recall_micro"]["estimate"] == pytest.approx(4 / 5)
    assert overall["span_exact_match"]["estimate"] == pytest.approx(1 / 4)
    assert "1 of 4 items where gold has no span" in overall["span_recall_macro"]["method"]
    assert {(pair["first"], pair["second"]) for pair in found["comparisons"]} == {("model", "other")}
    written = read_rows(out)
    assert {row["group"] for row in written if row["breakdown"] == "section"} == {"news", "fiction"}
    assert len(written) == len(found["scores"])


def test_what_a_person_reads(tmp_path: Path) -> None:
    said = io.StringIO()
    model = write_rows(tmp_path / "model.csv", "item_id,span", MODEL[:-1])

    call_command("score_spans", str(gold(tmp_path)), str(model), stdout=said)

    assert "5 spans of 4 items, 1 of them without a span, for which recall is undefined" in said.getvalue()
    assert "model covers 3 of 4 items" in said.getvalue()
    assert "  micro recall of spans: 0.600" in said.getvalue()


def test_trees_are_read_on_either_side_and_other_lengths_are_said(tmp_path: Path) -> None:
    header = "item_id,brackets"
    trees = gold(
        tmp_path, ["s1,(S (NP (DT the) (NN dog)) (VP (VBZ runs)))", "s2,(S (NP (NN he)) (VP (VBZ runs)))"], header
    )
    model = ["s1,(S (NP (NP (DT the) (NN dog))) (VP (VBZ runs)))", "s2,(S (NP (NN he)) (VP (VBZ runs) (. .)))"]
    parser = write_rows(tmp_path / "parser.csv", header, model)
    spans = write_rows(tmp_path / "spans.csv", "item_id,span", ["s1,S:0-3", "s1,NP:0-2", "s2,S:0-2"])

    found = scored(trees, parser, spans)

    figures = {score["probe"]: score for score in found["scores"] if score["metric"] == "span_precision_micro"}
    assert figures["parser"]["estimate"] == pytest.approx(4 / 7)  # NP twice, and S:0-3, VP:1-3 of s2
    assert figures["spans"]["estimate"] == 1.0
    assert found["probes"][0]["notes"] == ["trees of 1 items have another number of words than gold's: s2"]
    assert found["probes"][1]["notes"] == []


def test_everything_wrong_is_named_by_row(tmp_path: Path) -> None:
    unknown = write_rows(tmp_path / "unknown.csv", "item_id,span", ["s1,S:0-3", "s9,S:0-3"])
    blank = write_rows(tmp_path / "blank.csv", "item_id,span", ["s1,S:0-3", "s1,"])
    tree = write_rows(tmp_path / "tree.csv", "item_id,brackets", ["s1,(S (NN a)", "s1,(S (NN a))"])
    labels = write_rows(tmp_path / "texts.csv", "item_id,text", ["s1,a dog"])

    assert refused(gold(tmp_path), unknown, blank, tree, labels) == [
        "unknown.csv, row 3, column item_id: 's9' is not an item of the study.",
        f"blank.csv, row 3, column span: {BLANK}.",
        "tree.csv, row 2, column brackets: the tree leaves 1 brackets open.",
        "tree.csv, row 3, column item_id: the item, in the same template, run and setting, already has this in row 2.",
        "texts gives texts; gold of kind list takes spans",
    ]


@pytest.mark.parametrize(
    ("header", "rows", "reason"),
    [
        ("item_id,text", ["s1,a"], "gold.csv: the columns item_id and span, or item_id and brackets, are needed"),
        (
            "item_id,span,section",
            ["s1,a,x", "s1,b,y"],
            "gold.csv, row 3, column section: 'y' is not what the first row",
        ),
        ("item_id,span", [",a"], "gold.csv, row 2, column item_id: '' is not an item of the study"),
        ("item_id,span", [], "gold.csv: it has no outputs"),
    ],
)
def test_gold_that_is_none_is_refused(tmp_path: Path, header: str, rows: list[str], reason: str) -> None:
    model = write_rows(tmp_path / "model.csv", "item_id,span", MODEL)

    assert refused(gold(tmp_path, rows, header), model)[0].startswith(reason)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    model, again = (write_rows(tmp_path / part / "m.csv", "item_id,span", MODEL) for part in (".", "x"))

    assert refused(gold(tmp_path), model, again) == ["two files are named m; scores are told apart by the name"]


def test_a_study_of_lists_takes_spans_and_compares_them_with_those_of_most_people(tmp_path: Path) -> None:
    said = ["NP:0-2|VP:2-3|X:0-1", "NP:0-2|VP:2-3", "NP:0-2"]
    rows = [f"w{worker},s{item},{spans}" for worker, spans in enumerate(said) for item in range(12)]
    judgments = write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", rows)
    spans = [f"s{item},{span}" for item in range(12) for span in ("NP:0-2", "VP:2-3", "X:0-1")]
    model = write_rows(tmp_path / "spans.csv", "item_id,span", spans)
    ranked = write_rows(tmp_path / "ranked.csv", "item_id,candidate,score", [f"s{item},NP:0-2,1" for item in range(12)])

    report = analyse(judgments, tmp_path / "out", "--kind", "list", "--probe", str(model), str(ranked))

    figures = {score["metric"]: score["estimate"] for score in report["scores"] if score["probe"] == "spans"}
    assert figures["span_precision_micro"] == pytest.approx(2 / 3)
    assert figures["span_recall_micro"] == 1.0
    assert figures["unlabelled_span_recall_micro"] == 1.0
    assert {score["probe"] for score in report["scores"] if score["metric"] == "average_precision_at_2"} == {"ranked"}
    assert "undefined" in report["probes"][0]["matched_share"]
    methods = (tmp_path / "out" / "methods-details.md").read_text()
    assert "A span is correct if gold has it, and one that gold has twice is to be given twice." in methods
