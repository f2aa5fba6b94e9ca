"""The figures of a report, in their order: each module declares one, and an analysis has those that it has data for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agreement.figures import (
    agreement_intervals,
    check_answers,
    items_by_agreement,
    judgment_distribution,
    models_and_people,
    people_and_judgments,
    worker_overview,
)
from questions.statistics import statistics_of

if TYPE_CHECKING:
    from agreement.analysis.analysis import Analysis
    from agreement.figures.figure import Figure


def figures_of(analysis: Analysis) -> list[Figure]:
    cleaning, report = analysis.cleaning, analysis.report
    kind = statistics_of(cleaning.crowd.kind)
    figures = [
        people_and_judgments.draw(report),
        judgment_distribution.draw(cleaning, kind.distribution),
        check_answers.draw(cleaning),
        worker_overview.draw(cleaning, kind.agrees_by) if kind.agrees is not None else None,
        agreement_intervals.draw(report["agreement"]),
        items_by_agreement.draw(analysis.gold),
        models_and_people.draw(report["scores"], report["ceiling"]["leave_one_out"]),
    ]
    return [figure for figure in figures if figure is not None]
