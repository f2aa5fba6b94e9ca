"""Labels of an item's own: its columns `options` and `option_texts`, and the order in which a person is shown them.

An option's value is what is stored, exported and shared by translations; its text is what people read. Statistics know
the options by their number in the item's column: `option 1`, `option 2`, ... Knows nothing of Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ..assignment_order import generator, shuffled
from ..files.cell_texts import split_bars, visible_text
from ..files.problems import Problems, quote_cell
from .registry import KINDS

if TYPE_CHECKING:
    import pandas as pd

    from .kind import QuestionKind

T = TypeVar("T")
Options: TypeAlias = Sequence[tuple[str, ...]]  # of each item

OPTIONS, OPTION_TEXTS = "options", "option_texts"
FEWEST_OPTIONS, MOST_OPTIONS = 2, 20
LONGEST_VALUE, LONGEST_TEXT = 80, 1_000


def values_of_options(fields: Mapping[str, object] | pd.Series[Any]) -> tuple[str, ...]:
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


# In statistics: options by their number.

_NUMBERED = "option {}"


def own_labels(count: int) -> tuple[str, ...]:
    """What statistics call the options of items that have so many at most."""
    return tuple(_NUMBERED.format(number) for number in range(1, count + 1))


def has_own_labels(labels: Sequence[str]) -> bool:
    """Whether labels are the numbers of options of items' own."""
    return bool(labels) and labels[0] == _NUMBERED.format(1)


def options_of_items(kind: QuestionKind, labels: Sequence[str], items: pd.DataFrame) -> Options | None:
    """[N] the values of each item's own labels; None where the items have the study's `labels`, or no options."""
    if (labels and not has_own_labels(labels)) or not KINDS[kind].takes_options or OPTIONS not in items:
        return None
    cells = [str(cell) for cell in items[OPTIONS]]
    options = [values_of_options({OPTIONS: cell}) for cell in cells]
    return options if any(options) else None


def labels_of_item(
    kind: QuestionKind, labels: Sequence[str], fields: Mapping[str, object] | pd.Series[Any]
) -> Sequence[str]:
    """The labels that an item's answers have: its own, or the study's."""
    if (not labels or has_own_labels(labels)) and KINDS[kind].takes_options:
        return values_of_options(fields) or labels
    return labels


def most_options(options: Options) -> int:
    return max(map(len, options), default=0)


def numbered(cells: Iterable[str], options: Iterable[Sequence[str]]) -> list[str]:
    """Cells of values, `|` between several, as the numbers of their item's options; what is none stays as it is.

    >>> numbered(["dog", "cat|dog", "fox"], [("cat", "dog")] * 3)
    ['option 2', 'option 1|option 2', 'fox']
    """
    return [
        "|".join(_NUMBERED.format(values.index(part) + 1) if part in values else part for part in split_bars(cell))
        for cell, values in zip(cells, options, strict=True)
    ]


def spelt(cells: Iterable[str], options: Iterable[Sequence[str]]) -> list[str]:
    """Cells of numbers as the values of their item's options, in the order of the item's column.

    >>> spelt(["option 2", "option 1|option 2", ""], [("cat", "dog")] * 3)
    ['dog', 'cat|dog', '']
    """
    texts = []
    for cell, values in zip(cells, options, strict=True):
        numbers = set(cell.split("|"))
        texts.append(
            "|".join(value for name, value in zip(own_labels(len(values)), values, strict=True) if name in numbers)
        )
    return texts


def in_options(
    codes: npt.NDArray[np.integer], names: Sequence[str], item: npt.NDArray[np.integer], options: Options
) -> npt.NDArray[np.int32]:
    """[J] each answer as the place of its label among its item's options; -1 where it is none of them.

    `codes` [J] are into `names`, which are labels of any item; `item` [J] are rows of `options`.
    """
    pairs = item.astype(np.int64) * max(len(names), 1) + codes
    distinct, which = np.unique(pairs, return_inverse=True)
    places = np.full(len(distinct), -1, dtype=np.int32)
    for at, (row, code) in enumerate(zip(*np.divmod(distinct, max(len(names), 1)), strict=True)):
        if row >= 0 and names[code] in options[row]:
            places[at] = options[row].index(names[code])
    return places[which]


def refuse_wrong_options(
    kind: QuestionKind, labels: Sequence[str], frame: pd.DataFrame, rows: npt.NDArray[np.int64], problems: Problems
) -> None:
    """Every item whose own labels can't be offered, where a study has no labels of its own."""
    if options_of_items(kind, labels, frame) is None:
        return
    texts = frame[OPTION_TEXTS] if OPTION_TEXTS in frame else [""] * len(frame)
    wrong: dict[str, dict[int, str]] = {OPTIONS: {}, OPTION_TEXTS: {}}
    for row, (cell, text) in enumerate(zip(frame[OPTIONS], texts, strict=True)):
        if why := wrong_options({OPTIONS: cell, OPTION_TEXTS: text}):
            wrong[why[0]][row] = why[1]
    for column, reasons in wrong.items():
        at = np.fromiter(reasons, dtype=np.intp, count=len(reasons))
        problems.each(rows[at], column, list(reasons.values()).__getitem__)
