"""What an import would bring, before anything is stored: each column's use, and the first items as people read them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from itertools import islice
from pathlib import Path
from textwrap import shorten

import numpy as np

from agreement.errors import PAGE, Refused
from agreement.files.numbers import count_text
from agreement.files.problems import Problems
from agreement.files.question_fields import FIELD, QUESTION, Wording, fields_of, with_fields, word
from agreement.files.table import Column, Mask, Table
from agreement.judgments.questions_of_file import CHECK_QUESTION
from agreement.judgments.unused_columns import looks_like_checks, names_media
from agreement.scoring.score import breaks_down
from agreement.stimuli.blocks import Block, columns_of
from agreement.stimuli.filling import filled
from annotation.media.taking import Media, TooMuchAtOnce
from annotation.models import Item, Study
from annotation.models.question import FIRST
from annotation.studies.item_files import IMAGE, ItemsOfFile, NewItem, items_to_look_at
from annotation.studies.item_ids import table_with_ids
from annotation.studies.items_of_text import MOST_PASTED
from annotation.studies.questions import QuestionSettings, questions_of
from annotation.studies.study_form_fields import is_fixed
from annotation.studies.unused_in_import import shown_fields, unused_beside_columns
from annotation.studies.uploading import WITHOUT_LINES

FIRST_ROWS, EXAMPLES, LONGEST_EXAMPLE, LONGEST_STIMULUS, REASONS_SHOWN = 3, 3, 40, 300, 200
ROWS_OF_A_LARGE_FILE = 200
OF_ITEMS = {
    IMAGE: "The picture that is shown",
    "item_id": "Names each item",
    "kind": "Says which rows are items to judge, checks or practice",
    "check": "Names the check that a row belongs to",
    CHECK_QUESTION: "Says which question a check is about",
    "expected": "The right answer of a check",
    "min": "The lowest right answer of a check",
    "max": "The highest right answer of a check",
    "reference": "Answers from another source, to compare the results with",
}


class Use(StrEnum):
    USED = "used"
    BREAKDOWN = "breakdown"
    UNUSED = "unused"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class UnderstoodColumn:
    name: str
    use: Use
    words: str
    examples: str


@dataclass(frozen=True, slots=True)
class FirstItem:
    item_id: str
    kind: str
    image: str
    wordings: tuple[Wording, ...]
    stimulus: str = ""  # the words of its blocks, or their beginning


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """`reasons` say why nothing of it can come in; without any, `items` can."""

    columns: tuple[UnderstoodColumn, ...] = ()
    counts: str = ""
    first: tuple[FirstItem, ...] = ()
    notices: tuple[str, ...] = ()
    unasked_checks: tuple[tuple[str, int], ...] = ()  # names that no assignment contains yet, and how many of each
    reasons: tuple[str, ...] = ()
    is_beginning: bool = False  # of a large file, whose other rows are looked at by the job that imports it
    other_question: str = ""  # the study's, with the table's columns in the place of those that it lacks


def preview_of(table: Table | None, problems: Problems, study: Study, pictures: Media) -> ImportPreview:
    """Of a table that has been read, with what was wrong on the way. A fixed number of statements."""
    questions = questions_of(study)
    columns = () if table is None else _columns(table, questions, study.blocks)
    try:
        items = items_to_look_at(table, problems, study, pictures)
    except Refused as refusal:
        reasons = tuple(islice(refusal.words(PAGE), REASONS_SHOWN))
        names = {} if table is None else columns_for_fields(table, study, questions)
        other = with_fields(questions[0].wording, names) if names else ""
        return ImportPreview(columns, reasons=reasons, other_question=other)
    except TooMuchAtOnce:
        return ImportPreview(columns, is_beginning=True)
    return ImportPreview(
        columns,
        counts=", ".join(_counts(items)),
        first=tuple(_first_items(items, questions, study.blocks)),
        notices=tuple(unused_beside_columns(items, pictures)),
        unasked_checks=unasked_checks(items, study),
    )


def columns_for_fields(table: Table, study: Study, questions: Sequence[QuestionSettings]) -> dict[str, str]:
    """A column of the table for each field of the first question that it lacks, in order, if there is one for each and
    the question may still change.
    """
    fields = fields_of(questions[0].wording)
    lacking = [name for name in fields if name not in table.columns]
    known = {*fields, *shown_fields(()), *OF_ITEMS}
    spare = [
        name
        for name, column in table.columns.items()
        if name not in known and FIELD.fullmatch(f"{{{name}}}") and any(column.values)
    ]
    if len(spare) < len(lacking) or study.items.exists() or is_fixed(study):
        return {}
    return dict(zip(lacking, spare, strict=False))


def preview_of_large(file: Path, study: Study) -> ImportPreview:
    """The columns, by its first rows. Only a file of lines has a beginning that can be read by itself."""
    if file.name.lower().endswith(WITHOUT_LINES):
        return ImportPreview(is_beginning=True)
    beginning = file.with_name(f"beginning-{file.name}")
    with file.open("rb") as whole, beginning.open("wb") as part:
        part.writelines(islice(whole, ROWS_OF_A_LARGE_FILE + 1))
    questions = questions_of(study)
    table = table_with_ids(beginning, Problems(file.name), questions)
    columns = () if table is None else _columns(table, questions, study.blocks)
    return ImportPreview(columns, is_beginning=True)


def as_text(table: Table) -> str:
    """The table as it can be pasted; nothing where the box can't hold it, or where it is no text."""
    if len(table) > MOST_PASTED or any("\n" in text for column in table.columns.values() for text in column.values):
        return ""
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(table.columns)
    lines.writerows(zip(*(column.text() for column in table.columns.values()), strict=True))
    return "" if _shown(text.getvalue()) != text.getvalue() else text.getvalue()


def _shown(text: str) -> str:
    """With a question mark for each byte that is no text, which is named among the reasons."""
    return text.encode("utf-8", "replace").decode()


def _columns(
    table: Table, questions: Sequence[QuestionSettings], blocks: Sequence[Block]
) -> tuple[UnderstoodColumn, ...]:
    own = table.columns.get(QUESTION)
    texts = [*(question.wording for question in questions), *(own.values if own is not None else ())]
    named = {match[1] for text in texts for match in FIELD.finditer(text)}
    used = dict.fromkeys(shown_fields(texts), "Read with the item") | OF_ITEMS
    used |= dict.fromkeys(columns_of(blocks), "The stimulus shows it") | dict.fromkeys(named, "The question shows it")
    marks = [table.columns[name] for name in ("check", "kind") if name in table.columns]
    is_target = np.ones(len(table), dtype=np.bool_)
    for mark in marks:
        is_target &= np.isin(mark.text().astype(str), ("", Item.Kind.TARGET))
    return tuple(
        UnderstoodColumn(_shown(name), *_use(name, column, used, is_target, has_checks=bool(marks)), _examples(column))
        for name, column in table.columns.items()
    )


def _use(name: str, column: Column, used: Mapping[str, str], is_target: Mask, *, has_checks: bool) -> tuple[Use, str]:
    texts = column.text().astype(str)[is_target]
    if name in used:
        return Use.USED, used[name]
    if names_media(column):
        return Use.WRONG, f"Names media that nobody would see: only pictures in a column {IMAGE} are shown"
    if looks_like_checks(name) and not has_checks:
        return Use.WRONG, "Looks like checks, and isn't read so: call the column check"
    if breaks_down(name, texts):
        return Use.BREAKDOWN, f"Results are broken down by it: {count_text(len(set(texts.tolist())), 'value')}"
    return Use.UNUSED, "Nothing uses it; it stays with the items" if any(column.values) else "Empty"


def _examples(column: Column) -> str:
    texts = map(_shown, islice((value.strip() for value in column.values if value.strip()), EXAMPLES))
    return ", ".join(text if len(text) <= LONGEST_EXAMPLE else f"{text[:LONGEST_EXAMPLE]}…" for text in texts)


def _counts(items: ItemsOfFile) -> Iterator[str]:
    counted = Counter(str(item.get("kind", Item.Kind.TARGET)) for item in items)
    nouns: dict[str, str] = {Item.Kind.TARGET: "item", Item.Kind.CHECK: "check"}
    for kind in Item.Kind.values:
        if count := counted[kind]:
            yield count_text(count, nouns.get(kind, f"{kind} item"))


def _first_items(
    items: Sequence[NewItem], questions: Sequence[QuestionSettings], blocks: Sequence[Block]
) -> Iterator[FirstItem]:
    for item in items[:FIRST_ROWS]:
        fields = item.get("fields", {})
        own = {name: value for name, value in fields.items() if name != QUESTION}
        wordings = [word(q.wording, fields if number == FIRST else own) for number, q in enumerate(questions, FIRST)]
        image = str(fields.get(IMAGE, "")).strip()
        words = " ".join(text for block in filled(blocks, fields) for text in block.words())
        stimulus = shorten(words, LONGEST_STIMULUS, placeholder=" …")
        yield FirstItem(item["item_id"], str(item.get("kind", Item.Kind.TARGET)), image, tuple(wordings), stimulus)


def unasked_checks(items: Sequence[NewItem], study: Study) -> tuple[tuple[str, int], ...]:
    """The names of checks that no assignment contains yet, and how many items there are of each."""
    counted = Counter(str(item["check_name"]) for item in items if item.get("check_name"))
    quotas = set(study.check_quotas.values_list("check_name", flat=True))
    return tuple((name, count) for name, count in sorted(counted.items()) if name not in quotas)
