"""`manage.py import_items STUDY items.csv`: all of a file's items, or none and every reason why."""

from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypedDict

from agreement.errors import COMMAND, Refused
from annotation.management.base import StudyCommand
from annotation.media.files import in_folder
from annotation.media.taking import Media, media_from
from annotation.models import Study
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items
from annotation.studies.unused_in_import import unused_in_import


def add_images_argument(parser: ArgumentParser) -> None:
    where = "the folder of the pictures that the column image names (default: the folder of the items file)"
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument("--images", type=Path, metavar="DIR", help=where)
    every = "the folder of the pictures, sounds and videos that columns name, each of which an item has to name"
    folder.add_argument("--media", type=Path, metavar="DIR", help=every)


def media_beside(path: Path, options: Namespace) -> AbstractContextManager[Media]:
    """From the folder that was named, else from that of the file of items."""
    folder = options.media or options.images
    if folder is not None and not folder.is_dir():
        raise Refused(f"{folder}: there is no such folder.")
    return media_from(in_folder(folder or path.parent, offers_all=options.media is not None))


def import_items(study: Study, path: Path, pictures: Media) -> tuple[int, list[str]]:
    """All of the file's items, with their pictures, or none and every reason why; and what of it nothing uses."""
    items = read_items(path, study, pictures)
    count = add_items(study=study, items=items, source=path.name, pictures=pictures.seen.values())
    return count, unused_in_import(items, study, pictures, COMMAND)


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
        with media_beside(options.items, options) as pictures:
            count, unused = import_items(study, options.items, pictures)
        notice = study.items.without_right_answer_in_words()
        return {"study": study.slug, "items": count, "notice": notice, "unused": unused}

    def say(self, answer: Imported) -> str:
        count = answer["items"]
        were = "item was" if count == 1 else "items were"
        done = f"{count} {were} imported into {answer['study']}. {answer['notice']}".rstrip()
        return "\n".join([done, *answer["unused"]])
