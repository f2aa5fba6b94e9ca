"""What the templates of kinds show: lines, labels to choose from, a text, each with the answer that it holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from .answers import Fields


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
                label.value, label.display_text, label.swatch, str(at % 10) if at <= 10 else "", label.value in chosen
            )
            for at, label in enumerate(labels, start=1)
        )
    )


def typed(fields: Fields, name: str) -> str:
    """The last value of this name, as it was typed."""
    values = fields.get(name) or [""]
    return values[-1]


def plain(number: float | None) -> str:
    """A number as HTML wants it, whatever the language: 0.5, 100.

    >>> plain(100.0), plain(0.25), plain(None)
    ('100', '0.25', '')
    """
    return "" if number is None else f"{number:.10g}"
