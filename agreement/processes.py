"""Work over many tasks in forked processes, a Python of our own that is asked one question, and the memory of both."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from .errors import TouchstoneError

# The same function over many tasks in forked processes: what it reads is shared, never copied or pickled.

Task = TypeVar("Task")
Answer = TypeVar("Answer")
MOST = 4
TOKENS = 10_000  # tasks, or runs of tasks, that wait at a time: fewer bytes than a pipe holds
_TOKEN = struct.Struct("I")


def processors() -> int:
    """How many this process may use. macOS and Windows know only how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_tasks(tasks: Sequence[Task], function: Callable[[Task], Answer], processes: int | None) -> list[Answer]:
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
    return [answers[number] if number in answers else function(task) for number, task in enumerate(tasks)]


def _start(tasks: Sequence[object], function: Callable[[Any], object], processes: int) -> dict[Connection, BaseProcess]:
    """Children that take tasks from one pipe until it is empty, each with the end that its answers come out of."""
    step = -(-len(tasks) // TOKENS)
    waiting, fill = os.pipe()
    os.write(fill, b"".join(_TOKEN.pack(first) for first in range(0, len(tasks), step)))
    os.close(fill)
    context = multiprocessing.get_context("fork")
    children: dict[Connection, BaseProcess] = {}
    for _ in range(processes):
        receiver, sender = context.Pipe(duplex=False)
        # Daemonic: what runs in it starts no processes of its own, and it ends with this one.
        child = context.Process(target=_answer, args=(tasks, function, step, waiting, sender, os.getpid()), daemon=True)
        child.start()
        sender.close()
        children[receiver] = child
    os.close(waiting)
    return children


def _answer(
    tasks: Sequence[object],
    function: Callable[[object], object],
    step: int,
    waiting: int,
    sender: Connection,
    parent: int,
) -> None:
    """The tasks that this child takes; a child whose parent was killed takes no more."""
    while os.getppid() == parent and (token := os.read(waiting, _TOKEN.size)):
        (first,) = _TOKEN.unpack(token)
        try:
            answers = {number: function(tasks[number]) for number in range(first, min(first + step, len(tasks)))}
        except Exception:  # noqa: BLE001 - the parent computes the task again and raises it itself
            return
        sender.send(answers)


# A Python started afresh, which gets one question and ends with its answer. Both are pickled.

LOOKS_FOR_ITS_PARENT_SECONDS = 2.0
Hear = Callable[[Any], None]


class ProcessEnded(TouchstoneError):
    """The process ended without an answer, with this code; a negative one is the signal that ended it."""

    def __init__(self, code: int, *, is_late: bool) -> None:
        super().__init__(f"The process ended without an answer (exit code {code}).")
        self.code = code
        self.is_late = is_late


class OwnPython:
    """It is started before its question is known, and ends with the block. `first` is a module that it imports
    meanwhile; `errors` is a file for what it writes to standard error.
    """

    def __init__(self, first: str = "", errors: IO[bytes] | None = None) -> None:
        self.child = subprocess.Popen(  # noqa: S603 - this file itself
            [sys.executable, "-c", f"from {__name__} import main; main({first!r})"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment_with_path(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        for stream in (self.child.stdin, self.child.stdout):
            with suppress(BrokenPipeError):  # what was not written yet has nowhere to go
                if stream:
                    stream.close()
        self.child.wait()

    def ask(
        self,
        function: Callable[..., Answer],
        *arguments: object,
        hear: Hear = lambda _: None,
        meanwhile: Callable[[], None] = lambda: None,
        seconds: float | None = None,
    ) -> Answer:
        """What `function` of a module answers to these arguments, and to one more: what it calls to be heard.

        `meanwhile` is done once, while the process computes; one that takes longer than `seconds` is ended.
        """
        late = threading.Event()
        clock = None if seconds is None else threading.Timer(seconds, self._end_late, [late])
        if clock is not None:
            clock.start()
        try:
            answer: Answer = self._answer((function, arguments), hear, meanwhile)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise ProcessEnded(self.child.wait(), is_late=late.is_set()) from None
        else:
            return answer
        finally:
            if clock is not None:
                clock.cancel()

    def _end_late(self, late: threading.Event) -> None:
        late.set()
        self.child.kill()

    def _answer(self, question: object, hear: Hear, meanwhile: Callable[[], None]) -> Any:
        assert self.child.stdin is not None  # noqa: S101 - both are pipes, above
        assert self.child.stdout is not None  # noqa: S101
        pickle.dump(question, self.child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self.child.stdin.close()
        meanwhile()
        while True:
            is_answer, content = pickle.load(self.child.stdout)  # noqa: S301 - from a process that we started
            if is_answer:
                return content
            hear(content)


def environment_with_path() -> dict[str, str]:
    """For a Python started afresh: modules are found where this one finds them, and nowhere else.

    Without the last, it would look first in the current folder, which may have a module `tables`.
    """
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def main(first: str) -> None:
    """What the process does: it reads one question from standard input and answers on standard output."""
    end_with(os.getppid())
    keep_freed_memory()
    if first:
        import_module(first)
    function, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what somebody prints must not stand between the answers

    def tell(content: object, *, is_answer: bool = False) -> None:
        pickle.dump((is_answer, content), out, protocol=pickle.HIGHEST_PROTOCOL)
        out.flush()

    tell(function(*arguments, tell), is_answer=True)


def end_with(parent: int) -> None:
    """End this process soon after `parent` has ended. A timer and no thread: a process with threads can't fork."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOKS_FOR_ITS_PARENT_SECONDS, LOOKS_FOR_ITS_PARENT_SECONDS)


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
