"""Whose answers look careless: in report.json, on the terminal, in report.html and in the tables, and in no paper."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from agreement.screening.evidence import CAUTION
from tests.integration.agreement.analyse_file.command import analyse, read_rows, write_rows

HEADER = "worker_id,item_id,value,response_ms"


def study(folder: Path, *, workers: int = 8, items: int = 30, seed: int = 3) -> Path:
    """Worker 2 clicks anywhere in a fifth of the time, worker 5 leaves the slider at 50."""
    rng = np.random.default_rng(seed)
    truth = rng.uniform(10, 90, items)
    rows = []
    for worker in range(workers):
        value, ms = truth + rng.normal(0, 8, items), 4000 * np.exp(rng.normal(0, 0.3, items))
        if worker == 2:
            value, ms = rng.uniform(0, 100, items), ms / 5
        if worker == 5:
            value = np.full(items, 50.0)
        rows += [
            f"w{worker},i{at},{each:.0f},{time:.0f}"
            for at, (each, time) in enumerate(zip(np.clip(value, 0, 100), ms, strict=True))
        ]
    return write_rows(folder / "study.csv", HEADER, rows)


def test_suspects_stand_wherever_an_analysis_is_read(tmp_path: Path) -> None:
    out, terminal = tmp_path / "out", io.StringIO()
    call_command("analyse_file", study(tmp_path), "--scale=0:100", "--out", out, "--replicates", "20", stdout=terminal)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    said, page = " ".join(terminal.getvalue().split()), (out / "report.html").read_text(encoding="utf-8")
    screening, workers = read_rows(out / "tables" / "screening.csv"), read_rows(out / "workers.csv")

    assert [(one["worker"], one["kinds"]) for one in report["suspects"]] == [
        ("w2", ["random", "too-fast"]), ("w5", ["constant"]),
    ]  # fmt: skip
    for suspect in report["suspects"]:
        assert f"{suspect['worker']} {suspect['sentence']}" in said
        assert f"<td>{suspect['sentence'].replace(chr(39), '&#x27;')}</td>" in page
        assert set(suspect["evidence"]) == {"agreement", "spread", "longest_run", "halves", "log_time", "distance"}
    assert report["suspects"][1]["evidence"]["spread"] == {"value": 0.0, "z": None}
    assert CAUTION in said
    assert CAUTION in page
    assert [row["kinds"] for row in screening] == [row["suspect_of"] for row in workers]
    assert [row["suspect_of"] for row in workers] == ["", "", "random|too-fast", "", "", "constant", "", ""]
    assert all(row["kept"] == "1" for row in workers)
    assert "Gave 50" not in (out / "methods-details.md").read_text(encoding="utf-8")
    assert "bot " not in said


def test_a_careful_crowd_has_no_suspects(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    truth = rng.uniform(10, 90, 30)
    rows = [f"w{w},i{i},{truth[i] + rng.normal(0, 3):.0f},900" for w in range(8) for i in range(30)]

    report = analyse(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out", "--scale=0:100")

    assert report["suspects"] == []


@pytest.mark.parametrize(
    ("workers", "items", "why"),
    [(2, 30, "nobody answered 10 items"), (4, 30, "fewer than 5 people"), (8, 1, "nobody answered 10 items")],
)
def test_why_nobody_was_screened_is_said(tmp_path: Path, workers: int, items: int, why: str) -> None:
    out, terminal = tmp_path / "out", io.StringIO()
    judgments = study(tmp_path, workers=workers, items=items)
    call_command("analyse_file", judgments, "--scale=0:100", "--out", out, "--no-report", stdout=terminal)

    report = json.loads((out / "report.json").read_text(encoding="utf-8"))

    assert report["suspects"]["undefined"].startswith(why)
    assert f"Nobody was screened for careless answers: {why}" in " ".join(terminal.getvalue().split())


def test_the_rule_set_excludes_them_and_the_paper_says_what_that_does(tmp_path: Path) -> None:
    out = tmp_path / "out"

    report = analyse(study(tmp_path), out, "--scale=0:100", "--rules", "screening")

    assert [row["worker_id"] for row in read_rows(out / "workers.csv") if row["kept"] == "0"] == ["w2", "w5"]
    assert report["suspects"] == []
    assert report["rules"]["name"] == "screening"
    [selecting] = report["cleaning"]["selects_on_outcome"]
    assert selecting.startswith("screening: ")
    assert "select on the outcome" in (out / "methods-details.md").read_text(encoding="utf-8").replace(
        "selects", "select"
    )


def test_renamed_workers_and_rows_in_another_order_of_workers_change_no_figure(tmp_path: Path) -> None:
    path = study(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    turned = [line for worker in reversed(range(8)) for line in lines if line.startswith(f"w{worker},")]
    other = write_rows(tmp_path / "other.csv", HEADER, turned)

    first, second = (
        analyse(each, tmp_path / name, "--scale=0:100")["suspects"] for name, each in (("a", path), ("b", other))
    )

    assert sorted(second, key=lambda one: str(one["worker"])) == first
