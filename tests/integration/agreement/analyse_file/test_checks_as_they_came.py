"""Checks are judged by the bounds that they came with; what decides nothing is said or refused, and never "passed"."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, crossed, read_rows, refused, write_rows

HEADER = "worker_id,item_id,value"
ITEMS = "item_id,kind,check,min,max"
CHECKED = ["typ,check,typical,80,", "aty,check,atypical,,20"]


def a_crowd(tmp_path: Path, checks: list[str] = CHECKED, bad: int = 1) -> tuple[Path, str, str]:
    """Four workers on six items; the last `bad` of them answer 50 to both checks."""
    rows = crossed(4, 6) + [
        f"w{w},{item},{50 if w >= 4 - bad else good}" for w in range(4) for item, good in (("typ", 90), ("aty", 10))
    ]
    items = write_rows(tmp_path / "items.csv", ITEMS, [*(f"i{i},,,," for i in range(6)), *checks])
    return write_rows(tmp_path / "j.csv", HEADER, rows), "--items", str(items)


def test_checks_of_any_name_are_judged_by_their_own_bounds(tmp_path: Path) -> None:
    path, *options = a_crowd(tmp_path)
    report = analyse(path, tmp_path / "out", *options)
    assert (report["rules"]["name"], report["counts"]["workers_kept"]) == ("own-bounds", 3)
    (out,) = [row for row in read_rows(tmp_path / "out" / "workers.csv") if row["kept"] == "0"]
    assert out["evidence"] == "typ: 50 (at least 80); aty: 50 (at most 20)"
    assert "It excluded 1 worker and 6 judgments" in (tmp_path / "out" / "methods-details.md").read_text(
        encoding="utf-8"
    )


def test_check_without_bounds_names_the_rules_that_have_them(tmp_path: Path) -> None:
    path, *options = a_crowd(tmp_path, ["typ,check,self,,", "aty,check,unrelated,,"])
    (reason,) = refused(path, tmp_path / "out", *options)
    assert "they are named self, unrelated" in reason
    assert "--rules spatial-2019" in reason
    assert analyse(path, tmp_path / "out", *options, "--rules", "spatial-2019")["counts"]["workers_kept"] == 3


def test_check_that_no_rule_looks_at_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('name = "mine"\n[[rule]]\nkind = "check"\ncheck = "typical"\n')
    path, *options = a_crowd(tmp_path)
    (reason,) = refused(path, tmp_path / "out", *options, "--rules", str(rules))
    assert reason.startswith("No rule of mine looks at the check items named atypical")
    rules.write_text('unused_checks = ["atypical"]\n' + rules.read_text())
    report = analyse(path, tmp_path / "out", *options, "--rules", str(rules))
    assert report["cleaning"]["checks_without_a_rule"] == ["atypical"]
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "No rule looks at the checks named atypical." in methods


def test_rule_without_its_check_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "j.csv", HEADER, crossed(3, 4))
    reasons = refused(path, tmp_path / "out", "--rules", "spatial-2019")
    assert len(reasons) == 2
    assert all("there is no check item of that name; there are no check items" in reason for reason in reasons)


def test_crowd_without_checks_is_told_so_on_the_terminal_and_in_the_paper(tmp_path: Path) -> None:
    path, said = write_rows(tmp_path / "j.csv", HEADER, crossed(5, 6)), io.StringIO()
    call_command("analyse_file", path, "--out", tmp_path / "out", stdout=said)
    first, _, rest = said.getvalue().partition("\n")
    assert first == "read as: one row per judgment, 5 workers, 6 items, 30 judgments"
    assert rest.startswith("This gold is ")
    assert "Who counts No checks: nobody excluded. 5 of 5 workers and 30 of 30 judgments" in " ".join(rest.split())
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "No rule excluded a worker, because there were no check items; " in methods
    assert "own-bounds" not in methods
    assert "spatial-2019" not in methods
    assert "answered no check" not in methods


def test_bounds_that_a_rule_replaced_are_told(tmp_path: Path) -> None:
    path, *options = a_crowd(tmp_path, ["typ,check,self,80,", "aty,check,unrelated,,60"])
    said = io.StringIO()
    call_command("analyse_file", path, "--out", tmp_path / "out", *options, "--rules", "spatial-2019", stdout=said)
    sentence = "The rules' bounds replaced those of the check items named self."
    assert sentence in said.getvalue()
    assert sentence in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_nobody_kept_makes_no_gold_and_says_who_failed_what(tmp_path: Path) -> None:
    path, *options = a_crowd(tmp_path, bad=4)
    said, out = io.StringIO(), tmp_path / "out"
    with pytest.raises(SystemExit) as stopped:
        call_command("analyse_file", path, "--out", out, *options, stdout=io.StringIO(), stderr=said)
    assert stopped.value.code == 1
    assert said.getvalue().startswith("0 of 4 workers kept: no gold. 4 failed check items")
    assert sorted(entry.name for entry in out.iterdir()) == ["judgments.csv", "report.json", "workers.csv"]
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["release"] == {
        "undefined": "0 of 4 workers kept: no gold. 4 failed check items: each within its own bounds."
    }
    assert report["counts"]["workers_kept"] == 0
    assert {row["kept"] for row in read_rows(out / "workers.csv")} == {"0"}


def test_workers_kept_without_a_judgment_make_no_gold(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", ITEMS, ["i0,,,,", *CHECKED])
    path = write_rows(tmp_path / "j.csv", HEADER, ["w0,typ,90", "w1,typ,10", "w1,i0,50"])
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("analyse_file", path, "--out", tmp_path / "out", "--items", items, stdout=said, stderr=said)
    assert "1 of 2 workers kept, and none of their judgments (1 in all): no gold." in said.getvalue()


def test_one_worker_kept_has_no_others_to_rest_on(tmp_path: Path) -> None:
    path, *options = a_crowd(tmp_path, bad=3)
    analyse(path, tmp_path / "out", *options)
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "people on average" not in methods
    assert "-1.0 people" not in methods
