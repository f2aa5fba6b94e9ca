"""Texts in cells: several separated by |, texts in which nothing can be seen, and texts that look the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from .problems import LONGEST_SHOWN, Problems
from .table import Column, Table

# Several texts in one cell, separated by |: a | inside a property is written \|.


def join_bars(parts: Iterable[str]) -> str:
    r"""One cell of several texts; `\` is doubled so that any text comes back as it was.

    >>> print(join_bars(["is green", "a|b"]))
    is green|a\|b
    """
    return "|".join(part.replace("\\", "\\\\").replace("|", "\\|") for part in parts)


def split_bars(cell: str) -> list[str]:
    r"""The texts of a cell, trimmed; `\|` is a | and `\\` a \ of the text, any other `\` stands for itself.

    >>> split_bars(r"is green | a\|b")
    ['is green', 'a|b']
    """
    if "\\" not in cell:
        return [part.strip() for part in cell.split("|")]
    parts, part, position = [], "", 0
    while position < len(cell):
        if cell[position] == "\\" and cell[position + 1 : position + 2] in ("|", "\\"):
            part, position = part + cell[position + 1], position + 2
        elif cell[position] == "|":
            parts.append(part)
            part, position = "", position + 1
        else:
            part, position = part + cell[position], position + 1
    return [text.strip() for text in [*parts, part]]


# Texts in which nothing can be seen: empty, spaces, and characters that have no width.

# Controls, joiners and marks of direction; spaces and line ends of every kind.
INVISIBLE = {"Cc", "Cf", "Zs", "Zl", "Zp"}
# Letters and symbols by their category that are drawn as nothing.
BLANK_SIGNS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00\ufe0e\ufe0f\uffa0")


def is_blank(text: str) -> bool:
    """Whether a reader of the text would see nothing.

    >>> is_blank(" \u200b"), is_blank("\u00e9")
    (True, False)
    """
    if text.isascii():
        return not text.strip()
    return all(letter in BLANK_SIGNS or unicodedata.category(letter) in INVISIBLE for letter in text)


def one_line(text: str) -> str:
    r"""A text as a terminal shows it on one line: without what could move its cursor or change its colours.

    >>> one_line("a\x1b[2Jb\nc")
    'a [2Jb c'
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


# Line ends, ESC and the like, the two separators of Unicode, and the signs that turn the direction of what follows: a
# mail's subject, a log or a terminal would be led astray by them. The marks U+200E, U+200F and U+061C turn nothing.
NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def why_no_line(text: str) -> str:
    r"""What keeps a text from standing on one line; "" where nothing does.

    >>> why_no_line("naïve 项目"), why_no_line("a\x1b[2J")
    ('', 'Character 2 (U+001B) is a control character: a text of one line has none.')
    """
    sign = NOT_IN_A_LINE.search(text)
    if sign is None:
        return ""
    return f"Character {sign.start() + 1} (U+{ord(sign[0]):04X}) is a control character: a text of one line has none."


# Texts that look the same to a person and are not: spaces at an end or of another kind, characters without a width,
# an accent encoded in another way.

JOINERS = "\u200c\u200d"  # which change how letters of some scripts, and emoji, are drawn


def refuse_lookalikes(column: Column, name: str, table: Table, problems: Problems) -> None:
    """Name every row whose text looks like another one of the column: one worker would count as two."""
    text = "".join(column.values)
    if text.isascii() and text.split(maxsplit=1) == [text]:
        return  # no accent and no space in any of them
    first: dict[str, str] = {}
    for value in column.values:
        first.setdefault(visible_text(value), value)
    if len(first) == len(column.values):
        return
    odd_rows = column.rows_where(lambda value: first[visible_text(value)] != value)
    codes = column.codes[odd_rows]

    def sentence(i: int) -> str:
        value = column.values[int(codes[i])]
        return _alike(value, first[visible_text(value)])

    problems.each(np.asarray(table.rows[odd_rows]), name, sentence)


def refuse_lookalike_parts(
    column: Column, parts: Sequence[Sequence[str]], name: str, table: Table, problems: Problems
) -> None:
    """The same of cells that hold several texts, which `parts` has for each of the column's values."""
    if "".join(column.values).isascii():
        return
    first: dict[str, str] = {}
    for of_cell in parts:
        for part in of_cell:
            first.setdefault(visible_text(part), part)
    odd = [next((part for part in of_cell if first[visible_text(part)] != part), "") for of_cell in parts]
    odd_rows = np.flatnonzero(np.array([*map(bool, odd), False])[column.codes])
    codes = column.codes[odd_rows]

    def sentence(i: int) -> str:
        part = odd[int(codes[i])]
        return _alike(part, first[visible_text(part)])

    problems.each(np.asarray(table.rows[odd_rows]), name, sentence)


def _alike(value: str, other: str) -> str:
    hidden = invisible_in(value) or invisible_in(other)
    named = f" ({hidden})" if hidden else ""
    return f"{_ascii_text(value)} and {_ascii_text(other)} look the same{named}; write them in the same way"


def _ascii_text(text: str) -> str:
    return ascii(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")


def visible_text(text: str) -> str:
    r"""A text as a person sees it: without what has no width, and every space an ordinary one.

    >>> visible_text("not\u00a0sure\u200b ") == visible_text("not sure")
    True
    """
    if not text.isascii():
        plain = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in text)
        text = unicodedata.normalize("NFC", "".join(letter for letter in plain if not _has_no_width(letter, text)))
    return text.strip()


def invisible_in(text: str) -> str:
    r"""The names of the characters that can't be seen, or not be told from a space.

    >>> invisible_in("yes\u200b"), invisible_in("not\u00a0sure"), invisible_in("yes")
    ('zero width space', 'no-break space', '')
    """
    odd = [letter for letter in text if letter != " " and (_has_no_width(letter, text) or letter == "\u00a0")]
    return ", ".join(dict.fromkeys(unicodedata.name(letter, f"U+{ord(letter):04X}").lower() for letter in odd))


def _has_no_width(letter: str, text: str) -> bool:
    """Joiners count only where there is nothing for them to join."""
    if letter in JOINERS:
        return all(one.isascii() or one in JOINERS for one in text)
    return letter in BLANK_SIGNS or unicodedata.category(letter) == "Cf"


# Spellings that stand for labels, such as grey for gray, and how texts with them are read. Where answers may
# be several labels a spelling may stand for several too (beige is yellow and brown).

Synonyms: TypeAlias = Mapping[str, Sequence[str]]  # a spelling, and the labels that it stands for


def lines_of_synonyms(synonyms: Synonyms) -> str:
    """The lines that `synonyms_of_lines` reads.

    >>> lines_of_synonyms({"beige": ["yellow", "brown"]})
    'beige = yellow | brown'
    """
    return "\n".join(f"{spelling} = {' | '.join(labels)}" for spelling, labels in synonyms.items())


def synonyms_in_words(synonyms: Synonyms) -> str:
    """As a sentence lists them.

    >>> synonyms_in_words({"grey": ["gray"], "beige": ["yellow", "brown"]})
    'grey for gray, beige for yellow and brown'
    """
    return ", ".join(f"{spelling} for {' and '.join(labels)}" for spelling, labels in synonyms.items())


def labels_of_spelling(label: str, synonyms: Synonyms) -> Sequence[str]:
    """The labels that a text stands for: itself, unless it is a synonym."""
    return synonyms.get(label, (label,))


def in_labels(cell: str, synonyms: Synonyms) -> str:
    """A cell of labels with each synonym replaced; a label that comes up twice stays once.

    >>> in_labels("beige|yellow", {"beige": ["yellow", "brown"]})
    'yellow|brown'
    """
    if not synonyms or not cell.strip():
        return cell
    parts = split_bars(cell)
    if not any(part in synonyms for part in parts):
        return cell
    return join_bars(dict.fromkeys(label for part in parts for label in labels_of_spelling(part, synonyms)))


# One spelling of what people name in their own words.

_SPACES = re.compile(r"\s+")
_EDGES = " \t.,;:!?\"'"


def normalised_name(name: str) -> str:
    """One spelling of a property: NFC, case folded, single spaces, no punctuation at its ends.

    >>> normalised_name("  Is  Green. "), normalised_name("is green")
    ('is green', 'is green')
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", name).casefold()).strip(_EDGES)
