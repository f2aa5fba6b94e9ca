"""Reading judgments.csv: who answered what on which item, checked to the last row and held against the items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from ..errors import option, remedy
from ..files.cell_texts import Synonyms, is_blank, refuse_lookalikes
from ..files.column_mapping import AS_THEY_ARE, ColumnMapping
from ..files.items_file import Items, parse_items, read_items_table
from ..files.layout import NO_LIST, NOTHING_LEFT_OUT, LeftOut, columns_found, read_laid_out
from ..files.nested import looks_like_lists
from ..files.numbers import PER_CENT, Scale, numbers
from ..files.problems import AS_ROWS, Places, Problems, quote_cell, refuse_if_any
from ..files.question_fields import refuse_blanks_of_own_questions
from ..files.reading import Source
from ..files.table import Column, Table, encode
from ..kinds.answers import Answers, Properties
from ..kinds.data import (
    VALUE,
    AnswerColumns,
    data_of,
    guessed_kind,
    refuse_unsaid_scale,
)
from ..kinds.kind import QuestionKind
from ..kinds.options import (
    OPTIONS,
    Options,
    in_options,
    most_options,
    options_of_items,
    own_labels,
    refuse_wrong_options,
)
from ..kinds.registry import KINDS
from .judged_items import items_from_judgments, match_items, refuse_wrong_checks
from .questions_of_file import ChecksElsewhere, items_of_question, of_one_question, questions_in
from .repeated_judgments import RepeatCounts, Repeats, average_repeats, kept_rows, pairs_of, refuse_repeats
from .synonyms_file import answers_in_labels, expected_in_labels, wrong_synonyms
from .unused_columns import notices_on_judgments

# The columns of a judgment that have a meaning of their own beside worker, item and value.
EXTRA_COLUMNS = ("response_ms", "submitted_at", "assignment_id")
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
    repeated: RepeatCounts
    left_out: LeftOut = NOTHING_LEFT_OUT
    places: Places = AS_ROWS
    read_as: str = ""  # as what the file was read, in one line
    mapping: ColumnMapping = AS_THEY_ARE
    notices: tuple[str, ...] = ()
    checks_elsewhere: frozenset[str] = frozenset()


def read_judgments(
    source: Source,
    *,
    items_path: Source | None = None,
    kind: QuestionKind | None = None,
    scale: Scale | None = None,
    labels: Sequence[str] = (),
    repeats: Repeats = "refuse",
    synonyms: Synonyms | None = None,
    mapping: ColumnMapping = AS_THEY_ARE,
    hide: Callable[[Table], Table] = lambda table: table,
    question: str = "",
) -> Judgments:
    """The judgments of a file or a table, or `Refused` with every reason; without items they are made from it.

    Answers may be `synonyms` of labels; `mapping` says what is what in somebody else's file, `question` which of
    several is meant; `hide` puts pseudonyms in the place of ids.
    """
    problems = Problems(source.name)
    laid = read_laid_out(source, mapping, problems)
    names = [] if laid is None else questions_in(laid.table)
    laid = None if laid is None else of_one_question(laid, question, problems)
    laid = None if laid is None else replace(laid, table=hide(laid.table))
    item_problems = None if items_path is None else Problems(items_path.name)
    items, elsewhere = None, ChecksElsewhere()
    if items_path is not None and item_problems is not None:
        items, elsewhere = _read_items(items_path, hide, question, names, item_problems)
    laid = None if laid is None else elsewhere.without(laid)
    table = None if laid is None else laid.table
    judgments = None
    if table is not None and _has_columns(table, kind, problems):
        asked = _FileOptions(kind, scale, tuple(labels), repeats, synonyms or {}, items_given=items_path is not None)
        judgments = _parse(table, asked, items, problems)
    refuse_if_any(item_problems, problems)
    assert judgments is not None and laid is not None  # noqa: S101, PT018 - else there is a problem, just raised
    item_columns = () if items is None else tuple(items.table.columns)
    used = {one.partition("=")[0].strip() for one in laid.mapping.leave_out}
    return replace(
        judgments,
        left_out=laid.left_out,
        places=problems.places,
        read_as=laid.counts_of(
            len(np.unique(judgments.worker.codes)), len(np.unique(judgments.item)), len(judgments.table)
        ),
        mapping=laid.mapping,
        checks_elsewhere=elsewhere.names,
        notices=(*laid.notices, *notices_on_judgments(judgments.table, judgments.kind, used, item_columns)),
    )


def _read_items(
    path: Source, hide: Callable[[Table], Table], question: str, names: Sequence[str], problems: Problems
) -> tuple[Items | None, ChecksElsewhere]:
    """The items that the question is asked of; None: the file is refused."""
    table = read_items_table(path, problems)
    items = None if table is None else parse_items(hide(table), problems)
    if items is None:
        return None, ChecksElsewhere()
    items, elsewhere = items_of_question(items, question, names, problems)
    refuse_blanks_of_own_questions(items, problems)
    return items, elsewhere


@dataclass(frozen=True, slots=True)
class _FileOptions:
    """What the person said about the file."""

    kind: QuestionKind | None
    scale: Scale | None
    labels: tuple[str, ...]
    repeats: Repeats
    synonyms: Synonyms
    items_given: bool


def _has_columns(table: Table, kind: QuestionKind | None, problems: Problems) -> bool:
    before = len(problems)
    if not table.columns and before:  # JSON Lines of which no row could be read: which columns, nobody knows
        return False
    answer = _answer_columns(table, kind)
    missing = [name for name in ("worker_id", "item_id") if name not in table.columns]
    missing += [] if answer.among(table.columns) else [str(answer)]
    for name in missing:
        problems.whole(f"the column {name} is missing; it needs worker_id, item_id and {answer}")
    if missing and table.columns:
        problems.whole(columns_found(table.columns))
    complete = len(problems) == before
    if complete and not len(table) and not before:
        problems.whole("it has no judgments")
    return complete and len(table) > 0


def _answer_columns(table: Table, kind: QuestionKind | None) -> AnswerColumns:
    """Where the answers are. Of a kind that is still to be guessed: in the columns that are there, or in `value`."""
    if kind is not None:
        return data_of(kind).columns
    others = [columns for kind in KINDS if (columns := data_of(kind).columns) != VALUE]
    return next((columns for columns in others if columns.among(table.columns)), VALUE)


def _parse(table: Table, asked: _FileOptions, items: Items | None, problems: Problems) -> Judgments | None:
    _refuse_bad_ids(table, problems)
    kind = asked.kind or guessed_kind(table, problems)
    if kind is None:
        return None
    if asked.labels and not KINDS[kind].has_labels:
        problems.whole(
            f"{option('labels')} is for choices among labels, and kind {kind} has none;"
            f" {option('kind', 'choice')} if it is one"
        )
    table = _in_labels(table, kind, asked, problems)
    scale = _scale(table, kind, asked, problems)
    table, known = _in_own_labels(table, kind, asked, items, problems)
    answers, labels = data_of(kind).parse(table, scale, known, problems)
    response = table.columns.get("response_ms", encode([""] * len(table), len(table)))
    response_ms = numbers(response, "response_ms", table.rows, problems, _FROM_ZERO, blank=True)
    if items is not None:
        item = match_items(table, items, problems)
    elif not asked.items_given:
        items, item = items_from_judgments(table, problems)
    if items is None:
        return None
    expected_in_labels(items, asked.synonyms)
    refuse_wrong_checks(items, kind, labels, problems, hint=f"; {option('labels')} names them all")
    worker = table.columns["worker_id"].sorted()
    pairs = pairs_of(worker, *_item_codes(item, len(items.frame), table.columns["item_id"]), table)
    if asked.repeats == "refuse":
        refuse_repeats(pairs, worker, table.columns["item_id"], table, problems)
    elif asked.repeats == "mean" and not KINDS[kind].has_scale:
        problems.whole(f"{option('repeats', 'mean')} needs numbers, and kind {kind} has none; first, last or keep")
    if len(problems):
        _advise_to_skip(table, problems)
        return None
    if asked.repeats == "mean":
        answers = average_repeats(answers, pairs)
    judgments = Judgments(
        table, kind, scale, labels, items, worker, item, answers, response_ms, asked.repeats, pairs.repeated
    )
    return _take_rows(judgments, kept_rows(pairs, asked.repeats))


_SKIP = remedy(
    command="--missing skip leaves such cells out and counts them",
    python='frame.dropna(subset=["value"]) drops such rows',
    page="leave such rows out of the file",
)


def _advise_to_skip(table: Table, problems: Problems) -> None:
    """Where cells without an answer are among what is refused."""
    value = table.columns.get("value")
    if value is not None and (count := len(value.rows_where(is_blank))):
        cells = "1 cell has" if count == 1 else f"{count:,} cells have"
        problems.whole(f"{cells} no answer; {_SKIP}")


def _in_labels(table: Table, kind: QuestionKind, asked: _FileOptions, problems: Problems) -> Table:
    for why in wrong_synonyms(asked.synonyms, kind, asked.labels):
        problems.whole(f"synonyms: {why.rstrip('.')}")
    return answers_in_labels(table, data_of(kind).columns, asked.synonyms, problems)


def _in_own_labels(
    table: Table, kind: QuestionKind, asked: _FileOptions, items: Items | None, problems: Problems
) -> tuple[Table, tuple[str, ...]]:
    """The answers with the labels that they may be; where items have labels of their own both by their numbers."""
    options = None if items is None else options_of_items(kind, asked.labels, items.frame)
    if items is None or options is None:
        return table, asked.labels
    return _in_options(table, kind, items, options, problems), own_labels(most_options(options))


def _in_options(table: Table, kind: QuestionKind, items: Items, options: Options, problems: Problems) -> Table:
    item_problems = Problems(items.name)
    refuse_wrong_options(kind, (), items.frame, items.table.rows, item_problems)
    problems.include(item_problems)
    row_of = {item_id: row for row, item_id in enumerate(items.frame["item_id"])}
    ids, value = table.columns["item_id"], table.columns["value"].mapped(str.strip)
    item = np.array([*(row_of.get(each, -1) for each in ids.values), -1], dtype=np.int64)[ids.codes]
    places = in_options(value.codes, value.values, item, options)
    is_answer = np.array([*map(bool, value.values), False])[value.codes]
    strange = np.flatnonzero((places < 0) & (item >= 0) & is_answer)

    def sentence(i: int) -> str:
        row = strange[i]
        offered = ", ".join(map(quote_cell, options[item[row]]))
        return (
            f"{quote_cell(value.values[value.codes[row]])} is not one of the item's own labels ({offered}), which its"
            f" column {OPTIONS} names; {option('labels')} says that the study's labels are meant"
        )

    problems.each(table.rows[strange], "value", sentence)
    names = [*own_labels(most_options(options)), ""]  # what is refused already is not refused as a blank too
    codes = np.where(places >= 0, places, np.where(is_answer, 0, len(names) - 1)).astype(np.int32)
    return replace(table, columns={**table.columns, "value": Column(codes, names)})


def _item_codes(item: npt.NDArray[np.int32], n_items: int, ids: Column) -> tuple[npt.NDArray[np.int64], int]:
    """[J] the items by number, and how many numbers there are: ids that no item has are told apart too."""
    numbered = np.where(item < 0, n_items + 1 + ids.codes.astype(np.int64), item)
    return (numbered, n_items + 1 + len(ids.values)) if (item < 0).any() else (item.astype(np.int64), n_items)


def _take_rows(judgments: Judgments, rows: npt.NDArray[np.intp]) -> Judgments:
    if len(rows) == len(judgments.table):
        return judgments
    chosen = np.zeros(len(judgments.table), dtype=np.bool_)
    chosen[rows] = True
    return replace(
        judgments,
        table=judgments.table.take(chosen),
        worker=judgments.worker.take(chosen),
        item=judgments.item[chosen],
        answers=judgments.answers.take(chosen)
        if isinstance(judgments.answers, Properties)
        else judgments.answers[chosen],
        response_ms=judgments.response_ms[chosen],
    )


def _refuse_bad_ids(table: Table, problems: Problems) -> None:
    for name in ("worker_id", "item_id"):
        column = table.columns[name]
        if looks_like_lists(column):
            problems.whole(f"column {problems.places.names.get(name, name)}: {NO_LIST}")
            continue
        blank = column.rows_where(is_blank)
        problems.cells(table.rows[blank], name, column.codes[blank], column.values, "is not an id")
        refuse_lookalikes(column, name, table, problems)


def _scale(table: Table, kind: QuestionKind, asked: _FileOptions, problems: Problems) -> Scale | None:
    """A slider's scale: the one said, or 0-100 where the numbers leave no doubt."""
    if not KINDS[kind].has_scale:
        if asked.scale is not None:
            problems.whole(f"{option('scale')} is for sliders, and kind {kind} has no scale")
        return None
    if asked.scale is None:
        refuse_unsaid_scale(table, kind, problems)
    return asked.scale or PER_CENT
