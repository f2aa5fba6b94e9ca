"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names; its figures in order."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..analysis.analysis import Analysis
from ..analysis.output_folder import ExtraFiles
from ..analysis.output_tables import csv_bytes, screening_table
from ..estimation.estimate import Undefined
from ..figures import average_precision_by_frequency, robustness
from ..figures.figure import Figure
from ..figures.headline import headline_figures
from ..figures.of_agreement import draw_label_confusion
from ..figures.of_items import draw_items_by_agreement
from ..figures.of_models import (
    draw_against_reference,
    draw_scores_by_setting,
    draw_scores_by_template,
)
from ..figures.of_workers import draw_check_answers, draw_people_and_judgments, draw_worker_overview
from ..figures.rendering import FORMATS, NOT_INSTALLED, can_draw, render_what_can_be
from ..figures.similarity_matrix import draw_all_p_vectors, draw_similarity_matrices
from ..judgments.item_words import words_of_items
from ..kinds.statistics import statistics_of
from ..report.croissant import croissant
from ..report.data_card import Card, readme, zenodo
from ..report.methods import methods_tex, references_bib
from ..report.methods_paragraph import methods_paragraph
from ..report.model_rows import SETTING
from ..report.paper_tables import tables_of
from ..report.report import Report
from ..report.score_tables import people_by_frequency, precision_by_frequency, reference_table, scores_by_template
from ..scoring.metrics import ranks, title_of
from ..scoring.probe import TEMPLATE
from ..screening.screen import Screened
from .report_page import page_without_gold, report_page

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
        *headline_figures(cleaning, report),
        draw_people_and_judgments(report),
        draw_label_confusion(cleaning) if kind.answer_is_a_label else None,
        draw_check_answers(cleaning),
        draw_worker_overview(cleaning, kind.agrees_by) if kind.agrees is not None else None,
        robustness.draw_sweep(cleaning),
        robustness.draw_influence(cleaning),
        draw_items_by_agreement(analysis.gold, words_of_items(cleaning.crowd)),
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

    return ExtraFiles(
        files_of,
        lambda analysis, folder: cards_of(analysis.report, analysis.methods, folder, card),
        lambda nothing: {"report.html": page_without_gold(nothing.cleaning, nothing.report).encode()},
    )


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
