"""`touchstone studies`: what it refuses before any study runs."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command


def refusal_of(*arguments: object) -> str:
    error = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("studies", *map(str, arguments), stdout=io.StringIO(), stderr=error)
    assert stopped.value.code == 1
    return error.getvalue()


def test_studies_are_named_in_a_refusal(tmp_path: Path) -> None:
    assert "There is no study '005': there are 000-spatial-similarity, 001-" in refusal_of("005", "--out", tmp_path)


def test_a_folder_that_holds_something_else_is_kept(tmp_path: Path) -> None:
    (tmp_path / "003-size-adjectives").mkdir()
    (tmp_path / "003-size-adjectives" / "thesis.txt").write_text("mine")

    assert "is there and holds something else" in refusal_of("003", "--out", tmp_path)


def test_data_must_be_there(tmp_path: Path) -> None:
    assert "there is no such folder" in refusal_of("000", "--out", tmp_path, "--data", tmp_path / "nowhere")
