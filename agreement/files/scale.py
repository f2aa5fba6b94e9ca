"""A slider's scale in decimal."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Scale:
    """The two ends of a slider, in decimal: 90 per cent of 1:5 is 4.6, and binary floating point would miss it."""

    low: Decimal
    high: Decimal

    def raw(self, per_cent: Decimal) -> Decimal:
        """The point of this scale that lies `per_cent` of the way from its low end, exactly.

        >>> Scale(Decimal(1), Decimal(5)).raw(Decimal(90))
        Decimal('4.6')
        """
        return self.low + per_cent * (self.high - self.low) / 100

    def __str__(self) -> str:
        return f"{self.low:f}:{self.high:f}"


PER_CENT = Scale(Decimal(0), Decimal(100))
