"""Work over many tasks in forked processes, and memory kept by a process that ends with its work."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

# The same function over many tasks in forked processes: what it reads is shared, never copied or pickled.

Task = TypeVar("Task")
Answer = TypeVar("Answer")
MOST = 4
TOKENS = 10_000  # tasks, or runs of tasks, that wait at a time: fewer bytes than a pipe holds
_TOKEN = struct.Struct("I")


def processors() -> int:
    """How many this process may use. macOS and Windows know only how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment_with_path() -> dict[str, str]:
    """For a Python started afresh: modules are found where this one finds them, and nowhere else.

    Without the last, it would look first in the current folder, which may have a module `tables`.
    """
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def over(tasks: Sequence[Task], function: Callable[[Task], Answer], processes: int | None) -> list[Answer]:
    """`function` of each task, in order; in this process alone where forking isn't to be had or isn't safe.

    A daemonic process (a Celery worker's child) may not fork, and a process with threads shouldn't. What a child can't
    answer is computed here, where what went wrong is raised as it is.
    """
    processes = min(processors(), MOST) if processes is None else processes
    alone = multiprocessing.current_process().daemon or threading.active_count() > 1
    if min(processes, len(tasks)) < 2 or alone or "fork" not in multiprocessing.get_all_start_methods():
        return [function(task) for task in tasks]
    answers: dict[int, Answer] = {}
    children = _start(tasks, function, min(processes, len(tasks)))
    try:
        while children:
            for ready in wait(list(children)):
                assert isinstance(ready, Connection)  # noqa: S101 - `wait` gives back what it was given
                try:
                    answers.update(ready.recv())
                except EOFError:
                    ready.close()
                    children.pop(ready).join()
    finally:
        for process in children.values():
            process.terminate()
    return [answers[at] if at in answers else function(task) for at, task in enumerate(tasks)]


def _start(tasks: Sequence[Any], function: Callable[[Any], Any], processes: int) -> dict[Connection, BaseProcess]:
    """Children that take tasks from one pipe until it is empty, each with the end that its answers come out of."""
    step = -(-len(tasks) // TOKENS)
    waiting, fill = os.pipe()
    os.write(fill, b"".join(_TOKEN.pack(first) for first in range(0, len(tasks), step)))
    os.close(fill)
    context = multiprocessing.get_context("fork")
    children: dict[Connection, BaseProcess] = {}
    for _ in range(processes):
        here, there = context.Pipe(duplex=False)
        # Daemonic: what runs in it starts no processes of its own, and it ends with this one.
        child = context.Process(target=_answer, args=(tasks, function, step, waiting, there, os.getpid()), daemon=True)
        child.start()
        there.close()
        children[here] = child
    os.close(waiting)
    return children


def _answer(
    tasks: Sequence[Any], function: Callable[[Any], Any], step: int, waiting: int, there: Connection, parent: int
) -> None:
    """The tasks that this child takes; a child whose parent was killed takes no more."""
    while os.getppid() == parent and (token := os.read(waiting, _TOKEN.size)):
        (first,) = _TOKEN.unpack(token)
        try:
            answers = {at: function(tasks[at]) for at in range(first, min(first + step, len(tasks)))}
        except Exception:  # noqa: BLE001 - the parent computes the task again and raises it itself
            return
        there.send(answers)


# Keeping memory that was freed, for a process that ends with its work.

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
_NEVER = -1


def keep_freed_memory() -> None:
    """Let glibc reuse the room of large arrays, where it would give each back and fetch it anew, page by page.

    An analysis makes and drops thousands of large arrays: a fifth of its time went into that, and more where judgments
    are many. Higher thresholds alone would not do: glibc takes none above 32 MB. Not for a server or a worker, which
    would keep for ever what one analysis once needed. Without glibc it does nothing.
    """
    if libc := _glibc():
        libc.mallopt(_M_MMAP_MAX, 0)
        libc.mallopt(_M_TRIM_THRESHOLD, _NEVER)


def give_back_freed_memory() -> None:
    """Before forking: what a child writes into freed memory would be copied first, page by page."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None)
    except OSError:
        return None
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None
