"""Files that have a header and no row: each is refused, or counts for nothing, in words; none fails on the way."""

from pathlib import Path

import pytest
from django.core.management import call_command

from agreement.errors import Refused
from agreement.files.export_formats import EXPORT_FORMATS
from tests.integration.agreement.analyse_file.command import crossed, refused, write_rows

HEADERS = {
    "items": "item_id,kind,check,min,max,expected,reference",
    "by-hand": "worker_id,decision,reason",
    "reference": "item_id,value",
    "coding": "spelling,property,relation,feature,type",
    "synonyms": "spelling,label",
    "groups": "worker_id,group",
    "probe": "item_id,score",
    "workers": "worker_id,age",
    "people": "Participant id,Status,Age",
}
JUDGMENTS = "worker_id,item_id,value"


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "j.csv", JUDGMENTS, crossed(4, 6))


def reasons_of(judgments: Path, out: Path, *options: str) -> list[str]:
    """Why it is refused; nothing where it isn't. Any other error than a refusal is one."""
    try:
        call_command("analyse_file", judgments, "--out", out, "--no-report", "--replicates", "20", *options)
    except SystemExit:
        return refused(judgments, out, "--replicates", "20", *options)
    return []


def test_items_without_a_row_are_named(tmp_path: Path, judgments: Path) -> None:
    items = write_rows(tmp_path / "b.csv", "item_id", [])
    assert refused(judgments, tmp_path / "out", "--items", str(items)) == ["b.csv: it has no items"]


@pytest.mark.parametrize("option", HEADERS)
@pytest.mark.parametrize("header", ["its own", "another"])
def test_any_file_without_a_row(option: str, header: str, tmp_path: Path, judgments: Path) -> None:
    file = write_rows(tmp_path / "b.csv", HEADERS[option] if header == "its own" else "a,b", [])
    reasons = reasons_of(judgments, tmp_path / "out", f"--{option}", str(file))
    assert all(reason.startswith(("b.csv", "--", "j.csv", "the ", "It ", "b:")) for reason in reasons), reasons


@pytest.mark.parametrize("export", EXPORT_FORMATS)
def test_an_export_without_a_row(export: str, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "e.csv", "worker_id,item_id,value,AssignmentId,WorkerId,Input.a,Answer.b", [])
    assert reasons_of(file, tmp_path / "out", "--from", export)


@pytest.mark.parametrize("other", ["items", "probe", "reference"])
def test_judgments_without_a_row(other: str, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "e.csv", JUDGMENTS, [])
    more = write_rows(tmp_path / "b.csv", HEADERS[other], [])
    assert "e.csv: it has no judgments" in reasons_of(file, tmp_path / "out", f"--{other}", str(more))


def test_frames_without_a_row() -> None:
    import pandas as pd

    import agreement

    frame = pd.DataFrame({"worker_id": ["a", "b"], "item_id": ["i", "i"], "value": ["x", "x"]})
    with pytest.raises(Refused, match="no items"):
        agreement.analyse(frame, items=pd.DataFrame({"item_id": []}))
    with pytest.raises(Refused, match="no judgments"):
        agreement.analyse(frame.iloc[:0])
