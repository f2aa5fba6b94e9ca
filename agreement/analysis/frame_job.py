"""The main job over a data frame: its columns as texts in, an analysis out, and no file and no database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, get_args

import numpy as np

from ..cleaning.rule_set import DEFAULT as DEFAULT_RULES
from ..cleaning.rule_set import RuleSet, load_rules, rules_of
from ..crowd import Crowd
from ..errors import Refused
from ..files.cell_texts import join_bars
from ..files.judgments_file import Judgments, judgments_of
from ..files.numbers import decimal_of
from ..files.problems import Problems, refuse_if_any
from ..files.repeated_judgments import Repeats
from ..files.scale import Scale
from ..files.table import Codes, Column, Table, encode
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..report.report import Source
from .analysis import Analysis, analyse
from .file_job import crowd_of
from .output_tables import csv_bytes

FRAME, ITEMS = "frame", "items"
# Each row's code and the distinct cells; a cell of several texts is a tuple of them.
Cells = tuple[Codes, Sequence[str | tuple[str, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameJob:
    """What `analyse` of the package was asked to do, in plain values."""

    judgments: Mapping[str, Cells]
    items: Mapping[str, Cells] | None = None
    kind: str | None = None
    scale: tuple[str, str] | None = None
    labels: tuple[str, ...] = ()
    ordered: bool = False
    repeats: str = "refuse"
    rules: str | Mapping[str, Any] = DEFAULT_RULES
    seed: int = 1
    replicates: int = 1_000
    name: str = "judgments"


def run(job: FrameJob, progress: Callable[[str], None] = lambda _: None) -> Analysis:
    """`Refused` has every reason; rows are counted from 0, as a frame's `iloc` does."""
    progress("reading")
    kind, scale = _kind(job), _scale(job)
    rules = _rules(job.rules)
    judgments, sources = _judgments(job, kind, scale)
    return analyse(
        _crowd(judgments, ordered=job.ordered),
        rules,
        study_name=job.name,
        seed=job.seed,
        replicates=job.replicates,
        repeated=judgments.repeated,
        by_hand={},  # a dictionary, for what is analysed here is pickled
        sources=sources,
        progress=progress,
    )


def _kind(job: FrameJob) -> QuestionKind | None:
    known: dict[str, QuestionKind] = {str(kind): kind for kind in KINDS}
    if job.kind is not None and job.kind not in known:
        raise Refused(f"kind {job.kind!r} is not one of {', '.join(known)}")
    if job.repeats not in get_args(Repeats):
        raise Refused(f"repeats {job.repeats!r} is not one of {', '.join(get_args(Repeats))}")
    if job.ordered and not job.labels:
        raise Refused("ordered=True: name the labels in their order too, such as labels=['never', 'sometimes']")
    return None if job.kind is None else known[job.kind]


def _scale(job: FrameJob) -> Scale | None:
    if job.scale is None:
        return None
    low, high = map(decimal_of, job.scale)
    if low is None or high is None or low >= high:
        raise Refused(f"scale ({', '.join(job.scale)}) is not two numbers with the smaller first, such as (0, 100)")
    return Scale(low, high)


def _rules(given: str | Mapping[str, Any]) -> RuleSet:
    if isinstance(given, str):
        return load_rules(given)
    return rules_of({"name": "rules of a dictionary", **_decimals(dict(given))}, source="rules")


def _decimals(value: Any) -> Any:
    """Fractions as a rule reads them from TOML."""
    match value:
        case float():
            return Decimal(repr(value))
        case Mapping():
            return {key: _decimals(each) for key, each in value.items()}
        case list() | tuple():
            return [_decimals(each) for each in value]
    return value


def _judgments(job: FrameJob, kind: QuestionKind | None, scale: Scale | None) -> tuple[Judgments, list[Source]]:
    tables = [_table(FRAME, job.judgments), *([] if job.items is None else [_table(ITEMS, job.items)])]
    judgments = judgments_of(
        tables[0],
        items=tables[1] if job.items is not None else None,
        kind=kind,
        scale=scale,
        labels=job.labels,
        repeats=next(each for each in get_args(Repeats) if each == job.repeats),
    )
    return judgments, [
        Source(name=each.name, sha256=hashlib.sha256(csv_bytes(each.columns)).hexdigest()) for each in tables
    ]


def _table(name: str, columns: Mapping[str, Cells]) -> Table:
    problems, made = Problems(name), {}
    rows = np.arange(max((len(codes) for codes, _ in columns.values()), default=0))
    for column, (codes, values) in columns.items():
        found = encode((value if isinstance(value, str) else join_bars(value) for value in values), len(values))
        made[column] = Column(found.codes[codes], found.values)
        bad = made[column].rows_where(lambda text: "\0" in text or not _is_unicode(text))
        problems.cells(rows[bad], column, made[column].codes[bad], found.values, "holds a character that no file can")
    refuse_if_any(problems)
    return Table(name, rows, made)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _crowd(judgments: Judgments, *, ordered: bool) -> Crowd:
    if ordered and not statistics_of(judgments.kind).labels_may_be_ordered:
        raise Refused(f"ordered=True is for one label an answer, and these are of kind {judgments.kind}")
    return replace(crowd_of(judgments), ordered=ordered)
