"""Rows that a platform marks as not valid are spoken of, and left out where somebody says so."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows

MTURK = '"HITId","AssignmentId","WorkerId","AssignmentStatus","Answer.similarity"'


def batch(folder: Path) -> Path:
    rows = [
        f"h{i},a{i}{w},W{w},{'Rejected' if w == 2 and i < 4 else 'Approved'},{(50 + 7 * w + 13 * i) % 101}"
        for i in range(12)
        for w in range(3)
    ]
    return write_rows(folder / "batch.csv", MTURK, rows)


def test_rejected_assignments_that_count_are_warned_of_everywhere(tmp_path: Path) -> None:
    terminal = io.StringIO()
    call_command(
        "analyse_file", batch(tmp_path), "--from", "mturk", "--out", tmp_path / "out", "--replicates", "20",
        stdout=terminal,
    )  # fmt: skip
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))

    [warning] = [one for one in report["warnings"] if one["code"] == "marked-not-valid"]
    assert warning["text"] == (
        "4 of the 36 judgments, by 1 worker, are in rows that the platform marks as not valid (AssignmentStatus"
        " Rejected: 4), and count like all others; --leave-out 'AssignmentStatus=Rejected' leaves such rows out."
    )
    assert warning["text"] in " ".join(terminal.getvalue().split())
    assert warning["text"] in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "in rows that the platform marks as not valid" in page


def test_rows_that_are_left_out_are_counted_and_not_warned_of(tmp_path: Path) -> None:
    only = ("--from", "mturk", "--leave-out", "AssignmentStatus=Rejected")
    report = analyse(batch(tmp_path), tmp_path / "out", *only, "--save-mapping", str(tmp_path / "m.toml"))

    assert report["counts"]["judgments"] == 32
    assert report["left_out_in_reading"]["notes"] == ["4 rows with AssignmentStatus Rejected left out."]
    assert not [one for one in report["warnings"] if one["code"] == "marked-not-valid"]
    again = analyse(batch(tmp_path), tmp_path / "again", "--mapping", str(tmp_path / "m.toml"))
    assert again["release"] == report["release"]
    assert "4 rows with AssignmentStatus Rejected left out." in (tmp_path / "out" / "methods-details.md").read_text()


@pytest.mark.parametrize(
    ("column", "bad", "good"),
    [
        ("Finished", "False", "True"),
        ("Finished", "0", "1"),
        ("Status", "RETURNED", "APPROVED"),
        ("Status", "TIMED-OUT", "AWAITING REVIEW"),
        ("status", "Rejected", "Approved"),
        ("Status", "Survey Preview", "IP Address"),
        ("approval_status", "Rejected", "Approved"),
        ("ASSIGNMENT:status", "REJECTED", "APPROVED"),
        ("_tainted", "true", "false"),
    ],
)
def test_every_platforms_mark_is_known_in_a_plain_table(column: str, bad: str, good: str, tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{(7 * w + 13 * i) % 101},{bad if w == 1 else good}" for w in range(3) for i in range(12)]
    table = write_rows(tmp_path / "t.csv", f"worker_id,item_id,value,{column}", rows)

    report = analyse(table, tmp_path / "out")
    clean = analyse(table, tmp_path / "clean", "--leave-out", f"{column}={bad}")

    [text] = [one["text"] for one in report["warnings"] if one["code"] == "marked-not-valid"]
    assert text.startswith("12 of the 36 judgments, by 1 worker, are in rows")
    assert f"({column} {bad}: 12)" in text
    assert f"--leave-out '{column}={bad}'" in text
    assert clean["counts"]["workers"] == 2
    assert not [one for one in clean["warnings"] if one["code"] == "marked-not-valid"]


@pytest.mark.parametrize(
    ("column", "value"), [("finished", "120"), ("Status", "1"), ("status", "married"), ("returned", "true")]
)
def test_columns_that_say_something_else_are_no_marks(column: str, value: str, tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{(7 * w + 13 * i) % 101},{value if w == 1 else '0'}" for w in range(3) for i in range(12)]

    report = analyse(write_rows(tmp_path / "t.csv", f"worker_id,item_id,value,{column}", rows), tmp_path / "out")

    assert not [one for one in report["warnings"] if one["code"] == "marked-not-valid"]


def survey(folder: Path) -> Path:
    names = ["StartDate", "Status", "Finished", "ResponseId", "PROLIFIC_PID", "Q1", "Q2"]
    ids = ["startDate", "status", "finished", "_recordId", "PROLIFIC_PID", "QID1", "QID2"]
    third = ",".join(f'"{{""ImportId"":""{one}""}}"' for one in ids)
    rows = ["d,s,f,r,p,over,under", third]
    rows += [f"2026-03-01 10:00:00,IP Address,{w != 2},R_{w},P{w},{20 + w},{70 - w}" for w in range(4)]
    rows += ["2026-03-01 09:00:00,IP Address,False,R_8,P0,1,2", "2026-03-01 10:00:00,Spam,True,R_9,P9,50,50"]
    return write_rows(folder / "survey.csv", ",".join(names), rows)


def test_of_a_person_with_an_unfinished_response_the_finished_one_can_be_kept(tmp_path: Path) -> None:
    [reason] = refused(survey(tmp_path), tmp_path / "out", "--from", "qualtrics")
    assert "has the response" in reason
    assert "--leave-out Finished=False" in reason

    report = analyse(survey(tmp_path), tmp_path / "out", "--from", "qualtrics", "--leave-out", "Finished=False")

    assert report["counts"]["judgments"] == 8
    assert report["left_out_in_reading"]["notes"] == ["2 rows with Finished False left out."]
    [text] = [one["text"] for one in report["warnings"] if one["code"] == "marked-not-valid"]
    assert text.startswith("2 of the 8 judgments, by 1 worker")
    assert "(Status Spam: 2)" in text


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("AssignmentState=Rejected", "there is no column AssignmentState; the first columns are HITId, AssignmentId"),
        ("AssignmentStatus=rejected", "no row has 'rejected' in the column AssignmentStatus; it holds 'Approved'"),
    ],
)
def test_what_leaves_nothing_out_is_refused(said: str, why: str, tmp_path: Path) -> None:
    [reason] = refused(batch(tmp_path), tmp_path / "out", "--from", "mturk", "--leave-out", said)

    assert f"batch.csv: --leave-out {said}: {why}" in reason


def test_workers_whose_submission_was_returned_or_rejected_are_named(tmp_path: Path) -> None:
    rows = [f"p{w},i{i},{(50 + 7 * w + 13 * i) % 101}" for w in range(4) for i in range(12)]
    study = write_rows(tmp_path / "study.csv", "worker_id,item_id,value", rows)
    header = "Submission id,Participant id,Status,Time taken"
    people = write_rows(
        tmp_path / "people.csv",
        header,
        ["s0,p0,APPROVED,9", "s1,p1,RETURNED,9", "s2,p2,REJECTED,9", "s3,p3,AWAITING REVIEW,9", "s4,p9,RETURNED,1"],
    )
    by_hand = write_rows(tmp_path / "by_hand.csv", "worker_id,kept,reason", ["p1,0,returned", "p2,0,rejected"])

    report = analyse(study, tmp_path / "out", "--people", str(people))
    without = analyse(study, tmp_path / "without", "--people", str(people), "--by-hand", str(by_hand))

    [text] = [one["text"] for one in report["warnings"] if one["code"] == "marked-not-valid"]
    assert text == (
        "The submissions of 2 workers (p1 and p2) are not valid by the platform's export of people (REJECTED: 1,"
        " RETURNED: 1), and their judgments count like all others; --by-hand, with the columns worker_id, kept (0) and"
        " reason, excludes workers."
    )
    assert not [one for one in without["warnings"] if one["code"] == "marked-not-valid"]
