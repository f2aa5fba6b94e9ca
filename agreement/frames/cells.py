"""A data frame's columns as the texts that a file would hold, each distinct one once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

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


def _cells(column: pd.Series) -> Cells:
    import pandas as pd

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
    import pandas as pd

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
    import pandas as pd

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
