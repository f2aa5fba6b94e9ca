"""`manage.py verify bundle.zip`: computes every figure of a bundle again from the judgments in it."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.management.base import TouchstoneCommand


class Command(TouchstoneCommand):
    help = "Computes every figure of a bundle again from the judgments in it, and says what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("bundle", type=Path, metavar="bundle.zip")
        parser.add_argument("--expect", default="", metavar="SHA256", help="of gold.csv, as a paper printed it")

    def handle(self, *args: Any, **options: Any) -> None:
        """As every command, and exit 1 where something differs."""
        super().handle(*args, **options)
        if self.differs:
            sys.exit(1)

    def answer(self, **options: Any) -> dict[str, Any]:
        from agreement.verifying import verify

        found = verify(options["bundle"], expect=options["expect"])
        self.differs = bool(found.differences)
        return {
            "bundle": str(options["bundle"]),
            "result": found.words,
            "sha256": found.sha256,
            "differences": found.differences,
            "notes": found.notes,
        }

    def say(self, answer: dict[str, Any]) -> str:
        lines = [f"{answer['bundle']}: {answer['result']}. SHA-256 of gold.csv: {answer['sha256']}"]
        return "\n".join([*lines, *(f"  {one}" for one in answer["differences"]), *answer["notes"]])
