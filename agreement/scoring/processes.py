"""The same function over many tasks in forked processes: what it reads is shared, never copied or pickled."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")
MOST = 4
_inherited: list[Callable[[Any], Any]] = []


def over(tasks: Sequence[Task], function: Callable[[Task], Answer], processes: int | None) -> list[Answer]:
    """`function` of each task, in order; in this process alone where forking isn't to be had or isn't safe.

    A daemonic process (a Celery worker's child) may not fork, and a process with threads shouldn't.
    """
    processes = min(len(os.sched_getaffinity(0)), MOST) if processes is None else processes
    alone = multiprocessing.current_process().daemon or threading.active_count() > 1
    if min(processes, len(tasks)) < 2 or alone or "fork" not in multiprocessing.get_all_start_methods():
        return [function(task) for task in tasks]
    _inherited.append(function)
    try:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            return pool.map(_call, tasks, chunksize=1)
    finally:
        _inherited.pop()


def _call(task: Any) -> Any:
    return _inherited[-1](task)
