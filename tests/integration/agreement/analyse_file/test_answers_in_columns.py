"""Files whose answers stand in columns without a usual name: a column per label, one for all, or of ids of people."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.integration.agreement.analyse_file.command import analyse, needs_shared_data, refused, shared, write_rows
from tests.integration.agreement.analyse_file.test_shapes import alpha, csv_file, look

PAIRS = [(f"w{w}", f"i{i}", w, i) for w in range(6) for i in range(8)]
COLOURS = ("black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "white", "yellow")


def by_what_look_says(path: Path, out: Path, told: dict[str, Any]) -> dict[str, Any]:
    assert told["refused"] == []
    return analyse(path, out, *shlex.split(told["command"])[3:], "--replicates", "20")


def test_marks_in_columns_are_the_labels_that_were_chosen(tmp_path: Path) -> None:
    marks = [f"{(w + i) % 2},{int(w * i % 3 == 0)},{int((w + i) % 5 > 1)}" for _, _, w, i in PAIRS]
    rows = [f"{worker},{item},{each}" for (worker, item, _, _), each in zip(PAIRS, marks, strict=True)]
    path = write_rows(tmp_path / "j.csv", "rater_id,item,joy,anger,neutral", rows)
    told = look(path)
    assert told["read_as"] == "one row per judgment and one column per label"
    assert told["kind"] == "choices"
    report = by_what_look_says(path, tmp_path / "out", told)
    assert "5 rows without an answer left out." in told["notes"]
    assert (report["counts"]["judgments"], report["counts"]["items"]) == (43, 8)


def test_potatos_table_has_a_column_per_label_of_each_question(tmp_path: Path) -> None:
    label = {0: "negative,,", 1: ",neutral,", 2: ",,positive"}
    rows = [f"{worker},{item},{label[(w * i) % 3]}" for worker, item, w, i in PAIRS]
    header = "user,instance_id,tone:::negative,tone:::neutral,tone:::positive"
    told = look(write_rows(tmp_path / "j.csv", header, rows))
    assert (told["kind"], told["judgments"]) == ("choice", 48)
    assert told["command"].endswith("--labels-in-columns --columns 'tone:::*'")
    two = write_rows(tmp_path / "two.csv", f"{header},sure:::yes", [f"{row},yes" for row in rows])
    assert refused(two, tmp_path / "out") == [
        "two.csv: it has answers to several questions; say which: --columns 'sure:::*', or --columns 'tone:::*'"
    ]


def test_several_columns_of_numbers_are_labels_or_questions(tmp_path: Path) -> None:
    rows = [f"{worker},{item},{(w + i) % 5},{(w * i) % 5}" for worker, item, w, i in PAIRS]
    path = write_rows(tmp_path / "j.csv", "worker,item,valence,arousal", rows)
    (reason,) = refused(path, tmp_path / "out")
    typed = "--worker worker --item item"
    assert f"one column per label: type {typed} --labels-in-columns --columns 'valence|arousal'; or" in reason
    assert reason.endswith(f"of the question valence alone: type {typed} --value valence")
    told = look(path, "--labels-in-columns")
    assert (told["kind"], told["scale"], told["judgments"]) == ("sliders", "0:4", 48)


def test_a_column_that_tells_rows_apart_or_is_of_the_worker_is_no_answer(tmp_path: Path) -> None:
    rows = [f"{worker},{item},{20 + w},{len(item)},{'ab'[(w + i) % 2]}" for worker, item, w, i in PAIRS]
    told = look(write_rows(tmp_path / "j.csv", "annotator,text,years,length,sentiment", rows))
    assert told["command"].endswith("--worker annotator --item text --value sentiment")


def test_columns_called_by_ids_of_people_are_raters(tmp_path: Path) -> None:
    people = [f"5f2b1c0d9e8a7b6c5d4e3f{number:02x}" for number in range(6)]
    cells = [[f"word{i}", *(str((w * i) % 7 + 1) for w in range(6))] for i in range(9)]
    path = csv_file(tmp_path / "wide.csv", [["word", *people], *cells])
    told = look(path)
    assert (told["read_as"], told["workers"], told["items"]) == ("one column per rater", 6, 9)
    report = by_what_look_says(path, tmp_path / "out", told)
    assert report["counts"]["workers"] == 6
    assert not any(who in json.dumps(told) for who in people)


def test_na_among_the_numbers_of_a_wide_file_is_no_answer(tmp_path: Path) -> None:
    rows = [[f"w{w}", *("NA" if (w + i) % 4 == 0 else str((w * i) % 7 + 1) for i in range(8))] for w in range(9)]
    told = look(csv_file(tmp_path / "wide.csv", [["participant", *(f"q{i}" for i in range(8))], *rows]))
    assert told["judgments"] == 54
    assert "18 cells without an answer (blank or NA) left out." in told["notes"]
    assert told["refused"] == []
    long = write_rows(tmp_path / "long.csv", "worker_id,item_id,value", ["a,x,NA", "b,x,50", "a,y,20"])
    assert look(long)["notes"] == ["Some answers are NA: type --missing skip --missing-as NA to leave them out."]


def test_look_says_why_analyse_would_refuse_the_file(tmp_path: Path) -> None:
    rows = [f'{worker},{item},"{w},5"' for worker, item, w, i in PAIRS]
    told = look(write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows))
    assert told["refused"][0].startswith("j.csv, row 2, column value: '0,5' is not a number from 0 to 100; write")
    assert told["refused"][1:] == ["and 47 more reasons like these"]


@pytest.mark.parametrize(
    ("header", "command"),
    [("item_id,label", "--probe"), ("item_id,reference", "--reference"), ("item_id,score", "--probe")],
)
def test_a_file_without_workers_is_named_with_the_command_that_takes_it(
    header: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "m.csv", header, ["a,1", "b,0"])
    with pytest.raises(SystemExit):
        look(path)
    assert f"touchstone analyse judgments.csv {command} {path}" in capsys.readouterr().err


def nested(i: int) -> list[dict[str, object]]:
    return [{"worker": {"id": f"w{w}", "country": "NL"}, "answer": {"label": "ab"[w * i % 2]}} for w in range(4)]


def of_argilla(i: int) -> list[dict[str, object]]:
    status = ("submitted", "draft")
    values = [{"tone": {"value": "ab"[w * i % 2]}} for w in range(5)]
    return [{"user_id": f"w{w}", "status": status[w == 4], "values": each} for w, each in enumerate(values)]


@pytest.mark.parametrize(("name", "elements"), [("judgments", nested), ("responses", of_argilla)])
def test_objects_within_objects_are_read_and_parsed_once(name: str, elements: Any, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({"data": [{"id": f"i{i}", name: elements(i)} for i in range(6)]}))
    with mock.patch("agreement.files.json_lines.json.loads", wraps=json.loads) as loads:
        told = look(path)
    assert (told["workers"], told["items"], told["judgments"]) == (4, 6, 24)
    assert loads.call_count == 2  # by look, and by the reading that tries the printed command
    report = by_what_look_says(path, tmp_path / "out", told)
    assert report["counts"]["judgments"] == 24


def test_fields_of_objects_are_columns_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    rows = [{"worker": w, "item": i, "label": "ab"[n % 2], "meta": {"by": {"x": n}}} for w, i, n, _ in PAIRS]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert look(path)["notes"] == ["Columns that nothing uses: meta.by.x; they stay in judgments.csv."]


@needs_shared_data
def test_codas_own_file_gives_its_published_figures(tmp_path: Path) -> None:
    path = shared("coda/annotations.csv")
    reasons = refused(path, tmp_path / "none")
    assert f"--labels-in-columns --columns '{'|'.join(COLOURS)}'" in reasons[0]
    typed = ("--labels-in-columns", "--leave-out", "included=False", "--scale", "0:5", "--rules", "coda-2021")
    report = analyse(path, tmp_path / "out", *typed)
    assert report["counts"]["judgments"] == 2825
    assert report["counts"]["judgments_kept"] == 2825 - 15
    assert report["ceiling"]["leave_one_out"]["mean"]["estimate"] == pytest.approx(0.551, abs=5e-4)
    assert 0 < alpha(report) < 1
