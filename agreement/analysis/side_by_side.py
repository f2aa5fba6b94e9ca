"""Several computations at once, each in a forked process that shares what it reads and ends with its answer."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

Part = Callable[[], Any]


def side_by_side(parts: Sequence[Part], processes: int) -> list[Any]:
    """The answer of each part, in order, at most `processes` at a time; in this process where forking isn't safe.

    A child computes one part, sends it and ends, so that none outlives its part even if this process is killed. What a
    child can't answer is computed here, where what went wrong is raised as it is.
    """
    alone = multiprocessing.current_process().daemon or threading.active_count() > 1
    if min(processes, len(parts)) < 2 or alone or "fork" not in multiprocessing.get_all_start_methods():
        return [part() for part in parts]
    answers: dict[int, Any] = {}
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    waiting = list(range(len(parts)))
    while waiting or running:
        while waiting and len(running) < processes:
            at = waiting.pop(0)
            connection, process = _start(parts[at])
            running[connection] = (at, process)
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)  # noqa: S101 - `wait` gives back what it was given
            at, process = running.pop(ready)
            try:
                answers[at] = ready.recv()
            except EOFError:
                answers[at] = parts[at]()
            ready.close()
            process.join()
    return [answers[at] for at in range(len(parts))]


def _start(part: Part) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    # Daemonic: what runs in it starts no processes of its own.
    process = context.Process(target=_answer, args=(part, there), daemon=True)
    process.start()
    there.close()
    return here, process


def _answer(part: Part, there: Connection) -> None:
    try:
        answer = part()
    except Exception:  # noqa: BLE001 - the parent computes the part again and raises it itself
        there.close()
        return
    there.send(answer)
