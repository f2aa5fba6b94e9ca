"""What a file leaves unsaid: its kind of question where the answers tell, and a scale that must not be guessed."""

from __future__ import annotations

from decimal import Decimal

from annotation.files.answers import LABEL_COLUMN
from annotation.files.kinds import QuestionKind
from annotation.files.numbers import decimal_of, has_comma
from annotation.files.problems import Problems
from annotation.files.table import Table

MOST_GUESSED_LABELS = 100
LARGEST_AMBIGUOUS = 10


def guessed_kind(table: Table, problems: Problems) -> QuestionKind | None:
    """The kind that the answers show; text and lists look like labels, so very many labels are refused instead."""
    if any(name.startswith(LABEL_COLUMN) for name in table.columns):
        return "sliders"
    values = [value.strip() for value in table.columns["value"].values]
    n_numbers = sum(decimal_of(value) is not None or has_comma(value) for value in values)
    if 2 * n_numbers >= len(values):
        # A few odd cells among numbers, or decimal commas, are bad cells, each named, not a reason to call it labels.
        return "slider"
    if set(values) <= {"true", "false"}:
        return "verify"
    if len(set(values)) > MOST_GUESSED_LABELS:
        problems.whole(
            f"column value: {len(set(values)):,} different answers are more than the {MOST_GUESSED_LABELS} labels"
            " that a choice is taken for; type --kind text, --kind list or --kind choice"
        )
        return None
    return "choices" if any("|" in value for value in values) else "choice"


def refuse_unsaid_scale(table: Table, kind: QuestionKind, problems: Problems) -> None:
    """Refuse numbers that look like a short scale: 4 of 0-4 is the most, 4 of 0-100 next to nothing."""
    names = ["value"] if kind == "slider" else [name for name in table.columns if name.startswith(LABEL_COLUMN)]
    parsed = [decimal_of(value) for name in names for value in table.columns[name].values]
    found = [number for number in parsed if number is not None]
    if found and max(found) <= LARGEST_AMBIGUOUS:
        low, high = min(Decimal(0), *found), max(found).to_integral_value(rounding="ROUND_CEILING")
        problems.whole(
            f"the largest number is {max(found):f}, which is {LARGEST_AMBIGUOUS} or less, and no scale is said; type"
            f" the scale that people saw, such as --scale={low:f}:{high:f}, or --scale 0:100 if it was that, or"
            " --kind choice if the numbers are labels"
        )
