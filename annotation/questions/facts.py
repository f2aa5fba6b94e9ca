"""What a form needs to know about its study, and what every kind of question answers to."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from annotation.errors import TouchstoneError
from questions.answers import Answer

# A form as it was sent: each name with all its values.
Fields: TypeAlias = Mapping[str, Sequence[str]]
LONGEST_TEXT = 5_000


class BadAnswer(TouchstoneError):
    """An answer that can't be taken: a sentence for the person, tied to the field that it is about."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """The limits that an answer must keep to."""

    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    starts_in_middle: bool = False
    has_image: bool = False

    @property
    def middle(self) -> float:
        if self.low is None or self.high is None:
            raise ValueError("a question without a scale has no middle")
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Question:
    """One kind of question: its template, and how its part of a form becomes an answer."""

    kind: str
    template: str
    read_given: Callable[[Fields, Facts], Answer]

    def read(self, fields: Fields, facts: Facts) -> Answer:
        """The answer in the form, or `BadAnswer`. Numbers come in the study's canonical direction."""
        if one(fields, "could_not_see") and facts.has_image:
            return Answer(could_not_see=True)
        return self.read_given(fields, facts)


def one(fields: Fields, name: str) -> str:
    """The last value of this name, as a form means it, or nothing."""
    values = fields.get(name) or [""]
    return values[-1].strip()


def read_number(text: str, facts: Facts, field: str) -> float:
    """A number of the study's scale; Arabic and other digits count as digits, and a decimal comma as a point."""
    try:
        # Python alone reads 5_0 as 50.
        number = float("" if "_" in text else text.replace(",", ".").replace("\u066b", "."))
    except ValueError:
        raise BadAnswer(field, _("Please give a number.")) from None
    if facts.low is None or facts.high is None or not math.isfinite(number) or not facts.low <= number <= facts.high:
        raise BadAnswer(
            field,
            _("Please give a number from %(low)s to %(high)s.") % {"low": plain(facts.low), "high": plain(facts.high)},
        )
    return number + 0.0  # -0.0 becomes 0.0: it would be another value to whoever compares texts


def read_text(text: str, field: str, longest: int = LONGEST_TEXT) -> str:
    if "\x00" in text:
        raise BadAnswer(field, _("This text contains a character that can't be saved."))
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()  # a form without script sends two for a line's end
    if len(text) > longest:
        raise BadAnswer(field, _("Please write at most {limit} characters.").format(limit=longest))
    return text


def read_label(text: str, facts: Facts, field: str) -> str:
    if text not in facts.labels:
        raise BadAnswer(field, _("Please choose one of the answers offered."))
    return text


def plain(number: float | None) -> str:
    """A number as HTML wants it, whatever the language: 0.5, 100.

    >>> plain(100.0), plain(0.25), plain(None)
    ('100', '0.25', '')
    """
    return "" if number is None else f"{number:.10g}"
