"""Writes what `make prove` showed into docs/proofs.md: a row for each proof, with its date and the commit it ran on.

A plugin, loaded by `-p tests.proofs`. A proof that did not run this time keeps the row of its last run; one whose file
is gone loses it. What a proof prints last stands in its row.
"""

import datetime as dt
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.shares import DEFAULT
from tools import place

PAGE = place.ROOT / "docs" / "proofs.md"
WORDS = """# Proofs

Some promises take minutes or hours to show: that an interval or a test keeps its level in hundreds of simulated
studies, that no answer is lost in a crowd whose workers and brokers are killed. `make prove` runs them and writes
this page; `make test` has a small case of each, drawn from the same seeds every time. Each row is the last run of its
proof: on which day, of which commit (with "changed" where files differed from it), and what the proof printed last.
"""
COLUMNS = ("proof", "case", "file", "database", "result", "it showed", "seconds", "date", "commit")
LONGEST = 300
COMMIT = pytest.StashKey[str]()


class Proof(NamedTuple):
    """A row of the page."""

    name: str
    case: str
    file: str
    database: str
    result: str
    shown: str
    seconds: str
    date: str
    commit: str

    @property
    def key(self) -> tuple[str, ...]:
        return self[2], self[0], self[1], self[3]


def proof_of(report: Any, *, date: str, commit: str) -> Proof:
    file, _, name = report.nodeid.partition("::")
    function, _, case = name.removesuffix("]").partition("[")
    printed = [line.strip() for line in report.capstdout.splitlines() if line.strip()]
    worker = getattr(report, "node", None)
    cells = (
        function.removeprefix("test_").replace("_", " "),
        case,
        f"`{file}`",
        worker.gateway.spec.env["TOUCHSTONE_TEST_SHARE"] if worker else DEFAULT,
        report.outcome,
        printed[-1][:LONGEST] if printed else "",
        f"{report.duration:.0f}",
        date,
        commit,
    )
    return Proof(*(cell.replace("|", "/") for cell in cells))


def rows_of(page: str) -> list[Proof]:
    lines = [line for line in page.splitlines() if line.startswith("| ") and line.count("|") == len(COLUMNS) + 1]
    return [Proof(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines[2:]]


def page_with(proofs: Iterable[Proof], page: str, root: Path) -> str:
    """What ran now in the place of what ran before."""
    rows = {row.key: row for row in rows_of(page) if (root / row.file.strip("`")).exists()}
    rows |= {proof.key: proof for proof in proofs}
    table = [COLUMNS, ("---",) * len(COLUMNS), *(rows[key] for key in sorted(rows))]
    return WORDS + "\n" + "\n".join(f"| {' | '.join(row)} |" for row in table) + "\n"


def commit_of(root: Path) -> str:
    git = ["git", "-C", str(root)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout
    unlike = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, text=True).stdout
    others = [line for line in unlike.splitlines() if not re.search(r"docs/proofs\.md$", line)]
    return commit.strip() + (" changed" if others else "")


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[COMMIT] = commit_of(place.ROOT)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    reports = [
        report
        for category in ("passed", "failed")
        for report in terminalreporter.stats.get(category, [])
        if isinstance(report, pytest.TestReport) and {"prove", "faults"} & set(report.keywords)
    ]
    date, commit = dt.datetime.now(dt.UTC).date().isoformat(), config.stash[COMMIT]
    proofs = [proof_of(report, date=date, commit=commit) for report in reports if report.when == "call"]
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(page_with(proofs, before, place.ROOT), encoding="utf-8")
    terminalreporter.line(f"{len(proofs)} proofs stand in docs/proofs.md")
