"""Files with a column per item or per rater made long, and columns under our names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from ..errors import option
from .cell_texts import is_blank, join_bars
from .column_mapping import ColumnMapping
from .column_words import is_rater
from .export_formats.export_format import Export
from .platform_ids import is_platform_id
from .problems import Places, Problems
from .recognition import NOT_CHOSEN, OF_A_QUESTION, are_marks, label_columns, rater_columns
from .table import Column, Encoder, Mask, Table

COLUMNS_NAMED = 30
ROW = "row"  # the column of a wide file that numbers items which have no id


def columns_listed(columns: Sequence[str] | Mapping[str, object]) -> str:
    names = [name for name in columns if not is_platform_id(name)]
    if people := len(columns) - len(names):
        names.append(f"{people:,} {'column' if people == 1 else 'columns'} called by ids of people")
    more = f" and {len(names) - COLUMNS_NAMED} more" if len(names) > COLUMNS_NAMED else ""
    return f"it has the columns {', '.join(names[:COLUMNS_NAMED])}{more}"


def renamed_columns(table: Table, names: Mapping[str, str], export: Export, problems: Problems) -> Table:
    """The same rows under our names; a column that had one of them already keeps its own as file:<name>."""
    new = {theirs: ours for ours, theirs in names.items()} | {
        theirs: ours for theirs, ours in export.renamed.items() if theirs not in names.values()
    }
    columns: dict[str, Column] = {}
    for name, column in table.columns.items():
        ours = new.get(name, name)
        columns[f"file:{name}" if ours == name and name in new.values() and name not in new else ours] = column
    their_names = {ours: theirs for theirs, ours in new.items() if ours != theirs and theirs in table.columns}
    problems.places = Places(export.where or problems.places.where, their_names)
    return replace(table, columns=columns)


def called_as_raters(table: Table, mapping: ColumnMapping) -> Iterator[str]:
    """Where columns that are called as people are read as items."""
    if not mapping.is_wide or mapping.raters_in_columns:
        return
    raters = [name for name in rater_columns(table, replace(mapping, item=mapping.worker)) if is_rater(name)]
    if len(raters) > 1:
        yield (
            f"The columns {', '.join(raters[:3])}{', …' if len(raters) > 3 else ''} are read as items, and are called"
            f" as raters are: {option('raters-in-columns')} reads them so."
        )


def long_table(
    table: Table, names: Mapping[str, str], export: Export, mapping: ColumnMapping, problems: Problems
) -> Table | None:
    """A row per row and column: of R rows and C columns of items, or raters, R x C rows, those of a row together."""
    if mapping.raters_in_columns and not mapping.item:
        numbered = Column(np.arange(len(table), dtype=np.int32), [f"{ROW}-{row}" for row in table.rows.tolist()])
        table, names = replace(table, columns={**table.columns, ROW: numbered}), {**names, "item_id": ROW}
    in_columns, in_rows = ("worker_id", "item_id") if mapping.raters_in_columns else ("item_id", "worker_id")
    columns = _answer_columns(table, names[in_rows], export, mapping, problems)
    if not columns:
        problems.whole(f"no column is left that could be {'a rater' if mapping.raters_in_columns else 'an item'}")
        return None
    ids = table.columns[names[in_rows]]
    if len(blank := ids.rows_where(is_blank)):
        problems.cells(table.rows[blank], names[in_rows], ids.codes[blank], ids.values, "is not an id")
        return None
    narrow = renamed_columns(
        replace(table, columns={k: c for k, c in table.columns.items() if k not in columns}),
        {ours: name for ours, name in names.items() if ours == in_rows},
        export,
        problems,
    )
    R, C = len(table), len(columns)
    numbers = np.repeat(table.rows, C) * C + np.tile(np.arange(C), R)
    repeated = {name: Column(np.repeat(column.codes, C), column.values) for name, column in narrow.columns.items()}
    named = Column(np.tile(np.arange(C, dtype=np.int32), R), columns)
    answers = _side_by_side([table.columns[name] for name in columns])
    problems.places = Places(
        lambda row: f"row {row // C}, column {columns[row % C]}", problems.places.names, names_the_answer=True
    )
    both = {in_rows: repeated.pop(in_rows), in_columns: named}
    own = {"worker_id": both["worker_id"], "item_id": both["item_id"], "value": answers}
    return Table(table.name, numbers, {**own, **{k: c for k, c in repeated.items() if k not in own}})


def labelled_table(
    table: Table, names: Mapping[str, str], export: Export, mapping: ColumnMapping, problems: Problems
) -> Table | None:
    """The same rows with an answer per label: numbers in columns v:<label>, of marks the labels that were chosen."""
    columns = label_columns(table, replace(mapping, worker=names["worker_id"], item=names["item_id"]))
    if not columns:
        problems.whole(f"no column is left that could be a label; {columns_listed(table.columns)}")
        return None
    questions = {name.partition(OF_A_QUESTION)[0] for name in columns if OF_A_QUESTION in name}
    if len(questions) > 1:
        patterns = [f"{name}{OF_A_QUESTION}*" for name in sorted(questions)]
        ways = ", or ".join(ColumnMapping(columns=(each,)).options() for each in patterns)
        problems.whole(f"it has answers to several questions; say which: {ways}")
        return None
    labels = [name.rpartition(OF_A_QUESTION)[2] for name in columns]
    cells = [table.columns[name] for name in columns]
    others = {name: column for name, column in table.columns.items() if name not in columns}
    if are_marks(cells):
        chosen = np.stack([_is_chosen(column) for column in cells], axis=1)
        rows, codes = np.unique(chosen, axis=0, return_inverse=True)
        texts = [join_bars([label for label, mark in zip(labels, row, strict=True) if mark]) for row in rows.tolist()]
        answers = {names["value"]: Column(codes.reshape(-1).astype(np.int32), texts)}
    else:
        answers = {f"v:{label}": column for label, column in zip(labels, cells, strict=True)}
    return renamed_columns(replace(table, columns={**others, **answers}), names, export, problems)


def _is_chosen(column: Column) -> Mask:
    marks = np.array([*(value.strip().casefold() not in NOT_CHOSEN for value in column.values), False])
    return np.asarray(marks[column.codes], dtype=np.bool_)


def _answer_columns(table: Table, key: str, export: Export, mapping: ColumnMapping, problems: Problems) -> list[str]:
    """The columns of a wide file that hold answers; patterns that name none are named."""
    others = {key, *export.renamed, *(one.partition("=")[0].strip() for one in mapping.leave_out)}
    for each in mapping.columns:
        if not any(fnmatchcase(name, each) for name in table.columns):
            problems.whole(f"{option('columns', each)}: no column is called so; {columns_listed(table.columns)}")
    if mapping.raters_in_columns or mapping.columns:
        columns = rater_columns(table, replace(mapping, item=key))
    else:
        columns = list(export.items) or list(table.columns)
    return [name for name in columns if name not in others]


def _side_by_side(columns: Sequence[Column]) -> Column:
    """[R x C] the cells of C columns, row by row."""
    encoder = Encoder()
    codes = []
    for column in columns:
        encoder.extend(column.values, len(column.values))
    joined = encoder.column()
    start = 0
    for column in columns:
        codes.append(joined.codes[start : start + len(column.values)][column.codes])
        start += len(column.values)
    return Column(np.stack(codes, axis=1).reshape(-1), joined.values)
