"""Which shape a table of judgments has: one row per judgment, one column per item, or one column per rater."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from itertools import product

import numpy as np

from .cell_texts import is_blank
from .column_mapping import ColumnMapping
from .column_words import BESIDE, OTHER_THING, candidates, is_rater, tokens
from .numbers import decimal_of
from .platform_ids import is_platform_id
from .table import Column, Table

LEAST_COLUMNS = 2
OF_A_QUESTION = ":::"  # between a question and its label, in the tables of Potato
NOT_CHOSEN = frozenset({"", "0", "0.0", "false", "no"})
CHOSEN = frozenset({"1", "1.0", "true", "yes"})
NOT_IDS = frozenset({"id", "ids", "uid", "hash", "index", "row"})
MOST_LABELS = 30  # different texts that the columns of a wide file may share
MOST_READINGS = 4
PER_JUDGMENT, PER_ITEM, PER_RATER = "one row per judgment", "one column per item", "one column per rater"
PER_LABEL = "one row per judgment and one column per label"


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read a table: what one would type, and what it is in words. `people` are columns that are read as people
    although nothing in their names says so, which is asked.
    """

    mapping: ColumnMapping
    words: str
    people: tuple[str, ...] = ()


def readings_of(table: Table, mapping: ColumnMapping) -> list[Reading]:
    """The ways to read a table whose columns aren't all named; what is typed already stays."""
    if mapping.raters_in_columns:
        return _typed_raters(table, mapping)
    if mapping.is_wide:
        return list(_typed_items(table, mapping))
    if mapping.labels_in_columns:
        return [replace(each, words=PER_LABEL) for each in _long_readings(table, mapping)]
    wide = list(_wide_readings(table, mapping))
    if any(reading.mapping.raters_in_columns for reading in wide) and _has_raters(table):
        return wide
    by_row = _long_readings(table, mapping)
    return [*by_row, *(wide if len(by_row) != 1 else [])][:MOST_READINGS]


def _distinct_candidates(role: str, table: Table, typed: str) -> list[str]:
    """Without those that tell the rows apart exactly as an earlier one does, and those that hold lists."""
    if typed:
        return [typed]
    names = [name for name in table.columns if not (role != "value" and table.columns[name].has_lists)]
    chosen: list[str] = []
    for name in candidates(role, names) or (_platform_columns(table) if role == "worker_id" else []):
        if not any(_same_partition(table.columns[name], table.columns[other]) for other in chosen):
            chosen.append(name)
    return chosen


def _platform_columns(table: Table) -> list[str]:
    """Columns most of whose texts are ids of a platform."""
    return [name for name, column in table.columns.items() if _are_platform_ids(column)]


def _are_platform_ids(column: Column) -> bool:
    texts = [value for value in column.values if value.strip()]
    return bool(texts) and sum(map(is_platform_id, texts)) > len(texts) / 2


def _same_partition(one: Column, other: Column) -> bool:
    return _pairs(one, other) == len(np.unique(one.codes)) == len(np.unique(other.codes))


def _pairs(one: Column, other: Column) -> int:
    """How many different pairs of texts the rows have."""
    return len(np.unique(one.codes.astype(np.int64) * (len(other.values) + 1) + other.codes))


def _long_readings(table: Table, mapping: ColumnMapping) -> list[Reading]:
    per_label = any(name.startswith("v:") for name in table.columns)
    workers = _distinct_candidates("worker_id", table, mapping.worker)
    items = [name for name in _distinct_candidates("item_id", table, mapping.item) if name not in workers]
    if len(items) > 1:  # where an item has several rows, a column that numbers the rows is none
        items = [name for name in items if name not in _id_of_rows(table, items)] or items
    per_label = per_label or mapping.labels_in_columns
    values = [""] if per_label else _distinct_candidates("value", table, mapping.value)
    chosen = [
        Reading(replace(mapping, worker=worker, item=item, value=value), PER_JUDGMENT)
        for worker, item, value in product(workers, items, values)
        if len({worker, item, value}) == 3
    ]
    if not values and workers and items:
        chosen = [*_unnamed_answers(table, replace(mapping, worker=workers[0], item=items[0]))]
    return chosen[: MOST_READINGS + 1]


def _unnamed_answers(table: Table, mapping: ColumnMapping) -> Iterator[Reading]:
    """Where no column is called as answers are: the only one that differs from row to row of a worker and of an item,
    or several that hold numbers or marks, which are labels or answers to several questions.
    """
    labels = label_columns(table, mapping)
    if len(labels) > 1:
        pattern = _pattern(labels, list(table.columns))
        yield Reading(replace(mapping, labels_in_columns=True, columns=pattern), PER_LABEL)
        if not are_marks([table.columns[name] for name in labels]):
            yield Reading(replace(mapping, value=labels[0]), f"one row per judgment, of the question {labels[0]} alone")
    elif len(answers := _answers_by_rows(table, mapping)) == 1:
        yield Reading(replace(mapping, value=answers[0]), PER_JUDGMENT)


def label_columns(table: Table, mapping: ColumnMapping) -> list[str]:
    """The columns with an answer per label: those of the patterns, those that are called question:::label, or those
    that hold numbers.
    """
    if mapping.columns:
        return [name for name in table.columns if any(fnmatchcase(name, each) for each in mapping.columns)]
    answers = _answers_by_rows(table, mapping)
    if marked := [name for name in table.columns if OF_A_QUESTION in name]:
        return marked
    numbers = [name for name in answers if is_numeric(table.columns[name])]
    return numbers if len(numbers) > 1 else [name for name in answers if are_marks([table.columns[name]])]


def are_marks(columns: Sequence[Column]) -> bool:
    """Whether cells say that a label was chosen, or not: by 0 and 1 and the like, or by the label itself."""
    texts = [{value.strip().casefold() for value in column.values} for column in columns]
    return set().union(*texts) <= {*NOT_CHOSEN, *CHOSEN} or all(len(each - NOT_CHOSEN) <= 1 for each in texts)


def is_numeric(column: Column) -> bool:
    texts = [value for value in column.values if value.strip()]
    return bool(texts) and all(decimal_of(text) is not None for text in texts)


def _answers_by_rows(table: Table, mapping: ColumnMapping) -> list[str]:
    """Columns of few labels or of numbers that differ between the rows of a worker and between those of an item."""
    own = [table.columns[name] for name in (mapping.worker, mapping.item)]

    def differs(column: Column) -> bool:
        return all(_pairs(each, column) > len(np.unique(each.codes)) for each in own)

    return [
        name
        for name, column in table.columns.items()
        if not {*OTHER_THING, *NOT_IDS} & set(tokens(name))
        and not column.has_lists
        and (len(column.values) <= MOST_LABELS or is_numeric(column))
        and differs(column)
    ]


def _has_raters(table: Table) -> bool:
    return sum(map(is_rater, table.columns)) >= LEAST_COLUMNS


def _typed_items(table: Table, mapping: ColumnMapping) -> Iterator[Reading]:
    """The workers' column where none is typed; both readings where the other columns are called as raters are."""
    has_raters = not mapping.worker and _has_raters(table)
    workers = [name for name in _distinct_candidates("worker_id", table, mapping.worker) if not is_rater(name)]
    for name in workers or _id_of_rows(table, [name for name in table.columns if not is_rater(name)])[:1]:
        yield Reading(replace(mapping, worker=name), PER_ITEM)
        if has_raters and not workers:
            yield Reading(replace(mapping, wide=False, raters_in_columns=True, item=name), PER_RATER)


def _typed_raters(table: Table, mapping: ColumnMapping) -> list[Reading]:
    """The items' column where none is typed; without any the items are numbered as the rows are."""
    raters = rater_columns(table, mapping)
    others = [name for name in table.columns if name not in raters]
    items = [mapping.item] if mapping.item else _id_of_rows(table, candidates("item_id", others) or others)[:1]
    return [Reading(replace(mapping, item=items[0] if items else ""), PER_RATER)]


def rater_columns(table: Table, mapping: ColumnMapping) -> list[str]:
    """The columns that are raters: those of the patterns, those that are called so, or all that are nothing else."""
    taken = {mapping.item, *(one.partition("=")[0].strip() for one in mapping.leave_out)}
    names = [name for name in table.columns if name not in taken]
    if mapping.columns:
        return [name for name in names if any(fnmatchcase(name, each) for each in mapping.columns)]
    named = [name for name in names if is_rater(name)]
    if named:
        return named
    item = mapping.item or next(iter(_id_of_rows(table, candidates("item_id", names))), "")
    return [name for name in names if name != item]


def _id_of_rows(table: Table, names: Sequence[str]) -> list[str]:
    """Those of the columns that have another text in every row, and no blank one."""
    return [
        name
        for name in names
        if len(np.unique(table.columns[name].codes)) == len(table) > 0
        and not len(table.columns[name].rows_where(is_blank))
    ]


def _wide_readings(table: Table, mapping: ColumnMapping) -> Iterator[Reading]:
    """Rows are told apart by one column, and several others hold answers alike."""
    names = list(table.columns)
    raters = [name for name in names if is_rater(name) and not OTHER_THING & set(tokens(name))]
    if len(raters) >= LEAST_COLUMNS:
        others = [name for name in names if name not in raters]
        items = _id_of_rows(table, candidates("item_id", others)) or _id_of_rows(table, others)
        stems = [raters] if any(map(is_platform_id, raters)) else stems_of(raters)
        for stem in stems:
            pattern = _pattern(stem, names) if len(stems) > 1 else ()
            by_rater = replace(
                mapping, raters_in_columns=True, columns=pattern, item=mapping.item or next(iter(items), "")
            )
            yield Reading(by_rater, PER_RATER)
        return
    keys = _id_of_rows(table, names)
    workers = [name for name in candidates("worker_id", names) if name in keys] or [
        name for name in keys if _are_platform_ids(table.columns[name])
    ]
    of_items = candidates("item_id", keys)
    key = mapping.worker or mapping.item or next(iter([*workers, *of_items, *keys[:1]]), "")
    if not key:
        return
    may_be_workers = not workers and key in keys and (_is_neutral(key) or key not in of_items)
    for block in answer_blocks(table, [name for name in names if name != key]):
        pattern = () if len(block) == len(names) - 1 else _pattern(block, names)
        if workers or mapping.worker or may_be_workers:
            yield Reading(replace(mapping, wide=True, worker=key, columns=pattern), PER_ITEM)
        if not workers and not mapping.worker:
            by_rater = replace(mapping, raters_in_columns=True, item=key, columns=pattern)
            is_numbered = len(stems_of(block)) == 1
            yield Reading(by_rater, PER_RATER, () if is_numbered or mapping.item else tuple(block))


def _is_neutral(name: str) -> bool:
    return not [word for word in tokens(name) if word not in {*BESIDE, "row", "uid", "uuid"} and not word.isdecimal()]


def stems_of(names: Sequence[str]) -> list[list[str]]:
    """Names that differ by their numbers alone, together.

    >>> stems_of(["sim_1", "sure_1", "sim_2", "sure_2", "age"])
    [['sim_1', 'sim_2'], ['sure_1', 'sure_2'], ['age']]
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(re.sub(r"\d+", "#", name), []).append(name)
    return list(groups.values())


def answer_blocks(table: Table, names: Sequence[str]) -> list[list[str]]:
    """Columns that hold answers alike: of numbered names each row of them, else all that are alike."""
    usable = [name for name in names if not OTHER_THING & set(tokens(name))]
    numbered = [stem for stem in stems_of(usable) if len(stem) > LEAST_COLUMNS and _are_alike(table, stem)]
    if numbered:
        return numbered
    return [usable] if len(usable) >= LEAST_COLUMNS and _are_alike(table, usable) else []


def _are_alike(table: Table, names: Sequence[str]) -> bool:
    """Numbers all, or few labels that they share."""
    texts = {value.strip() for name in names for value in table.columns[name].values} - {""}
    numeric = sum(decimal_of(text) is not None for text in texts)
    if numeric > 0.9 * len(texts):
        return bool(texts)
    own = [{value.strip() for value in table.columns[name].values} - {""} for name in names]
    shared = sum(
        len(texts_of & set().union(*(own[:place] + own[place + 1 :]))) > 0 for place, texts_of in enumerate(own)
    )
    return len(texts) <= MOST_LABELS and shared == len(own)


def _pattern(columns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """What `--columns` takes for these columns and no others: one pattern with a star, or each by its name."""
    stem = re.split(rf"\d|(?<={OF_A_QUESTION})", columns[0])[0]
    star = f"{escape(stem)}*"
    if stem and [name for name in names if fnmatchcase(name, star)] == list(columns):
        return (star,)
    return tuple(map(escape, columns))
