"""The figures of a report, in their order: each module declares one, and an analysis has those that it has data for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agreement.analysis.reference_table import reference_table
from agreement.figures import (
    against_reference,
    agreement_intervals,
    check_answers,
    items_by_agreement,
    judgment_distribution,
    models_and_people,
    p_vectors,
    people_and_judgments,
    similarity_matrix,
    worker_overview,
)
from questions.statistics import statistics_of

# Of a reference: by how many labels it gives an item. What other columns mean only the researcher knows.
REFERENCE_COLUMNS = ("cardinality",)

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
        *similarity_matrix.draw_all(analysis.similarity_matrices),
        *p_vectors.draw_all(analysis.made_vectors),
    ]
    figures += _against_reference(report.get("against_reference", {}))
    return [figure for figure in figures if figure is not None]


def _against_reference(part: Mapping[str, Any]) -> Iterator[Figure | None]:
    table = reference_table(part)
    for column in REFERENCE_COLUMNS if table is not None else ():
        yield against_reference.draw(part, table.metrics[0], column)
