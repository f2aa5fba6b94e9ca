"""What commands do alike: `--json`, a progress bar on a terminal, exit codes 0 done, 1 refused, 2 wrong usage."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Generic, TypeVar

from django.core.management.base import BaseCommand
from django.db import OperationalError, ProgrammingError

from agreement.cli import file_command
from agreement.cli.arguments import with_scale_joined
from agreement.cli.progress import progress
from agreement.errors import Refused, TouchstoneError
from agreement.processes import keep_freed_memory

if TYPE_CHECKING:
    from annotation.models import Study

Answer = TypeVar("Answer")


class TouchstoneCommand(BaseCommand, Generic[Answer]):
    """A command is `answer(options)`, which does it and whose result is what `--json` prints, and `say(answer)`, which
    tells a person.
    """

    requires_system_checks = ()
    progress = staticmethod(progress)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")

    def handle(self, *_args: object, **options: object) -> None:
        try:
            answer = self.answer(Namespace(**options))
        except Refused as refusal:
            for line in file_command.refusal_lines(refusal.reasons):
                self.stderr.write(line)
            sys.exit(1)
        except TouchstoneError as error:
            self.stderr.write(str(error))
            sys.exit(1)
        self.stdout.write(json.dumps(answer, ensure_ascii=False) if options["json"] else self.say(answer))

    def answer(self, options: Namespace) -> Answer:
        raise NotImplementedError

    def say(self, answer: Answer) -> str:
        raise NotImplementedError


class StudyCommand(TouchstoneCommand[Answer]):
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
            slugs = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "none yet"
            raise Refused(f"There is no study '{slug}'. There are: {slugs}.") from None
        except (OperationalError, ProgrammingError) as error:
            raise Refused(
                f"There is no study '{slug}': this site's database has no tables, or can't be read ({error})."
                " `migrate` makes the tables."
            ) from error


# The Django command of a command on files, so that `manage.py NAME` does what `touchstone NAME` does.


def command_on_files(module: str) -> type[TouchstoneCommand[None]]:
    """Of the module that has the command."""
    command = file_command.load(module)

    class Command(TouchstoneCommand[None]):
        help = command.HELP

        def add_arguments(self, parser: ArgumentParser) -> None:
            file_command.add_arguments(command, parser)

        def run_from_argv(self, argv: list[str]) -> None:
            keep_freed_memory()
            super().run_from_argv(with_scale_joined(argv))

        def handle(self, *_args: object, **options: object) -> None:
            code = file_command.perform(
                command, Namespace(**options), progress, out=self.stdout.write, err=self.stderr.write
            )
            if code:
                sys.exit(code)

    return Command
