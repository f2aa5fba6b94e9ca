"""Excel workbooks and Parquet files as the table that a CSV would give, by packages that read them."""

from __future__ import annotations

import datetime as dt
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import option
from ..places import install_hint, missing_of
from .cell_texts import join_bars
from .json_lines import Row, table_of_cells
from .problems import Problems, quote_cell
from .table import Table

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx is a zip archive, .xls a compound file
PARQUET = b"PAR1"
MOST_UNZIPPED = 1 << 30  # bytes of a workbook's own files
ROWS_AT_ONCE = 1 << 14


def is_workbook(path: Path, start: bytes) -> bool:
    """Whether the file is Excel's, whatever its name is."""
    if not start.startswith(EXCEL):
        return False
    if start.startswith(EXCEL[1]):
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist() or "xl/workbook.bin" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def cell_text(value: object) -> str:
    """A value as a cell of a CSV would hold it.

    >>> [cell_text(value) for value in (57.0, 4, "ninety", True, None, ["is green", "has leaves"], {"a": 1})]
    ['57', '4', 'ninety', 'true', '', 'is green|has leaves', '{"a": 1}']
    """
    match value:
        case None:
            text = ""
        case str():
            text = value
        case bool():
            text = "true" if value else "false"
        case float():
            text = "" if value != value else repr(value).removesuffix(".0")  # noqa: PLR0124 - not a number
        case dt.date() | dt.time():  # and a datetime, which is a date
            text = value.isoformat()
        case list() | tuple() if not any(isinstance(part, (list, dict)) for part in value):
            text = join_bars([cell_text(part) for part in value])
        case list() | dict():
            text = json.dumps(value, ensure_ascii=False, default=str)
        case _:
            text = str(value)
    return text


def _is_missing(extra: str, problems: Problems) -> bool:
    """Whether the package that reads such a file isn't installed, which is then said."""
    if missing := missing_of(extra):
        problems.whole(f"reading it needs {', '.join(missing)}, which isn't installed: {install_hint(extra)}")
    return bool(missing)


# Excel.


def workbook_records(path: Path, sheet: str, problems: Problems) -> Iterator[list[str]] | None:
    """The rows of the one sheet that holds any, or of the one that is named, as texts; empty ones too."""
    if _is_missing("excel", problems):
        return None
    from python_calamine import CalamineError

    try:
        chosen = _sheet(path, sheet)
    except (CalamineError, zipfile.BadZipFile, OSError) as error:
        chosen = f"the workbook can't be read ({str(error) or type(error).__name__})"
    if isinstance(chosen, str):
        problems.whole(chosen)
        return None
    return ([cell_text(value).strip("\0") for value in row] for row in chosen.iter_rows())


def _sheet(path: Path, name: str) -> CalamineSheet | str:
    """The sheet that is meant, or why there is none."""
    from python_calamine import CalamineWorkbook

    if _unzipped_bytes(path) > MOST_UNZIPPED:
        return f"unpacked, the workbook is larger than {MOST_UNZIPPED >> 30} GiB; save the sheet as CSV"
    workbook = CalamineWorkbook.from_path(path)
    if name and name not in workbook.sheet_names:
        return f"there is no sheet {quote_cell(name)}; it has {', '.join(workbook.sheet_names)}"
    sheets = [workbook.get_sheet_by_name(each) for each in ([name] if name else workbook.sheet_names)]
    filled = [each for each in sheets if each.height]
    if len(filled) > 1:
        listed = ", ".join(each.name for each in filled)
        return f"it has several sheets ({listed}); say which: {option('sheet', filled[0].name)}"
    return filled[0] if filled else "the workbook is empty; its first row must name the columns"


def _unzipped_bytes(path: Path) -> int:
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        return sum(each.file_size for each in archive.infolist())


# Parquet.


def parquet_rows(path: Path, problems: Problems) -> Iterator[tuple[int, Row]]:
    """Its rows with their numbers, a part of the file in memory at a time."""
    if _is_missing("parquet", problems):
        return
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            number = 0
            if doubled := _doubled(file.schema_arrow.names):
                problems.whole(f"several columns are named {', '.join(map(quote_cell, doubled))}; rename all but one")
                return
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {str(name).strip(): value for name, value in row.items()}
    except (pyarrow.ArrowException, OSError) as error:
        problems.whole(f"the Parquet file can't be read ({str(error).splitlines()[0][:200]})")


def _doubled(names: Sequence[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def read_parquet(path: Path, problems: Problems, *, most_columns: int) -> Table | None:
    """Lists in cells stand with |, as in a CSV."""
    lists: set[str] = set()
    return table_of_cells(path.name, _in_text(parquet_rows(path, problems), lists), problems, lists, most_columns)


def _in_text(rows: Iterable[tuple[int, Mapping[str, object]]], lists: set[str]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in rows:
        lists.update(name for name, value in row.items() if isinstance(value, (list, dict)))
        yield number, {name: cell_text(value) for name, value in row.items()}
