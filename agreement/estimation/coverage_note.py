"""The simulated coverage of a two-way 95 % interval in crowds of about the same size (docs/coverage.md)."""

import json
import math
import re
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("worth.json")  # written by `make coverage`
LOW, HIGH = 0.93, 0.98  # an interval that holds the truth this often is what it says
LOW_HARD = 0.90  # with careless workers, heavy tails, or one worker who did most

WHERE = "docs/coverage.md"
# What `coverage_note` says, in its parts.
COVERAGE = re.compile(
    rf"intervals like this one held the truth in (?P<coverage>.+?),? of simulated studies \((?P<design>.+); {WHERE}\)"
)


def coverage_note(statistic: str, judgments_per_item: float, items: int) -> str:
    """A sentence for the report where simulated coverage is not what it should be, "" where it is or wasn't simulated.

    Coverage is looked up at the nearest simulated numbers of judgments per item and of items, on a scale of ratios, and
    given from the lowest to the highest of the simulated worlds, because a report can't tell in which one it is.
    """
    cells = _table().get(statistic)
    if not cells or judgments_per_item <= 0 or items <= 0:
        return ""
    n, N, low, high, low_hard, high_hard = min(
        cells, key=lambda cell: abs(math.log(cell[0] / judgments_per_item)) + abs(math.log(cell[1] / items))
    )
    if low >= LOW and high <= HIGH and low_hard >= LOW_HARD:
        return ""
    return (
        f"intervals like this one held the truth in {100 * low:.1f} to {100 * high:.1f} %, with careless or very "
        f"unequal workers in {100 * low_hard:.1f} to {100 * high_hard:.1f} %, of simulated studies "
        f"({n:.0f} judgments on each of {N:.0f} items; {WHERE})"
    )


@cache
def _table() -> dict[str, list[tuple[float, float, float, float, float, float]]]:
    """By statistic: judgments per item, items, lowest and highest coverage of calm worlds and of hard ones."""
    read: dict[str, list[tuple[float, float, float, float, float, float]]] = json.loads(
        TABLE.read_text(encoding="utf-8")
    )
    return read
