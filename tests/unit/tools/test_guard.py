"""The guard ends a command and all it started, however its owner ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import guarded, place

# A command that starts a second process in its group, writes both numbers, and sleeps.
FAMILY = ["sh", "-c", 'sleep 300 & echo "$! $$" > "$0"; sleep 300']


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def family(path: Path) -> list[int]:
    give_up_at = time.monotonic() + 120
    while not (path.exists() and path.read_text().strip()):
        assert time.monotonic() < give_up_at
        time.sleep(0.01)
    return [int(word) for word in path.read_text().split()]


def all_gone(pids: list[int], *, seconds: float = 20) -> bool:
    give_up_at = time.monotonic() + seconds
    while any(is_alive(pid) for pid in pids):
        if time.monotonic() > give_up_at:
            return False
        time.sleep(0.02)
    return True


def test_stopping_ends_what_the_command_started(tmp_path: Path) -> None:
    running = guarded.start([*FAMILY, tmp_path / "pids"])
    pids = family(tmp_path / "pids")

    running.stop()

    assert all_gone(pids)


def test_owner_killed_takes_all_with_it(tmp_path: Path) -> None:
    owner = "import sys, time; from tools import guarded; guarded.start(sys.argv[1:]); time.sleep(300)"
    command = [sys.executable, "-c", owner, *FAMILY, str(tmp_path / "pids")]
    with subprocess.Popen(command, cwd=place.ROOT) as process:
        pids = family(tmp_path / "pids")

        process.kill()

    assert all_gone(pids)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process of its parent's end")
def test_guard_killed_takes_the_command_with_it(tmp_path: Path) -> None:
    running = guarded.start(["sh", "-c", 'echo $$ > "$0"; exec sleep 300', tmp_path / "pids"])
    pids = family(tmp_path / "pids")

    running.process.kill()

    assert all_gone(pids)
    running.stop()


def test_command_deaf_to_sigterm_is_killed(tmp_path: Path) -> None:
    deaf = "import pathlib, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    deaf += "pathlib.Path(sys.argv[1]).write_text(str(__import__('os').getpid())); time.sleep(300)"
    with (tmp_path / "log").open("wb") as log:
        running = guarded.start([sys.executable, "-c", deaf, tmp_path / "pids"], output=log)
        pids = family(tmp_path / "pids")

        code = running.stop()

    assert all_gone(pids)
    assert code == 128 + signal.SIGKILL
    assert "did not stop" in (tmp_path / "log").read_text()


def test_folder_is_removed_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "throwaway"
    folder.mkdir()

    assert guarded.start(["sh", "-c", 'echo x > "$0/file"', folder], remove=folder).process.wait(120) == 0

    assert not folder.exists()


def test_exit_code_is_the_commands() -> None:
    assert guarded.start(["sh", "-c", "exit 7"]).process.wait(120) == 7


def test_signals_that_arrived_ignored_do_not_stop_the_guard_from_hearing(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        running = guarded.start(["sh", "-c", 'echo $$ > "$0"; exec sleep 300', tmp_path / "pids"])
    finally:
        signal.signal(signal.SIGTERM, before)
    pids = family(tmp_path / "pids")

    os.kill(running.process.pid, signal.SIGTERM)

    assert all_gone(pids)
    running.stop()
