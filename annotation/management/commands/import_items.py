"""`manage.py import_items STUDY items.csv`: all of a file's items, or none and every reason why."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TypedDict

from annotation.management.base import StudyCommand
from annotation.management.items_input import add_images_argument, import_items, pictures_beside


class Imported(TypedDict):
    study: str
    items: int
    notice: str
    unused: list[str]


class Command(StudyCommand[Imported]):
    help = "Adds the items of a file (CSV, JSON, Excel, Parquet) to a study: all of them, or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("items", type=Path, metavar="items.csv")
        add_images_argument(parser)

    def answer(self, options: Namespace) -> Imported:
        study = self.study(options.study)
        with pictures_beside(options.items, options.images) as pictures:
            count, unused = import_items(study, options.items, pictures)
        notice = study.items.without_right_answer_in_words()
        return {"study": study.slug, "items": count, "notice": notice, "unused": unused}

    def say(self, answer: Imported) -> str:
        count = answer["items"]
        were = "item was" if count == 1 else "items were"
        done = f"{count} {were} imported into {answer['study']}. {answer['notice']}".rstrip()
        return "\n".join([done, *answer["unused"]])
