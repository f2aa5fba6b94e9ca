"""report.html, figures/ and tables/ of an analysis, as the bytes of files by their names."""

from __future__ import annotations

import tempfile
from pathlib import Path

from agreement.analysis.analysis import Analysis
from agreement.figures.rendering import FORMATS, render
from agreement.figures.report_figures import figures_of
from agreement.reports.paper_tables import tables_of
from agreement.reports.report_page import report_page


def report_files(analysis: Analysis) -> dict[str, bytes]:
    """All of them; what a figure can't show is said in the report."""
    figures, tables = figures_of(analysis), tables_of(analysis.report)
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory(prefix="touchstone-figures-") as name:
        folder = Path(name)
        warnings = render(figures, folder, FORMATS)
        for path in sorted(folder.iterdir()):
            files[f"figures/{path.name}"] = path.read_bytes()
    for table in tables:
        for suffix, text in (("csv", table.csv()), ("md", table.markdown()), ("tex", table.latex())):
            files[f"tables/{table.name}.{suffix}"] = text.encode()
    drawn = [(figure, files[f"figures/{figure.name}.svg"].decode()) for figure in figures]
    return {"report.html": report_page(analysis, drawn, tables, warnings).encode(), **files}
