"""A warning: a code for machines and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import COMMAND, sentence_for

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class AnalysisWarning:
    code: str
    text: str

    def for_report(self) -> AnalysisWarning:
        """As report.json has it, in the words of the command line."""
        return replace(self, text=sentence_for(self.text, COMMAND))


def named(things: Sequence[str], most: int = MOST_NAMED) -> str:
    """Names in a sentence, at most so many of them.

    >>> named(["a"]), named(["a", "b", "c"]), named(["a", "b", "c"], most=1)
    ('a', 'a, b and c', 'a and 2 others')
    """
    if len(things) > most:
        more = len(things) - most
        return f"{', '.join(things[:most])} and {more:,} other{'' if more == 1 else 's'}"
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
