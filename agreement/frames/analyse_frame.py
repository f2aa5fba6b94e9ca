"""The analysis of a crowd's judgments as a function over a data frame, and the cells that a frame's values give."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..analysis.analysis import analyse as analyse_crowd
from ..analysis.file_job import crowd_of
from ..analysis.output_tables import csv_bytes
from ..cleaning.rule_set import DEFAULT as DEFAULT_RULES
from ..cleaning.rule_set import RuleSet, load_rules, rules_of
from ..errors import PYTHON, Refused, use_surface
from ..files.cell_texts import join_bars
from ..files.numbers import Scale, decimal_of
from ..files.problems import Problems, refuse_if_any
from ..files.table import Column, Table, encode
from ..judgments.crowd import Crowd
from ..judgments.judgments_file import Judgments, judgments_of
from ..judgments.repeated_judgments import Repeats
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..report.report import Source
from .frame_analysis import Analysis

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
        columns[column] = Column(encoded.codes[codes], encoded.values)
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
        return _encode_cells(map(_cell, column.tolist()), len(column))
    codes, values = pd.factorize(column, use_na_sentinel=False)
    encoded, cells = _encode_cells(map(_cell, _distinct(values, column.dtype)), len(values))
    return encoded[codes], cells


def _distinct(values: Any, dtype: Any) -> list[Any]:
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


# The analysis of a crowd's judgments as a function over a data frame.

MOST_NAMED = 30
FRAME, ITEMS = "frame", "items"
Progress = Callable[[str], None]


def analyse(
    frame: pd.DataFrame,
    *,
    kind: str | None = None,
    scale: tuple[float | Decimal, float | Decimal] | None = None,
    labels: Sequence[str] = (),
    ordered: bool = False,
    items: pd.DataFrame | None = None,
    repeats: str = "refuse",
    rules: str | os.PathLike[str] | Mapping[str, Any] = DEFAULT_RULES,
    seed: int = 1,
    replicates: int = 1_000,
    name: str = "judgments",
    progress: Progress | None = None,
) -> Analysis:
    """Clean a crowd's judgments, make gold of them, and measure how far people agree.

    Parameters
    ----------
    frame
        A row per judgment, with the columns worker_id, item_id and value; what else there may be is what
        judgments.csv may have (docs/formats.md).
    kind
        The kind of question: slider, choice, choices, verify, list, text, ranking; guessed where it isn't given.
    scale
        The ends of a slider as people saw them, such as (0, 100).
    labels
        All possible labels, in order; `ordered` says that their order means something.
    items
        A row per item, with item_id and, of checks, their name in `check` and their right answer in min, max or
        expected; without it the items are those of the judgments.
    repeats
        What to do with several answers of one worker to one item: refuse, first, last, mean or keep.
    rules
        The name of a rule set, a TOML file, or a dictionary of the same shape.
    seed, replicates
        Of every random draw, and of the bootstrap.
    progress
        Called with the name of each stage as it begins.

    Returns
    -------
    Analysis
        The same frame, rules and seed give the same figures, on the command line too.

    Raises
    ------
    Refused
        A ValueError that names every row, counted from 0 as `frame.iloc` does, and column that can't be used.

    Examples
    --------
    >>> import pandas as pd
    >>> answers = {"ann": [90, 20, 60], "bob": [80, 10, 70], "cem": [85, 15, 55]}
    >>> rows = [(who, item, value) for who, each in answers.items() for item, value in zip("xyz", each)]
    >>> frame = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
    >>> result = analyse(frame, kind="slider", scale=(0, 100))
    >>> result
    <Analysis of judgments: 3 of 3 workers and 9 of 9 judgments of 3 items kept>
    >>> result.gold[["item_id", "mean", "n"]].round(1).to_dict("records")[0]
    {'item_id': 'x', 'mean': 85.0, 'n': 3}
    >>> alpha = result.agreement.query("statistic.str.contains('alpha, interval') and judgments == 'kept'")
    >>> round(float(alpha["estimate"].iloc[0]), 2)
    0.96
    """
    tell = progress or (lambda _: None)
    with use_surface(PYTHON):
        tell("reading")
        ruled = _rules(rules)
        judgments, sources = read_frame(
            frame, kind=kind, scale=scale, labels=labels, ordered=ordered, items=items, repeats=repeats
        )
        computed = analyse_crowd(
            crowd_of_frame(judgments, ordered=ordered),
            ruled,
            study_name=str(name),
            seed=int(seed),
            replicates=int(replicates),
            repeated=judgments.repeated,
            sources=sources,
            progress=tell,
        )
    return Analysis.of(computed)


def read_frame(
    frame: pd.DataFrame,
    *,
    kind: str | None = None,
    scale: tuple[float | Decimal, float | Decimal] | None = None,
    labels: Sequence[str] = (),
    ordered: bool = False,
    items: pd.DataFrame | None = None,
    repeats: str = "refuse",
) -> tuple[Judgments, list[Source]]:
    """The judgments that a frame holds, and the hashes of what was read; `Refused` has every reason."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame is a {type(frame).__name__}, not a pandas DataFrame")
    _refuse_missing(frame)
    tables = [table_of_frame(FRAME, frame), *([] if items is None else [table_of_frame(ITEMS, items)])]
    judgments = judgments_of(
        tables[0],
        items=tables[1] if items is not None else None,
        kind=_kind(kind),
        scale=None if scale is None else _scale(scale),
        labels=_labels(labels, ordered=ordered),
        repeats=_repeats(repeats),
    )
    return judgments, [_source(each) for each in tables]


def _source(table: Table) -> Source:
    return Source(name=table.name, sha256=hashlib.sha256(csv_bytes(table.columns)).hexdigest())


def crowd_of_frame(judgments: Judgments, *, ordered: bool) -> Crowd:
    if ordered and not KINDS[judgments.kind].labels_may_be_ordered:
        raise Refused(f"ordered=True is for one label an answer, and these are of kind {judgments.kind}")
    return replace(crowd_of(judgments), ordered=ordered)


def _refuse_missing(frame: pd.DataFrame) -> None:
    """The columns that every frame needs: which are missing, which are there, and where the index has one."""
    names = [str(name).strip() for name in frame.columns]
    needed = ["worker_id", "item_id", *([] if any(name.startswith("v:") for name in names) else ["value"])]
    missing = [name for name in needed if name not in names]
    if not missing:
        return
    index = [str(name) for name in frame.index.names if name is not None]
    in_index = [name for name in missing if name in index]
    advice = "its index has " + " and ".join(in_index) + ": give frame.reset_index()" if in_index else ""
    if left := [name for name in missing if name not in in_index]:
        pairs = ", ".join(f'"COLUMN": "{name}"' for name in left)
        advice = "; ".join(filter(None, [advice, f"name yours by frame.rename(columns={{{pairs}}})"]))
    some = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    which = "the column" if len(missing) == 1 else "the columns"
    are = "is" if len(missing) == 1 else "are"
    raise Refused([f"frame: {which} {', '.join(missing)} {are} missing; it has {some or 'none'}; {advice}"])


def _kind(name: str | None) -> QuestionKind | None:
    known: dict[str, QuestionKind] = {str(kind): kind for kind in KINDS}
    if name is not None and name not in known:
        raise Refused(f"kind {name!r} is not one of {', '.join(known)}")
    return None if name is None else known[name]


def _repeats(policy: str) -> Repeats:
    for known in get_args(Repeats):
        if known == policy:
            return known  # type: ignore[no-any-return]  # a value of the literal type
    raise Refused(f"repeats {policy!r} is not one of {', '.join(get_args(Repeats))}")


def _labels(labels: Sequence[str], *, ordered: bool) -> tuple[str, ...]:
    if ordered and not labels:
        raise Refused("ordered=True: name the labels in their order too, such as labels=['never', 'sometimes']")
    return tuple(map(str, labels))


def _scale(scale: Sequence[float | Decimal]) -> Scale:
    if len(scale) != 2 or not all(isinstance(end, (Real, Decimal)) and not isinstance(end, bool) for end in scale):
        raise TypeError(f"scale is {scale!r}, not two numbers such as (0, 100)")
    written = [format(Decimal(str(end)), "f") for end in scale]
    low, high = map(decimal_of, written)
    if low is None or high is None or low >= high:
        raise Refused(f"scale ({', '.join(written)}) is not two numbers with the smaller first, such as (0, 100)")
    return Scale(low, high)


def _rules(rules: str | os.PathLike[str] | Mapping[str, Any]) -> RuleSet:
    if isinstance(rules, Mapping):
        return rules_of({"name": "rules of a dictionary", **_as_in_toml(rules)}, source="rules")
    return load_rules(os.fspath(rules))


def _as_in_toml(value: Any) -> Any:
    """A copy in Python's own types, with fractions as a rule reads them from TOML."""
    if isinstance(value, Mapping):
        return {str(key): _as_in_toml(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_in_toml(each) for each in value]
    plain = value.item() if hasattr(value, "item") else value
    return Decimal(repr(plain)) if isinstance(plain, float) else plain
