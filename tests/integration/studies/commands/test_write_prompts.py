"""`manage.py write_prompts`: a prompt for each item to judge and each template."""

import io
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import read_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _sizes() -> None:
    call_command("create_study", "sizes", preset="object-sizes", stdout=io.StringIO())


def write(templates: str | Path, out: Path) -> None:
    call_command("write_prompts", "sizes", templates=str(templates), out=out, stdout=io.StringIO())


def test_items_to_judge_have_a_prompt_by_each_template(tmp_path: Path) -> None:
    write("viphy-sizes-questions", tmp_path / "prompts.csv")
    rows = read_rows(tmp_path / "prompts.csv")
    assert len(rows) == 40  # no check items
    assert rows[0] == {
        "item_id": "ant-cat",
        "template": "1",
        "prompt": "what is the size of ant in comparison to cat ? (a) smaller (b) larger",
    }


def test_a_template_whose_field_is_missing_is_refused_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        write("viphy-scenes-zero-shot", tmp_path / "prompts.csv")
    said = capsys.readouterr().err
    assert said.startswith("the items of sizes, row 1, item ant-cat has no {scene}, which template 1 uses.\n")
    named = re.search(r"40 reasons; all of them are in (.+):$", said, re.MULTILINE)
    assert named is not None
    every = Path(named[1])
    assert len(every.read_text(encoding="utf-8").splitlines()) == 40
    every.unlink()
    assert not (tmp_path / "prompts.csv").exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "prompts.csv").write_text("mine")
    with pytest.raises(SystemExit):
        write("viphy-sizes-zero-shot", tmp_path / "prompts.csv")
    assert "is there already" in capsys.readouterr().err
