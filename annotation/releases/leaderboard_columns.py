"""By which columns a leaderboard breaks scores down: what the researcher chose, else what means something by itself.

Any column of numbers (a frequency, a length) could be drawn as a curve, and most of such curves would be of accident:
they are offered, and shown once somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agreement.gold.gold_columns import item_fields, labels_in
from agreement.kinds.statistics import statistics_of
from annotation.releases.breakdown_curves import has_place
from annotation.releases.models import GoldRelease, LeaderboardColumns

if TYPE_CHECKING:
    from annotation.releases.leaderboards import Breakdown

NONE, TABLE, CURVE = "none", "table", "curve"
AND = " and "  # between a setting and a column of the items


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """`how` is none, table or curve; only groups that are all numbers can be a curve."""

    column: str
    groups: int
    can_be_curve: bool
    how: str


def choices_of(release: GoldRelease, breakdowns: Sequence[Breakdown]) -> list[ColumnChoice]:
    """In one query."""
    chosen = LeaderboardColumns.objects.filter(study=release.study_id).first()
    own = set(_own_columns(release))
    found = []
    for each in breakdowns:
        numbers = all(has_place(each.column, group) for group in each.groups)
        how = _first(each.column, own, are_numbers=numbers) if chosen is None else _chosen(each.column, chosen)
        found.append(ColumnChoice(each.column, len(each.groups), numbers, how))
    return found


def _own_columns(release: GoldRelease) -> list[str]:
    """The items' own columns, which came with their file."""
    columns = statistics_of(release.study.kind).gold_columns
    return item_fields(columns, release.columns, labels_in(release.columns))


def _first(column: str, own: set[str], *, are_numbers: bool) -> str:
    """Before anybody chose: models' settings, labels and how many there are; of the items' columns those of words."""
    if column.rpartition(AND)[2] in own or column in own:
        return NONE if are_numbers else TABLE
    return CURVE if are_numbers else TABLE


def _chosen(column: str, chosen: LeaderboardColumns) -> str:
    if column in chosen.curves:
        return CURVE
    return TABLE if column in chosen.tables else NONE
