"""What is written: promised columns, formulas escaped, the same bytes twice, and our own files read back."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.agreement.analyse_file.command import analyse, crossed, read_rows, write_rows

ROOT = Path(__file__).parents[4]
HEADER = "worker_id,item_id,value"
CHECKED_HEADER = "worker_id,item_id,value,kind,check"
SPATIAL = ("--rules", "spatial-2019")


def checked_rows() -> list[str]:
    """Five workers on six targets and both checks: w3 fails unrelated, w4 fails self, w2 stands on both limits."""
    rows = [f"{row},," for row in crossed(5, 6)]
    unrelated = {"w0": "0", "w1": "10", "w2": "60", "w3": "60.5", "w4": "3"}
    self_check = {"w0": "100", "w1": "95", "w2": "90", "w3": "100", "w4": "89.9"}
    rows += [f"{worker},green,{value},check,unrelated" for worker, value in unrelated.items()]
    return rows + [f"{worker},same,{value},check,self" for worker, value in self_check.items()]


def test_the_founding_rules_take_whom_they_should(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows())
    report = analyse(path, tmp_path / "out", *SPATIAL)

    workers = {row["worker_id"]: row for row in read_rows(tmp_path / "out" / "workers.csv")}
    assert {worker: row["kept"] for worker, row in workers.items()} == dict(zip(workers, "11100", strict=True))
    assert workers["w3"]["evidence"] == "green: 60.5 (at most 60)"
    assert workers["w4"]["evidence"] == "same: 89.9 (at least 90)"
    assert 'failed check "unrelated"' in workers["w3"]["reason"]
    assert workers["w2"]["checks"] == "2"
    assert report["counts"]["judgments"] == 30
    assert report["counts"]["judgments_kept"] == 18
    assert report["study"] == "study"
    assert report["rules"]["name"] == "spatial-2019"
    assert report["cleaning"]["uniform_clicker_passes"] == pytest.approx(
        dict(zip(report["rules"]["rule"], (0.604, 0.109), strict=True)), abs=5e-4
    )


def test_who_is_kept_by_hand_counts_where_a_rule_says_otherwise(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows())
    decisions = ["w0,0,spam", "w1,1,passed anyway", "w3,1,misread"]
    by_hand = write_rows(tmp_path / "by_hand.csv", "worker_id,kept,reason", decisions)

    report = analyse(path, tmp_path / "out", *SPATIAL, "--by-hand", str(by_hand))

    assert report["by_hand"] == {"set_aside": 1, "kept": 1, "not_in_the_data": 0, "by_earlier_runs": 0}
    assert report["counts"]["workers_kept"] == 3


def test_columns_are_those_promised(tmp_path: Path) -> None:
    analyse(write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows()), tmp_path / "out", *SPATIAL)

    columns = {name: list(read_rows(tmp_path / "out" / name)[0]) for name in ("judgments.csv", "workers.csv")}
    promised = "worker_id,item_id,value,kind,check,response_ms,submitted_at,assignment_id,kept,reason"
    assert ",".join(columns["judgments.csv"]) == promised
    promised = "worker_id,judgments,checks,checks_failed,kept,reason,evidence,median_response_ms,agreement_with_others"
    assert ",".join(columns["workers.csv"][:9]) == promised


def test_labels_gold_has_the_promised_columns(tmp_path: Path) -> None:
    rows = ["w1,a,red", "w2,a,blue", "w1,b,red", "w2,b,red"]
    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out")

    first, second = read_rows(tmp_path / "out" / "gold.csv")
    assert list(first)[:8] == ["item_id", "label", "tied", "n", "entropy", "p:blue", "p:red", "typical"]
    assert (first["label"], first["tied"], first["entropy"]) == ("blue|red", "1", "1")
    assert (second["label"], second["tied"], second["p:red"]) == ("red", "0", "1")


def test_every_judgment_is_written_and_only_the_kept_ones_on_request(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows())
    analyse(path, tmp_path / "all", *SPATIAL)
    analyse(path, tmp_path / "kept", *SPATIAL, "--only-kept")

    rows = read_rows(tmp_path / "all" / "judgments.csv")
    assert len(rows) == 40
    assert sum(row["kept"] == "1" for row in rows) == 24
    assert read_rows(tmp_path / "kept" / "judgments.csv") == [row for row in rows if row["kept"] == "1"]


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows())
    analyse(path, tmp_path / "one", *SPATIAL, "--seed", "7")
    analyse(path, tmp_path / "two", *SPATIAL, "--seed", "7")

    files = sorted(entry.name for entry in (tmp_path / "one").iterdir())
    assert files == sorted(entry.name for entry in (tmp_path / "two").iterdir())
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_order_of_rows_changes_no_byte_of_gold(tmp_path: Path) -> None:
    rows = checked_rows()
    analyse(write_rows(tmp_path / "study.csv", CHECKED_HEADER, rows), tmp_path / "one", *SPATIAL)
    random.Random(1).shuffle(rows)
    report = analyse(write_rows(tmp_path / "study.csv", CHECKED_HEADER, rows), tmp_path / "two", *SPATIAL)

    assert (tmp_path / "one" / "gold.csv").read_bytes() == (tmp_path / "two" / "gold.csv").read_bytes()
    first = json.loads((tmp_path / "one" / "report.json").read_text(encoding="utf-8"))
    alphas = [part["agreement"]["cleaned"]["krippendorff_alpha"]["interval"]["estimate"] for part in (first, report)]
    assert alphas[0] == pytest.approx(alphas[1], rel=1e-12)


def test_the_order_of_rows_decides_no_dropped_row(tmp_path: Path) -> None:
    digits = "021340512304152043310254013"  # few labels: many answers agree equally little with the mean
    rows = [
        f"w{w},i{i}," + ",".join(digits[(5 * w + 7 * i + 11 * w * i + k * (w + 2)) % 27] for k in range(3))
        for w in range(5)
        for i in range(40)
    ]
    rules = tmp_path / "rules.toml"
    rules.write_text('name = "rows"\n[[rule]]\nkind = "row-disagreement"\nkendall_below = 0\n')
    written = []
    for name, given in (("as", rows), ("back", rows[::-1])):
        path = write_rows(tmp_path / f"{name}.csv", "worker_id,item_id,v:a,v:b,v:c", given)
        analyse(path, tmp_path / name, "--scale", "0:5", "--rules", str(rules))
        written.append((tmp_path / name / "gold.csv").read_bytes())

    assert written[0] == written[1]


def test_the_release_hash_is_that_of_gold_csv(tmp_path: Path) -> None:
    report = analyse(write_rows(tmp_path / "study.csv", CHECKED_HEADER, checked_rows()), tmp_path / "out", *SPATIAL)

    assert report["release"]["sha256"] == hashlib.sha256((tmp_path / "out" / "gold.csv").read_bytes()).hexdigest()
    assert report["release"]["sha256"] in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_formulas_are_escaped_on_the_way_out_and_read_back(tmp_path: Path) -> None:
    evil = ["'=cmd()", "'+1", "'@x", "''=y", "-5", "'-z"]
    rows = [f"{worker},i{i},{(i * 37 + n * 11) % 100}" for n, worker in enumerate(evil) for i in range(3)]
    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "one")
    analyse(tmp_path / "one" / "judgments.csv", tmp_path / "two")

    written = {row["worker_id"] for row in read_rows(tmp_path / "one" / "workers.csv")}
    assert written == set(evil)
    assert (tmp_path / "one" / "judgments.csv").read_bytes() == (tmp_path / "two" / "judgments.csv").read_bytes()


def test_a_choice_of_no_label_is_read_back(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{('red|blue', '|', 'red')[(w + i) % 3]}" for w in range(3) for i in range(3)]
    analyse(write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", rows), tmp_path / "out")
    analyse(tmp_path / "out" / "judgments.csv", tmp_path / "again")

    values = {row["value"] for row in read_rows(tmp_path / "out" / "judgments.csv")}
    assert values == {"blue|red", "|", "red"}
    assert (tmp_path / "again" / "gold.csv").read_bytes() == (tmp_path / "out" / "gold.csv").read_bytes()


def test_an_unescaped_formula_comes_out_escaped(tmp_path: Path) -> None:
    rows = ["w1,a,50,=1+1", "w2,a,60,=1+1", "w1,b,20,@sum", "w2,b,30,@sum"]
    analyse(write_rows(tmp_path / "j.csv", HEADER + ",left", rows), tmp_path / "out")

    assert [row["left"] for row in read_rows(tmp_path / "out" / "gold.csv")] == ["'=1+1", "'@sum"]


def test_json_lines_give_what_csv_gives(tmp_path: Path) -> None:
    rows = [row.split(",") for row in crossed(4, 5)]
    lines = [json.dumps({"worker_id": w, "item_id": i, "value": int(v)}) for w, i, v in rows]
    (tmp_path / "study.jsonl").write_text("\n".join(lines), encoding="utf-8")
    analyse(tmp_path / "study.jsonl", tmp_path / "one")
    analyse(write_rows(tmp_path / "study.csv", HEADER, crossed(4, 5)), tmp_path / "two")

    assert (tmp_path / "one" / "gold.csv").read_bytes() == (tmp_path / "two" / "gold.csv").read_bytes()


def test_a_byte_order_mark_windows_lines_and_quotes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    text = '\ufeffworker_id,item_id,value,note\r\n"w,1","a ""b""",50,"two\r\nlines"\r\nw2,"a ""b""",60,\r\n'
    path.write_bytes(text.encode())
    analyse(path, tmp_path / "out")

    first = read_rows(tmp_path / "out" / "judgments.csv")[0]
    assert (first["worker_id"], first["item_id"], first["note"]) == ("w,1", 'a "b"', "two\r\nlines")


@pytest.mark.parametrize(
    ("policy", "mean", "n"), [("first", 10, 2), ("last", 30, 2), ("mean", 20, 2), ("keep", 50 / 3, 3)]
)
def test_repeats_are_dealt_with_as_asked(tmp_path: Path, policy: str, mean: float, n: int) -> None:
    rows = ["w1,a,0", "w1,a,40", "w2,a,20" if policy != "keep" else "w2,a,10"]
    if policy == "last":
        rows[2] = "w2,a,20"
    report = analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out", "--repeats", policy)

    (gold,) = read_rows(tmp_path / "out" / "gold.csv")
    assert float(gold["mean"]) == pytest.approx(mean)
    assert int(gold["n"]) == n
    assert report["repeats"] == {"answers": 1, "told_by": "row", "policy": policy}
    assert "1 answers repeated an item" in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_the_last_of_repeats_goes_by_time_where_there_is_one(tmp_path: Path) -> None:
    rows = ["w1,a,80,2024-05-01T10:05:00Z", "w1,a,20,2024-05-01T10:00:00Z", "w2,a,50,2024-05-01T11:00:00Z"]
    path = write_rows(tmp_path / "j.csv", HEADER + ",submitted_at", rows)
    report = analyse(path, tmp_path / "out", "--repeats", "last")

    assert float(read_rows(tmp_path / "out" / "gold.csv")[0]["mean"]) == 65
    assert report["repeats"]["told_by"] == "time"
    assert (
        "the last of a worker's answers, by its time, counts" in (tmp_path / "out" / "methods-details.md").read_text()
    )


def test_times_that_cannot_be_read_leave_repeats_to_their_rows_and_it_is_said(tmp_path: Path) -> None:
    rows = ["w1,a,80,01/05/2024 12:00", "w1,a,20,01/05/2024 11:00", "w2,a,50,01/05/2024 11:00"]
    path = write_rows(tmp_path / "j.csv", HEADER + ",submitted_at", rows)
    report = analyse(path, tmp_path / "out", "--repeats", "last")

    assert float(read_rows(tmp_path / "out" / "gold.csv")[0]["mean"]) == 35
    assert report["repeats"]["told_by"] == "row"
    assert "by its row in the file" in (tmp_path / "out" / "methods-details.md").read_text()


def test_an_earlier_analysis_is_replaced(tmp_path: Path) -> None:
    analyse(write_rows(tmp_path / "one.csv", HEADER, crossed(3, 3)), tmp_path / "out")
    report = analyse(write_rows(tmp_path / "two.csv", HEADER, crossed(4, 3)), tmp_path / "out")

    assert report["study"] == "two"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.csv", "out", "two.csv"]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), "analyse_file", *map(str, arguments)]


def without_settings() -> dict[str, str]:
    """The environment of someone who configured nothing: no secret key, no database."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}


def test_the_command_needs_no_database_and_no_secret(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", HEADER, crossed(4, 5))
    environment = without_settings() | {"TOUCHSTONE_VAR": str(tmp_path / "nowhere")}

    done = subprocess.run(
        command(path, "--out", tmp_path / "out", "--json"), env=environment, capture_output=True, text=True, check=True
    )

    assert json.loads(done.stdout)["counts"]["workers"] == 4
    assert done.stderr == ""
    assert not (tmp_path / "nowhere").exists()


def test_wrong_usage_exits_with_two(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "study.csv", HEADER, crossed(3, 3))
    for wrong in (["--scale", "5:1"], ["--kind", "dial"], ["--repeats", "some"], ["--replicates", "-1"]):
        done = subprocess.run(
            command(path, "--out", tmp_path / "out", *wrong), env=without_settings(), capture_output=True, check=False
        )
        assert done.returncode == 2
    assert not (tmp_path / "out").exists()


def test_killed_half_way_nothing_is_there_and_the_next_run_cleans_up(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{(w * 7 + i * 13) % 101}" for i in range(20_000) for w in range(i % 40, i % 40 + 5)]
    path = write_rows(tmp_path / "study.csv", HEADER, rows)
    process = subprocess.Popen(command(path, "--out", tmp_path / "out"), env=without_settings())
    try:
        deadline = time.monotonic() + 300
        while not (partial := list(tmp_path.glob(".out.touchstone-partial-*/gold.csv"))):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.001)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()

    assert partial
    assert not (tmp_path / "out").exists()
    analyse(write_rows(tmp_path / "small.csv", HEADER, crossed(3, 3)), tmp_path / "out")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out", "small.csv", "study.csv"]


def test_labels_that_look_like_no_answer_are_told(tmp_path: Path) -> None:
    rows = ["w1,a,red", "w2,a,NA", "w1,b,blue", "w2,b,red"]
    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out")

    said = "The label NA was taken for an answer like any other."
    assert said in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("last", "said"),
    [("2026-11-18T20:31:00Z", "The judgments were given from 3 to 18 November 2026."), ("yesterday", "")],
)
def test_methods_say_the_days_where_every_judgment_has_a_time(last: str, said: str, tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{20 * w + i},2026-11-03T08:00:00Z" for w in range(4) for i in range(3)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value,submitted_at", [*rows, f"w9,i0,50,{last}"])
    report = analyse(judgments, tmp_path / "out", "--scale", "0:100", "--replicates", "20")
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert said in methods
    assert ("were given" in methods) == ("collection" in report) == bool(said)
    assert "recruited" not in methods
