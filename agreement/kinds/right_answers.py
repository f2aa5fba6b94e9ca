"""Whether one answer is right, for feedback while people practise. The rules of checks say the same of whole crowds
(`agreement/cleaning/rules/check.py`), and a test holds the two to each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ..files.cell_texts import normalised_name
from ..files.numbers import Scale


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
