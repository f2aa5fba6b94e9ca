"""Each founding study as a user runs it, without a clone's tools: its page is the one kept in tests/cases/studies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studies.runs import NUMBERS, study_named
from tools import place

KEPT = Path(__file__).parents[3] / "cases" / "studies"


@pytest.mark.prove
@pytest.mark.parametrize("number", NUMBERS)
def test_page_is_the_kept_one(number: str, tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "studies", number, "--out", str(tmp_path)]
    subprocess.run(command, cwd=place.ROOT, check=True, capture_output=True)

    page = (tmp_path / study_named(number).folder_name / "page.md").read_text(encoding="utf-8")
    kept = KEPT / f"{number}.txt"
    if os.environ.get("WRITE_KEPT_PAGES"):
        kept.write_text(page, encoding="utf-8")
    print(f"{page.count(chr(10) + '| ---')} tables and {page.count('](figures/')} figures are the kept ones")
    assert page == kept.read_text(encoding="utf-8")
