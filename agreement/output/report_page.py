"""report.html: one page that answers first, and an appendix that folds away everything else."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from ..analysis.analysis import Analysis
from ..cleaning.cleaning_run import Cleaning, Counts
from ..estimation.estimate import Undefined
from ..figures.figure import Figure, dark_rules
from ..figures.headline import HEADLINE
from ..judgments.crowd import sample_of
from ..judgments.item_words import words_of_items
from ..kinds.statistics import statistics_of
from ..report.cleaning_report import kept_in_words, several, warning_texts
from ..report.figure_rows import paragraphs
from ..report.methods_paragraph import methods_paragraph
from ..report.model_board import models_table
from ..report.paper_table import FIGURE, PaperTable
from ..report.paper_tables import TITLE, exclusions_table, nothing_lacks
from ..report.report import Report
from ..report.verdict import ReportVerdict, verdict_of
from ..screening.evidence import CAUTION, NOBODY_SCREENED, SUSPECTS_TITLE, Suspect

FOLDER = Path(__file__).parent / "templates"
MOST_OPEN = 30  # rows of a table that no figure has; a longer one is opened by a reader who wants it
MOST_TOGETHER = 12  # rows that stand on one page of paper
MOST_CONTESTED, MOST_OUT = 5, 6
MOST_PIECES = 2  # of evidence against one worker
INTERVAL = re.compile(r"(-?[\d.]+ )?\((-?[\d.]+ to -?[\d.]+|no interval)\)")
# Which table of a paper stands under which figure.
TABLE_OF = {"people-and-judgments": "exclusions", "agreement": "agreement"}
ON_FRONT = "models"
# What only gold makes possible, each empty.
NOT_WITHOUT_GOLD: Mapping[str, object] = {
    "notes": (), "release": None, "headline": (), "models": None, "contested": None, "sections": (), "other_tables": (),
    "short_texts": (), "texts": {}, "warnings": (),
}  # fmt: skip
# Marks of a drawing that say of themselves that they are pictures, and have no name.
NAMELESS = re.compile(r' role="graphics-\w+" aria-roledescription="[^"]* container"(?! aria-label)')
BETTER = {"higher": "Higher is better.", "lower": "Lower is better.", "": ""}
STANDINGS = {
    "excellent": "Excellent", "good": "Good", "usable": "Usable to compare groups", "not-yet": "Not yet good enough",
    "none": "No verdict",
}  # fmt: skip


def report_page(
    analysis: Analysis,
    drawn: Sequence[tuple[Figure, str]],
    tables: Sequence[PaperTable],
    notes: Sequence[str],
    title: str = "",
) -> str:
    """`drawn` are the figures with their SVG, empty where one could not be drawn. Without a title it has the name."""
    report = analysis.report
    by_name = {table.name: table for table in tables}
    sections = [_section(figure, svg, by_name.get(TABLE_OF.get(figure.name, ""))) for figure, svg in drawn]
    placed = {ON_FRONT, *(TABLE_OF.get(figure.name) for figure, _ in drawn)}
    of_screening = report.results.suspects
    context = _front(report, analysis.cleaning, title or analysis.study) | {
        "notes": notes,
        "release": report.results.release,
        "headline": [section for section in sections if section["name"] in HEADLINE],
        "models": _table(models_table(report, MOST_TOGETHER)) if ON_FRONT in by_name else None,
        "contested": _contested(analysis.cleaning),
        "sections": [section for section in sections if section["name"] not in HEADLINE],
        "other_tables": [
            *map(_table, _suspects(of_screening)),
            *[_table(table) for table in tables if table.name not in placed],
        ],
        "short_texts": _short_texts(report),
        "texts": {
            "Methods": paragraphs(methods_paragraph(report)),
            "Methods in detail, and warnings": paragraphs(analysis.methods),
        },
        "warnings": warning_texts(report),
    }
    return _template().render(context)


def page_without_gold(cleaning: Cleaning, report: Report) -> str:
    """Where cleaning kept nothing: that there is no verdict, and who failed what."""
    rules = exclusions_table(report)
    tables = {"other_tables": [_table(rules, "workers.csv")] if rules.rows else []}
    return _template().render(_front(report, cleaning, report.study) | tables)


def _front(report: Report, cleaning: Cleaning, title: str) -> dict[str, object]:
    """The heading and who is out, with nothing in the place of what only gold makes possible."""
    verdict: ReportVerdict = verdict_of(report)
    return {
        **NOT_WITHOUT_GOLD,
        "out": _out(cleaning),
        "kept": kept_in_words(report),
        "title": title,
        "question": report.question.question,
        "report": report,
        "verdict": verdict,
        "standing": STANDINGS[verdict.standing],
        "figures": [(figure, BETTER[figure.better]) for figure in verdict.figures],
        "counts": [(fact, _several(kept), _several(of)) for fact, kept, of in _facts(report.counts)],
        "dark": Markup(dark_rules("svg")),  # noqa: S704 - our own colours
    }


def _contested(cleaning: Cleaning) -> dict[str, object] | None:
    """The items on which people differ most, by their words, and what they answered; None where nobody differs."""
    crowd, kept = cleaning.crowd, cleaning.kept_targets
    kind = statistics_of(crowd.kind)
    spread = np.nan_to_num(kind.contested(sample_of(crowd, kept), crowd.n_items, len(crowd.labels)), nan=0.0)
    most = [item for item in np.argsort(-spread, kind="stable")[:MOST_CONTESTED].tolist() if spread[item] > 0]
    words = words_of_items(crowd)
    rows = []
    for item in most:
        which = kept & (crowd.item == item)
        answers = crowd.take(which).answers
        answered = kind.in_words(answers, crowd.labels)
        rows.append(
            (words[str(crowd.items["item_id"][item])], answered, f"{spread[item]:.3g}", f"{int(which.sum()):,}")
        )
    header = ("Item", "What people answered", kind.contested_in, "Judgments")
    table = PaperTable("contested", "", header, rows, frozenset({2, 3}), "Items that people disagree on most")
    return _table(table) if rows else None


def _out(cleaning: Cleaning) -> dict[str, object] | None:
    """Who is excluded and why, the first of them; None where nobody is."""
    reasons, words = cleaning.worker_reasons, words_of_items(cleaning.crowd)
    out = [worker for worker in np.flatnonzero(~cleaning.worker_kept & cleaning.took_part).tolist() if reasons[worker]]
    rows = []
    for worker in out[:MOST_OUT]:
        pieces = cleaning.evidence(worker)
        told = [f"{words.get(one.item_id, one.item_id)}: {one.answer}" for one in pieces if one.item_id]
        more = f" and {len(told) - MOST_PIECES} more" if len(told) > MOST_PIECES else ""
        evidence = f"{'; '.join(told[:MOST_PIECES])}{more}" if told else "; ".join(map(str, pieces[:MOST_PIECES]))
        rows.append((str(cleaning.crowd.workers[worker]), reasons[worker], evidence))
    table = PaperTable("out", "", ("Worker", "Why", "What they answered"), rows, title="Who was excluded, and why")
    left = len(out) - len(rows)
    more = f"{several(left, 'more worker')} {'is' if left == 1 else 'are'} in workers.csv." if left else ""
    return {**_table(table), "more": more} if rows else None


def _suspects(suspects: tuple[Suspect, ...] | Undefined | None) -> Iterator[PaperTable]:
    """Whose answers look careless, and why; tables/screening.csv has every index of everybody."""
    if suspects and not isinstance(suspects, Undefined):
        rows = [(suspect.worker, suspect.sentence) for suspect in suspects]
        yield PaperTable(
            "screening", CAUTION, ("Worker", "What speaks against them"), rows, frozenset(), SUSPECTS_TITLE
        )


def _short_texts(report: Report) -> list[tuple[str, str, str]]:
    """Id, title and sentence of what has nothing to show in a table."""
    suspects, claims = report.results.suspects, nothing_lacks(report.results.claims)
    not_screened = f"{NOBODY_SCREENED}: {suspects.why}." if isinstance(suspects, Undefined) else ""
    texts = [("screening", SUSPECTS_TITLE, not_screened), ("claims", TITLE, claims)]
    return [text for text in texts if text[-1]]


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=_escape_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def _escape_value(value: object) -> Markup:
    """Quotation marks spelt as pages always had them; what is markup already stays as it is.

    >>> _escape_value("a < b's"), _escape_value(Markup("<svg/>"))
    (Markup('a &lt; b&#x27;s'), Markup('<svg/>'))
    """
    return value if isinstance(value, Markup) else Markup(html.escape(str(value)))  # noqa: S704 - escaped here


def _section(figure: Figure, svg: str, table: PaperTable | None) -> dict[str, object]:
    numbers = table or _numbers(figure)
    return {
        "name": figure.name,
        "figure": figure,
        "svg": Markup(_with_own_ids(NAMELESS.sub("", svg), figure.name)),  # noqa: S704 - drawn by us; its texts are escaped
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
    cells = [[(cell, FIGURE.fullmatch(cell)) for cell in row] for row in table.shown_rows]
    return {
        "table": table,
        "rows": [[_unbroken(parts[1] if parts and table.notes else cell) for cell, parts in row] for row in cells],
        # Of a table with notes, as in LaTeX, intervals stand below their estimates.
        "below": {
            (at, column): _unbroken(f"({parts[2]})")
            for at, row in enumerate(cells)
            for column, (_, parts) in enumerate(row)
            if parts and table.notes
        },
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
    return cell.replace(" ", "\u00a0") if INTERVAL.fullmatch(cell) else cell


def _with_own_ids(svg: str, name: str) -> str:
    """Several drawings in one page must not share the ids of their clips and gradients.

    >>> _with_own_ids('<clipPath id="clip0"/><g clip-path="url(#clip0)"/>', "workers")
    '<clipPath id="workers-clip0"/><g clip-path="url(#workers-clip0)"/>'
    """
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def _numbers(figure: Figure) -> PaperTable:
    """A figure's own rows, where no table of the paper has them."""
    rows = [tuple(map(_cell_text, row)) for row in figure.rows.itertuples(index=False, name=None)]
    numeric = frozenset(
        column for column, name in enumerate(figure.rows.columns) if figure.rows[name].dtype.kind in "fiu"
    )  # fmt: skip
    return PaperTable(figure.name, figure.caption, tuple(map(str, figure.rows.columns)), rows, numeric)


def _cell_text(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"  # noqa: PLR0124 - NaN
    return "" if value is None else str(value)
