"""Files that commands read as tables, bring items in from, or write."""

from argparse import ArgumentParser
from contextlib import AbstractContextManager
from pathlib import Path

from annotation.actions.studies import add_items
from annotation.errors import Refused
from annotation.item_files import read_items
from annotation.models import Study
from annotation.pictures import Pictures, in_folder, pictures_of
from tables.problems import Problems
from tables.reading import required_table
from tables.table import Table


def table_of(path: Path) -> Table:
    """The table in a file; `Refused` with every reason, also where it has no column item_id."""
    problems = Problems(path.name)
    table = required_table(path, problems)
    if "item_id" not in table.columns or not len(table):
        raise Refused(f"{path.name}: it needs the column item_id and at least one row.")
    return table


def write_new(path: Path, content: bytes) -> None:
    """A file that isn't there yet."""
    try:
        with path.open("xb") as out:
            out.write(content)
    except FileExistsError:
        raise Refused(f"{path} is there already: name another file, or remove it.") from None
    except OSError as error:
        raise Refused(f"{path}: it can't be written ({error.strerror})") from error


# What the commands that bring in items share: a file, and the folder of the pictures that it names.


def add_images_argument(parser: ArgumentParser) -> None:
    where = "the folder of the pictures that the column image names (default: the folder of the items file)"
    parser.add_argument("--images", type=Path, metavar="DIR", help=where)


def pictures_beside(path: Path, images: Path | None) -> AbstractContextManager[Pictures]:
    return pictures_of(in_folder(images or path.parent))


def import_items(study: Study, path: Path, pictures: Pictures) -> int:
    """All of the file's items, with their pictures, or none and every reason why."""
    items = read_items(path, study, pictures)
    return add_items(study=study, items=items, source=path.name, pictures=pictures.seen.values())
