"""The cells that a frame's values give, and frames as tables, a list or an object in a cell being many judgments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import Refused
from ..files.cell_texts import is_blank, join_bars
from ..files.column_mapping import ColumnMapping
from ..files.export_formats.lists import exploded
from ..files.nested import MOST_ELEMENTS, NestedShape
from ..files.problems import Problems, refuse_if_any
from ..files.table import Column, Table, encode

FRAME = "frame"
Cell = str | tuple[str, ...]
SHORT_FLOATS = {"float32": np.float32, "float16": np.float16, "float[pyarrow]": np.float32}
Cells = tuple[npt.NDArray[np.int32], list[Cell]]


def cells_of(frame: pd.DataFrame) -> dict[str, Cells]:
    """Every column of the frame by its name; its index is left out."""
    names = [str(name).strip() for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"the frame has several columns named {', '.join(twice)}; rename or drop all but one")
    return {name: _cells(frame.iloc[:, position]) for position, name in enumerate(names)}


def table_of_frame(name: str, frame: pd.DataFrame) -> Table:
    """The frame as a table; `Refused` where a cell holds what no file can. A cell of several texts has them with |."""
    problems, columns = Problems(name), {}
    rows = np.arange(len(frame))
    for column, (codes, values) in cells_of(frame).items():
        encoded = encode((value if isinstance(value, str) else join_bars(value) for value in values), len(values))
        has_lists = any(isinstance(value, tuple) for value in values)
        columns[column] = Column(encoded.codes[codes], encoded.values, has_lists=has_lists)
        bad = columns[column].rows_where(lambda text: "\0" in text or not _is_unicode(text))
        problems.cells(
            rows[bad], column, columns[column].codes[bad], encoded.values, "holds a character that no file can"
        )
    refuse_if_any(problems)
    return Table(name, rows, columns)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _cells(column: pd.Series) -> Cells:
    if column.dtype == object:  # 1 and True are the same key to pandas, and a list is none
        return _encode_cells(map(cell_of, column.tolist()), len(column))
    codes, values = pd.factorize(column, use_na_sentinel=False)
    encoded, cells = _encode_cells(map(cell_of, _distinct(values, column.dtype)), len(values))
    return encoded[codes], cells


def _distinct(values: Any, dtype: Any) -> list[object]:
    """The values as Python's, but for short floats: 57.1 in 32 bits is 57.1 in a file, and not 57.09999847412109."""
    categories = getattr(dtype, "categories", None)
    short = SHORT_FLOATS.get(str(dtype if categories is None else categories.dtype).lower())
    if short is None:
        return list(values.tolist())
    return list(pd.Series(values).astype(object if categories is not None else dtype).to_numpy(short, na_value=np.nan))


def _encode_cells(cells: Iterable[Cell], count: int) -> Cells:
    numbers: dict[Hashable, int] = {}
    codes = np.fromiter((numbers.setdefault(cell, len(numbers)) for cell in cells), dtype=np.int32, count=count)
    return codes, list(numbers)  # type: ignore[arg-type]  # the keys are the cells


def cell_of(value: Any) -> Cell:
    """One value as a file would hold it: blank where there is none.

    >>> [cell_of(value) for value in (57.0, 4, "ninety", True, None, float("nan"), ["is green", "has leaves"])]
    ['57', '4', 'ninety', 'true', '', '', ('is green', 'has leaves')]
    """
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    if isinstance(value, (set, frozenset)):
        value = sorted(map(str, value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(map(str, value))
    match value:
        case bool() | np.bool_():
            return "true" if value else "false"
        case float() | np.floating():
            return str(float(value) if isinstance(value, float) else value).removesuffix(".0")
        case dt.date():  # and a datetime, which is one
            return value.isoformat()
    return str(value)


def exploded_frame(frame: pd.DataFrame, shape: NestedShape, mapping: ColumnMapping) -> Table:
    """A row per judgment of a frame with lists or objects in its cells, under the row that it comes from."""
    problems = Problems(FRAME)
    rows = enumerate(plain_row(row) for row in frame.to_dict("records"))
    export = exploded(FRAME, rows, shape, mapping, problems)
    refuse_if_any(problems)
    if export is None:
        raise Refused(f"{FRAME}: it has no judgments")
    names = {export.worker: "worker_id", export.item: "item_id", export.value: "value"}
    columns = {names.get(name, name): column for name, column in export.table.columns.items()}
    table = replace(export.table, rows=export.table.rows // MOST_ELEMENTS, columns=columns)
    return table.take(np.isin(np.arange(len(table)), columns["value"].rows_where(is_blank), invert=True))


def plain_row(row: Mapping[Hashable, object]) -> dict[str, object]:
    return {str(name).strip(): _plain(value) for name, value in row.items()}


def _plain(value: Any) -> object:
    """Lists in the place of arrays, whatever is inside of them."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(each) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return None if pd.api.types.is_scalar(value) and pd.isna(value) else value
