"""What judgments leave unsaid: their kind of question, guessed from the answers, and a scale, which is not guessed."""

from __future__ import annotations

from decimal import Decimal

from ..errors import option, scale_option
from ..files.numbers import decimal_of
from ..files.problems import Problems
from ..files.table import Table
from ..kinds.data import data_of
from ..kinds.kind import QuestionKind
from ..kinds.label_lists import MOST_GUESSED_LABELS, distinct_values
from ..kinds.registry import KINDS

LARGEST_AMBIGUOUS = 10


def guessed_kind(table: Table, problems: Problems) -> QuestionKind | None:
    """The kind that the answers show; text and lists look like labels, so very many labels are refused instead."""
    guesses = [(guess, kind) for kind in KINDS if (guess := data_of(kind).guess)]
    for guess, kind in sorted(guesses, key=lambda each: each[0].order):
        if guess.fits(table):
            return kind
    problems.whole(
        f"column value: {len(distinct_values(table)):,} different answers are more than the {MOST_GUESSED_LABELS}"
        f" labels up to which a choice is guessed; type {option('kind', 'text')}, {option('kind', 'list')} or"
        f" {option('kind', 'choice')}"
    )
    return None


def refuse_unsaid_scale(table: Table, kind: QuestionKind, problems: Problems) -> None:
    """Refuse numbers that look like a short scale: 4 of 0-4 is the most, 4 of 0-100 next to nothing."""
    names = data_of(kind).columns.among(table.columns)
    parsed = [decimal_of(value) for name in names for value in table.columns[name].values]
    found = [number for number in parsed if number is not None]
    if found and max(found) <= LARGEST_AMBIGUOUS:
        low, high = min(Decimal(0), *found), max(found).to_integral_value(rounding="ROUND_CEILING")
        problems.whole(
            f"the largest number is {max(found):f}, and a scale is guessed only above {LARGEST_AMBIGUOUS}; type the"
            f" scale that people saw, such as {scale_option(f'{low:f}', f'{high:f}')}, or"
            f" {option('scale', '0:100', python='scale=(0, 100)')} if they saw that, or"
            f" {option('kind', 'choice')} if the numbers are labels"
        )
