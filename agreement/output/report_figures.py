"""The figures of a report, in their order: each module declares one, and an analysis has those that it has data for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..estimation.estimate import Undefined
from ..figures import (
    against_reference,
    agreement_intervals,
    average_precision_by_frequency,
    check_answers,
    items_by_agreement,
    judgment_distribution,
    label_confusion,
    models_and_people,
    p_vectors,
    people_and_judgments,
    robustness,
    similarity_matrix,
    worker_overview,
)
from ..figures import scores_by_template as templates_figure
from ..kinds.statistics import statistics_of
from ..report.score_tables import people_by_frequency, precision_by_frequency, reference_table, scores_by_template
from ..scoring.metrics import ranks, title_of
from ..scoring.probe import TEMPLATE

# Of a reference: by how many labels it gives an item. What other columns mean only the researcher knows.
REFERENCE_COLUMNS = ("cardinality",)

if TYPE_CHECKING:
    from ..analysis.analysis import Analysis
    from ..figures.figure import Figure
    from ..report.people_and_models import AgainstReference
    from ..report.report import Results


def figures_of(analysis: Analysis) -> list[Figure]:
    cleaning, report = analysis.cleaning, analysis.report
    kind = statistics_of(cleaning.crowd.kind)
    figures = [
        people_and_judgments.draw(report),
        judgment_distribution.draw(cleaning, kind.distribution),
        label_confusion.draw(cleaning) if kind.answer_is_a_label else None,
        check_answers.draw(cleaning),
        worker_overview.draw(cleaning, kind.agrees_by) if kind.agrees is not None else None,
        agreement_intervals.draw(report.results.agreement),
        robustness.draw_sweep(cleaning),
        robustness.draw_influence(cleaning),
        items_by_agreement.draw(analysis.gold),
        models_and_people.draw(report.results.scores, report.results.ceiling.leave_one_out),
        *similarity_matrix.draw_all(analysis.similarity_matrices),
        *p_vectors.draw_all(analysis.made_vectors),
        _by_frequency(report.results),
        _by_template(report.results, kind.first_metric),
    ]
    figures += _against_reference(report.results.against_reference)
    return [figure for figure in figures if figure is not None]


def _against_reference(part: AgainstReference | Undefined) -> Iterator[Figure | None]:
    table = reference_table(part)
    if table is not None and not isinstance(part, Undefined):
        for column in REFERENCE_COLUMNS:
            yield against_reference.draw(part, table.metrics[0], column)


def _by_frequency(results: Results) -> Figure | None:
    table = precision_by_frequency(results.scores)
    if not table["average_precision"].notna().any():
        return None
    return average_precision_by_frequency.draw(table, people_by_frequency(results.ceiling.leave_one_out))


def _by_template(results: Results, metric: str) -> Figure | None:
    """By the kind's first metric, or the first that has a score of a template."""
    there = dict.fromkeys(score.metric for score in results.scores if score.breakdown == TEMPLATE)
    ranked = [name for name in (metric, *there) if name in there and ranks(name)]
    if not ranked:
        return None
    table = scores_by_template(results.scores, ranked[0])
    whole = [score for score in results.scores if score.metric == ranked[0] and not score.breakdown]
    chances = [score.chance for score in whole if score.chance is not None]
    return templates_figure.draw(table, title_of(ranked[0]), min(chances, default=None)) if len(table) else None
