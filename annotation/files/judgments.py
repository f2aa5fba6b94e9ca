"""Reading judgments.csv: who answered what on which item, checked to the last row before anything is done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt

from annotation.files.answers import LABEL_COLUMN, Answers, Properties, parse_answers
from annotation.files.blanks import is_blank
from annotation.files.guessing import guessed_kind, refuse_unsaid_scale
from annotation.files.items import Items, parse_items
from annotation.files.kinds import PER_CENT, QuestionKind, Repeats, Scale
from annotation.files.lookalikes import refuse_lookalikes
from annotation.files.matching import items_from_judgments, match_items, refuse_wrong_checks
from annotation.files.numbers import numbers
from annotation.files.problems import Problems, refuse_if_any
from annotation.files.reading import read_table
from annotation.files.repeats import Repeated, averaged, kept_rows, pairs_of, refuse_repeats
from annotation.files.table import Column, Table, encode

# The columns of a judgment that have a meaning of their own beside worker, item and value.
EXTRA_COLUMNS = ("response_ms", "submitted_at", "assignment_id")
_WITHOUT_LABELS = ("slider", "list", "text")
_FROM_ZERO = Scale(Decimal(0), Decimal("Infinity"))


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """J answers: `worker` codes are in the order of the ids, `item` is the row of `items.frame`."""

    table: Table
    kind: QuestionKind
    scale: Scale | None
    labels: tuple[str, ...]
    items: Items
    worker: Column
    item: npt.NDArray[np.int32]
    answers: Answers
    response_ms: npt.NDArray[np.float64]
    repeats: Repeats
    repeated: Repeated


def read_judgments(
    path: Path,
    *,
    items_path: Path | None = None,
    kind: QuestionKind | None = None,
    scale: Scale | None = None,
    labels: Sequence[str] = (),
    repeats: Repeats = "refuse",
) -> Judgments:
    """The judgments in `path`, or `Refused` with every reason; without an items file the items are made from it."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    item_problems = Problems(items_path.name) if items_path else None
    items = None
    if items_path and item_problems is not None and (item_table := read_table(items_path, item_problems)):
        items = parse_items(item_table, item_problems)
    judgments = None
    if table is not None and _has_columns(table, kind, problems):
        asked = _Asked(kind, scale, tuple(labels), repeats, items_given=items_path is not None)
        judgments = _parse(table, asked, items, problems)
    refuse_if_any(item_problems, problems)
    assert judgments is not None  # noqa: S101 - without judgments there is a problem, and it was just raised
    return judgments


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the person said about the file."""

    kind: QuestionKind | None
    scale: Scale | None
    labels: tuple[str, ...]
    repeats: Repeats
    items_given: bool


def _has_columns(table: Table, kind: QuestionKind | None, problems: Problems) -> bool:
    before = len(problems)
    sliders = kind == "sliders" or (kind is None and any(name.startswith(LABEL_COLUMN) for name in table.columns))
    answer = LABEL_COLUMN + "<label>" if sliders else "value"
    for name in ("worker_id", "item_id", "value"):
        if name != "value" and name not in table.columns:
            problems.whole(f"the column {name} is missing; it needs worker_id, item_id and {answer}")
    has_answer = any(name.startswith(LABEL_COLUMN) for name in table.columns) if sliders else "value" in table.columns
    if not has_answer:
        problems.whole(f"the column {answer} is missing; it needs worker_id, item_id and {answer}")
    complete = len(problems) == before
    if complete and not len(table) and not before:
        problems.whole("there is no judgment in it")
    return complete and len(table) > 0


def _parse(table: Table, asked: _Asked, items: Items | None, problems: Problems) -> Judgments | None:
    _refuse_bad_ids(table, problems)
    kind = asked.kind or guessed_kind(table, problems)
    if kind is None:
        return None
    if asked.labels and kind in _WITHOUT_LABELS:
        problems.whole(f"--labels is for choices among labels, and kind {kind} has none; --kind choice if it is one")
    scale = _scale(table, kind, asked, problems)
    answers, labels = parse_answers(table, kind, scale, asked.labels, problems)
    response = table.columns.get("response_ms") or encode([""] * len(table), len(table))
    response_ms = numbers(response, "response_ms", table.rows, problems, _FROM_ZERO, blank=True)
    if items is not None:
        item = match_items(table, items, problems)
    elif not asked.items_given:
        items, item = items_from_judgments(table, problems)
    if items is None:
        return None
    refuse_wrong_checks(items, kind, labels, problems, hint="; --labels names them all")
    worker = table.columns["worker_id"].sorted()
    pairs = pairs_of(worker, item, len(items.frame), table)
    if asked.repeats == "refuse":
        refuse_repeats(pairs, worker, table.columns["item_id"], table, problems)
    elif asked.repeats == "mean" and kind not in ("slider", "sliders"):
        problems.whole(f"--repeats mean needs numbers, and kind {kind} has none; first, last or keep")
    if len(problems):
        return None
    if asked.repeats == "mean":
        answers = averaged(answers, pairs)
    whole = Judgments(
        table, kind, scale, labels, items, worker, item, answers, response_ms, asked.repeats, pairs.repeated
    )
    return _taken(whole, kept_rows(pairs, asked.repeats))


def _taken(whole: Judgments, rows: npt.NDArray[np.intp]) -> Judgments:
    if len(rows) == len(whole.table):
        return whole
    chosen = np.zeros(len(whole.table), dtype=np.bool_)
    chosen[rows] = True
    return replace(
        whole,
        table=whole.table.take(chosen),
        worker=whole.worker.take(chosen),
        item=whole.item[chosen],
        answers=whole.answers.take(chosen) if isinstance(whole.answers, Properties) else whole.answers[chosen],
        response_ms=whole.response_ms[chosen],
    )


def _refuse_bad_ids(table: Table, problems: Problems) -> None:
    for name in ("worker_id", "item_id"):
        column = table.columns[name]
        blank = column.rows_where(is_blank)
        problems.cells(table.rows[blank], name, column.codes[blank], column.values, "is no id")
        refuse_lookalikes(column, name, table, problems)


def _scale(table: Table, kind: QuestionKind, asked: _Asked, problems: Problems) -> Scale | None:
    """A slider's scale: the one said, or 0-100 where the numbers leave no doubt."""
    if kind not in ("slider", "sliders"):
        if asked.scale is not None:
            problems.whole(f"--scale is for sliders, and kind {kind} has no scale")
        return None
    if asked.scale is None:
        refuse_unsaid_scale(table, kind, problems)
    return asked.scale or PER_CENT
