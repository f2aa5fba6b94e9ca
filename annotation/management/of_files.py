"""The Django command of a command on files, so that `manage.py NAME` does what `touchstone NAME` does."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from agreement.cli import file_command
from agreement.cli.arguments import with_scale_joined
from agreement.cli.progress import progress
from agreement.processes import keep_freed_memory
from annotation.management.base import TouchstoneCommand


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
