"""Brings a file's items into a study: all of them, or none and every reason why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Required, TypedDict

import numpy as np
import numpy.typing as npt

from agreement.errors import Refused
from agreement.files.cell_texts import split_bars, why_no_line
from agreement.files.items_file import ITEM_COLUMNS, Items, columns_found, parse_items, read_items_table
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.question_fields import (
    QUESTION,
    fields_of,
    own_questions,
    refuse_blank,
    refuse_blanks_of_own_questions,
)
from agreement.files.table import Table
from agreement.files.trap_columns import TRAP_COLUMNS
from agreement.judgments.judged_items import refuse_wrong_checks
from agreement.judgments.questions_of_file import CHECK_QUESTION
from agreement.judgments.synonyms_file import expected_in_labels
from agreement.kinds.options import refuse_wrong_options
from agreement.kinds.registry import KINDS
from agreement.stimuli.blocks import Block, MediaKind, media_fields
from agreement.stimuli.filling import refuse_unfit_items
from agreement.typed_json import JsonObject
from annotation.media.containers import BadMedium
from annotation.media.taking import Media, Medium, TooMuchAtOnce
from annotation.models import Item, Study
from annotation.models.question import FIRST
from annotation.models.study import OPEN_NOW
from annotation.studies.item_ids import table_with_ids
from annotation.studies.questions import QuestionSettings, questions_of

# The names of files that people send, as any disk holds them and any message quotes them.

LONGEST_ENDING = 20
MOST_BYTES = 200  # a disk takes 255, a temporary file begins with something of its own


def name_on_disk(uploaded_name: str | None, otherwise: str) -> str:
    r"""Without folders and unprintable characters, shortened before its ending; `otherwise` where nothing is left.

    >>> [name_on_disk(each, "items.csv") for each in ("my items.csv", "../a\x00b.csv", "..", None)]
    ['my items.csv', 'ab.csv', 'items.csv', 'items.csv']
    >>> len(name_on_disk("é" * 300 + ".csv", "items.csv").encode())
    200
    """
    name = PurePath("".join(sign for sign in uploaded_name or "" if sign.isprintable())).name
    if name in {"", ".", ".."}:
        return otherwise
    ending = PurePath(name).suffix.encode()
    if len(ending) > LONGEST_ENDING:
        ending = b""
    begin = name.encode().removesuffix(ending)[: MOST_BYTES - len(ending)]
    return begin.decode(errors="ignore") + ending.decode()


IMAGE = "image"
OWN_COLUMNS = (*ITEM_COLUMNS, CHECK_QUESTION)
LONGEST = {"item_id": 200, "check": 40}
NO_LINE = "holds a control character, which no text of one line has; take it out"


class NewItem(TypedDict, total=False):
    """An item's own columns, as `add_items` takes them; those that are left out are as the model has them."""

    item_id: Required[str]
    fields: JsonObject
    kind: str
    check_question: int
    check_name: str | None
    expected: list[str] | None
    min: float | None
    max: float | None
    reference: str
    image_id: str | None
    media: dict[str, str]  # by the column that names each
    judgments_per_item: int | None


class ItemsOfFile(list[NewItem]):
    """The items of a file, and how many of its rows were empty."""

    empty_rows = 0


def read_items(
    path: Path, study: Study, pictures: Media, *, questions: Sequence[QuestionSettings] | None = None
) -> ItemsOfFile:
    """The file's items as `add_items` takes them; refuses the whole file with every reason.

    Rows are looked at before any picture is decoded. Where the column `image` isn't blank it names one of the
    `pictures`. `questions` are the study's, unless it is yet to be made.
    """
    problems = Problems(path.name)
    table = table_with_ids(path, problems, questions_of(study) if questions is None else questions)
    items = ItemsOfFile(items_of_table(table, problems, study, pictures, questions=questions))
    items.empty_rows = 0 if table is None else table.empty_rows
    return items


def items_of_table(
    table: Table | None,
    problems: Problems,
    study: Study,
    pictures: Media,
    *,
    questions: Sequence[QuestionSettings] | None = None,
) -> list[NewItem]:
    """The same of a table that has been read, with the problems that were found on the way."""
    items, numbers = _looked_at(table, problems, study, pictures, questions)
    if items is not None:
        _refuse_bad_media(items, media_columns(study.blocks), pictures.taken, problems)
    refuse_if_any(problems)
    return items_with_media(_items(items, numbers), study.blocks, pictures)


def items_to_look_at(table: Table | None, problems: Problems, study: Study, pictures: Media) -> ItemsOfFile:
    """What `items_of_table` would take, or refuse, without decoding a picture."""
    items = ItemsOfFile(_items(*_looked_at(table, problems, study, pictures, None)))
    items.empty_rows = 0 if table is None else table.empty_rows
    return items


def _looked_at(
    table: Table | None,
    problems: Problems,
    study: Study,
    pictures: Media,
    questions: Sequence[QuestionSettings] | None,
) -> tuple[Items | None, npt.NDArray[np.int32]]:
    """The items, and the number of the question that each of them checks; refused with every reason."""
    items = parse_items(table, problems) if table is not None else None
    numbers: npt.NDArray[np.int32] = np.empty(0, dtype=np.int32)
    if items is not None:
        _refuse_unfit_names(items, problems)
        asked = questions_of(study) if questions is None else questions
        numbers = _refuse_unfit_for(asked, study.blocks, items, problems)
        _refuse_unasked_checks(items, study, problems)
        _refuse_doubled(items, study, problems)
        try:
            _refuse_bad_media(items, media_columns(study.blocks), pictures.look_at, problems)
        except TooMuchAtOnce:
            refuse_if_any(problems)
            raise
        if study.blocks:
            _refuse_unnamed(pictures, problems)
    refuse_if_any(problems)
    return items, numbers


def read_own_items(path: Path, questions: Sequence[QuestionSettings], blocks: Sequence[Block] = ()) -> list[NewItem]:
    """The items that a preset brings. Where `image` names a picture in the same folder, `with_pictures` takes it."""
    problems = Problems(path.name)
    table = read_items_table(path, problems)
    items = parse_items(table, problems) if table is not None else None
    numbers: npt.NDArray[np.int32] = np.empty(0, dtype=np.int32)
    if items is not None:
        numbers = _refuse_unfit_for(questions, blocks, items, problems)
    refuse_if_any(problems)
    return _items(items, numbers)


def _refuse_unfit_for(
    questions: Sequence[QuestionSettings], blocks: Sequence[Block], items: Items, problems: Problems
) -> npt.NDArray[np.int32]:
    """What the questions and blocks need and the items lack, and right answers that can't be given; [I] the number of
    the question that each item checks.
    """
    _refuse_missing_fields(items, [question.wording for question in questions], problems)
    refuse_unfit_items(items, blocks, problems)
    numbers = _checked_questions(items, [question.name for question in questions], problems)
    if own_labelled := [each for each in questions if not each.labels and KINDS[each.kind].takes_options]:
        refuse_wrong_options(own_labelled[0].kind, (), items.frame, items.table.rows, problems)
    for number, question in enumerate(questions, start=FIRST):
        own = np.asarray(numbers == number, dtype=np.bool_)
        expected_in_labels(items, question.settings["synonyms"], own)
        refuse_wrong_checks(items, question.kind, question.values, problems, only=own)
    return numbers


def _checked_questions(items: Items, names: Sequence[str], problems: Problems) -> npt.NDArray[np.int32]:
    """[I] by the column `check_question`; where there is one question, it. What checks nothing has the first."""
    numbers = np.full(len(items.table), FIRST, dtype=np.int32)
    column = items.table.columns.get(CHECK_QUESTION)
    if column is None and len(names) == 1:
        return numbers
    cells = [""] * len(items.table) if column is None else [str(cell).strip() for cell in column.text()]
    offered = f"name one of {', '.join(names)}" if len(names) > 1 else f"the only question is {names[0]}"
    rows = zip(cells, items.frame["kind"], items.frame["expected"], items.frame["min"], items.frame["max"], strict=True)
    wrong: dict[int, str] = {}
    for row, (cell, kind, expected, low, high) in enumerate(rows):
        is_about_one = kind == Item.Kind.CHECK or bool(expected.strip()) or low is not None or high is not None
        if cell in names:
            numbers[row] = FIRST + names.index(cell)
        elif cell:
            wrong[row] = f"{quote_cell(cell)} is no question of the study; {offered}"
        elif is_about_one and len(names) > 1:
            wrong[row] = f"which question it is about is not said; {offered}"
        if cell and kind == Item.Kind.TARGET:
            wrong[row] = f"{quote_cell(cell)} stands beside an item that is no check; leave it blank, or name its check"
    at = np.fromiter(wrong, dtype=np.intp, count=len(wrong))
    problems.each(items.table.rows[at], CHECK_QUESTION, list(wrong.values()).__getitem__)
    return numbers


def media_columns(blocks: Sequence[Block]) -> dict[str, MediaKind]:
    """The columns that name files, with what each shows: those of the blocks, or the one picture."""
    return media_fields(blocks) if blocks else {IMAGE: "image"}


def items_with_media(items: Sequence[NewItem], blocks: Sequence[Block], media: Media) -> list[NewItem]:
    """The items, each with its media beside their names."""
    columns = media_columns(blocks)
    return [_shown(item, columns, media) for item in items]


@dataclass(frozen=True, slots=True)
class UploadedItems:
    """A file's items on their way into a study that is yet to be made, with the pictures that they show."""

    items: list[NewItem]
    source: str
    pictures: Collection[Medium] = ()

    def sample(self, size: int, seed: int) -> UploadedItems:
        """So many of the targets, drawn at random and in the file's order, beside all check and practice items."""
        targets = [position for position, item in enumerate(self.items) if item["kind"] == Item.Kind.TARGET]
        if not 1 <= size <= len(targets):
            most = f"{len(targets):,}"
            raise Refused(f"{self.source} has {most} items to judge: a sample has 1 to {most} of them, not {size:,}.")
        drawn = set(np.random.default_rng(seed).choice(targets, size, replace=False).tolist())
        left_out = set(targets) - drawn
        items = [item for position, item in enumerate(self.items) if position not in left_out]
        source = f"{self.source}: {size} of {len(targets)} items, drawn with seed {seed}"
        return UploadedItems(items, source, self.pictures)

    def preset_items_to_keep(self, own: Sequence[NewItem]) -> list[NewItem]:
        """Those of a preset's own items that stay: its check items, unless the file has some itself, and its practice
        items likewise.
        """
        kinds = {item["kind"] for item in self.items} | {Item.Kind.TARGET}
        stay = [item for item in own if item.get("kind", Item.Kind.TARGET) not in kinds]
        ids = {item["item_id"] for item in stay}
        if doubled := [item["item_id"] for item in self.items if item["item_id"] in ids]:
            wrong = "is an item of the preset already; give it another id"
            raise Refused([f"{self.source}: {quote_cell(item_id)} {wrong}" for item_id in doubled])
        return stay


def _refuse_unfit_names(items: Items, problems: Problems) -> None:
    """The limits of the database's columns, which SQLite doesn't keep by itself, and characters of no line."""
    for name, longest in LONGEST.items():
        column = items.table.columns.get(name)
        if column is not None:
            positions = column.rows_where(lambda text, longest=longest: len(text.strip()) > longest)  # type: ignore[misc]
            limit = f"is longer than {longest} characters; shorten it"
            problems.cells(items.table.rows[positions], name, column.codes[positions], column.values, limit)
            positions = column.rows_where(lambda text: bool(why_no_line(text.strip())))
            problems.cells(items.table.rows[positions], name, column.codes[positions], column.values, NO_LINE)


def _refuse_missing_fields(items: Items, wordings: Sequence[str], problems: Problems) -> None:
    """Every field that an item's questions name has to be there and filled: people would read the gap."""
    own = [question for question, _asking in own_questions(items)]
    for name in dict.fromkeys(name for wording in (*own, *wordings) for name in fields_of(wording)):
        if name in TRAP_COLUMNS:
            problems.whole(f"a question uses {{{name}}}, which would tell a check from other items: nobody is shown it")
    has_own = np.zeros(len(items.table), dtype=np.bool_)
    for question, asking in own_questions(items):
        has_own |= asking
        for name in dict.fromkeys(fields_of(question)):
            if name not in items.frame.columns:
                rows = items.table.rows[asking]
                sentences = [f"it uses {{{name}}}, but there is no such column"] * len(rows)
                problems.each(rows, QUESTION, sentences.__getitem__)
    refuse_blanks_of_own_questions(items, problems)
    by_others = {name for wording in wordings[1:] for name in fields_of(wording)}
    fields = {name: wording for wording in reversed(wordings) for name in fields_of(wording)}
    for name in dict.fromkeys(name for wording in wordings for name in fields_of(wording)):
        asking = np.ones_like(has_own) if name in by_others else ~has_own  # an item's own takes the first one's place
        if name in items.frame.columns:
            refuse_blank(items, name, asking, problems)
        elif asking.any():
            columns = columns_found(items.table)
            problems.whole(f"the column {name} is missing; the study's question uses it: {fields[name]!r}; {columns}")


def _refuse_unasked_checks(items: Items, study: Study, problems: Problems) -> None:
    """Once people can come, a check without a quota would be there and never be shown. In a draft the opening asks."""
    if study.status not in OPEN_NOW:
        return
    if "qualification" in set(items.frame["kind"]):
        problems.whole(f"it has qualification items, and {study} is {study.status}: pause the study first")
    quotas = set(study.check_quotas.values_list("check_name", flat=True))
    for name in sorted(set(items.frame["check"][items.frame["kind"] == "check"]) - quotas):
        problems.whole(
            f"no assignment contains checks named {name}: pause the study, add {name} under Checks in its setup, import"
            " the items, and let it go live again"
        )


def _refuse_doubled(items: Items, study: Study, problems: Problems) -> None:
    stored_ids = set(Item.objects.filter(study_id=study.pk).values_list("item_id", flat=True))
    ids = items.frame["item_id"].to_numpy()
    doubled = np.flatnonzero([item_id in stored_ids for item_id in ids])
    problems.each(
        items.table.rows[doubled],
        "item_id",
        lambda i: f"{quote_cell(ids[doubled[i]])} is already an item of this study; give the new item another id",
    )


def _refuse_bad_media(
    items: Items, columns: Mapping[str, MediaKind], take: Callable[[str, MediaKind], object], problems: Problems
) -> None:
    for name, kind in columns.items():
        if name in items.table.columns:
            _refuse_bad_media_of(items, name, kind, take, problems)


def _refuse_bad_media_of(
    items: Items, name: str, kind: MediaKind, take: Callable[[str, MediaKind], object], problems: Problems
) -> None:
    column = items.table.columns[name]
    wrong: dict[str, str] = {}
    for file in filter(None, map(str.strip, column.values)):
        try:
            take(file, kind)
        except BadMedium as error:
            wrong[file] = str(error)
    positions = column.rows_where(lambda value: value.strip() in wrong)
    names = [column.values[code].strip() for code in column.codes[positions]]
    problems.each(items.table.rows[positions], name, lambda i: f"{quote_cell(names[i])} {wrong[names[i]]}")


def _refuse_unnamed(media: Media, problems: Problems) -> None:
    """Each file that came for the blocks of a stimulus is shown: a name was mistyped, or an item forgotten."""
    for name in media.unnamed():
        problems.whole(f"no item names {quote_cell(name)}, which came with it; name it, or leave the file out")


def _items(items: Items | None, numbers: npt.NDArray[np.int32]) -> list[NewItem]:
    rows = [] if items is None else items.frame.to_dict("records")
    return [_item(row, number) for row, number in zip(rows, numbers.tolist(), strict=True)]


def _shown(item: NewItem, columns: Mapping[str, MediaKind], media: Media) -> NewItem:
    named = {column: str(item["fields"].get(column, "")).strip() for column in columns}
    hashes = {column: media.taken(name, columns[column]).sha256 for column, name in named.items() if name}
    image = hashes.pop(IMAGE, None) if columns.get(IMAGE) == "image" else None
    shown: NewItem = {**item, "image_id": image}
    return {**shown, "media": hashes} if hashes else shown


def _item(row: Mapping[Hashable, Any], check_question: int) -> NewItem:
    expected = str(row["expected"]).strip()
    return {
        "item_id": row["item_id"],
        "kind": row["kind"],
        **({} if check_question == FIRST else {"check_question": check_question}),  # type: ignore[typeddict-item]
        "check_name": row["check"] or None,
        "expected": split_bars(expected) if expected else None,
        "min": None if row["min"] is None else float(row["min"]),
        "max": None if row["max"] is None else float(row["max"]),
        "reference": row["reference"],
        "fields": {str(name): value for name, value in row.items() if name not in OWN_COLUMNS},
    }
