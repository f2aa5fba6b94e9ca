"""A file as it came, laid out as judgments.csv is: columns renamed, wide files made long, empty cells left out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..errors import option
from .cell_texts import is_blank
from .column_mapping import ADVICE, AS_THEY_ARE, ColumnMapping, looks_joined
from .column_words import ROLES, candidates
from .export_formats import EXPORT_FORMATS
from .export_formats.export_format import Export, ExportFormat
from .json_lines import parsed_once
from .marked_rows import without_rows_of
from .nested import looks_like_lists, peek
from .numbers import count_text, decimal_of
from .problems import Problems, quote_cell
from .reading import Source, read_table, without_empty_rows
from .recognition import (
    MOST_READINGS,
    PER_ITEM,
    PER_JUDGMENT,
    PER_LABEL,
    PER_RATER,
    Reading,
    readings_of,
)
from .response_times import with_response_times
from .table import Column, Table
from .wide_files import COLUMNS_NAMED, called_as_raters, columns_listed, labelled_table, long_table, renamed_columns

OF_OURS = {"worker_id": "worker", "item_id": "item", "value": "value"}
NO_ANSWER = frozenset({"NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "<NA>"})
NOT_ANSWERS = frozenset({"response_ms", "submitted_at", "assignment_id"})  # columns that have a meaning of their own
LISTS = "lists"  # the format of files with lists or objects in their cells


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
    """A table with the columns of judgments.csv, what was left out of it, and as what it was read: its shape in words
    and what one would type for it.
    """

    table: Table
    left_out: LeftOut = NOTHING_LEFT_OUT
    shape: str = PER_JUDGMENT
    mapping: ColumnMapping = AS_THEY_ARE
    notices: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)  # which columns are worker, item and answer

    def counts_of(self, workers: int, items: int, judgments: int) -> str:
        """As what it was read, in one line."""
        who = "rater" if self.mapping.raters_in_columns else "worker"
        counts = (count_text(workers, who), count_text(items, "item"), count_text(judgments, "judgment"))
        columns = ", ".join(f"{role}: {name}" for role, name in self.named.items())
        return f"read as: {self.shape}{f' ({columns})' if columns else ''}, {', '.join(counts)}"


def read_laid_out(source: Source, mapping: ColumnMapping, problems: Problems) -> JudgmentTable | None:
    """The judgments of a file or a table; None, with the reasons in `problems`, where it isn't as the mapping says, or
    where it can be read in several ways.
    """
    if isinstance(source, Table):
        return lay_out(Export(source), None, mapping, problems)
    with parsed_once():
        return _of_file(source, mapping, problems)


def _of_file(source: Path, mapping: ColumnMapping, problems: Problems) -> JudgmentTable | None:
    if not mapping.export and (known := _recognised_export(source, mapping)):
        mapping = replace(mapping, export=known)
    if mapping.export:
        export = EXPORT_FORMATS[mapping.export].read(source, mapping, problems)
    else:
        table = read_table(source, problems, sheet=mapping.sheet)
        export = None if table is None else Export(table)
    return None if export is None else lay_out(export, source, mapping, problems)


def lay_out(export: Export, path: Path | None, mapping: ColumnMapping, problems: Problems) -> JudgmentTable | None:
    """What a reader has given, under our columns and without empty rows."""
    export = replace(export, table=without_empty_rows(export.table))
    if not mapping.export and not export.table.columns and len(problems):
        return JudgmentTable(export.table)  # JSON Lines of which no row could be read: which columns, nobody knows
    table, notes = _without_rows(export, mapping, problems)
    if mapping.export and len(problems):
        return None
    shape = EXPORT_FORMATS[mapping.export].title if mapping.export else _typed_shape(mapping)
    if not mapping.export and _absent(table, export, mapping):
        if path is not None and (known := _export_with(table)) is not None:
            mapping = replace(mapping, export=known.name)
            read = known.read(path, mapping, problems)
            return None if read is None else lay_out(read, path, mapping, problems)
        reading = _one_reading(table, mapping, problems)
        if reading is None:
            return None if len(problems) else JudgmentTable(table)
        mapping, shape = reading.mapping, reading.words
    return _laid_out(table, export, mapping, shape, notes, problems)


def _export_with(table: Table) -> ExportFormat | None:
    return next((each for each in EXPORT_FORMATS.values() if each.has(table.columns)), None)


def _laid_out(
    table: Table, export: Export, mapping: ColumnMapping, shape: str, notes: Sequence[str], problems: Problems
) -> JudgmentTable | None:
    """By a mapping that says all."""
    names = _names(export, mapping)
    if not _has_all_columns(table, names, export, mapping, problems):
        return None
    is_wide = (mapping.is_wide and mapping.export != LISTS) or bool(export.items)
    notices = (*export.notices, *called_as_raters(table, mapping))
    lay = long_table if is_wide else labelled_table if mapping.labels_in_columns else _of_rows
    long = lay(table, names, export, mapping, problems)
    if long is None:
        return None
    long, of_times = with_response_times(long, mapping, problems, is_wide=is_wide)
    empty = export.table.empty_rows
    skipped = (f"{count_text(empty, 'empty row')} skipped.",) if empty else ()
    left_out = LeftOut((*export.notes, *skipped, *notes), export.columns_left_out)
    typed = {"worker": mapping.worker, "item": mapping.item, "answer": mapping.value}
    of_file = zip(typed, (names[ours] for ours in ROLES), ROLES, strict=True)
    named = {role: name for role, name, ours in of_file if name in table.columns and (name != ours or typed[role])}
    laid = JudgmentTable(long, left_out, shape, mapping, (*notices, *of_times), named)
    if mapping == AS_THEY_ARE and not empty:
        return laid
    by_default = is_wide or mapping.labels_in_columns or export.skips_missing
    laid = _skip_unanswered(laid, mapping, by_default=by_default)
    return replace(laid, table=laid.table.without_unused())


def _of_rows(
    table: Table, names: Mapping[str, str], export: Export, _mapping: ColumnMapping, problems: Problems
) -> Table:
    return renamed_columns(table, names, export, problems)


def _typed_shape(mapping: ColumnMapping) -> str:
    if mapping.labels_in_columns:
        return PER_LABEL
    return PER_RATER if mapping.raters_in_columns else PER_ITEM if mapping.is_wide else PER_JUDGMENT


def _recognised_export(path: Path, mapping: ColumnMapping) -> str:
    """Whose export a folder or a file of objects is. Objects that have our columns, or those that are typed, are read
    as they are.
    """
    if path.is_dir():
        return next((each.name for each in EXPORT_FORMATS.values() if each.folder_has(path)), "")
    rows = peek(path)
    if mapping.raters_in_columns and any(isinstance(row.get(mapping.value), list) for row in rows):
        return LISTS
    typed = {mapping.worker or "worker_id", mapping.item or "item_id", mapping.value or "value"}
    ids = typed - {mapping.value or "value"}
    if rows and all(typed <= set(row) and not any(isinstance(row[name], (list, dict)) for name in ids) for row in rows):
        return ""
    others = [each for each in EXPORT_FORMATS.values() if each.name != LISTS and each.knows(rows)]
    general = [each for each in EXPORT_FORMATS.values() if each.name == LISTS and each.knows(rows)]
    return next((each.name for each in [*others, *general]), "")


def _absent(table: Table, export: Export, mapping: ColumnMapping) -> list[str]:
    """The columns that are needed and not there under the names that are ours or typed."""
    names = _names(export, mapping)
    if mapping.raters_in_columns:
        needed = ["item_id"] if mapping.item else []
        if not mapping.item:
            return ["item_id"]
    elif mapping.is_wide or export.items:
        needed = ["worker_id"]
        if mapping.columns and not mapping.wide and not mapping.worker:
            return ["worker_id"]
    else:
        needed = _needed_of_rows(table, mapping)
    return [ours for ours in needed if names[ours] not in table.columns]


def _needed_of_rows(table: Table, mapping: ColumnMapping) -> list[str]:
    per_label = mapping.labels_in_columns or any(name.startswith("v:") for name in table.columns)
    return [one for one in ROLES if one != "value" or not per_label]


def _one_reading(table: Table, mapping: ColumnMapping, problems: Problems) -> Reading | None:
    """The one way to read a table; of several each is named with what to type, of none the columns that are there."""
    for name in (mapping.worker, mapping.item):
        if name and name in table.columns and looks_like_lists(table.columns[name]):
            problems.whole(f"column {name}: {NO_LIST}")
            return None
    readings = readings_of(table, mapping)
    if len(readings) == 1 and not readings[0].people:
        return readings[0]
    if len(readings) == 1:
        people = ", ".join(readings[0].people[:COLUMNS_NAMED])
        typed = readings[0].mapping.options()
        problems.whole(f"it may have {readings[0].words}: type {typed} if {people} are people")
        return None
    if not readings and mapping == AS_THEY_ARE:
        if lists := [name for name, column in table.columns.items() if looks_like_lists(column)]:
            problems.whole(f"{columns_listed(table.columns)}; {_of_nobody(lists[0])}")
        return None  # what else is missing is said of our own columns
    if not readings:
        absent = _absent(table, Export(table), mapping)
        for ours in absent:
            typed = getattr(mapping, OF_OURS[ours])
            told = f"--{OF_OURS[ours]} names the column {typed}" if typed else f"there is no column {ours}"
            problems.whole(f"{told}; {columns_found(table.columns, mapping, absent)}")
        if not absent:
            problems.whole(columns_found(table.columns, mapping))
        return None
    ways = "; or ".join(f"{each.words}: type {each.mapping.options()}" for each in readings[:MOST_READINGS])
    more = "" if len(readings) <= MOST_READINGS else "; or in other ways"
    problems.whole(f"it can be read in several ways; {columns_listed(table.columns)}; {ways}{more}")
    return None


def _of_nobody(name: str) -> str:
    """What to do with lists of answers beside no list of workers."""
    typed = ColumnMapping(value=name, raters_in_columns=True).options()
    return (
        f"the cells of {name} are lists, and nothing says whose each element is; type {typed} if the first element is"
        " always of the same person, the second of another, and so on"
    )


NO_LIST = f"its cells are lists, and a list is no id; {option('from', 'lists')} reads one judgment per element"


def _names(export: Export, mapping: ColumnMapping) -> dict[str, str]:
    """Which column of the file is which of ours."""
    is_named = export.worker == "worker_id"  # its reader has used the names already
    mapped_names = {"worker_id": mapping.worker, "item_id": mapping.item, "value": mapping.value}
    export_names = {"worker_id": export.worker, "item_id": export.item, "value": export.value}
    return {
        ours: (export_names[ours] if is_named else mapped_names[ours] or export_names[ours]) or ours for ours in ROLES
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
    if mapping.raters_in_columns:
        absent = ["item_id"] if mapping.item and mapping.item not in table.columns else []
    else:
        is_wide = mapping.is_wide or bool(export.items)
        needed = ["worker_id"] if is_wide else _needed_of_rows(table, mapping)
        absent = [ours for ours in needed if names[ours] not in table.columns]
    for ours in absent:
        option = OF_OURS[ours]
        told = f"--{option} names the" if getattr(mapping, option) else "there is no"
        problems.whole(f"{told} column {names[ours]}; {columns_found(table.columns, mapping, absent)}")
    return not absent


def columns_found(
    columns: Sequence[str] | Mapping[str, object], mapping: ColumnMapping = AS_THEY_ARE, absent: Sequence[str] = ROLES
) -> str:
    """The columns that are there, and what to type where some of them look like ours; of what the mapping says already
    only what names a column that is `absent`.

    >>> from agreement.errors import sentence_for
    >>> sentence_for(columns_found(["WorkerId", "HITId", "Answer.similarity"]), "command")
    'it has the columns WorkerId, HITId, Answer.similarity; type --from mturk'
    >>> columns_found(["participant", "word", "Rating"])
    'it has the columns participant, word, Rating; type --worker participant --item word --value Rating'
    >>> columns_found(["who", "white", "object_id", "response_ms"])
    'it has the columns who, white, object_id, response_ms; type --worker who --item object_id --value COLUMN'
    """
    names, listed = list(columns), columns_listed(columns)
    if joined := next((name for name in names if looks_joined(name)), ""):
        return f"{listed}, and {quote_cell(joined)} looks like {looks_joined(joined)} in one; {ADVICE}"
    known = next((each.name for each in EXPORT_FORMATS.values() if each.has(names)), "")
    if known and not mapping.export:
        return f"{listed}; type {option('from', known)}"
    return f"{listed}; type {_example(names, absent)}"


def _example(names: Sequence[str], absent: Sequence[str]) -> str:
    taken: list[str] = []
    for ours in ROLES:
        free = [name for name in names if name not in taken and name not in NOT_ANSWERS]
        fits = candidates(ours, free)
        taken.append(ours if ours in free else (fits[0] if fits else "COLUMN"))
    options = zip(OF_OURS.items(), taken, strict=True)
    return " ".join(f"--{option} {shlex.quote(name)}" for (ours, option), name in options if ours in absent)


def missing_marks(answers: Column) -> set[str]:
    """What stands for no answer among numbers, as R and pandas write it."""
    texts = {value.strip() for value in answers.values if value.strip()}
    marks = texts & NO_ANSWER
    numbers = texts - marks
    return marks if numbers and all(decimal_of(text) is not None for text in numbers) else set()


def _skip_unanswered(laid: JudgmentTable, mapping: ColumnMapping, *, by_default: bool) -> JudgmentTable:
    """Without the rows that have no answer, if these are to be skipped."""
    columns = laid.table.columns
    answers = [each for name, each in columns.items() if name.startswith("v:")] if "value" not in columns else []
    answers = answers or [columns[name] for name in ("value",) if name in columns]
    if (mapping.missing or ("skip" if by_default else "refuse")) != "skip" or not answers:
        return laid
    missing = {*mapping.missing_as, *(missing_marks(answers[0]) if by_default and not mapping.missing_as else ())}
    keep = np.zeros(len(laid.table), dtype=np.bool_)
    for column in answers:
        keep[column.rows_where(lambda text: not (is_blank(text) or text.strip() in missing))] = True
    gone = int((~keep).sum())
    if not gone:
        return laid
    what = "row" if mapping.labels_in_columns else "cell"
    marks = "" if missing == {*mapping.missing_as} else f" (blank or {', '.join(sorted(missing))})"
    note = f"{gone:,} {what if gone == 1 else f'{what}s'} without an answer{marks} left out."
    left_out = replace(laid.left_out, notes=(*laid.left_out.notes, note))
    return replace(laid, table=laid.table.take(keep), left_out=left_out)
