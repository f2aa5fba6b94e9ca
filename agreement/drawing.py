"""A leaderboard as a drawing: every figure with its interval as a dot on a line, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agreement.leaderboards import Row

WIDTH, LEFT, RIGHT, LINE, TOP = 760, 280, 24, 30, 16


@dataclass(frozen=True, slots=True)
class Mark:
    """Where one row's name, dot and interval stand; an end outside the drawing is cut off at its edge."""

    name: str
    kind: str
    y: int
    x: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    marks: list[Mark]
    ticks: list[Tick]
    height: int
    width: int = WIDTH
    left: int = LEFT


def drawing_of(rows: Sequence[Row]) -> Drawing | None:
    """Nothing where no row has a figure."""
    drawn = [row for row in rows if row.estimate is not None]
    if not drawn:
        return None
    values = [end for row in drawn for end in (row.estimate, row.low, row.high) if end is not None]
    low, high = _round_ends(min(0.0, *values), max(values))

    def place(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low), 1)

    marks = [
        Mark(
            name=row.name if len(row.name) <= 34 else row.name[:33] + "…",
            kind=row.kind,
            y=TOP + LINE * at + LINE // 2,
            x=place(row.estimate or 0.0),
            low=None if row.low is None else place(row.low),
            high=None if row.high is None else place(row.high),
        )
        for at, row in enumerate(drawn)
    ]
    ticks = [Tick(place(low + (high - low) * k / 4), f"{low + (high - low) * k / 4:.3g}") for k in range(5)]
    return Drawing(marks, ticks, TOP + LINE * len(drawn) + 28)


def _round_ends(low: float, high: float) -> tuple[float, float]:
    """Ends that a person reads: -1, 0 or 1 where the figures lie within, else a little beyond them.

    >>> _round_ends(0.0, 0.89), _round_ends(-0.2, 0.4), _round_ends(0.0, 7.3)
    ((0.0, 1.0), (-1.0, 1.0), (0.0, 8.0))
    """
    if low >= -1 and high <= 1:
        return (0.0 if low >= 0 else -1.0), 1.0
    step = 10 ** (len(str(int(max(abs(low), abs(high))))) - 1)
    return -(-low // step) * step if low >= 0 else (low // step) * step, -(-high // step) * step
