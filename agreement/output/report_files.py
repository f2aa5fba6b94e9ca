"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..analysis.analysis import Analysis
from ..analysis.output_folder import ExtraFiles
from ..figures.figure import Figure
from ..figures.rendering import FORMATS, NOT_INSTALLED, can_draw, render_what_can_be
from ..report.croissant import croissant
from ..report.data_card import Card, readme, zenodo
from ..report.methods import methods_tex, references_bib
from ..report.paper_tables import tables_of
from ..report.report import Report
from .report_figures import figures_of
from .report_page import report_page

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
    there = [figure for figure in figures if figure.name not in rendered.failed]
    return ReportFiles(there, files, rendered.failed)


def texts_of(
    analysis: Analysis, figures: Sequence[Figure], drawn: Mapping[str, bytes], notes: Sequence[str], title: str = ""
) -> dict[str, bytes]:
    """The page and the methods for LaTeX, with the figures as they are `drawn`."""
    shown = [(figure, drawn.get(f"figures/{figure.name}.svg", b"").decode()) for figure in figures]
    page = report_page(analysis, shown, tables_of(analysis.report), notes, title)
    return {
        "report.html": page.encode(),
        "methods.tex": methods_tex(analysis.methods).encode(),
        "references.bib": references_bib(analysis.methods, analysis.report).encode(),
    }
