"""The three pictures with which a report and a study's results begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.statistics import statistics_of
from ..report.figure_rows import figures_on_request
from ..report.model_board import model_board
from . import judgment_distribution
from .figure import Figure
from .of_agreement import draw_agreement_intervals
from .of_models import draw_models_and_people

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning
    from ..report.report import Report

HEADLINE = ("judgment-distribution", "agreement", "models-and-people")  # their names, in their order


def headline_figures(cleaning: Cleaning, report: Report) -> list[Figure]:
    """The answers; agreement before and after cleaning; people and models against what any model can reach. A picture
    with nothing to draw is left out.
    """
    results = report.results
    figures = [
        judgment_distribution.draw(cleaning, statistics_of(cleaning.crowd.kind).distribution),
        draw_agreement_intervals(results.agreement, on_request=figures_on_request(report)),
        draw_models_and_people(model_board(report), results.scores),
    ]
    return [figure for figure in figures if figure is not None]
