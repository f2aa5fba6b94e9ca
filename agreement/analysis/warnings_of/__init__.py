"""What a careful colleague would say before these figures are printed: one file for each kind of warning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.crowd import Crowd, Sample
from questions.statistics import statistics_of

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class AnalysisWarning:
    code: str
    text: str


def named(things: Sequence[str], most: int = MOST_NAMED) -> str:
    """Names in a sentence, at most so many of them.

    >>> named(["a"]), named(["a", "b", "c"]), named(["a", "b", "c"], most=1)
    ('a', 'a, b and c', 'a and 2 others')
    """
    if len(things) > most:
        more = len(things) - most
        return f"{', '.join(things[:most])} and {more:,} other{'' if more == 1 else 's'}"
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def warnings_of(crowd: Crowd, kept: Sample) -> list[AnalysisWarning]:
    """The warnings on the judgments of which gold and the figures are made, those that apply to their kind."""
    return [found for warn in statistics_of(crowd.kind).warnings for found in warn(crowd, kept)]
