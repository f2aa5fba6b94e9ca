"""Answers: what a person gave and how it came about, before it is stored. Knows nothing of Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

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
