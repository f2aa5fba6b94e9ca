"""The process that draws figures, kept for all tests: it takes longer to start than most of them have it draw."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest

from agreement.figures import rendering
from agreement.processes import environment_with_path

IN_A_PROCESS_OF_ITS_OWN = rendering._in_a_process
END = "{}"
Drawn = tuple[list[dict[str, Any]], str]


def main() -> None:
    """Each line of standard input is what a process of its own would be given whole."""
    for line in sys.stdin:
        rendering.draw_all(json.loads(line), lambda drawn: print(json.dumps(drawn), flush=True))
        print(END, flush=True)


@pytest.fixture(autouse=True, scope="session")
def drawn_in_one_process() -> Iterator[None]:
    with _kept() as draw, mock.patch.object(rendering, "_in_a_process", draw):
        yield


@contextmanager
def _kept() -> Iterator[Callable[[Sequence[Mapping[str, Any]]], Drawn]]:
    """What takes the place of `rendering._in_a_process`; the process begins when there is something to draw."""
    started: list[subprocess.Popen[str]] = []

    def draw(requests: Sequence[Mapping[str, Any]]) -> Drawn:
        if not started or started[-1].poll() is not None:
            command = [sys.executable, "-c", f"from {__name__} import main; main()"]
            pipe = subprocess.PIPE
            started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment_with_path()))
        process = started[-1]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(requests, allow_nan=False) + "\n")
        process.stdin.flush()
        lines = []
        while (line := process.stdout.readline()) and line.strip() != END:
            lines.append(json.loads(line))
        return lines, "" if line else "the process that draws ended"

    try:
        yield draw
    finally:
        for process in started:
            process.communicate(timeout=60)
