"""Reading probe.csv by its columns: what isn't right is named row by row, and then nothing of the file is used."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd

from ..files.problems import Problems, refuse_if_any
from ..files.reading import Source, required_table, stem_of
from ..files.table import Table
from .probe import Probe, Shape, StudyItems, refuse_unfit
from .probe_format import DEFAULT, ProbeOptions, columns_as_told, how_to_name, refuse_unclear, unreadable
from .probe_formats import FORMATS
from .probe_layout import ProbeRows


def read_probe(path: Source, study: StudyItems, *, name: str = "", options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a file; `Refused` with every bad row if it isn't one."""
    quick = quick_probe(path, study, name or stem_of(path))
    if quick is not None:
        return quick
    return probe_of_table(required_table(path, Problems(path.name)), study, name=name or stem_of(path), options=options)


def read_fitting_probe(
    path: Source, study: StudyItems, takes: Collection[Shape], *, name: str = "", options: ProbeOptions = DEFAULT
) -> Probe:
    """As `read_probe`; a probe of no shape that the study's gold takes could never be scored, and is refused."""
    probe = quick_probe(path, study, name or stem_of(path))
    if probe is None:
        problems = Problems(path.name)
        table = required_table(path, problems)
        told = columns_as_told(table, study, options, problems)
        refuse_unclear(told, study, problems)
        refuse_if_any(problems)
        probe = probe_of_table(table, study, name=name or stem_of(path), options=options)
    refuse_unfit(probe, study.kind, takes)
    return probe


def probe_of_table(table: Table, study: StudyItems, *, name: str, options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a table, told by its columns (docs/formats.md); `Refused` with every bad row."""
    problems = Problems(table.name)
    table = columns_as_told(table, study, options, problems)
    refuse_if_any(problems)
    rows = ProbeRows(table, study, problems, options)
    probe = _read(rows, name)
    refuse_if_any(rows.problems)
    return probe


def _read(rows: ProbeRows, name: str) -> Probe:
    columns = rows.table.columns.keys()
    probe_format = next((each for each in sorted(FORMATS, key=lambda each: each.tried) if each.told_by(columns)), None)
    keys = {each.key for each in FORMATS} if probe_format is None else {probe_format.key}
    if not len(rows.table):
        rows.problems.whole("it has no outputs")
    elif not keys & columns:
        others = ", ".join(each.key_says for each in FORMATS if each.key_says)
        rows.problems.whole(f"there is no column item_id (or {others}); a probe names the item that each output is for")
    elif probe_format is None:
        *ways, last = [each.says for each in FORMATS if each.says]
        rows.problems.whole(
            f"no column says what the model gives: {', '.join(ways)}, or {last} (the columns are {', '.join(columns)})"
            f"{how_to_name(columns)}"
        )
    else:
        return probe_format.read(rows, name)
    return unreadable(name)


# The quick way into a probe that is plainly right; any doubt sends it the strict way, which names what is wrong.


def quick_probe(path: Source, study: StudyItems, name: str) -> Probe | None:
    """A CSV of `item_id` and the numbers of one format in which nothing is to be refused or explained; else None.

    pandas reads such a file several times faster than the strict reader, and reads the same numbers.
    """
    frame = _frame(path) if isinstance(path, Path) else None
    if frame is None or isinstance(path, Table):
        return None
    for quick in (each.quick for each in FORMATS if each.quick is not None):
        columns = list(quick.columns(study))
        if sorted(frame.columns) != sorted(["item_id", *columns]):
            continue
        rows = study.rows_of(frame["item_id"].to_numpy(dtype=object))
        values = frame[columns].to_numpy(dtype=np.float64)
        if (rows < 0).any() or len(set(rows.tolist())) < len(rows) or not np.isfinite(values).all():
            return None
        if ((values == 0) | (values == 1)).all(axis=0).any() and _has_truths(path):
            return None
        return quick.read(values, rows, study, name)
    return None


def _frame(path: Path) -> pd.DataFrame | None:
    """The file's columns, ids as text and all else as numbers; None if pandas finds anything else in it."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    try:
        header = pd.read_csv(path, nrows=0, encoding="utf-8-sig").columns
        kinds = {column: "str" if column == "item_id" else "float64" for column in header}
        # A line of spaces is a row like any other, which the strict reader refuses.
        frame = pd.read_csv(path, dtype=kinds, na_filter=False, encoding="utf-8-sig", skip_blank_lines=False)
    except (ValueError, OSError, pd.errors.ParserError):
        return None
    plain = isinstance(frame.index, pd.RangeIndex) and "item_id" in frame and len(frame) > 0
    return frame if plain and not frame["item_id"].str.contains("'", regex=False).any() else None


def _has_truths(path: Path) -> bool:
    """Whether true or false stands anywhere in a file: pandas takes a column of nothing else for ones and zeros."""
    text = path.read_bytes().lower()
    return b"true" in text or b"false" in text
