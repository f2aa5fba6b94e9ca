"""A data frame's columns as the texts that a file would hold, each distinct one once: a table as from a file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import PYTHON, Refused, worded_for
from ..estimation.design import Design, design_of, runs
from ..estimation.estimate import stream
from ..files.cell_texts import join_bars
from ..files.problems import Problems, refuse_if_any
from ..files.table import Column, Table, encode
from ..judgments.crowd import Crowd, Sample
from ..judgments.order_of_answers import in_order_of_answers
from ..kinds.registry import KINDS
from ..people.label_statistics import LabelStatistics, labelled
from .analyse_frame import crowd_of_frame, read_frame

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


# Answers that functions take, read as `analyse` reads a frame, so that the same answers are refused.

# A row per judgment with worker_id, item_id and value; or a row per item and a column per worker, blanks left blank.
Answers: TypeAlias = pd.DataFrame | npt.ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class ReadAnswers:
    crowd: Crowd
    sample: Sample

    @classmethod
    def of(
        cls, data: Answers, *, as_labels: bool | None = None, kind: str | None = None, labels: Sequence[str] = ()
    ) -> Self:
        frame = data if isinstance(data, pd.DataFrame) else frame_of_array(data)
        if kind is None:
            numeric = "value" in frame and pd.api.types.is_numeric_dtype(frame["value"])
            kind = "choice" if (as_labels if as_labels is not None else not numeric) else "slider"
        facts = KINDS.get(kind)
        is_one_number = facts is not None and facts.has_scale and not facts.has_labels
        with worded_for(PYTHON):
            judgments, _ = read_frame(frame, kind=kind, scale=_ends(frame) if is_one_number else None, labels=labels)
            crowd = crowd_of_frame(judgments, ordered=False)
            if not crowd.on_target.any():
                raise Refused("frame: it has no judgments of items that aren't checks")
        return cls(*in_order_of_answers(crowd, crowd.on_target))

    @property
    def design(self) -> Design:
        """Items in the order of their rows, as a report has them, so that the same are left out together."""
        in_order = runs(self.sample.item)
        return design_of(self.sample.item if in_order is None else in_order, self.sample.worker)

    @property
    def numbers(self) -> npt.NDArray[np.float64]:
        return np.asarray(self.sample.answers, dtype=np.float64) + 0.0

    @property
    def codes(self) -> npt.NDArray[np.int64]:
        return np.asarray(self.sample.answers, dtype=np.int64)

    def labelled(self, seed: int, *, with_alpha: bool = True) -> LabelStatistics:
        rng = stream(seed, "labels")
        count = len(self.crowd.labels)
        return labelled(self.design, {"": self.codes}, count, replicates=0, rng=rng, with_alpha=with_alpha)[""]


def frame_of_array(values: npt.ArrayLike) -> pd.DataFrame:
    """A row per judgment of an array [items, workers]; items and workers are called by their numbers.

    >>> len(frame_of_array([[1.0, float("nan")], [2.0, 3.0]]))
    3
    """
    table = pd.DataFrame(np.asarray(values))
    long = table.rename_axis("item_id").reset_index().melt("item_id", var_name="worker_id", value_name="value")
    return long.dropna(subset=["value"]).reset_index(drop=True).astype({"item_id": str, "worker_id": str})


def _ends(frame: pd.DataFrame) -> tuple[float, float] | None:
    """Numbers are taken as they are: their own ends are the scale, which no figure here depends on."""
    if "value" not in frame:
        return None
    values = pd.to_numeric(frame["value"], errors="coerce").dropna()
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    return (low, high) if low < high else (low, low + 1)
