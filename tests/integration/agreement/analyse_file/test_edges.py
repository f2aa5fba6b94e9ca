"""What can't be measured is said in words, and the command still writes everything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.agreement.analyse_file.command import analyse, crossed, read_rows, write_rows

HEADER = "worker_id,item_id,value"
FILES = {
    "gold.csv",
    "judgments.csv",
    "workers.csv",
    "report.json",
    "methods.md",
    "methods-details.md",
    "data-dictionary.csv",
}


def of(tmp_path: Path, rows: list[str], *options: str, header: str = HEADER) -> dict[str, Any]:
    report = analyse(write_rows(tmp_path / "judgments.csv", header, rows), tmp_path / "out", *options)
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    _assert_shape(report)
    return report


def _assert_shape(report: dict[str, Any]) -> None:
    """The keys that docs/formats.md promises, and every statistic a figure or the reason why there is none."""
    assert {"study", "rules", "seed", "counts", "agreement", "ceiling", "scores", "release"} <= report.keys()
    promised = {"workers", "workers_kept", "judgments", "judgments_kept", "items", "judgments_per_item"}
    assert promised <= report["counts"].keys()
    for part in (report["agreement"]["raw"], report["agreement"]["cleaned"]):
        figures = [part[name] for name in ("fleiss_kappa", "icc1", "icc1k", "split_half")]
        figures += [part["krippendorff_alpha"][level] for level in ("nominal", "ordinal", "interval", "ratio")]
        for figure in figures:
            assert {"estimate", "low", "high", "n", "method"} <= figure.keys() or len(figure["undefined"]) > 20


def test_one_label_only_is_undefined_in_words(tmp_path: Path) -> None:
    report = of(tmp_path, [f"w{w},i{i},yes" for w in range(3) for i in range(4)])

    assert "same label" in report["agreement"]["raw"]["fleiss_kappa"]["undefined"]


def test_one_rater_an_item_is_undefined_in_words(tmp_path: Path) -> None:
    report = of(tmp_path, [f"w{i},i{i},{i * 20}" for i in range(5)])

    assert report["agreement"]["raw"]["krippendorff_alpha"]["interval"]["undefined"]
    assert report["agreement"]["raw"]["icc1"]["undefined"]
    assert [row["ci_low"] for row in read_rows(tmp_path / "out" / "gold.csv")] == [""] * 5


def test_one_item_is_told(tmp_path: Path) -> None:
    report = of(tmp_path, [f"w{w},only,{w * 20}" for w in range(5)])

    assert report["counts"]["items"] == 1
    assert report["agreement"]["raw"]["icc1"]["undefined"]


def test_one_judgment_is_enough_to_write_everything(tmp_path: Path) -> None:
    report = of(tmp_path, ["w1,a,50"])

    assert report["counts"]["judgments"] == 1


def test_a_constant_worker_is_left_out_of_leave_one_out_with_the_reason(tmp_path: Path) -> None:
    rows = [*crossed(4, 15), *(f"flat,i{i},50" for i in range(15))]

    report = of(tmp_path, rows)

    assert "same answer to all 15 items" in report["ceiling"]["leave_one_out"]["left_out"]["flat"]
    workers = {row["worker_id"]: row for row in read_rows(tmp_path / "out" / "workers.csv")}
    assert workers["flat"]["agreement_with_others"] == ""
    assert workers["w0"]["agreement_with_others"] != ""


def test_no_checks_keeps_everyone_and_counts_them_as_unchecked(tmp_path: Path) -> None:
    report = of(tmp_path, crossed(4, 5))

    assert report["counts"]["workers_unchecked"] == report["counts"]["workers_kept"] == 4


@pytest.mark.parametrize(
    ("kind", "header", "rows"),
    [
        (
            "sliders",
            "worker_id,item_id,v:red,v:blue",
            [f"w{w},i{i},{10 * w},{90 - 10 * i}" for w in range(4) for i in range(4)],
        ),
        ("choice", HEADER, [f"w{w},i{i},{'above' if (w * i) % 3 else 'below'}" for w in range(4) for i in range(4)]),
        ("choices", HEADER, [f"w{w},i{i},{'red|blue' if (w + i) % 3 else 'red'}" for w in range(4) for i in range(4)]),
        ("verify", HEADER, [f"w{w},i{i},{'true' if (w + i) % 3 else 'false'}" for w in range(4) for i in range(4)]),
        ("list", HEADER, [f"w{w},i{i},is green|has {i} leaves" for w in range(4) for i in range(4)]),
        ("text", HEADER, [f"w{w},i{i},caption {w} of {i}" for w in range(4) for i in range(4)]),
    ],
)
def test_every_kind_of_question_is_analysed(tmp_path: Path, kind: str, header: str, rows: list[str]) -> None:
    report = of(tmp_path, rows, "--kind", kind, header=header)

    assert report["kind"] == kind
    assert report["counts"]["judgments_kept"] == 16
    assert len(read_rows(tmp_path / "out" / "gold.csv")) >= 4
    assert "4 workers gave 16 judgments of 4 items" in (tmp_path / "out" / "methods-details.md").read_text(
        encoding="utf-8"
    )


def test_practice_items_enter_nothing(tmp_path: Path) -> None:
    rows = [*(f"{row}," for row in crossed(3, 4)), *(f"w{w},p,99,practice" for w in range(3))]

    report = of(tmp_path, rows, header=HEADER + ",kind")

    assert report["counts"]["judgments"] == 12
    assert report["counts"]["practice_judgments"] == 3
    assert "p" not in {row["item_id"] for row in read_rows(tmp_path / "out" / "gold.csv")}
    practice = [row for row in read_rows(tmp_path / "out" / "judgments.csv") if row["item_id"] == "p"]
    assert {(row["kept"], row["reason"]) for row in practice} == {("0", "practice item")}


def test_report_json_holds_no_nan(tmp_path: Path) -> None:
    of(tmp_path, ["w1,a,50", "w2,b,60"])

    text = (tmp_path / "out" / "report.json").read_text(encoding="utf-8")
    json.loads(text, parse_constant=pytest.fail)
