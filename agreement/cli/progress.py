"""What a terminal shows while a command works."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

BAR_WIDTH = 30
UNSEEN_FOR = 2.0  # seconds in which a command may well be done


class ProgressLine:
    """One line of a terminal, written again and again; nothing of it in the first two seconds."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._width = 0

    def show(self, line: str) -> None:
        if time.monotonic() - self._began < UNSEEN_FOR:
            return
        sys.stderr.write(f"\r{line:<{self._width}}")
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            sys.stderr.write("\n")
            sys.stderr.flush()


@contextmanager
def progress(things: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error where that is a terminal and it takes longer than two seconds; else nothing at all.

    Where nobody knows how many there will be, it says how many there are, with 0 for all of them.
    """
    if not sys.stderr.isatty():
        yield None
        return

    line = ProgressLine()

    def report(done: int, total: int) -> None:
        filled = BAR_WIDTH * done // max(total, 1)
        bar = f"[{'#' * filled:<{BAR_WIDTH}}] {done:,} of {total:,} {things}" if total else f"{done:,} {things}"
        line.show(bar)

    try:
        yield report
    finally:
        line.end()


def stages_shown(stages: Sequence[str]) -> Callable[[str], None]:
    """To be told each stage as it begins: a bar of stages on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None
    line = ProgressLine()

    def show(stage: str) -> None:
        done = list(stages).index(stage)
        line.show(f"{'█' * done}{'░' * (len(stages) - done)} {stage}")
        if done == len(stages) - 1:
            line.end()

    return show
