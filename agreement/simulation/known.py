"""What simulated people know of an item: what they are shown, and what the researcher holds to be right. No Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..files.cell_texts import split_bars
from ..files.numbers import decimal_of


@dataclass(frozen=True, slots=True)
class KnownItem:
    """`low` and `high` are a check's bounds in per cent of the scale, `expected` its right labels or properties."""

    fields: Mapping[str, Any]
    reference: str = ""
    is_check: bool = False
    expected: Sequence[str] = ()
    low: float | None = None
    high: float | None = None

    @property
    def name(self) -> str:
        """All that the item says, in one text: what is drawn for it is drawn by this."""
        return "item " + " ".join(f"{key}={self.fields[key]}" for key in sorted(self.fields))

    @property
    def right(self) -> list[str]:
        """What a check expects, or what the reference says: labels or properties, none where nobody knows."""
        return list(self.expected) or [part for part in split_bars(self.reference) if part.strip()]

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which shares of the scale a check must be answered."""
        if self.low is None and self.high is None:
            return None
        return (self.low or 0) / 100, (100 if self.high is None else self.high) / 100

    def number(self, field: str) -> float | None:
        """The number in a field, None where there is none."""
        found = decimal_of(str(self.fields.get(field, "")))
        return None if found is None else float(found)

    def reference_on(self, scale: tuple[float, float]) -> float | None:
        """Where on the scale, from 0 to 1, a reference that is a number lies.

        >>> KnownItem({}, reference="75").reference_on((50, 100))
        0.5
        """
        found, (low, high) = decimal_of(self.reference), scale
        return None if found is None else min(max((float(found) - low) / (high - low), 0.0), 1.0)
