"""Answers: what a person gave, how it came about, and what a form shows of it. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from itertools import pairwise
from typing import Any, TypeAlias
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

from ..files.cell_texts import normalised_name
from ..files.numbers import Scale
from ..files.table import Mask

# A form as it is sent: each name with all its values.
Fields: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, exactly one of its parts filled; numbers in the study's canonical direction."""

    number: float | None = None
    label: str | None = None
    labels: list[str] | None = None
    numbers: dict[str, float] | None = None
    properties: list[str] | None = None
    text: str | None = None
    could_not_see: bool | None = None
    no_answer: str | None = None  # why there is none: "dont-know", "not-asked" or "left-empty"

    def __post_init__(self) -> None:
        filled = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        if len(filled) != 1:
            raise ValueError(f"an answer has exactly one part, this one has {filled or 'none'}")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How an answer came about: for judging its quality, never part of the answer itself."""

    response_ms: int | None = None
    first_touch_ms: int | None = None
    moves: int | None = None
    input_kind: str = "unknown"
    is_untouched_middle: bool = False
    confidence: int | None = None  # how sure the person is, from 1 to 5
    media_use: dict[str, dict[str, int]] | None = None  # by the column of each medium, how often it was played


# The arrays that answers are held in, one shape for each kind of question.


@dataclass(frozen=True, slots=True, eq=False)
class Properties:
    """Answers of kind `list`: judgment j named `names[property[offsets[j]:offsets[j + 1]]]`, each at most once."""

    offsets: npt.NDArray[np.int64]
    property: npt.NDArray[np.int32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, j: int) -> list[str]:
        """The properties that judgment `j` named, in the order given."""
        return [self.names[code] for code in self.property[self.offsets[j] : self.offsets[j + 1]]]

    def take(self, keep: Mask) -> Properties:
        """The answers of the judgments that `keep` marks."""
        return self.at(np.flatnonzero(keep))

    def at(self, which: npt.NDArray[np.intp]) -> Properties:
        """The answers of some judgments, in that order."""
        lengths = np.diff(self.offsets)[which]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.repeat(self.offsets[which] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Properties(offsets, self.property[places], self.names)


# Of J judgments: numbers float64[J]; codes into the labels int32[J]; sets of L labels bool[J, L]; a number for each of
# L labels float64[J, L]; texts object[J]; properties.
Answers: TypeAlias = npt.NDArray[Any] | Properties
LABEL_COLUMN = "v:"  # what the columns of judgments.csv that hold one label each begin with


# What the templates of kinds show: lines, labels to choose from, a text, each with the answer that it holds.


@dataclass(frozen=True, slots=True)
class ShownLabel:
    """A label of the study: what is stored, what is shown, its colour."""

    value: str
    display_text: str
    swatch: str
    exclusive: bool = False  # chosen together with no other label
    point: str = ""  # its number on a scale of ordered labels


@dataclass(frozen=True, slots=True)
class Offered:
    """What a question offers: its labels in the order in which they are shown, and how they are to be answered.

    `ordered` labels are the points of a scale whose ends have the names `low` and `high`; `shows_points` has a number
    stand above each of them. `fewest` and `most` are how many labels a set may have.
    """

    labels: tuple[ShownLabel, ...] = ()
    ordered: bool = False
    shows_points: bool = False
    low: str = ""
    high: str = ""
    fewest: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One slider: its name in the form, its label where there are several, and where the answer stands."""

    name: str
    label: str = ""
    swatch: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One label to choose: its value is what is stored, its point where it stands on a scale of ordered labels, its key
    the number key that chooses it. None of the three is made of another: a scale's 10 may have the key 0, or none.
    """

    value: str
    display_text: str
    swatch: str
    key: str
    is_chosen: bool
    point: str = ""
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """`room` is how wide a row of ordered labels has to be, in rem, for every point to be read; nothing: no row is."""

    options: tuple[Option, ...]
    ordered: bool = False
    shows_points: bool = False
    low: str = ""
    high: str = ""
    room: str = ""
    fewest: int | None = None
    most: int | None = None
    how_many: str = ""  # of the two limits, in a sentence


@dataclass(frozen=True, slots=True)
class Writing:
    """A text, and how much may be written, for the page to say beforehand; as plain digits, which its script reads."""

    text: str
    longest: str
    longest_line: str = ""
    most_lines: str = ""


def options_of(offered: Offered, chosen: Sequence[str]) -> Options:
    labels = offered.labels
    numbers = [str(number) for number in range(1, len(labels) + 1)]
    keys = keys_of([label.point for label in labels] if offered.ordered else numbers)
    return Options(
        tuple(
            Option(
                label.value,
                label.display_text,
                label.swatch,
                key,
                label.value in chosen,
                label.point,
                label.exclusive,
            )
            for label, key in zip(labels, keys, strict=True)
        ),
        offered.ordered,
        offered.shows_points,
        offered.low,
        offered.high,
        _room(labels) if offered.ordered else "",
        offered.fewest,
        offered.most,
    )


# The points of a scale of ordered labels, the keys that choose them, and how wide a row of them has to be.

MOST_POINTS = 12
ROOMS = (19, 23, 27, 31, 35, 39, 41)  # in rem; the style sheet of ordered labels knows these
LEAST_POINT, GAP = 3.5, 0.25  # 56 px, in which a finger and two digits have room
PER_LETTER, AROUND_A_WORD = 0.6, 0.75


def points_of(values: Sequence[str]) -> list[str]:
    """The numbers of the points: the values themselves where they are whole numbers in a row, up or down; else from 1.

    >>> points_of(["0", "1", "2"]), points_of(["no", "maybe", "yes"])
    (['0', '1', '2'], ['1', '2', '3'])
    """
    is_whole = all(value.lstrip("-").isascii() and value.lstrip("-").isdecimal() for value in values)
    numbers = [int(value) for value in values] if is_whole else []
    steps = {after - before for before, after in pairwise(numbers)}
    if numbers and steps in ({1}, {-1}):
        return [str(number) for number in numbers]
    return [str(number) for number in range(1, len(values) + 1)]


def keys_of(points: Sequence[str]) -> list[str]:
    """The number key of each point: its own digit; 0 for the tenth where no point is 0.

    >>> keys_of(["8", "9", "10", "11"]), keys_of(["0", "10"])
    (['8', '9', '0', ''], ['0', ''])
    """
    return [point if len(point) == 1 else "0" if point == "10" and "0" not in points else "" for point in points]


def _room(labels: Sequence[ShownLabel]) -> str:
    """The narrowest of `ROOMS` in which each point has 56 px, and its longest word fits."""
    words = [word for label in labels for word in label.display_text.split()]
    longest = max((sum(2 if east_asian_width(sign) in "WF" else 1 for sign in word) for word in words), default=0)
    each = max(LEAST_POINT, PER_LETTER * longest + AROUND_A_WORD)
    wanted = len(labels) * each + (len(labels) - 1) * GAP
    fitting = [room for room in ROOMS if room >= wanted] if 1 < len(labels) <= MOST_POINTS else []
    return str(fitting[0]) if fitting else ""


def typed_value(fields: Fields, name: str) -> str:
    """The last value of this name, as it was typed."""
    values = fields.get(name) or [""]
    return values[-1]


def html_number(number: float | None) -> str:
    """A number as HTML wants it, whatever the language: 0.5, 100.

    >>> html_number(100.0), html_number(0.25), html_number(None)
    ('100', '0.25', '')
    """
    return "" if number is None else f"{number:.10g}"


# Whether one answer is right, for feedback while people practise. The rules of checks say the same of whole crowds
# (`agreement/cleaning/rules/check.py`), and a test holds the two to each other.


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """The labels or texts that are expected, or bounds in per cent of the scale; what is None bounds nothing."""

    expected: tuple[str, ...] = ()
    low: Decimal | None = None
    high: Decimal | None = None
    scale: Scale | None = None

    def __bool__(self) -> bool:
        return bool(self.expected) or self.low is not None or self.high is not None

    def has(self, number: float) -> bool:
        """Whether a number is within the bounds, compared as decimals: 4.6 of 1:5 is 90 per cent.

        >>> RightAnswer(low=Decimal(90), scale=Scale(Decimal(1), Decimal(5))).has(4.6)
        True
        """
        if self.scale is None:
            return True
        low = self.scale.low if self.low is None else self.scale.raw(self.low)
        high = self.scale.high if self.high is None else self.scale.raw(self.high)
        return low <= Decimal(repr(number)) <= high


def is_number_right(number: float, right: RightAnswer) -> bool:
    return right.has(number)


def are_numbers_right(numbers: Mapping[str, float], right: RightAnswer) -> bool:
    """The label or labels moved furthest are among those expected, and bounds hold for these, else for every label."""
    furthest = {label for label, number in numbers.items() if number == max(numbers.values())}
    bounded = [number for label, number in numbers.items() if not right.expected or label in right.expected]
    return (not right.expected or furthest <= set(right.expected)) and all(map(right.has, bounded))


def is_label_right(label: str, right: RightAnswer) -> bool:
    return label in right.expected


def are_labels_right(labels: Collection[str], right: RightAnswer) -> bool:
    """All of those expected, and no other."""
    return set(labels) == set(right.expected)


def is_order_right(labels: Sequence[str], right: RightAnswer) -> bool:
    """It begins with those expected; all of them are the whole order."""
    return tuple(labels[: len(right.expected)]) == right.expected


def are_properties_right(properties: Collection[str], right: RightAnswer) -> bool:
    """Every one that is expected is named, in whatever capitals."""
    return set(map(normalised_name, right.expected)) <= set(map(normalised_name, properties))


def is_text_right(text: str, right: RightAnswer) -> bool:
    return text.strip() in right.expected
