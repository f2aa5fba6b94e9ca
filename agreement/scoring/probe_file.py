"""Reading probe.csv by its columns: what isn't right is named row by row, and then nothing of the file is used."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ..errors import Refused, option
from ..files.problems import Problems, refuse_if_any
from ..files.reading import Source, stem_of
from ..files.table import Table
from .harness_files import READ_AS, model_table
from .probe import Probe, Shape, StudyItems, refuse_unfit
from .probe_format import (
    DEFAULT,
    ID_COLUMN,
    IGNORE,
    MODEL_COLUMN,
    OUTPUT,
    USUAL_IDS,
    ProbeOptions,
    columns_as_told,
    how_to_name,
    how_to_name_the_item,
    models_in,
    refuse_unclear,
    unreadable,
    without,
    without_constant_settings,
)
from .probe_formats import FORMATS
from .probe_layout import ProbeRows


def read_probe(path: Source, study: StudyItems, *, name: str = "", options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a file; `Refused` with every bad row if it isn't one."""
    quick = quick_probe(path, study, name or stem_of(path))
    if quick is not None:
        return quick
    return probe_of_table(
        model_table(path, study, options[READ_AS]), study, name=name or stem_of(path), options=options
    )


def read_fitting_probes(
    path: Source, study: StudyItems, takes: Collection[Shape], *, name: str = "", options: ProbeOptions = DEFAULT
) -> list[Probe]:
    """As `read_probe`, one for each model of the file; a probe of no shape that the study's gold takes could never be
    scored, and is refused. Models are called as their column says, the only one of a file as `name` does.
    """
    quick = quick_probe(path, study, name or stem_of(path))
    if quick is not None:
        refuse_unfit(quick, study.kind, takes)
        return [quick]
    tables = tables_of_models(path, study, name=name, options=options)
    return [_fitting_probe(table, study, takes, model, options) for model, table in tables.items()]


def tables_of_models(
    path: Source, study: StudyItems, *, name: str, options: ProbeOptions = DEFAULT
) -> dict[str, Table]:
    """The table of each model of a file, by the model's name."""
    table = model_table(path, study, options[READ_AS])
    named = options[MODEL_COLUMN].strip()
    if named and named not in table.columns:
        raise Refused(f"{path.name}: there is no column {named}; it has the columns {', '.join(table.columns)}")
    return models_in(table, options) or {name or stem_of(path): table}


def _fitting_probe(
    table: Table, study: StudyItems, takes: Collection[Shape], name: str, options: ProbeOptions
) -> Probe:
    problems = Problems(table.name)
    options = without(options, MODEL_COLUMN)
    told = columns_as_told(table, study, options, problems)
    refuse_unclear(told, study, problems)
    refuse_if_any(problems)
    probe = probe_of_table(table, study, name=name, options=options)
    refuse_unfit(probe, study.kind, takes)
    return probe


def refuse_namesakes(probes: Sequence[Probe]) -> None:
    """Two models of one name, whose scores nobody could tell apart."""
    names = [probe.name for probe in probes]
    if again := sorted({name for name in names if names.count(name) > 1}):
        raise Refused(
            [f"{option('probe')}: two models are named {name}; scores are told apart by the name" for name in again]
        )


def probe_of_table(table: Table, study: StudyItems, *, name: str, options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a table, told by its columns (docs/formats.md); `Refused` with every bad row."""
    problems = Problems(table.name)
    table = columns_as_told(table, study, options, problems)
    refuse_if_any(problems)
    rows = ProbeRows(table, study, problems, options)
    probe = _read(rows, name)
    refuse_if_any(rows.problems)
    probe = without_constant_settings(probe)
    return replace(probe, notes=(*probe.notes, *table.notes))


def probe_of_raw_answers(table: Table, study: StudyItems, *, name: str, options: ProbeOptions = DEFAULT) -> Probe:
    """As `probe_of_table`, with labels, numbers or texts taken as what a model replied in its own words."""
    problems = Problems(table.name)
    table = columns_as_told(table, study, options, problems)
    refuse_if_any(problems)
    own = next((way for way in ("answer", "label", "text", "score") if way in table.columns), "answer")
    columns = {"answer" if column == own else column: cells for column, cells in table.columns.items()}
    told = without(options, OUTPUT, IGNORE, ID_COLUMN, MODEL_COLUMN)
    return probe_of_table(replace(table, columns=columns), study, name=name, options=told)


def _read(rows: ProbeRows, name: str) -> Probe:
    columns = rows.table.columns.keys()
    probe_format = next((each for each in sorted(FORMATS, key=lambda each: each.tried) if each.told_by(columns)), None)
    keys = {each.key for each in FORMATS} if probe_format is None else {probe_format.key}
    if not len(rows.table):
        rows.problems.whole("it has no outputs")
    elif not keys & columns:
        others = ", ".join(each.key_says for each in FORMATS if each.key_says)
        output = how_to_name([name for name in columns if name not in USUAL_IDS]) if probe_format is None else ""
        rows.problems.whole(
            f"there is no column item_id (or {others}); a probe names the item that each output is for (the columns are"
            f" {', '.join(columns)}){how_to_name_the_item(columns)}{output.replace('; ', ', and ')}"
        )
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
