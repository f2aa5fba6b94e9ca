"""Files that commands read as tables and write back."""

from pathlib import Path

from annotation.errors import Refused
from tables.problems import Problems, refuse_if_any
from tables.reading import read_table
from tables.table import Table


def table_of(path: Path) -> Table:
    """The table in a file; `Refused` with every reason, also where it has no column item_id."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    refuse_if_any(problems)
    assert table is not None  # noqa: S101 - without a table there is a problem, and it was just raised
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
