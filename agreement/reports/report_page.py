"""report.html: one file without a script and without a network, for the screen and for paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.template import Context, Engine, Template
from django.utils.safestring import mark_safe

from agreement.analysis.analysis import Analysis
from agreement.analysis.cleaning_report import warning_texts
from agreement.figure_rows import paragraphs
from agreement.figures.figure import Figure
from agreement.reports.paper_tables import PaperTable

FOLDER = Path(__file__).parents[2] / "templates" / "report"
MOST_ROWS = 60  # of a figure's table in the page; its file has all
# Which table of a paper stands under which figure.
TABLE_OF = {"people-and-judgments": "exclusions", "agreement": "agreement", "models-and-people": "models"}


def report_page(
    analysis: Analysis, drawn: Sequence[tuple[Figure, str]], tables: Sequence[PaperTable], warnings: Sequence[str]
) -> str:
    """`drawn` are the figures with their SVG, empty where one could not be drawn."""
    by_name = {table.name: table for table in tables}
    shown = [_section(figure, svg, by_name.get(TABLE_OF.get(figure.name, ""))) for figure, svg in drawn]
    placed = {TABLE_OF.get(figure.name) for figure, _ in drawn}
    report = analysis.report
    context = {
        "study": analysis.study,
        "report": report,
        "sections": shown,
        "other_tables": [table for table in tables if table.name not in placed],
        "warnings": [*warning_texts(report), *warnings],
        "methods": paragraphs(analysis.methods),
    }
    return _template().render(Context(context))


@cache
def _template() -> Template:
    return Engine(dirs=[str(FOLDER)]).get_template("report.html")


def _section(figure: Figure, svg: str, table: PaperTable | None) -> dict[str, object]:
    numbers = table or _numbers(figure)
    return {
        "figure": figure,
        "svg": mark_safe(_with_own_ids(svg, figure.name)),  # noqa: S308 - drawn by us; its texts are escaped
        "table": numbers,
        "is_paper_table": table is not None,
        "rows": numbers.rows[:MOST_ROWS],
        "left_out": max(0, len(numbers.rows) - MOST_ROWS),
    }


def _with_own_ids(svg: str, name: str) -> str:
    """Several drawings in one page must not share the ids of their clips and gradients.

    >>> _with_own_ids('<clipPath id="clip0"/><g clip-path="url(#clip0)"/>', "workers")
    '<clipPath id="workers-clip0"/><g clip-path="url(#workers-clip0)"/>'
    """
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def _numbers(figure: Figure) -> PaperTable:
    """A figure's own rows, where no table of the paper has them."""
    rows = [tuple(map(_printed, row)) for row in figure.rows.itertuples(index=False, name=None)]
    numeric = frozenset(
        at for at, name in enumerate(figure.rows.columns) if figure.rows[name].dtype.kind in "fiu"
    )  # fmt: skip
    return PaperTable(figure.name, figure.caption, tuple(map(str, figure.rows.columns)), rows, numeric)


def _printed(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"  # noqa: PLR0124 - NaN
    return "" if value is None else str(value)
