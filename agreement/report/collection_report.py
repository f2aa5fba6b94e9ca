"""What a report says of how the judgments were collected: when, from whom, for what pay, and who the workers are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..estimation.estimate import Figure
from ..typed_json import ABSENT, INLINE, stands_beside


@dataclass(frozen=True, slots=True, kw_only=True)
class Unverified:
    """How many of the workers no invitation or signature identifies."""

    workers: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay:
    """In one currency, the least and the most that a person was promised; per hour where all get the same."""

    currency: str
    least: float
    most: float
    people: int
    per_hour: float | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalAnswers:
    """The answers to one question about the person: counts by option, or of short numbers their spread.

    `withheld` counts answers that fewer than five people share, in a published report.
    """

    name: str
    text: str
    answered: int
    no_answer: int
    options: Mapping[str, int] | None = field(default=None, metadata=ABSENT)
    no_longer_an_option: int = field(default=0, metadata=stands_beside("options"))
    withheld: int | None = field(default=None, metadata=ABSENT)
    mean: float | None = field(default=None, metadata=ABSENT)
    sd: float | None = field(default=None, metadata=ABSENT)
    least: float | None = field(default=None, metadata=ABSENT)
    most: float | None = field(default=None, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruitment:
    """Who came, from where, for what pay and on which devices."""

    platform: str
    is_from_platform: bool = field(default=False, metadata=ABSENT)
    people: Mapping[str, int]
    unverified: Unverified
    median_minutes: Figure
    pay: tuple[Pay, ...]
    workers_described: int
    devices: Mapping[str, int]
    questions: tuple[PersonalAnswers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionReport:
    """How the judgments were collected: of a file there are the days at most."""

    first_day: str = field(default="", metadata=ABSENT)
    last_day: str = field(default="", metadata=ABSENT)
    recruitment: Recruitment | None = field(default=None, metadata=INLINE)


NOTHING_COLLECTED = CollectionReport()
