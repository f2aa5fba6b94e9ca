"""report.html: one file without a script and without a network, for the screen and for paper."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from ..analysis.analysis import Analysis
from ..cleaning.cleaning_run import Counts
from ..figures.figure import Figure
from ..report.cleaning_report import warning_texts
from ..report.figure_rows import paragraphs
from ..report.paper_table import PaperTable
from ..report.paper_tables import TITLE, nothing_lacks

FOLDER = Path(__file__).parent / "templates"
MOST_OPEN = 30  # rows of a table that no figure has; a longer one is opened by a reader who wants it
MOST_TOGETHER = 12  # rows that stand on one page of paper
FIGURE = re.compile(r"-?[\d.]+ \((-?[\d.]+ to -?[\d.]+|no interval)\)")
# Which table of a paper stands under which figure.
TABLE_OF = {"people-and-judgments": "exclusions", "agreement": "agreement", "models-and-people": "models"}


def report_page(
    analysis: Analysis,
    drawn: Sequence[tuple[Figure, str]],
    tables: Sequence[PaperTable],
    warnings: Sequence[str],
    title: str = "",
) -> str:
    """`drawn` are the figures with their SVG, empty where one could not be drawn. Without a title it has the name."""
    by_name = {table.name: table for table in tables}
    shown = [_section(figure, svg, by_name.get(TABLE_OF.get(figure.name, ""))) for figure, svg in drawn]
    placed = {TABLE_OF.get(figure.name) for figure, _ in drawn}
    report = analysis.report
    context = {
        "title": title or analysis.study,
        "report": report,
        "sections": shown,
        "counts": [(what, _several(kept), _several(of)) for what, kept, of in _facts(report.counts)],
        "other_tables": [_table(table) for table in tables if table.name not in placed],
        "claims_title": TITLE,
        "nothing_lacks": nothing_lacks(report.results.claims),
        "warnings": [*warning_texts(report), *warnings],
        "methods": paragraphs(analysis.methods),
    }
    return _template().render(context)


@cache
def _template() -> Template:
    made = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, finalize=_escaped, undefined=StrictUndefined, trim_blocks=True
    )
    return made.get_template("report.html")


def _escaped(value: object) -> Markup:
    """Quotation marks spelt as pages always had them; what is markup already stays as it is.

    >>> _escaped("a < b's"), _escaped(Markup("<svg/>"))
    (Markup('a &lt; b&#x27;s'), Markup('<svg/>'))
    """
    return value if isinstance(value, Markup) else Markup(html.escape(str(value)))  # noqa: S704 - escaped here


def _section(figure: Figure, svg: str, table: PaperTable | None) -> dict[str, object]:
    numbers = table or _numbers(figure)
    return {
        "figure": figure,
        "svg": Markup(_with_own_ids(svg, figure.name)),  # noqa: S704 - drawn by us; its texts are escaped
        "is_paper_table": table is not None,
        **_table(numbers, f"figures/{figure.name}.csv" if table is None else ""),
    }


def _facts(counts: Counts) -> Iterator[tuple[str, float, int | None]]:
    yield "workers kept", counts.workers_kept, counts.workers
    yield "judgments kept", counts.judgments_kept, counts.judgments
    yield "items", counts.items, None
    yield "judgments per item", counts.judgments_per_item, None


def _several(number: float | None) -> str:
    """Whole numbers as they are, others with one digit.

    >>> _several(8000), _several(5.34), _several(None)
    ('8,000', '5.3', '')
    """
    if number is None:
        return ""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.1f}"


def _table(table: PaperTable, file: str = "") -> dict[str, object]:
    """A table as the page shows it, and the file that has all of its rows."""
    return {
        "table": table,
        "rows": [[_unbroken(cell) for cell in row] for row in table.shown_rows],
        "left_out": _several(table.rows_left_out) if table.rows_left_out else "",
        "file": file or f"tables/{table.name}.csv",
        "is_long": len(table.shown_rows) > MOST_OPEN,
        "is_short": len(table.rows) <= MOST_TOGETHER,
    }


def _unbroken(cell: str) -> str:
    """An estimate with its interval, on one line.

    >>> _unbroken(".430 (.381 to .480)") == ".430\u00a0(.381\u00a0to\u00a0.480)", _unbroken("no figure")
    (True, 'no figure')
    """
    return cell.replace(" ", "\u00a0") if FIGURE.fullmatch(cell) else cell


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
