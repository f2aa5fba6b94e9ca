"""A command on files, which needs no site: the same module is `touchstone NAME` and `manage.py NAME`.

Exit codes: 0 done, 1 refused or not all of it done, 2 wrong usage.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ..errors import COMMAND, MOST_SHOWN, Refused, TouchstoneError, sentence_for
from ..files.platform_ids import HIDDEN, WITHIN
from .arguments import Progress, with_scale_joined


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did: for machines, for people, and what of it failed, which makes the exit code 1."""

    answer: dict[str, Any]
    text: Callable[[], str]
    failures: Sequence[str] = ()
    is_refuted: bool = False  # nothing failed, but what was to be shown isn't so


MOST_KINDS = 10


class FileCommand(Protocol):
    """A module. `run` returns what happened; where that is only a dictionary, the module's `say` words it."""

    HELP: str

    def add_arguments(self, parser: ArgumentParser) -> None: ...
    def run(self, options: Namespace, progress: Progress) -> Done | dict[str, object]: ...


def load(module: str) -> FileCommand:
    """The command in a module, named as the repository names it."""
    package, _, rest = module.partition(".")
    own = __name__.partition(".")[0]
    return cast("FileCommand", importlib.import_module(f"{own}.{rest}" if package == "agreement" else module))


def add_arguments(command: FileCommand, parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")
    command.add_arguments(parser)


def perform(
    command: FileCommand,
    options: Namespace,
    progress: Progress,
    *,
    out: Callable[[str], object],
    err: Callable[[str], object],
) -> int:
    """Run it, tell what came of it line by line, and give the exit code."""
    options.tell = (lambda _line: None) if options.json else out
    try:
        answered = command.run(options, progress)
    except Refused as refused:
        for line in refusal_lines(refused.reasons, keep_ids=getattr(options, "keep_ids", False)):
            err(line)
        return 1
    except TouchstoneError as error:
        err(str(error))
        return 1
    done = answered if isinstance(answered, Done) else Done(answered, lambda: _answer_text(command, answered))
    out(json.dumps(done.answer, ensure_ascii=False) if options.json else done.text())
    for failure in done.failures:
        err(failure)
    return 1 if done.failures or done.is_refuted else 0


def teller(options: Namespace) -> Callable[[str], object]:
    """What a command says before it is done: to people, for a machine's answer is one object."""
    tell: Callable[[str], object] = getattr(options, "tell", lambda _: None)
    return lambda line: tell(sentence_for(line, COMMAND))


def refusal_lines(reasons: Sequence[str], *, keep_ids: bool = False) -> Iterator[str]:
    """All reasons; of many the first ones, how often each kind of reason is there, and the file that has them all.
    None names a person by an id of a platform, unless these are to be kept.
    """
    hidden = str if keep_ids else without_ids
    shown = [hidden(reason) for reason in reasons[:MOST_SHOWN]]
    yield from shown
    if len(reasons) <= MOST_SHOWN:
        return
    counts: Counter[str] = Counter()
    descriptor, name = tempfile.mkstemp(prefix="touchstone-refused-", suffix=".txt")  # only its owner reads it
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        for reason in reasons:
            stream.write(f"{hidden(reason)}\n")
            counts[kind_of_reason(reason)] += 1
    yield f"These are the first {len(shown)} of {len(reasons):,} reasons; all of them are in {name}:"
    yield from (f"  {count:>9,} × {kind}" for kind, count in counts.most_common(MOST_KINDS))
    if len(counts) > MOST_KINDS:
        yield f"  and {len(counts) - MOST_KINDS:,} other kinds"


def kind_of_reason(reason: str) -> str:
    """A reason without where it is and what stands there.

    >>> kind_of_reason("j.csv, row 3, column value: '150' is not a number from 0 to 100.")
    'column value: … is not a number from 0 to 100'
    """
    without_place = re.sub(
        r"^.*?\b(?:row|record|task|line) [\w,]+(?:, (?:annotation|judgment|response) \w+)?,? ?", "", reason
    )
    return re.sub(r"'(?:[^'\\]|\\.)*'|\brow \d+|\d+(?= cells?\b)", "…", without_place or reason).rstrip(".")


def without_ids(sentence: str) -> str:
    """A message without what looks like an id by which a platform knows a person."""
    return WITHIN.sub(HIDDEN, sentence)


def _answer_text(command: FileCommand, answer: dict[str, object]) -> str:
    say: Callable[[dict[str, object]], str] = command.say  # type: ignore[attr-defined]  # of a module that answers plainly
    return say(answer)


def main(program: str, module: str, arguments: Sequence[str]) -> int:
    """The command as a process of its own."""
    from ..processes import keep_freed_memory
    from .progress import progress

    command = load(module)
    parser = ArgumentParser(prog=program, description=command.HELP)
    add_arguments(command, parser)
    options = parser.parse_args(with_scale_joined(list(arguments)))
    keep_freed_memory()
    return perform(
        command,
        options,
        progress,
        out=lambda text: sys.stdout.write(f"{text}\n"),
        err=lambda text: sys.stderr.write(f"{text}\n"),
    )
