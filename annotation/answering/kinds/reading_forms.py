"""Reading what people typed and chose: the limits that a study sets, and a sentence for what can't be taken."""

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreement.errors import TouchstoneError
from agreement.kinds.answers import Fields
from agreement.kinds.inputs import plain

LONGEST_TEXT = 5_000


class BadAnswer(TouchstoneError):
    """An answer that can't be taken: a sentence for the person, tied to the field that it is about."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Facts:
    """The limits that a study sets its answers."""

    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()  # how people read each of them
    starts_in_middle: bool = False
    has_image: bool = False

    def as_shown(self, label: str) -> str:
        """A label in the words that people read."""
        return dict(zip(self.labels, self.shown, strict=False)).get(label, label)

    @property
    def middle(self) -> float:
        if self.low is None or self.high is None:
            raise ValueError("a question without a scale has no middle")
        return (self.low + self.high) / 2


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
