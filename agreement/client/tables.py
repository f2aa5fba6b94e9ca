"""Data frames of a site's tables, and files of data frames."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# Columns of texts, of which some may look like numbers.
TEXTS = {"item_id", "left", "right", "worker_id", "assignment_id", "label", "labels", "reason", "evidence"}
YES_OR_NO = {"kept", "unchecked"}


def frame_of(lines: Iterable[str]) -> pd.DataFrame:
    """A table in JSON Lines whose cells are texts: numbers where all of a column are numbers.

    >>> frame_of(['{"item_id": "007", "mean": "4.5", "kept": "1"}', '{"item_id": "12", "mean": "", "kept": "0"}'])
      item_id  mean   kept
    0     007   4.5   True
    1      12   NaN  False
    """
    import pandas as pd

    frame = pd.DataFrame([json.loads(line) for line in lines if line.strip()])
    for name in frame.columns:
        if name in YES_OR_NO:
            frame[name] = frame[name] == "1"
        elif name not in TEXTS:
            frame[name] = _numbers(frame[name])
    return frame


def _numbers(column: pd.Series) -> pd.Series:
    """As numbers if every cell that isn't blank is one."""
    import pandas as pd

    blank = column == ""
    numbers = pd.to_numeric(column.where(~blank), errors="coerce")
    return column if blank.all() or (numbers.isna() & ~blank).any() else numbers


def json_lines(rows: pd.DataFrame | Iterable[dict[str, Any]]) -> IO[bytes]:
    """A file of a frame's rows, without what is missing in each."""
    import pandas as pd

    records = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else list(rows)
    there = ({str(name): _plain(cell) for name, cell in row.items() if not _is_missing(cell)} for row in records)
    return io.BytesIO("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in there).encode())


def csv_file(frame: pd.DataFrame) -> IO[bytes]:
    return io.BytesIO(frame.to_csv(index=False).encode())


def _is_missing(cell: Any) -> bool:
    import pandas as pd

    return bool(pd.api.types.is_scalar(cell) and pd.isna(cell))


def _plain(cell: Any) -> Any:
    """Numpy's numbers as Python's."""
    return cell.item() if hasattr(cell, "item") else cell
