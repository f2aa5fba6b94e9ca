"""The fields of an item that its question names in braces: required in any file, and put into the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .cell_texts import is_blank
from .items_file import Items
from .problems import Problems
from .table import Mask
from .trap_columns import TRAP_COLUMNS

QUESTION = "question"
FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(\??)\}")  # with ? it may be blank, and takes its space with it
BRACES = re.compile(r"\{[^{}]*\}")


def fields_of(question: str) -> list[str]:
    """The item's fields that a question's template can't do without, in order.

    >>> fields_of("In a {scene}, where is {descriptor?} {object}?")
    ['scene', 'object']
    """
    return [match[1] for match in FIELD.finditer(question) if not match[2]]


def with_fields(question: str, names: Mapping[str, str]) -> str:
    """The question with these fields called otherwise.

    >>> with_fields("How similar are {left} and {right?}?", {"left": "word_1", "right": "word_2"})
    'How similar are {word_1} and {word_2?}?'
    """
    return FIELD.sub(lambda match: f"{{{names.get(match[1], match[1])}{match[2]}}}", question)


def braces_without_field(text: str, known: Collection[str]) -> list[str]:
    """What stands in braces and names none of the known fields, in order: people would read it as it was typed.

    >>> braces_without_field("Which colour has {object}, {picture} or { object }?", {"object"})
    ['{picture}', '{ object }']
    """
    parts = (match[0] for match in BRACES.finditer(text))
    return [part for part in dict.fromkeys(parts) if (named := FIELD.fullmatch(part)) is None or named[1] not in known]


def own_questions(items: Items) -> Iterator[tuple[str, Mask]]:
    """The questions that items bring in the place of the study's, each with the mask of the items that bring it."""
    own = items.table.columns.get(QUESTION)
    if own is not None:
        texts = own.text()
        for question in own.values:
            if not is_blank(question):
                yield question, np.asarray(texts == question, dtype=np.bool_)


def refuse_blank(items: Items, name: str, asking: Mask, problems: Problems, *, used_by: str = "the question") -> None:
    """The column `name` is filled in the items of the mask: people would read the gap."""
    column = items.table.columns[name]
    blank = np.intersect1d(column.rows_where(is_blank), np.flatnonzero(asking))
    limit = f"is blank, but {used_by} uses it"
    problems.cells(items.table.rows[blank], name, column.codes[blank], column.values, limit)


def refuse_blanks_of_own_questions(items: Items, problems: Problems) -> None:
    """What can be said of a file without its study, which would refuse names that are no column too."""
    for question, asking in own_questions(items):
        for name in dict.fromkeys(fields_of(question)):
            if name in items.table.columns:
                refuse_blank(items, name, asking, problems)


# Puts an item's fields into a study's question. Text stays text: nothing in it is ever run or taken for
# markup.

PAIR = ("left", "right")


# A field stands out where it is a word or a phrase; set bold, a paragraph would be a wall.
LONGEST_EMPHASISED = 60


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    is_field: bool = False

    @property
    def is_emphasised(self) -> bool:
        return self.is_field and len(self.text) <= LONGEST_EMPHASISED and "\n" not in self.text


@dataclass(frozen=True, slots=True)
class Wording:
    parts: tuple[Part, ...]
    pair: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join(part.text for part in self.parts)


def swap_pair(fields: Mapping[str, object], *, is_swapped: bool) -> tuple[dict[str, str], dict[str, str]]:
    """An item's fields as texts, `left` and `right` in each other's place where they are swapped; and, of a column that
    shows another's content, that other's name. What is known of a trap would tell it from other items.
    """
    texts, names = {name: str(value) for name, value in fields.items() if name not in TRAP_COLUMNS}, {}
    left, right = PAIR
    if is_swapped and left in texts and right in texts:
        texts[left], texts[right] = texts[right], texts[left]
        names = {left: right, right: left}
    return texts, names


def fill_in(template: str, texts: Mapping[str, str]) -> tuple[Part, ...]:
    """The template with these texts in the place of the names in braces. Only names are looked up, never attributes or
    indices of them. A field with a question mark may be blank: then a space after it goes too.
    """
    parts: list[Part] = []
    end = 0
    for match in FIELD.finditer(template):
        parts.append(Part(template[end : match.start()]))
        end = match.end()
        if match[2] and not texts.get(match[1], "").strip():
            end += template[end : end + 1] == " "
            continue
        parts.append(Part(texts.get(match[1], match[0]), is_field=match[1] in texts))
    parts.append(Part(template[end:]))
    return tuple(part for part in parts if part.text)


def word(question: str, fields: Mapping[str, object], *, is_swapped: bool = False) -> Wording:
    """The question for one item. An item may bring a `question` of its own. Two words `left` and `right` that the
    question doesn't name stand apart from it, as a pair.

    >>> str(word("In a {scene}, where is the {object}?", {"scene": "kitchen", "object": "cup"}))
    'In a kitchen, where is the cup?'
    >>> [str(word("Is {d?} {c} red?", fields)) for fields in ({"d": "a", "c": "bus"}, {"c": "blood"})]
    ['Is a bus red?', 'Is blood red?']
    >>> word("How similar?", {"left": "on", "right": "above"}, is_swapped=True).pair
    ('above', 'on')
    """
    texts, _names = swap_pair(fields, is_swapped=is_swapped)
    template = texts.get("question") or question
    named = {match[1] for match in FIELD.finditer(template)}
    # A check that brings its own question ("move it all the way to the left") is not about a pair.
    stands_apart = all(name in texts for name in PAIR) and not named & set(PAIR)
    return Wording(fill_in(template, texts), (texts["left"], texts["right"]) if stands_apart else ())
