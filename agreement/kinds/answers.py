"""Answers: what a person gave, how it came about, and what a form shows of it. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

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
    """One label to choose, with the number key that chooses it."""

    value: str
    display_text: str
    swatch: str
    key: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Options:
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Writing:
    """A text, and how much may be written, for the page to say beforehand; as plain digits, which its script reads."""

    text: str
    longest: str
    longest_line: str = ""
    most_lines: str = ""


def options_of(labels: Sequence[ShownLabel], chosen: Sequence[str]) -> Options:
    return Options(
        tuple(
            Option(
                label.value,
                label.display_text,
                label.swatch,
                str(number % 10) if number <= 10 else "",
                label.value in chosen,
            )
            for number, label in enumerate(labels, start=1)
        )
    )


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
