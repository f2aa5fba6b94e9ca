"""What commands do alike: `--json`, a progress bar on a terminal, exit codes 0 done, 1 refused, 2 wrong usage."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Generic, TypeVar

from django.core.management.base import BaseCommand

from agreement.cli.progress import progress
from agreement.errors import Refused, TouchstoneError

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
            for reason in refusal.reasons:
                self.stderr.write(reason)
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
