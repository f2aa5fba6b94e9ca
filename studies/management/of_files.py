"""The Django command of a command on files, so that `manage.py NAME` does what `touchstone NAME` does."""

from __future__ import annotations

import importlib
from argparse import ArgumentParser, Namespace
from typing import Any

from annotation.management.base import TouchstoneCommand


def command_on_files(name: str) -> type[TouchstoneCommand]:
    module = importlib.import_module(f"studies.commands.{name}")

    class Command(TouchstoneCommand):
        help = module.HELP

        def add_arguments(self, parser: ArgumentParser) -> None:
            super().add_arguments(parser)
            module.add_arguments(parser)

        def answer(self, **options: Any) -> dict[str, Any]:
            answer: dict[str, Any] = module.run(Namespace(**options), self.progress)
            return answer

        def say(self, answer: dict[str, Any]) -> str:
            text: str = module.say(answer)
            return text

    return Command
