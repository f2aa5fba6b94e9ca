"""A command on files, which needs no site: the same module is `touchstone NAME` and `manage.py NAME`.

Exit codes: 0 done, 1 refused or not all of it done, 2 wrong usage.
"""

from __future__ import annotations

import importlib
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ..errors import Refused, TouchstoneError
from .arguments import Progress, with_scale_joined


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did: for machines, for people, and what of it failed, which makes the exit code 1."""

    answer: dict[str, Any]
    text: Callable[[], str]
    failures: Sequence[str] = ()
    is_refuted: bool = False  # nothing failed, but what was to be shown isn't so


class FileCommand(Protocol):
    """A module. `run` returns what happened; where that is only a dictionary, the module's `say` words it."""

    HELP: str

    def add_arguments(self, parser: ArgumentParser) -> None: ...
    def run(self, options: Namespace, progress: Progress) -> Done | dict[str, Any]: ...


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
    try:
        answered = command.run(options, progress)
    except Refused as refused:
        for reason in refused.reasons:
            err(reason)
        return 1
    except TouchstoneError as error:
        err(str(error))
        return 1
    done = answered if isinstance(answered, Done) else Done(answered, lambda: _answer_text(command, answered))
    out(json.dumps(done.answer, ensure_ascii=False) if options.json else done.text())
    for failure in done.failures:
        err(failure)
    return 1 if done.failures or done.is_refuted else 0


def _answer_text(command: FileCommand, answer: dict[str, Any]) -> str:
    say: Callable[[dict[str, Any]], str] = command.say  # type: ignore[attr-defined]  # of a module that answers plainly
    return say(answer)


def main(program: str, module: str, arguments: Sequence[str]) -> int:
    """The command as a process of its own."""
    import sys

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
