"""Files that commands read as tables or write. Commands that need no database import this: so it knows no models."""

from pathlib import Path

from ..errors import Refused
from ..files.problems import Problems
from ..files.reading import required_table
from ..files.table import Table


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
