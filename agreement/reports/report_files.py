"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agreement.analysis.analysis import Analysis
from agreement.figures.figure import Figure
from agreement.figures.rendering import FORMATS, render
from agreement.figures.report_figures import figures_of
from agreement.reports.paper_tables import tables_of
from agreement.reports.report_page import report_page


@dataclass(frozen=True, slots=True)
class Report:
    """The files by their names, and the figures among them."""

    figures: list[Figure]
    files: dict[str, bytes]


def report_files(analysis: Analysis) -> dict[str, bytes]:
    return report_of(analysis).files


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
    return Report(figures, {"report.html": page.encode(), **files})
