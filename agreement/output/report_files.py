"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names; its figures in order."""

from __future__ import annotations

import html
import json
import logging
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from ..analysis.analysis import Analysis
from ..analysis.output_folder import ExtraFiles
from ..analysis.output_tables import csv_bytes, screening_table
from ..cleaning.cleaning_run import Counts
from ..estimation.estimate import Undefined
from ..figures import average_precision_by_frequency, judgment_distribution, robustness
from ..figures.figure import Figure
from ..figures.of_agreement import draw_agreement_intervals, draw_label_confusion
from ..figures.of_items import draw_items_by_agreement
from ..figures.of_models import (
    draw_against_reference,
    draw_models_and_people,
    draw_scores_by_setting,
    draw_scores_by_template,
)
from ..figures.of_workers import draw_check_answers, draw_people_and_judgments, draw_worker_overview
from ..figures.rendering import FORMATS, NOT_INSTALLED, can_draw, render_what_can_be
from ..figures.similarity_matrix import draw_all_p_vectors, draw_similarity_matrices
from ..kinds.statistics import statistics_of
from ..report.cleaning_report import warning_texts
from ..report.croissant import croissant
from ..report.data_card import Card, readme, zenodo
from ..report.figure_rows import figures_on_request, paragraphs
from ..report.methods import methods_tex, references_bib
from ..report.methods_paragraph import methods_paragraph
from ..report.model_rows import SETTING
from ..report.paper_table import PaperTable
from ..report.paper_tables import TITLE, nothing_lacks, tables_of
from ..report.report import Report
from ..report.score_tables import people_by_frequency, precision_by_frequency, reference_table, scores_by_template
from ..report.score_words import scope_of_scores
from ..scoring.metrics import ranks, title_of
from ..scoring.probe import TEMPLATE
from ..screening.evidence import CAUTION, NOBODY_SCREENED, SUSPECTS_TITLE, Suspect
from ..screening.screen import Screened

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
        "counts": [(fact, _several(kept), _several(of)) for fact, kept, of in _facts(report.counts)],
        "other_tables": [
            *map(_table, _suspects(report.results.suspects)),
            *[_table(table) for table in tables if table.name not in placed],
        ],
        "suspects_title": SUSPECTS_TITLE,
        "not_screened": _not_screened(report.results.suspects),
        "claims_title": TITLE,
        "nothing_lacks": nothing_lacks(report.results.claims),
        "warnings": [*warning_texts(report), *warnings],
        "methods": paragraphs(methods_paragraph(analysis.report)),
        "methods_details": paragraphs(analysis.methods),
    }
    return _template().render(context)


def _suspects(suspects: tuple[Suspect, ...] | Undefined | None) -> Iterator[PaperTable]:
    """Whose answers look careless, and why; tables/screening.csv has every index of everybody."""
    if suspects and not isinstance(suspects, Undefined):
        rows = [(suspect.worker, suspect.sentence) for suspect in suspects]
        yield PaperTable(
            "screening", CAUTION, ("Worker", "What speaks against them"), rows, frozenset(), SUSPECTS_TITLE
        )


def _not_screened(suspects: tuple[Suspect, ...] | Undefined | None) -> str:
    """Why nobody could be screened; nothing where somebody was, or where nobody is to be told."""
    return f"{NOBODY_SCREENED}: {suspects.why}." if isinstance(suspects, Undefined) else ""


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=_escape_value,
        undefined=StrictUndefined,
        trim_blocks=True,
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
    rows = [tuple(map(_cell_text, row)) for row in figure.rows.itertuples(index=False, name=None)]
    numeric = frozenset(
        column for column, name in enumerate(figure.rows.columns) if figure.rows[name].dtype.kind in "fiu"
    )  # fmt: skip
    return PaperTable(figure.name, figure.caption, tuple(map(str, figure.rows.columns)), rows, numeric)


def _cell_text(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"  # noqa: PLR0124 - NaN
    return "" if value is None else str(value)


# The figures of a report, in their order.

# Of a reference: by how many labels it gives an item. What other columns mean only the researcher knows.
REFERENCE_COLUMNS = ("cardinality",)

if TYPE_CHECKING:
    from ..report.people_and_models import AgainstReference
    from ..report.report import Results


def figures_of(analysis: Analysis) -> list[Figure]:
    cleaning, report = analysis.cleaning, analysis.report
    kind = statistics_of(cleaning.crowd.kind)
    figures = [
        draw_people_and_judgments(report),
        judgment_distribution.draw(cleaning, kind.distribution),
        draw_label_confusion(cleaning) if kind.answer_is_a_label else None,
        draw_check_answers(cleaning),
        draw_worker_overview(cleaning, kind.agrees_by) if kind.agrees is not None else None,
        draw_agreement_intervals(report.results.agreement, on_request=figures_on_request(report)),
        robustness.draw_sweep(cleaning),
        robustness.draw_influence(cleaning),
        draw_items_by_agreement(analysis.gold),
        draw_models_and_people(
            report.results.scores, report.results.ceiling.leave_one_out, scope_of_scores(report.results.scores)
        ),
        *draw_similarity_matrices(analysis.similarity_matrices),
        *draw_all_p_vectors(analysis.made_vectors),
        _by_frequency(report.results),
        _by_template(report.results, kind.first_metric),
        _by_setting(report.results, kind.first_metric),
    ]
    figures += _against_reference(report.results.against_reference)
    return [figure for figure in figures if figure is not None]


def _against_reference(part: AgainstReference | Undefined) -> Iterator[Figure | None]:
    table = reference_table(part)
    if table is not None and not isinstance(part, Undefined):
        for column in REFERENCE_COLUMNS:
            yield draw_against_reference(part, table.metrics[0], column)


def _by_frequency(results: Results) -> Figure | None:
    table = precision_by_frequency(results.scores)
    if not table["average_precision"].notna().any():
        return None
    return average_precision_by_frequency.draw(table, people_by_frequency(results.ceiling.leave_one_out))


def _by_template(results: Results, metric: str) -> Figure | None:
    """By the kind's first metric, or the first that has a score of a template."""
    metrics = dict.fromkeys(score.metric for score in results.scores if score.breakdown == TEMPLATE)
    ranked = [name for name in (metric, *metrics) if name in metrics and ranks(name)]
    if not ranked:
        return None
    table = scores_by_template(results.scores, ranked[0])
    overall = [score for score in results.scores if score.metric == ranked[0] and not score.breakdown]
    chances = [score.chance for score in overall if score.chance is not None]
    return draw_scores_by_template(table, title_of(ranked[0]), min(chances, default=None)) if len(table) else None


def _by_setting(results: Results, metric: str) -> Figure | None:
    """By the kind's first metric, or the first that has a score of a setting."""
    metrics = dict.fromkeys(score.metric for score in results.scores if score.breakdown == SETTING)
    ranked = [name for name in (metric, *metrics) if name in metrics and ranks(name)]
    return draw_scores_by_setting(results.scores, ranked[0]) if ranked else None


# What of these are files, by name.

SCREENING = "tables/screening.csv"  # no bundle for everybody has it
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The files by their names, the figures among them, and why others could not be drawn, by their names."""

    figures: list[Figure]
    files: dict[str, bytes]
    failed: dict[str, str]


def with_card(card: Card, failures: list[str]) -> ExtraFiles:
    """The report's files, and the descriptions of the whole folder under the researcher's card.

    What can't be drawn is added to `failures` and loses nothing else: the analysis may have taken an hour.
    """

    def files_of(analysis: Analysis) -> dict[str, bytes]:
        try:
            report = report_of(analysis)
        except Exception as error:
            logger.exception("The report could not be made.")
            failures.append(f"The report could not be made: {type(error).__name__}: {error}")
            return {}
        failures.extend(f"The figure {name} could not be drawn: {why}" for name, why in report.failed.items())
        return report.files

    return ExtraFiles(files_of, lambda analysis, folder: cards_of(analysis.report, analysis.methods, folder, card))


def cards_of(report: Report, methods: str, folder: Path, card: Card) -> dict[str, bytes]:
    """croissant.json, the dataset card and Zenodo's metadata, of the files in a folder."""
    described = json.dumps(croissant(report, card, folder), indent=2, ensure_ascii=False)
    return {
        "croissant.json": f"{described}\n".encode(),
        "README.md": readme(report, card, methods).encode(),
        "zenodo.json": zenodo(report, card).encode(),
    }


def report_of(analysis: Analysis, notes: Sequence[str] = (), title: str = "") -> ReportFiles:
    """`notes` stand at its top, below the title, with what a figure can't show. Without the packages that draw it has
    no figures.
    """
    tables = tables_of(analysis.report)
    figures, notes = (figures_of(analysis), notes) if can_draw() else ([], [*notes, NOT_INSTALLED])
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory(prefix="touchstone-figures-") as name:
        folder = Path(name)
        rendered = render_what_can_be(figures, folder, FORMATS)
        for path in sorted(folder.iterdir()):
            files[f"figures/{path.name}"] = path.read_bytes()
    for table in tables:
        for suffix, text in (("csv", table.csv()), ("md", table.markdown()), ("tex", table.latex())):
            files[f"tables/{table.name}.{suffix}"] = text.encode()
    not_drawn = [f"The figure {name} could not be drawn." for name in rendered.failed]
    files |= texts_of(analysis, figures, files, [*notes, *rendered.warnings, *not_drawn], title)
    if isinstance(analysis.screened, Screened):
        files[SCREENING] = csv_bytes(screening_table(analysis.screened))
    drawn = [figure for figure in figures if figure.name not in rendered.failed]
    return ReportFiles(drawn, files, rendered.failed)


def texts_of(
    analysis: Analysis, figures: Sequence[Figure], drawn: Mapping[str, bytes], notes: Sequence[str], title: str = ""
) -> dict[str, bytes]:
    """The page and the methods for LaTeX, with the figures as they are `drawn`."""
    shown = [(figure, drawn.get(f"figures/{figure.name}.svg", b"").decode()) for figure in figures]
    page = report_page(analysis, shown, tables_of(analysis.report), notes, title)
    return {
        "report.html": page.encode(),
        "methods.tex": methods_tex(methods_paragraph(analysis.report)).encode(),
        "references.bib": references_bib(analysis.methods, analysis.report).encode(),
    }
