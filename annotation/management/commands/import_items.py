"""`manage.py import_items STUDY items.csv`: all of a file's items, or none and every reason why."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.actions.studies import add_items
from annotation.importing import read_items
from annotation.management.base import StudyCommand


class Command(StudyCommand):
    help = "Adds the items of a CSV or JSON Lines file to a study: all of them, or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("items", type=Path, metavar="items.csv")

    def answer(self, **options: Any) -> dict[str, Any]:
        study = self.study(options["study"])
        items = read_items(options["items"], study)
        return {"study": study.slug, "items": add_items(study=study, items=items, source=options["items"].name)}

    def say(self, answer: dict[str, Any]) -> str:
        return f"{answer['items']} items are in {answer['study']} now."
