"""Which shape a table of judgments has: one row per judgment, one column per item, or one column per rater."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from itertools import pairwise, product

import numpy as np

from .cell_texts import is_blank
from .column_mapping import ColumnMapping
from .numbers import decimal_of
from .platform_ids import is_platform_id
from .table import Column, Table

# What columns are called elsewhere, the surest names first: a column that is called exactly so (but for "id", "name"
# and the like) is preferred to one that has the word among others.
WORKER = (
    (
        "worker", "participant", "prolific", "annotator", "rater", "coder", "respondent", "assessor", "evaluator",
        "labeler",
    ),
    ("subject", "user", "person", "judge", "reviewer", "pid", "who"),
)  # fmt: skip
ITEM = (
    ("item", "stimulus", "stimuli", "instance", "hit"),
    (
        "question", "trial", "task", "pair", "word", "object", "image", "picture", "sentence", "concept", "text",
        "tweet", "post", "document", "doc", "example", "prompt", "scene", "unit", "comment", "review", "passage",
        "utterance", "claim", "headline", "id", "uid",
    ),
)  # fmt: skip
VALUE = (
    (
        "value", "answer", "rating", "response", "label", "score", "judgment", "judgement", "annotation", "vote",
        "choice",
    ),
    ("similarity", "grade", "likert", "slider", "category", "verdict", "selected", "result", "output"),
)  # fmt: skip
WORDS: Mapping[str, tuple[tuple[str, ...], ...]] = {"worker_id": WORKER, "item_id": ITEM, "value": VALUE}
ROLES = ("worker_id", "item_id", "value")
# Words that change nothing about what a column is, and words that make it another thing.
OF_A_RESPONSE = (["response", "id"], ["submission", "id"], ["respondent", "id"])  # a survey has one per person
BESIDE = frozenset({"id", "ids", "pid", "code", "number", "nr", "no", "name", "key", "index", "idx", "input", "the"})
OTHER_THING = frozenset({
    "gold", "true", "truth", "reference", "expected", "correct", "majority", "consensus", "aggregated", "mean", "avg",
    "average", "median", "time", "times", "duration", "latency", "rt", "ms", "sec", "seconds", "date", "timestamp",
    "count", "confidence", "explanation", "rationale", "reason", "comments", "agent", "age", "gender", "sex", "country",
    "status", "type", "group", "order", "position", "assignment", "session", "start", "end", "recorded", "at",
})  # fmt: skip
RATERS = frozenset({*WORKER[0], *WORKER[1], "ann", "expert", "labeller", "human"}) - {"pid", "who", "prolific"}
SHORT_RATER = re.compile(r"(?:r|w|ann|coder)[ _-]?\d+", re.IGNORECASE)
LEAST_COLUMNS = 2
MOST_LABELS = 30  # different texts that the columns of a wide file may share
MOST_READINGS = 4
PER_JUDGMENT, PER_ITEM, PER_RATER = "one row per judgment", "one column per item", "one column per rater"


def tokens(name: str) -> list[str]:
    """The words of a column's name.

    >>> tokens("HITId"), tokens("PROLIFIC_PID"), tokens("rater12")
    (['hit', 'id'], ['prolific', 'pid'], ['rater', '12'])
    """
    return [part.casefold() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", name)]


def candidates(role: str, names: Sequence[str]) -> list[str]:
    """The columns that may have a role by their names, of which all are equally likely.

    >>> candidates("worker_id", ["PROLIFIC_PID", "age"]), candidates("value", ["gold_label", "label", "label_time"])
    (['PROLIFIC_PID'], ['label'])
    """
    if role in names:
        return [role]
    words = {name: tokens(name) for name in names}
    last = {name: tokens(re.split("[.:]", name)[-1]) for name in names}
    fits = [name for name in names if not OTHER_THING & set(last[name])]
    if role == "value":
        fits = [name for name in fits if not {"id", "ids", "uid"} & set(words[name])]
    elif role == "worker_id" and (respondents := [name for name in names if last[name] in OF_A_RESPONSE]):
        return respondents
    for tier in WORDS[role]:
        exact = [name for name in fits if any(_is_exactly(each[name], tier) for each in (words, last))]
        if exact:
            return exact
    every = {word for tier in WORDS[role] for word in tier} - {"id", "uid", "pid", "who"}
    held = [name for name in fits if any(_singular(token) in every for token in words[name])]
    if held or role != "item_id":
        return held
    return [name for name in fits if last[name][-1:] == ["id"] and name not in candidates("worker_id", names)]


def _is_exactly(words: Sequence[str], tier: Sequence[str]) -> bool:
    core = [_singular(word) for word in words if word not in BESIDE] or [words[-1] if words else ""]
    return len(core) == 1 and core[0] in tier


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word != "stimulus" else word


def is_rater(name: str) -> bool:
    """Whether a column's name is that of a person.

    >>> [is_rater(name) for name in ("rater12", "Coder A", "label_annotator_2", "q12", "user", "A2ZDEERVRN5AMC")]
    [True, True, True, False, False, True]
    """
    words = tokens(name)
    numbered = any(
        _singular(word) in RATERS and (following.isdecimal() or len(following) == 1)
        for word, following in pairwise(words)
    )
    return numbered or SHORT_RATER.fullmatch(name.strip()) is not None or is_platform_id(name)


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
    pairs = len(np.unique(np.stack([one.codes, other.codes]), axis=1).T)
    return pairs == len(np.unique(one.codes)) == len(np.unique(other.codes))


def _long_readings(table: Table, mapping: ColumnMapping) -> list[Reading]:
    per_label = any(name.startswith("v:") for name in table.columns)
    workers = _distinct_candidates("worker_id", table, mapping.worker)
    items = [name for name in _distinct_candidates("item_id", table, mapping.item) if name not in workers]
    if len(items) > 1:  # where an item has several rows, a column that numbers the rows is none
        items = [name for name in items if name not in _id_of_rows(table, items)] or items
    values = [""] if per_label else _distinct_candidates("value", table, mapping.value)
    chosen = [
        Reading(replace(mapping, worker=worker, item=item, value=value), PER_JUDGMENT)
        for worker, item, value in product(workers, items, values)
        if len({worker, item, value}) == 3
    ]
    return chosen[: MOST_READINGS + 1]


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
        for stem in stems_of(raters):
            pattern = _pattern(stem, names) if len(stems_of(raters)) > 1 else ()
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
    for block in _blocks(table, [name for name in names if name != key]):
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


def _blocks(table: Table, names: Sequence[str]) -> list[list[str]]:
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
    stem = re.split(r"\d", columns[0])[0]
    star = f"{escape(stem)}*"
    if stem and [name for name in names if fnmatchcase(name, star)] == list(columns):
        return (star,)
    return tuple(map(escape, columns))
