"""Labels of an item's own: its columns `options` and `option_texts`, and the order in which a person is shown them.

An option's value is what is stored, exported and shared by translations; its text is what people read. Knows nothing of
Django.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ..assignment_order import generator, shuffled
from ..files.cell_texts import split_bars, visible_text
from ..files.problems import quote_cell

T = TypeVar("T")

OPTIONS, OPTION_TEXTS = "options", "option_texts"
FEWEST_OPTIONS, MOST_OPTIONS = 2, 20
LONGEST_VALUE, LONGEST_TEXT = 80, 1_000


def values_of_options(fields: Mapping[str, object]) -> tuple[str, ...]:
    """The values of an item's own labels, in the order of its column; none where it has no such column."""
    cell = str(fields.get(OPTIONS) or "")
    return tuple(split_bars(cell)) if cell.strip() else ()


def options_of_item(fields: Mapping[str, object]) -> list[tuple[str, str]]:
    """Each of an item's own labels with the text that people read.

    >>> options_of_item({"options": "cat|dog", "option_texts": "a cat | a dog"})
    [('cat', 'a cat'), ('dog', 'a dog')]
    """
    values = values_of_options(fields)
    texts = str(fields.get(OPTION_TEXTS) or "")
    return list(zip(values, split_bars(texts) if texts.strip() else values, strict=False))


def in_shown_order(options: Sequence[T], *, seed: int, item: int) -> list[T]:
    """The options as the person of this seed is shown them at this item: an order of their own."""
    return shuffled(options, generator(seed, f"options {item}"))


def wrong_options(fields: Mapping[str, object]) -> tuple[str, str] | None:
    """(column, what is wrong with it) of an item's own labels.

    >>> wrong_options({"options": "cat"})
    ('options', "'cat' is one label; give 2 to 20, with | between")
    >>> wrong_options({"options": "cat|Cat"})
    ('options', "'Cat' reads like another label of the item; give each a value of its own")
    """
    values, texts = values_of_options(fields), split_bars(str(fields.get(OPTION_TEXTS) or ""))
    if why := _wrong_values(values, str(fields.get(OPTIONS) or "")):
        return OPTIONS, why
    if texts == [""]:
        return None
    if len(texts) != len(values):
        return OPTION_TEXTS, f"has {len(texts)} texts for {len(values)} options; give one for each, with | between"
    why = _wrong_parts(texts, LONGEST_TEXT, "text")
    return (OPTION_TEXTS, why) if why else None


def _wrong_values(values: Sequence[str], cell: str) -> str:
    if not values:
        return "is blank; give the item's own labels, with | between"
    if not FEWEST_OPTIONS <= len(values) <= MOST_OPTIONS:
        number = "one label" if len(values) == 1 else f"{len(values)} labels"
        return f"{quote_cell(cell)} is {number}; give {FEWEST_OPTIONS} to {MOST_OPTIONS}, with | between"
    if barred := [value for value in values if "|" in value]:
        return f"{quote_cell(barred[0])} has the sign |, which no label has"
    why = _wrong_parts(values, LONGEST_VALUE, "value")
    return f"{why}{_NAME_IT if 'longer' in why else ''}"


_NAME_IT = f": give a short name here, and what people read in {OPTION_TEXTS}"


def _wrong_parts(parts: Sequence[str], longest: int, noun: str) -> str:
    if "" in parts:
        return "has nothing on one side of a |"
    seen: set[str] = set()
    for part in parts:
        if len(part) > longest:
            return f"{quote_cell(part)} is longer than {longest:,} characters"
        if (reads := visible_text(part).casefold()) in seen:
            return f"{quote_cell(part)} reads like another label of the item; give each a {noun} of its own"
        seen.add(reads)
    return ""
