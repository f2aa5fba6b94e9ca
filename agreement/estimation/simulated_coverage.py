"""How often two-way 95 % intervals held the truth in simulated crowds of about the same size (docs/coverage.md)."""

import json
import math
import re
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("worth.json")  # written by `make coverage`
LOW, HIGH = 0.93, 0.98  # an interval that holds the truth this often is what it says
LOW_HARD = 0.90  # with careless workers, heavy tails, or one worker who did most

FEW_PEOPLE = 8  # workers, below whom one or two careless ones weigh more than an interval allows for
HELD_BY_FEW = (0.75, 0.95)  # of intervals over 3 to 7 people, from ordinal alpha to kappa
MOSTLY_ONE = 0.77  # of the answers, halfway on the logit from .5 to .92, the shares that were simulated
FARTHEST = 2.0  # times fewer or more judgments per item than in any simulated study

WHERE = "docs/coverage.md"
# What `coverage_note` says, in its parts.
COVERAGE = re.compile(
    rf"intervals like this one held the truth in (?P<coverage>.+?),? of simulated studies \((?P<design>.+); {WHERE}\)"
)


def careless_note(workers: int, *, held: bool = False) -> str:
    """What is said beside an interval over so few people, of whom one or two may be careless; "" of more. With how
    often such intervals `held` the truth where no other sentence says so.

    >>> careless_note(8)
    ''
    """
    if workers >= FEW_PEOPLE:
        return ""
    least, most = (round(100 * share) for share in HELD_BY_FEW)
    of_few = f": of 3 to 7 people, 10 to 20 % of them careless, it held the truth in {least} to {most} % of"
    return (
        f"the interval over {workers} people is unreliable if one or two of them answered carelessly and weren't"
        f" excluded{f'{of_few} simulated studies' if held else ''}"
    )


def coverage_note(statistic: str, judgments_per_item: float, items: int, commonest: float | None = None) -> str:
    """A sentence for the report where simulated coverage is not what it should be, "" where it is or wasn't simulated.

    Coverage is looked up at the nearest simulated numbers of judgments per item and of items, on a scale of ratios, and
    given by how many workers are careless, from the lowest to the highest of the simulated worlds: a report can't tell
    in which one it is. Of labels the worlds have a commonest one with half of the answers: where it has more than three
    quarters of them a world with 92 % is nearer, in which coverage is as it should be, and of rarer labels nothing was
    simulated.
    """
    cells = _table().get(statistic)
    if not cells or judgments_per_item <= 0 or items <= 0 or (commonest or 0.0) > MOSTLY_ONE:
        return ""
    if not cells[0][0] / FARTHEST <= judgments_per_item <= cells[-1][0] * FARTHEST:
        return ""
    n, N, low, high, low_hard, high_hard, *more_careless = min(
        cells, key=lambda cell: abs(math.log(cell[0] / judgments_per_item)) + abs(math.log(cell[1] / items))
    )
    if low >= LOW and high <= HIGH and min(low_hard, *more_careless, 1.0) >= LOW_HARD:
        return ""
    share = f", with 20 % careless ones in {100 * more_careless[0]:.1f} %" if more_careless else ""
    return (
        f"intervals like this one held the truth in {100 * low:.1f} to {100 * high:.1f} %, with 10 % careless or very "
        f"unequal workers in {100 * low_hard:.1f} to {100 * high_hard:.1f} %{share}, of simulated studies "
        f"({n:.0f} judgments on each of {N:.0f} items; {WHERE})"
    )


@cache
def _table() -> dict[str, list[list[float]]]:
    """By statistic: judgments per item, items, lowest and highest coverage of calm worlds and of hard ones, and that of
    the world in which 20 % of the workers are careless.
    """
    read: dict[str, list[list[float]]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return read
