"""A data frame's columns as the texts that a file would hold, each distinct one once: a table as from a file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..files.cell_texts import join_bars
from ..files.problems import Problems, refuse_if_any
from ..files.table import Column, Table, encode

Cell = str | tuple[str, ...]
SHORT_FLOATS = {"float32": np.float32, "float16": np.float16, "float[pyarrow]": np.float32}
Cells = tuple[npt.NDArray[np.int32], list[Cell]]


def cells_of(frame: pd.DataFrame) -> dict[str, Cells]:
    """Every column of the frame by its name; its index is left out."""
    names = [str(name).strip() for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"the frame has several columns named {', '.join(twice)}; rename or drop all but one")
    return {name: _cells(frame.iloc[:, at]) for at, name in enumerate(names)}


def table_of_frame(name: str, frame: pd.DataFrame) -> Table:
    """The frame as a table; `Refused` where a cell holds what no file can. A cell of several texts has them with |."""
    problems, made = Problems(name), {}
    rows = np.arange(len(frame))
    for column, (codes, values) in cells_of(frame).items():
        encoded = encode((value if isinstance(value, str) else join_bars(value) for value in values), len(values))
        made[column] = Column(encoded.codes[codes], encoded.values)
        bad = made[column].rows_where(lambda text: "\0" in text or not _is_unicode(text))
        problems.cells(rows[bad], column, made[column].codes[bad], encoded.values, "holds a character that no file can")
    refuse_if_any(problems)
    return Table(name, rows, made)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _cells(column: pd.Series) -> Cells:
    if column.dtype == object:  # 1 and True are the same key to pandas, and a list is none
        return _encoded(map(_cell, column.tolist()), len(column))
    codes, values = pd.factorize(column, use_na_sentinel=False)
    encoded, cells = _encoded(map(_cell, _distinct(values, column.dtype)), len(values))
    return encoded[codes], cells


def _distinct(values: Any, dtype: Any) -> list[Any]:
    """The values as Python's, but for short floats: 57.1 in 32 bits is 57.1 in a file, and not 57.09999847412109."""
    categories = getattr(dtype, "categories", None)
    short = SHORT_FLOATS.get(str(dtype if categories is None else categories.dtype).lower())
    if short is None:
        return list(values.tolist())
    return list(pd.Series(values).astype(object if categories is not None else dtype).to_numpy(short, na_value=np.nan))


def _encoded(cells: Iterable[Cell], count: int) -> Cells:
    numbers: dict[Hashable, int] = {}
    codes = np.fromiter((numbers.setdefault(cell, len(numbers)) for cell in cells), dtype=np.int32, count=count)
    return codes, list(numbers)  # type: ignore[arg-type]  # the keys are the cells


def _cell(value: Any) -> Cell:
    """One value as a file would hold it: blank where there is none.

    >>> [_cell(value) for value in (57.0, 4, "ninety", True, None, float("nan"), ["is green", "has leaves"])]
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
