"""A file as it came, laid out as judgments.csv is: columns renamed, wide files made long, empty cells left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from ..errors import option
from .cell_texts import is_blank
from .column_mapping import ADVICE, AS_THEY_ARE, ColumnMapping, looks_joined
from .export_formats import EXPORT_FORMATS
from .export_formats.export_format import Export
from .marked_rows import without_rows_of
from .problems import Places, Problems, quote_cell
from .reading import read_table
from .table import Column, Encoder, Table

OURS = ("worker_id", "item_id", "value")
OF_OURS = {"worker_id": "worker", "item_id": "item", "value": "value"}
# What such columns are called elsewhere, for the example in a refusal; never taken without being told.
USUAL = {
    "worker_id": ("worker", "participant", "prolific", "annotator", "subject", "user", "rater", "person", "respons"),
    "item_id": (
        "item",
        "hit",
        "stimul",
        "trial",
        "question",
        "instance",
        "task",
        "pair",
        "word",
        "object",
        "image",
        "sentence",
        "concept",
    ),
    "value": ("answer", "rating", "response", "score", "label", "judg", "similarity", "value", "choice"),
}
NOT_ANSWERS = frozenset({"response_ms", "submitted_at", "assignment_id"})  # columns that have a meaning of their own
SHORT = 3  # of so few letters a usual name is looked for at the start of a word alone: hit is no part of white
COLUMNS_NAMED = 30


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Sentences on answers that were left out, which a paper prints, and the columns that were."""

    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        return [*self.notes, *([f"Columns left out: {', '.join(self.columns)}."] if self.columns else [])]


NOTHING_LEFT_OUT = LeftOut()


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTable:
    """A table with the columns of judgments.csv, and what was left out of it."""

    table: Table
    left_out: LeftOut = NOTHING_LEFT_OUT


def read_laid_out(path: Path, mapping: ColumnMapping, problems: Problems) -> JudgmentTable | None:
    """The file's judgments; None, with the reasons in `problems`, where it isn't as the mapping says."""
    if mapping.export:
        export = EXPORT_FORMATS[mapping.export].read(path, mapping, problems)
    else:
        table = read_table(path, problems)
        export = None if table is None else Export(table)
    if export is None:
        return None
    if mapping == AS_THEY_ARE:
        return JudgmentTable(export.table)
    table, notes = _without_rows(export, mapping, problems)
    if mapping.export and len(problems):
        return None
    names = _names(export, mapping)
    if not _has_all_columns(table, names, export, mapping, problems):
        return None
    if mapping.is_wide or export.items:
        table = _long(table, names, export, mapping, problems)
    else:
        table = _rename_columns(table, names, export, problems)
    if table is None:
        return None
    laid = _skip_unanswered(JudgmentTable(table, LeftOut((*export.notes, *notes), export.columns_left_out)), mapping)
    return replace(laid, table=laid.table.without_unused())


def _names(export: Export, mapping: ColumnMapping) -> dict[str, str]:
    """Which column of the file is which of ours."""
    is_named = mapping.export in {"label-studio", "potato"}  # their readers have used the names already
    mapped_names = {"worker_id": mapping.worker, "item_id": mapping.item, "value": mapping.value}
    export_names = {"worker_id": export.worker, "item_id": export.item, "value": export.value}
    return {
        ours: (export_names[ours] if is_named else mapped_names[ours] or export_names[ours]) or ours for ours in OURS
    }


def _without_rows(export: Export, mapping: ColumnMapping, problems: Problems) -> tuple[Table, tuple[str, ...]]:
    """Without the rows whose numbers are named, and then without those of which a column says so."""
    table = _without_numbered(export.table, mapping, problems)
    return (table, ()) if export.leaves_out else without_rows_of(table, mapping.leave_out, problems)


def _without_numbered(table: Table, mapping: ColumnMapping, problems: Problems) -> Table:
    if not mapping.skip_rows:
        return table
    keep = np.ones(len(table), dtype=np.bool_)
    for row in mapping.skip_rows:
        if row > len(table):
            skipped = option("skip-rows", str(row), python=f"skip_rows={row}")
            problems.whole(f"{skipped}: it has {len(table):,} rows below the header")
        else:
            keep[row - 1] = False
    return table.take(keep)


def _has_all_columns(
    table: Table, names: Mapping[str, str], export: Export, mapping: ColumnMapping, problems: Problems
) -> bool:
    """Whether the columns are there; which are there instead, and what to type, where one isn't."""
    is_wide = mapping.is_wide or bool(export.items)
    needed = ["worker_id"] if is_wide else [one for one in OURS if one != "value" or not _is_per_label(table)]
    absent = [ours for ours in needed if names[ours] not in table.columns]
    for ours in absent:
        option = OF_OURS[ours]
        told = f"--{option} names the" if getattr(mapping, option) else "there is no"
        problems.whole(f"{told} column {names[ours]}; {columns_found(table.columns, mapping, absent)}")
    return not absent


def _is_per_label(table: Table) -> bool:
    return any(name.startswith("v:") for name in table.columns)


def columns_found(
    columns: Sequence[str] | Mapping[str, object], mapping: ColumnMapping = AS_THEY_ARE, absent: Sequence[str] = OURS
) -> str:
    """The columns that are there, and what to type where some of them look like ours; of what the mapping says already
    only what names a column that is `absent`.

    >>> from agreement.errors import sentence_for
    >>> sentence_for(columns_found(["WorkerId", "HITId", "Answer.similarity"]), "command")
    'it has the columns WorkerId, HITId, Answer.similarity; type --from mturk'
    >>> columns_found(["participant", "word", "Rating"])
    'it has the columns participant, word, Rating; type --worker participant --item word --value Rating'
    >>> columns_found(["who", "white", "object_id", "response_ms"])
    'it has the columns who, white, object_id, response_ms; type --worker COLUMN --item object_id --value COLUMN'
    """
    names = list(columns)
    listed = ", ".join(names[:COLUMNS_NAMED]) + (
        f" and {len(names) - COLUMNS_NAMED} more" if len(names) > COLUMNS_NAMED else ""
    )
    if joined := next((name for name in names if looks_joined(name)), ""):
        return (
            f"it has the columns {listed}, and {quote_cell(joined)} looks like {looks_joined(joined)} in one; {ADVICE}"
        )
    known = next((each.name for each in EXPORT_FORMATS.values() if each.has(names)), "")
    if known and not mapping.export:
        return f"it has the columns {listed}; type {option('from', known)}"
    return f"it has the columns {listed}; type {_example(names, absent)}"


def _example(names: Sequence[str], absent: Sequence[str]) -> str:
    taken: list[str] = []
    for ours, usual in USUAL.items():
        free = [name for name in names if name not in taken and name not in NOT_ANSWERS]
        fits = [name for word in usual for name in free if _holds(name, word)]
        taken.append(ours if ours in free else (fits[0] if fits else "COLUMN"))
    options = zip(OF_OURS.items(), taken, strict=True)
    return " ".join(f"--{option} {shlex.quote(name)}" for (ours, option), name in options if ours in absent)


def _holds(name: str, word: str) -> bool:
    """Whether a column's name has a usual name in it.

    >>> [_holds(name, "hit") for name in ("HITId", "the_hit", "white")]
    [True, True, False]
    """
    if len(word) > SHORT:
        return word in name.lower()
    return any(part.lower().startswith(word) for part in re.findall("[A-Z]*[a-z]*", name) if part)


def _rename_columns(table: Table, names: Mapping[str, str], export: Export, problems: Problems) -> Table:
    """The same rows under our names; a column that had one of them already keeps its own as file:<name>."""
    new = {theirs: ours for ours, theirs in names.items()} | {
        theirs: ours for theirs, ours in export.renamed.items() if theirs not in names.values()
    }
    columns: dict[str, Column] = {}
    for name, column in table.columns.items():
        ours = new.get(name, name)
        columns[f"file:{name}" if ours == name and name in new.values() and name not in new else ours] = column
    their_names = {ours: theirs for theirs, ours in new.items() if ours != theirs and theirs in table.columns}
    problems.places = Places(export.where or problems.places.where, {} if export.where else their_names)
    return replace(table, columns=columns)


def _long(
    table: Table, names: Mapping[str, str], export: Export, mapping: ColumnMapping, problems: Problems
) -> Table | None:
    """A row per row and item: of R rows and C columns of items R x C rows, those of a row together."""
    others = {names["worker_id"], *export.renamed, *(one.partition("=")[0].strip() for one in mapping.leave_out)}
    if mapping.columns:
        items = [name for name in table.columns if any(fnmatchcase(name, each) for each in mapping.columns)]
        idle = [each for each in mapping.columns if not any(fnmatchcase(name, each) for name in table.columns)]
        for each in idle:
            listed = ", ".join(list(table.columns)[:COLUMNS_NAMED])
            problems.whole(f"{option('columns', each)}: no column is called so; it has the columns {listed}")
    else:
        items = list(export.items) or [name for name in table.columns if name not in others]
    items = [name for name in items if name not in others]
    if not items:
        problems.whole("no column is left that could be an item")
        return None
    workers = table.columns[names["worker_id"]]
    if len(blank := workers.rows_where(is_blank)):
        limit = "is not an id"
        problems.cells(table.rows[blank], names["worker_id"], workers.codes[blank], workers.values, limit)
        return None
    narrow = _rename_columns(
        replace(table, columns={k: c for k, c in table.columns.items() if k not in items}), names, export, problems
    )
    R, C = len(table), len(items)
    numbers = np.repeat(table.rows, C) * C + np.tile(np.arange(C), R)
    repeated = {name: Column(np.repeat(column.codes, C), column.values) for name, column in narrow.columns.items()}
    item = Column(np.tile(np.arange(C, dtype=np.int32), R), items)
    answers = _side_by_side([table.columns[name] for name in items])
    problems.places = Places(
        lambda row: f"row {row // C}, column {items[row % C]}", problems.places.names, names_the_answer=True
    )
    own = {"worker_id": repeated.pop("worker_id"), "item_id": item, "value": answers}
    return Table(table.name, numbers, {**own, **{k: c for k, c in repeated.items() if k not in own}})


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


def _skip_unanswered(laid: JudgmentTable, mapping: ColumnMapping) -> JudgmentTable:
    """Without the rows that have no answer, if these are to be skipped."""
    value = laid.table.columns.get("value")
    if mapping.missing != "skip" or value is None:
        return laid
    gone = value.rows_where(lambda text: is_blank(text) or text.strip() in mapping.missing_as)
    if not len(gone):
        return laid
    keep = np.ones(len(laid.table), dtype=np.bool_)
    keep[gone] = False
    note = f"{len(gone):,} {'cell' if len(gone) == 1 else 'cells'} without an answer left out."
    return JudgmentTable(laid.table.take(keep), replace(laid.left_out, notes=(*laid.left_out.notes, note)))
