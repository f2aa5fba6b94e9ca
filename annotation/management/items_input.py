"""What the commands that bring in items share: a file, and the folder of the pictures that it names."""

from argparse import ArgumentParser
from contextlib import AbstractContextManager
from pathlib import Path

from agreement.errors import COMMAND
from annotation.media.files import in_folder
from annotation.media.taking import Media, media_from
from annotation.models import Study
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items
from annotation.studies.unused_in_import import unused_in_import


def add_images_argument(parser: ArgumentParser) -> None:
    where = "the folder of the pictures that the column image names (default: the folder of the items file)"
    parser.add_argument("--images", type=Path, metavar="DIR", help=where)


def pictures_beside(path: Path, images: Path | None) -> AbstractContextManager[Media]:
    return media_from(in_folder(images or path.parent))


def import_items(study: Study, path: Path, pictures: Media) -> tuple[int, list[str]]:
    """All of the file's items, with their pictures, or none and every reason why; and what of it nothing uses."""
    items = read_items(path, study, pictures)
    count = add_items(study=study, items=items, source=path.name, pictures=pictures.seen.values())
    return count, unused_in_import(items, study, pictures, COMMAND)
