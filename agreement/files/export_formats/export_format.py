"""What another tool's export is: how its file is read, and which of its columns are worker, item and answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import option
from ..column_mapping import ColumnMapping
from ..json_lines import Row
from ..problems import Problems
from ..reading import first_bytes, foreign
from ..table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """A file as its format reads it.

    `worker`, `item` and `value` are the columns that hold them unless somebody names others, blank where the format
    can't tell. `leaves_out` says that rows which the mapping names to be left out are gone. `items` are the columns of
    a wide file's items. `renamed` gives further columns our names. `where` says where a row of the table is in the
    file. `notes` are sentences on the answers that were left out, `notices` on what one should know of the reading.
    `skips_missing` says that a cell without an answer is of somebody who wasn't asked, unless the mapping says
    otherwise.
    """

    table: Table
    worker: str = ""
    item: str = ""
    value: str = ""
    items: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    where: Callable[[int], str] | None = None
    notes: tuple[str, ...] = ()
    columns_left_out: tuple[str, ...] = ()
    leaves_out: bool = False
    skips_missing: bool = False
    notices: tuple[str, ...] = ()


def no_answer(asked: str, questions: Collection[str]) -> str:
    """Where no answer is of the question that --value names.

    >>> from agreement.errors import sentence_for
    >>> sentence_for(no_answer("mood", ["tone", "topic"]), "command")
    'no answer is of mood; there are tone, topic: type --value tone'
    """
    if not questions:
        return f"no answer is of {asked}; there are none"
    return f"no answer is of {asked}; there are {', '.join(questions)}: type {option('value', next(iter(questions)))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """`name` is what `--from` takes. A file of this format is recognised by the columns of a table (`has`), by the
    first rows of a file of objects (`knows`) or by what stands in a folder (`folder_has`).
    """

    name: str
    title: str
    read: Callable[[Path, ColumnMapping, Problems], Export | None]
    has: Callable[[Collection[str]], bool] = lambda _columns: False
    knows: Callable[[list[Row]], bool] = lambda _rows: False
    folder_has: Callable[[Path], bool] = lambda _folder: False


def refused_as_foreign(path: Path, problems: Problems) -> bool:
    """Whether a file can't be one of text in UTF-8, which is then said."""
    start = first_bytes(path, problems)
    if start is not None and (file_type := foreign(start)):
        problems.whole(f"the file is {file_type}")
    return len(problems) > 0
