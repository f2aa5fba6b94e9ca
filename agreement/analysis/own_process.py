"""An analysis in a process of its own, for a worker that runs threads and lives on after it.

A process with threads can't fork safely, so that inside a job an analysis would run on one processor; and what it took
of memory would stay with the worker. The process is started afresh, gets the crowd and gives back the analysis, both
pickled, and ends. It ends too when the worker that waits for it is gone.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any, Self

from ..cleaning.rule_set import RuleSet
from ..errors import Refused, TouchstoneError
from ..judgments.crowd import Crowd
from ..processes import environment_with_path, give_back_freed_memory
from .analysis import Analysis, NothingKept, analyse

WORTH_A_PROCESS = 100_000  # judgments; below, starting one takes longer than a second processor saves
LOOKS_FOR_ITS_PARENT_SECONDS = 2.0


class AnalysisEnded(TouchstoneError):
    """The process ended without an answer."""


class ProcessAhead:
    """A process that is started before its question is known, and is ready when it is: that takes it a second. Without
    a question it ends with the block, and where few judgments are expected there is none.
    """

    def __init__(self, judgments: int) -> None:
        self.child = _started() if judgments >= WORTH_A_PROCESS else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if child := self.taken():
            _end(child)

    def taken(self) -> subprocess.Popen[bytes] | None:
        """The process, once."""
        child, self.child = self.child, None
        return child


def analyse_apart(
    crowd: Crowd,
    rules: RuleSet,
    *,
    progress: Callable[[str], None] = lambda _: None,
    meanwhile: Callable[[], None] = lambda: None,
    ahead: ProcessAhead | None = None,
    **options: Any,
) -> Analysis:
    """As `analyse`: the same arguments, the same bytes, and what it raises. What `progress` or `meanwhile` raises ends
    it; `meanwhile` is done once, while the process computes.
    """
    if len(crowd.item) < WORTH_A_PROCESS:
        meanwhile()
        return analyse(crowd, rules, progress=progress, **options)
    child = (ahead.taken() if ahead else None) or _started()
    give_back_freed_memory()  # what the reading took beside its result, or this process would keep it all the while
    options["by_hand"] = dict(options.get("by_hand", {}))  # a read-only dictionary isn't pickled
    try:
        return _answer_of(child, crowd, (crowd, rules, options), progress, meanwhile)
    finally:
        _end(child)


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this file itself
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment_with_path(),
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    for stream in (child.stdin, child.stdout):
        with suppress(BrokenPipeError):  # what was not written yet has nowhere to go
            if stream:
                stream.close()
    child.wait()


def _answer_of(
    child: subprocess.Popen[bytes],
    crowd: Crowd,
    question: tuple[Any, ...],
    progress: Callable[[str], None],
    meanwhile: Callable[[], None],
) -> Analysis:
    assert child.stdin is not None  # noqa: S101 - both are pipes, above
    assert child.stdout is not None  # noqa: S101
    try:
        pickle.dump(question, child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        child.stdin.close()
        meanwhile()
        while True:
            what, *told = pickle.load(child.stdout)  # noqa: S301 - from a process that we started
            if what == "stage":
                progress(*told)
            else:
                break
    except (EOFError, BrokenPipeError, pickle.UnpicklingError):
        code = child.wait()
        how = f"was ended by signal {-code}; most likely memory ran out" if code < 0 else f"failed (exit code {code})"
        raise AnalysisEnded(f"The process that analysed {len(crowd.item):,} judgments {how}.") from None
    if what == "refused":
        raise Refused(*told)
    if what == "nothing kept":
        why, cleaning, report = told
        raise NothingKept(why, replace(cleaning, crowd=crowd), report)
    analysis: Analysis = told[0]
    return replace(analysis, cleaning=replace(analysis.cleaning, crowd=crowd))


def main() -> None:
    """Reads one question from standard input and answers it on standard output."""
    from ..processes import keep_freed_memory

    end_with(os.getppid())
    keep_freed_memory()
    crowd, rules, options = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what somebody prints must not stand between the answers
    try:
        analysis = analyse(crowd, rules, progress=lambda stage: _tell(out, "stage", stage), **options)
    except NothingKept as nothing:
        _tell(out, "nothing kept", str(nothing), _without_crowd(nothing.cleaning), nothing.report)
    except Refused as refused:
        _tell(out, "refused", list(refused.marked))
    else:
        _tell(out, "analysed", replace(analysis, cleaning=_without_crowd(analysis.cleaning)))


def _without_crowd(cleaning: Any) -> Any:
    """Whoever asked has the crowd, and need not get it back."""
    return replace(cleaning, crowd=None)


def _tell(out: IO[bytes], *what: Any) -> None:
    pickle.dump(what, out, protocol=pickle.HIGHEST_PROTOCOL)
    out.flush()


def end_with(parent: int) -> None:
    """End this process soon after `parent` has ended. A timer and no thread: a process with threads can't fork."""

    def look(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOKS_FOR_ITS_PARENT_SECONDS, LOOKS_FOR_ITS_PARENT_SECONDS)


if __name__ == "__main__":
    main()
