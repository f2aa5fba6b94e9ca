"""What commands do alike: `--json`, a progress bar on a terminal, exit codes 0 done, 1 refused, 2 wrong usage."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from agreement.errors import Refused, TouchstoneError

if TYPE_CHECKING:
    from annotation.models import Study

BAR_WIDTH = 30
UNSEEN_FOR = 2.0  # seconds in which a command may well be done


def count(text: str) -> int:
    """The type of an option that is a whole number of 0 or more."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


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


class TouchstoneCommand(BaseCommand):
    """A command is `answer(**options)`, which does it, and `say(answer)`, which tells a person."""

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            answer = self.answer(**options)
        except Refused as refusal:
            for reason in refusal.reasons:
                self.stderr.write(reason)
            sys.exit(1)
        except TouchstoneError as error:
            self.stderr.write(str(error))
            sys.exit(1)
        self.stdout.write(json.dumps(answer, ensure_ascii=False) if options["json"] else self.say(answer))

    def answer(self, **options: Any) -> dict[str, Any]:
        raise NotImplementedError

    def say(self, answer: dict[str, Any]) -> str:
        raise NotImplementedError

    @contextmanager
    def progress(self, things: str) -> Iterator[Callable[[int, int], None] | None]:
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


class StudyCommand(TouchstoneCommand):
    """A command about one study, named by its slug."""

    metavar = "STUDY"
    of = "the study's short name (slug)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("study", metavar=self.metavar, help=self.of)

    def study(self, slug: str) -> Study:
        from annotation.models import Study  # commands on files are run without a site's settings

        try:
            return Study.objects.get(slug=slug)
        except Study.DoesNotExist:
            there = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "none yet"
            raise Refused(f"There is no study '{slug}'. There are: {there}.") from None
