"""The limits of the API: one count of all processes, of any minute, beside the database that answers go to."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.api import request_counts
from annotation.api.request_counts import MINUTE, NAME, RequestCounts, counts_in
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

MOST, EACH = 100, 90
# Waits until both have opened the file, then asks as fast as it can.
PROCESS = """
import sys
import time
from pathlib import Path
from annotation.api.request_counts import counts_in
counts = counts_in(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(sum(counts.wait_of("token", int(sys.argv[2])) == 0 for _ in range(int(sys.argv[3]))))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for file, counts in list(request_counts._opened.items()):
        if file.is_relative_to(tmp_path):
            counts.connection.close()
            del request_counts._opened[file]


def test_two_processes_count_together(folder: Path) -> None:
    command = [sys.executable, "-c", PROCESS, str(folder), str(MOST), str(EACH)]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    taken = [int(process.communicate(timeout=60)[0]) for process in both]
    assert sum(taken) == MOST
    assert counts_in(folder).wait_of("token", MOST) > 0
    assert counts_in(folder).wait_of("another", MOST) == 0


def test_a_minute_is_any_minute_and_the_wait_is_till_the_first_is_forgotten(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = counts_in(folder)

    def wait_at(second: float) -> int:
        monkeypatch.setattr(time, "monotonic", lambda: second)
        return counts.wait_of("a", 3)

    assert [wait_at(1000), wait_at(1030), wait_at(1059), wait_at(1059.9)] == [0, 0, 0, 1]
    assert [wait_at(1060), wait_at(1061), wait_at(1090), wait_at(1091)] == [0, 29, 0, 28]
    assert wait_at(5) == 0  # the machine was started anew, and counts its seconds from there


def test_what_is_over_is_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counts_in(folder)
    for number in range(3 * MINUTE):
        monkeypatch.setattr(time, "monotonic", lambda number=number: 100 + number)
        counts.wait_of(f"network {number}", 5)
    [rows] = counts.connection.execute("SELECT count(*) FROM requests").fetchone()
    assert rows == MINUTE


def test_a_process_that_was_forked_has_a_connection_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = counts_in(folder)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert counts_in(folder) is not first
    assert counts_in(folder) is counts_in(folder)
    first.connection.close()


def test_nobody_else_on_the_machine_reads_it(folder: Path) -> None:
    counts_in(folder).wait_of("a", 3)
    assert [oct(file.stat().st_mode & 0o777) for file in sorted(folder.iterdir())] == ["0o600"] * 3


@pytest.mark.django_db
@pytest.mark.parametrize("fault", ["not a database", "locked", "no folder"])
def test_without_it_each_process_counts_by_itself(
    fault: str, folder: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.VAR_DIR, settings.API_READS_PER_MINUTE = folder / "var", 2
    monkeypatch.setattr(request_counts, "PATIENCE_SECONDS", 0.01)
    if fault == "no folder":
        (folder / "var").write_text("a file")
    else:
        (folder / "var").mkdir()
    if fault == "not a database":
        (folder / "var" / NAME).write_bytes(b"nothing of SQLite's" * 100)
    other = RequestCounts(folder / "var" / NAME) if fault == "locked" else None
    if other is not None:
        other.connection.execute("BEGIN IMMEDIATE")
    script = Script(a_researcher())
    with caplog.at_level(logging.WARNING):
        assert [script.get("me/").status_code for _ in range(3)] == [200, 200, 429]
    assert "requests are not counted together" in caplog.text
    if other is not None:
        other.connection.close()
