"""What pages show of models and people against reference labels: one table, and one metric by each column of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agreement.estimation.estimate import Undefined
from agreement.gold.gold_columns import item_fields, labels_in
from agreement.kinds.statistics import statistics_of
from agreement.report.figure_rows import FigureCell, figure_cell
from agreement.report.model_rows import COUNTS
from agreement.report.people_and_models import AgainstReference, ReferenceScore, stored_reference
from agreement.report.score_tables import Line, counts_beside, reference_breakdowns, reference_table
from agreement.scoring.metrics import title_of
from annotation.releases.breakdown_curves import Breakdown, has_place
from annotation.releases.models import GoldRelease, Leaderboard, LeaderboardColumns

# By which columns a leaderboard breaks scores down: what the researcher chose, else what means something by itself.
# Any column of numbers (a frequency, a length) could be drawn as a curve, and most of such curves would be of accident:
# they are offered, and shown once somebody asks for them.


NONE, TABLE, CURVE = "none", "table", "curve"
AND = " and "  # between a setting and a column of the items


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """`display` is none, table or curve; only groups that are all numbers can be a curve."""

    column: str
    groups: int
    can_be_curve: bool
    display: str


def choices_of(release: GoldRelease, breakdowns: Sequence[Breakdown]) -> list[ColumnChoice]:
    """In one query."""
    chosen = LeaderboardColumns.objects.filter(study=release.study_id).first()
    own = set(_own_columns(release))
    choices = []
    for each in breakdowns:
        numbers = all(has_place(each.column, group) for group in each.groups)
        display = (
            _first_display(each.column, own, are_numbers=numbers)
            if chosen is None
            else _chosen_display(each.column, chosen)
        )
        choices.append(ColumnChoice(each.column, len(each.groups), numbers, display))
    return choices


def _own_columns(release: GoldRelease) -> list[str]:
    """The items' own columns, which came with their file."""
    columns = statistics_of(release.study.kind).gold_columns
    return item_fields(columns, release.columns, labels_in(release.columns))


def _first_display(column: str, own: set[str], *, are_numbers: bool) -> str:
    """Before anybody chose: models' settings, labels and how many there are; of the items' columns those of words."""
    if column.rpartition(AND)[2] in own or column in own:
        return NONE if are_numbers else TABLE
    return CURVE if are_numbers else TABLE


def _chosen_display(column: str, chosen: LeaderboardColumns) -> str:
    if column in chosen.curves:
        return CURVE
    return TABLE if column in chosen.tables else NONE


NO_INTERVAL = "no interval"
EMPTY = FigureCell(words="–")


@dataclass(frozen=True, slots=True)
class ShownLine:
    kind: str
    name: str
    figures: list[FigureCell]
    counts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownBreakdown:
    title: str
    column: str
    groups: list[str]
    lines: list[ShownLine]


@dataclass(frozen=True, slots=True)
class ReferenceBoard:
    source: str
    items: int
    titles: list[str]
    lines: list[ShownLine]
    breakdowns: list[ShownBreakdown]
    counts: list[str]  # the titles of what models' answers were that are mapped to nothing; none where none was mapped


def reference_board(release: GoldRelease, metric: str = "") -> ReferenceBoard | None:
    """Of the release's probes, those scored later too; broken down by `metric`, or by the table's first one."""
    part = reference_scores_of(release)
    table = reference_table(part, release.study.metrics)
    if table is None or isinstance(part, Undefined):
        return None
    by = metric if metric in table.metrics else next(iter(table.metrics), "")
    breakdowns = [
        ShownBreakdown(title_of(by), one.column, one.groups, list(map(_short_line, one.lines)))
        for one in reference_breakdowns(part, by)
    ]
    beside = counts_beside(part, table.lines)
    lines = [
        replace(_shown_line(line), counts=counts or ("",) * len(COUNTS) * any(beside))
        for line, counts in zip(table.lines, beside, strict=True)
    ]
    titles = [*COUNTS] if any(beside) else []
    return ReferenceBoard(table.source, table.items, table.titles, lines, breakdowns, titles)


def reference_scores_of(release: GoldRelease) -> AgainstReference | Undefined:
    """The newest: the leaderboard's, made again with each model, else the report's."""
    board = Leaderboard.objects.filter(release=release).first()
    if board is not None and board.against_reference:
        return stored_reference(board.against_reference)
    return release.published.results.against_reference


def scores_of_model(part: AgainstReference | Undefined, name: str) -> list[ReferenceScore]:
    """The rows of one model."""
    scores = () if isinstance(part, Undefined) else part.scores
    return [row for row in scores if (row.kind, row.name) == ("model", name)]


def _shown_line(line: Line) -> ShownLine:
    return ShownLine(
        line.kind, line.name, [EMPTY if figure is None else figure_cell(figure) for figure in line.figures]
    )


def _short_line(line: Line) -> ShownLine:
    """In a table of many groups what has no interval is the number alone."""
    shown_line = _shown_line(line)
    figures = [replace(one, interval="") if one.interval == NO_INTERVAL else one for one in shown_line.figures]
    return replace(shown_line, figures=figures)
