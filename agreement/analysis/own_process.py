"""An analysis in a process of its own, for a worker that runs threads and lives on after it.

A process with threads can't fork safely, so that inside a job an analysis would run on one processor; and what it took
of memory would stay with the worker. The process gets the crowd, gives back the analysis, and ends. It ends too when
the worker that waits for it is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

from ..cleaning.cleaning_run import Cleaning
from ..cleaning.rule_set import RuleSet
from ..errors import Refused, TouchstoneError
from ..judgments.crowd import Crowd
from ..processes import OwnPython, ProcessEnded, give_back_freed_memory
from .analysis import Analysis, NothingKept, analyse

WORTH_A_PROCESS = 100_000  # judgments; below, starting one takes longer than a second processor saves


class AnalysisEnded(TouchstoneError):
    """The process ended without an answer."""


class ProcessAhead:
    """A process that is started before its question is known, and is ready when it is: that takes it a second. Without
    a question it ends with the block, and where few judgments are expected there is none.
    """

    def __init__(self, judgments: int) -> None:
        self.python = OwnPython(analyse.__module__) if judgments >= WORTH_A_PROCESS else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if python := self.taken():
            python.__exit__()

    def taken(self) -> OwnPython | None:
        """The process, once."""
        python, self.python = self.python, None
        return python


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
    with (ahead.taken() if ahead else None) or OwnPython(analyse.__module__) as python:
        give_back_freed_memory()  # what the reading took beside its result, or this process would keep it all the while
        options["by_hand"] = dict(options.get("by_hand", {}))  # a read-only dictionary isn't pickled
        try:
            answer = python.ask(_answer, crowd, rules, options, hear=progress, meanwhile=meanwhile)
        except ProcessEnded as ended:
            signal = f"was ended by signal {-ended.code}; most likely memory ran out"
            end = signal if ended.code < 0 else f"failed (exit code {ended.code})"
            raise AnalysisEnded(f"The process that analysed {len(crowd.item):,} judgments {end}.") from None
    if isinstance(answer, list):
        raise Refused(answer)
    if isinstance(answer, tuple):
        why, cleaning, report = answer
        raise NothingKept(why, replace(cleaning, crowd=crowd), report)
    return replace(answer, cleaning=replace(answer.cleaning, crowd=crowd))


def _answer(
    crowd: Crowd, rules: RuleSet, options: dict[str, Any], progress: Callable[[str], None]
) -> Analysis | tuple[str, Cleaning, Any] | list[str]:
    """What the process gives back: the analysis, what `NothingKept` holds, or the reasons of a refusal."""
    try:
        analysis = analyse(crowd, rules, progress=progress, **options)
    except NothingKept as nothing:
        return str(nothing), _without_crowd(nothing.cleaning), nothing.report
    except Refused as refused:
        return list(refused.marked)
    return replace(analysis, cleaning=_without_crowd(analysis.cleaning))


def _without_crowd(cleaning: Any) -> Any:
    """Whoever asked has the crowd, and need not get it back."""
    return replace(cleaning, crowd=None)
