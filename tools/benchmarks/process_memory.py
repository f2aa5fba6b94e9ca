"""The peak memory of a command and all its processes: proportional set size, so that what forks share counts once."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

EVERY_S = 0.02


@dataclass(frozen=True, slots=True)
class Run:
    seconds: float
    processor_seconds: float
    peak_mb: float


def run_watched(command: list[str]) -> Run:
    """Run a command to its end; raises if it fails."""
    start, processors, peak = time.perf_counter(), _of_children(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ)
    while process.poll() is None:
        peak = max(peak, _of_tree(process.pid))
        time.sleep(EVERY_S)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Run(seconds, _of_children() - processors, peak / 1024)


def _of_children() -> float:
    """Processor seconds of the commands that have ended, and of their own processes."""
    times = os.times()
    return times.children_user + times.children_system


def _of_tree(pid: int) -> int:
    """Kilobytes of a process and its children, and of theirs."""
    return _pss(pid) + sum(_of_tree(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
