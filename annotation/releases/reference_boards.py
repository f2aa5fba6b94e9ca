"""What pages show of models and people against reference labels: one table, and one metric by each column of items."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agreement.estimation.estimate import Undefined
from agreement.report.figure_rows import FigureCell, shown
from agreement.report.people_and_models import AgainstReference, ReferenceScore, stored_reference
from agreement.report.score_tables import Line, reference_breakdowns, reference_table
from agreement.scoring.metrics import title_of
from annotation.releases.models import GoldRelease, Leaderboard

NO_INTERVAL = "no interval"
NONE = FigureCell(words="–")


@dataclass(frozen=True, slots=True)
class ShownLine:
    kind: str
    name: str
    figures: list[FigureCell]


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


def reference_board(release: GoldRelease, metric: str = "") -> ReferenceBoard | None:
    """Of the release's probes, those scored later too; broken down by `metric`, or by the table's first one."""
    part = reference_scores_of(release)
    table = reference_table(part, release.study.metrics)
    if table is None or isinstance(part, Undefined):
        return None
    by = metric if metric in table.metrics else next(iter(table.metrics), "")
    breakdowns = [
        ShownBreakdown(title_of(by), one.column, one.groups, list(map(_in_few_words, one.lines)))
        for one in reference_breakdowns(part, by)
    ]
    return ReferenceBoard(table.source, table.items, table.titles, list(map(_shown, table.lines)), breakdowns)


def reference_scores_of(release: GoldRelease) -> AgainstReference | Undefined:
    """The newest: the leaderboard's, made again with each model, else the report's."""
    board = Leaderboard.objects.filter(release=release).first()
    if board is not None and board.against_reference:
        return stored_reference(board.against_reference)
    return release.published.results.against_reference


def of_model(part: AgainstReference | Undefined, name: str) -> list[ReferenceScore]:
    """The rows of one model."""
    scores = () if isinstance(part, Undefined) else part.scores
    return [row for row in scores if (row.kind, row.name) == ("model", name)]


def _shown(line: Line) -> ShownLine:
    return ShownLine(line.kind, line.name, [NONE if figure is None else shown(figure) for figure in line.figures])


def _in_few_words(line: Line) -> ShownLine:
    """In a table of many groups what has no interval is the number alone."""
    shown_line = _shown(line)
    figures = [replace(one, interval="") if one.interval == NO_INTERVAL else one for one in shown_line.figures]
    return replace(shown_line, figures=figures)
