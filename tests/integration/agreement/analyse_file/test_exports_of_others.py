"""analyse_file on files as other tools write them, joined with the platform's people."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows

HEADER = "Submission id,Participant id,Status,Time taken,Age,Sex,Country of residence"
PEOPLE = [
    "s1,p0,APPROVED,300,31,Female,Spain",
    "s2,p1,APPROVED,240,45,Male,CONSENT_REVOKED",
    "s3,p9,RETURNED,,DATA_EXPIRED,Male,Spain",
    "s4,p2,TIMED-OUT,,22,Female,Spain",
    "s5,p2,AWAITING REVIEW,400,22,Female,Spain",
]


def a_survey(folder: Path) -> Path:
    rows = [f"p{w},i{i},{(50 + 7 * w + 13 * i) % 101}" for w in range(3) for i in range(12)]
    return write_rows(folder / "survey.csv", "PROLIFIC_PID,stimulus,rating", rows)


COLUMNS = ("--worker", "PROLIFIC_PID", "--item", "stimulus", "--value", "rating")


def test_people_of_prolific_are_told_in_the_methods(tmp_path: Path) -> None:
    people = write_rows(tmp_path / "people.csv", HEADER, PEOPLE)
    report = analyse(a_survey(tmp_path), tmp_path / "out", *COLUMNS, "--people", str(people))
    methods = (tmp_path / "out" / "methods-details.md").read_text()
    assert (
        "People were recruited through Prolific. 4 people came, of whom 3 finished (1 returned the task or ran out of"
        " time). The median time that Prolific gives was 5.0 minutes, over the 3 people who finished and are in the"
        ' data. Prolific knows of the 3 workers whose judgments are kept: "Age": n = 3, M = 32.7, SD = 11.6, range 22'
        ' to 45, no answer 0. "Sex": Female 2, Male 1, no answer 0. "Country of residence": Spain 2, no answer 1.'
    ) in methods
    assert [source["name"] for source in report["inputs"]] == ["survey.csv", "people.csv"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([*PEOPLE, "s6,p0,APPROVED,10,1,Male,Spain"], "row 7, column Participant id: 'p0' is in row 2 too"),
        (["s1,x,APPROVED,300,31,Female,Spain"], "no worker of the judgments is in the column Participant id"),
    ],
)
def test_people_who_are_there_twice_or_not_at_all_are_refused(rows: list[str], why: str, tmp_path: Path) -> None:
    people = write_rows(tmp_path / "people.csv", HEADER, rows)
    survey = a_survey(tmp_path)
    said = refused(survey, tmp_path / "out", *COLUMNS, "--people", str(people))
    assert len(said) == 1
    assert why in said[0]


def test_a_mapping_is_kept_and_given_back(tmp_path: Path) -> None:
    survey, kept = a_survey(tmp_path), tmp_path / "mapping.toml"
    first = analyse(survey, tmp_path / "one", *COLUMNS, "--save-mapping", str(kept))
    assert kept.read_text() == 'worker = "PROLIFIC_PID"\nitem = "stimulus"\nvalue = "rating"\n'
    again = analyse(survey, tmp_path / "two", "--mapping", str(kept))
    assert json.dumps(first) == json.dumps(again)


def test_what_was_left_out_is_said_in_report_methods_and_on_the_terminal(tmp_path: Path) -> None:
    rows = [f"h{i},t,a{w}{i},W{w},{'' if (w, i) == (0, 0) else 40 + w + i}" for w in range(3) for i in range(4)]
    batch = write_rows(tmp_path / "batch.csv", "HITId,Title,AssignmentId,WorkerId,Answer.sim", rows)
    said = io.StringIO()
    options = ("--from", "mturk", "--missing", "skip", "--no-report")
    call_command("analyse_file", batch, "--out", tmp_path / "out", *options, stdout=said)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["left_out_in_reading"] == {"notes": ["1 cell without an answer left out."], "columns": ["Title"]}
    assert "1 cell without an answer left out." in (tmp_path / "out" / "methods-details.md").read_text()
    assert "  Columns left out: Title." in said.getvalue().splitlines()
