"""`manage.py import_authenticity STUDY prolific.csv`: results of Prolific's authenticity checks, all or none."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.management.base import StudyCommand
from annotation.people.authenticity import Columns, ImportedResults, import_authenticity, in_words


class Command(StudyCommand[dict[str, Any]]):
    help = "Adds the results of Prolific's authenticity checks to a study's people; a second run adds none twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="prolific.csv")
        parser.add_argument("--session", default="", metavar="COLUMN", help="the column of the submissions' ids")
        parser.add_argument("--texts", default="", metavar="COLUMN", help="the column of the check of free texts")
        parser.add_argument("--automation", default="", metavar="COLUMN", help="the column of the check for automation")

    def answer(self, options: Namespace) -> dict[str, Any]:
        columns = Columns(options.session, options.texts, options.automation)
        study = self.study(options.study)
        counts = import_authenticity(study=study, file=options.file, columns=columns, by=None)
        return {"study": study.slug, **asdict(counts)}

    def say(self, answer: dict[str, Any]) -> str:
        counts = ImportedResults(**{name: value for name, value in answer.items() if name != "study"})
        return "\n".join(in_words(counts))
