"""Running `manage.py analyse_file` in this process: what it writes, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

DATA = Path(__file__).parents[5] / "shared" / "data"
CASES = Path(__file__).parents[3] / "cases" / "crowds"
needs_shared_data = pytest.mark.needs_shared_data


def shared(path: str) -> Path:
    """A file of the public crowds, or a skipped test that says what is missing."""
    if not DATA.is_dir():
        pytest.skip(f"the folder of public crowds is missing: {DATA}")
    return DATA / path


def published(path: str) -> Path:
    """A file of the small published tables that stand in the repository."""
    return CASES / path


def analyse(judgments: Path, out: Path, *options: str) -> dict[str, Any]:
    """Run the command without pictures and give its report.json."""
    call_command("analyse_file", judgments, "--out", out, "--no-report", *options, stdout=io.StringIO())
    report: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return report


def refused(judgments: Path, out: Path, *options: str) -> list[str]:
    """Run the command on what it must refuse, hold that nothing was written, and give its reasons: of many those of the
    file that has them all.
    """
    before = sorted(out.parent.iterdir())
    said = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("analyse_file", judgments, "--out", out, *options, stdout=io.StringIO(), stderr=said)
    assert stopped.value.code == 1
    assert sorted(out.parent.iterdir()) == before
    lines = said.getvalue().splitlines()
    if all_reasons := re.search(r"reasons; all of them are in (.+):$", said.getvalue(), re.MULTILINE):
        file = Path(all_reasons[1])
        lines = file.read_text(encoding="utf-8").splitlines()
        file.unlink()
    return lines


def write_rows(path: Path, header: str, rows: Iterable[str]) -> Path:
    """A CSV file of these lines."""
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def read_rows(path: Path) -> list[dict[str, str]]:
    """A CSV file's rows, as an ordinary reader sees them."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def crossed(workers: int, items: int, value: str = "50") -> list[str]:
    """Rows in which everyone judges everything with answers that vary a little; `value` is the middle."""
    return [f"w{w},i{i},{(int(value) + 7 * w + 13 * i) % 101}" for w in range(workers) for i in range(items)]
