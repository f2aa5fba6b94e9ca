"""A report's figures as data frames: numbers as numbers, and in words why one is undefined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from ..cleaning.cleaning_run import Cleaning
from ..estimation.estimate import Figure, Undefined
from ..report.figure_rows import agreement_figures, ceiling_figures
from ..report.report import Report
from ..screening.screen import Screened
from .output_tables import Table, judgments_table, workers_table

COLUMNS = ("estimate", "low", "high", "n", "undefined", "method")
OF_JUDGMENTS = ("collected", "kept")
YES_OR_NO = ("kept", "unchecked")


def agreement_frame(report: Report) -> pd.DataFrame:
    """A row per statistic and set of judgments, all that were collected and those that are kept."""
    rows = [
        (name, judgments, *_figure(statistic.headline))
        for name, _, *statistics in agreement_figures(report)
        for judgments, statistic in zip(OF_JUDGMENTS, statistics, strict=True)
        if statistic is not None
    ]
    return _frame(("statistic", "judgments"), rows)


def ceiling_frame(report: Report) -> pd.DataFrame:
    """How well people do."""
    return _frame(("ceiling",), [(name, *_figure(figure)) for name, figure in ceiling_figures(report)])


def workers_frame(cleaning: Cleaning, screened: Screened | Undefined | None) -> pd.DataFrame:
    """workers.csv."""
    return _typed(workers_table(cleaning, screened))


def judgments_frame(cleaning: Cleaning) -> pd.DataFrame:
    """judgments.csv, in the order of the input."""
    return _typed(judgments_table(cleaning))


def _figure(figure: Figure) -> tuple[object, ...]:
    if isinstance(figure, Undefined):
        return None, None, None, None, figure.why, ""
    return figure.estimate, figure.low, figure.high, figure.n, "", figure.method


def _frame(named: Iterable[str], rows: list[tuple[object, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=[*named, *COLUMNS])
    return frame.astype({"estimate": "float64", "low": "float64", "high": "float64", "n": "Int64"})


def _typed(table: Table) -> pd.DataFrame:
    """Flags as true and false, numbers as numbers, everything else as text."""
    made: dict[str, Any] = {}
    for name, column in table.items():
        if name in YES_OR_NO:
            made[name] = column.text() == "1"
        else:
            made[name] = pd.to_numeric(pd.Series(column.text()).replace("", None)) if column.is_plain else column.text()
    return pd.DataFrame(made)
