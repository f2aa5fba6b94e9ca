"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agreement.analysis.analysis import Analysis
from agreement.analysis.output_folder import Beside
from agreement.figures.figure import Figure
from agreement.figures.rendering import FORMATS, render
from agreement.figures.report_figures import figures_of
from agreement.reports.croissant import croissant
from agreement.reports.data_card import Card
from agreement.reports.dataset_cards import readme, zenodo
from agreement.reports.methods_latex import methods_tex, references_bib
from agreement.reports.paper_tables import tables_of
from agreement.reports.report_page import report_page


@dataclass(frozen=True, slots=True)
class Report:
    """The files by their names, and the figures among them."""

    figures: list[Figure]
    files: dict[str, bytes]


def with_card(card: Card) -> Beside:
    """The report's files, and the descriptions of the whole folder under the researcher's card."""
    return Beside(lambda analysis: report_of(analysis).files, lambda analysis, folder: cards_of(analysis, folder, card))


def cards_of(analysis: Analysis, folder: Path, card: Card) -> dict[str, bytes]:
    """croissant.json, the dataset card and Zenodo's metadata."""
    described = json.dumps(croissant(analysis.report, card, folder), indent=2, ensure_ascii=False)
    return {
        "croissant.json": f"{described}\n".encode(),
        "README.md": readme(analysis.report, card, analysis.methods).encode(),
        "zenodo.json": zenodo(analysis.report, card).encode(),
    }


def report_of(analysis: Analysis, notes: Sequence[str] = ()) -> Report:
    """`notes` stand at its top, with what a figure can't show."""
    figures, tables = figures_of(analysis), tables_of(analysis.report)
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory(prefix="touchstone-figures-") as name:
        folder = Path(name)
        warnings = [*notes, *render(figures, folder, FORMATS)]
        for path in sorted(folder.iterdir()):
            files[f"figures/{path.name}"] = path.read_bytes()
    for table in tables:
        for suffix, text in (("csv", table.csv()), ("md", table.markdown()), ("tex", table.latex())):
            files[f"tables/{table.name}.{suffix}"] = text.encode()
    drawn = [(figure, files[f"figures/{figure.name}.svg"].decode()) for figure in figures]
    page = report_page(analysis, drawn, tables, warnings)
    files["methods.tex"] = methods_tex(analysis.methods).encode()
    files["references.bib"] = references_bib(analysis.methods, analysis.report).encode()
    return Report(figures, {"report.html": page.encode(), **files})
