"""Asks a Python of its own to analyse, so that a notebook's Python never finds a module named `tables` or `config`.

The server's code has such names, and a notebook may have modules of the same name: its own, or another package's.
"""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..cli import places
from .errors import NothingKept, Refused, TouchstoneError

# How the command line's options are written as arguments.
AS_ARGUMENTS = (
    (re.compile(r"--leave-out '[^']*' leaves such rows out"), "drop such rows of the frame to leave them out"),
    (
        re.compile(r"--missing skip leaves such cells out and counts them"),
        'frame.dropna(subset=["value"]) drops such rows',
    ),
    (re.compile(r"--repeats first, last, mean or keep"), 'repeats="first", "last", "mean" or "keep"'),
    (re.compile(r"analyse_file takes --labels '([^']*)' --ordered"), lambda found: _ordered(found[1])),
    (re.compile(r"--scale[= ](-?[\d.]+):(-?[\d.]+)"), r"scale=(\1, \2)"),
    (re.compile(r"--(kind|repeats|rules) ([\w-]+)"), r'\1="\2"'),
    (re.compile(r"--out ([^:]+):"), r"\1:"),
    (re.compile(r"--([a-z]+)(?:-([a-z]+))?"), lambda found: "_".join(filter(None, found.groups()))),
)


class AnalysisEnded(TouchstoneError, RuntimeError):
    """The process that analysed ended without an answer."""


def ask(wanted: str, question: Any, progress: Callable[[str], None] | None = None) -> Any:
    """The answer, or what the process raised; whatever `progress` raises ends it."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "agreement.frames.frame_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=places.environment(),
        )
        try:
            what, *told = _told(child, (wanted, question), progress)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            code = child.wait()
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            how = (
                f"was ended by signal {-code}; most likely memory ran out" if code < 0 else f"failed: {' '.join(last)}"
            )
            raise AnalysisEnded(f"The process that analyses {how}") from None
        finally:
            child.kill()
            for stream in (child.stdin, child.stdout):
                with suppress(BrokenPipeError):  # what was not written yet has nowhere to go
                    if stream:
                        stream.close()
            child.wait()
    if what == "refused":
        raise Refused([in_python(reason) for reason in told[0]])
    if what == "nothing kept":
        raise NothingKept([in_python(reason) for reason in told[0]], told[1])
    return told[0]


def _told(child: subprocess.Popen[bytes], question: Any, progress: Callable[[str], None] | None) -> tuple[Any, ...]:
    assert child.stdin is not None  # noqa: S101 - both are pipes, above
    assert child.stdout is not None  # noqa: S101
    pickle.dump(question, child.stdin, protocol=pickle.HIGHEST_PROTOCOL)
    child.stdin.close()
    while True:
        told: tuple[Any, ...] = pickle.load(child.stdout)  # noqa: S301 - from a process that we started
        if told[0] != "stage":
            return told
        if progress is not None:
            progress(told[1])


def _ordered(labels: str) -> str:
    return f"analyse takes labels={labels.split('|')!r}, ordered=True"


def in_python(reason: str) -> str:
    """A refusal of the command line in the words of this function's arguments.

    >>> in_python("type the scale that people saw, such as --scale=0:7, or --kind choice if the numbers are labels")
    'type the scale that people saw, such as scale=(0, 7), or kind="choice" if the numbers are labels'
    >>> in_python("--labels names them all")
    'labels names them all'
    >>> in_python("If they are ordered, analyse_file takes --labels 'low|high' --ordered.")
    "If they are ordered, analyse takes labels=['low', 'high'], ordered=True."
    """
    for option, argument in AS_ARGUMENTS:
        reason = option.sub(argument, reason)
    return reason
