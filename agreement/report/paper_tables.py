"""The tables of a report as a paper prints them: agreement, ceilings, models, exclusions, claims and more."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log10

from ..estimation.estimate import Estimate, Figure, Undefined
from ..on_request.further_analysis import Cell, FurtherReport, NoFurtherReport
from ..planning.further_data import Claims
from ..scoring.metrics import ranks, title_of
from ..scoring.probe import TEMPLATE
from .agreement_words import tails_sentence
from .figure_rows import (
    agreement_rows,
    ceiling_figures,
    ceiling_rows,
    figure_cell,
    figures_on_request,
    printed_figure,
    short_number,
    statistic_name,
)
from .model_board import models_table
from .model_rows import COUNTS, scores_of_rows
from .paper_table import PaperTable
from .report import Report
from .score_tables import (
    counts_beside,
    people_by_frequency,
    precision_by_frequency,
    reference_table,
    scores_by_template,
)
from .score_words import scope_of_scores

TITLE = "Claims that have too few data"
OF_PEOPLE = ("upper_bound", "pairwise", "noise_lower", "noise_upper")  # of the ceilings, as `influence` names them
DIGITS = 2  # of how many more are needed: an estimate's


def claims_table(claims: Claims) -> PaperTable:
    """One row per claim."""
    rows = [
        (
            claim.claim,
            claim.now,
            claim.enough,
            _rounded_up(claim.judgments_per_item),
            _rounded_up(claim.judgments),
            _rounded_up(claim.items),
            claim.note,
        )
        for claim in claims.too_few
    ]
    header = (
        "Claim",
        "Now",
        "Enough",
        "Further judgments per item",
        "In all",
        "Further items",
        "Note",
    )
    caption = f"{claims.how} Rounded up to {DIGITS} digits."
    return PaperTable("claims", caption, header, rows, frozenset({3, 4, 5}), TITLE)


def items_table(claims: Claims) -> PaperTable:
    """The items whose label or mean is unsure, those that need most first."""
    rows = [(item.item_id, f"{item.n:,}", _rounded_up(item.judgments)) for item in claims.items]
    caption = (
        "Items whose label or mean is unsure, those that need fewest first; blank where labels tie or too few judgments"
        " are there to say."
    )
    header = ("Item", "Judgments", "Further judgments")
    return PaperTable("items-to-judge", caption, header, rows, frozenset({1, 2}), "Items that need further judgments")


def nothing_lacks(claims: Claims) -> str:
    """What is said where every claim that was looked at has enough data; "" where one has not."""
    if claims.too_few or not claims.how:
        return ""
    return f"Everything that was looked at has enough data: {', '.join(claims.looked_at)}. {claims.how}"


def _rounded_up(number: int | None) -> str:
    """Rounded up to two digits.

    >>> _rounded_up(7), _rounded_up(134), _rounded_up(16000), _rounded_up(16001), _rounded_up(None)
    ('7', '140', '16,000', '17,000', '')
    """
    if number is None:
        return ""
    step = 10 ** max(floor(log10(max(number, 1))) + 1 - DIGITS, 0)
    return f"{ceil(number / step) * step:,}"


# The tables of a report as a paper prints them: agreement, ceilings, models, exclusions, claims and more.


def tables_of(report: Report) -> list[PaperTable]:
    """The tables that a report has rows for."""
    own_tables = [
        _agreement(report),
        _ceilings(report),
        _influence(report),
        models_table(report),
        _scores(report),
        _against_reference(report),
        _by_frequency(report),
        _by_template(report),
        _entries(report),
        exclusions_table(report),
        claims_table(report.results.claims),
        items_table(report.results.claims),
    ]
    return [table for table in [*own_tables, *further_tables(report.results.further)] if table.rows]


def further_tables(parts: Iterable[FurtherReport | NoFurtherReport]) -> Iterator[PaperTable]:
    """The tables of the further analyses that were asked for."""
    for part in parts:
        for at_table, table in enumerate(part.tables):
            columns, rows = table.columns, table.rows
            cells = [
                tuple(_p_cell(row[key]) if _is_p(key) else _further_cell(row[key]) for key in columns) for row in rows
            ]
            numeric = {index for index, key in enumerate(columns) if all(_is_number(row[key]) for row in rows)}
            title = "" if at_table else part.title
            yield PaperTable(table.name, table.caption, tuple(columns.values()), cells, frozenset(numeric), title)


def _is_number(cell: object) -> bool:
    return cell is None or isinstance(cell, int | float)


def _is_p(key: str) -> bool:
    return key == "p" or key.startswith("p_")


def _p_cell(cell: Cell) -> str:
    """A p as it is printed, which is never 0.

    >>> _p_cell(0.0312), _p_cell(0.0001), _p_cell(None)
    ('.031', '<.001', '')
    """
    return "<.001" if isinstance(cell, float) and cell < 0.0005 else _further_cell(cell)


def _further_cell(cell: Cell) -> str:
    """A cell as it is printed, blank where there is none.

    >>> _further_cell(0.25), _further_cell(1200), _further_cell(None), _further_cell("a")
    ('.250', '1,200', '', 'a')
    """
    match cell:
        case None:
            return ""
        case bool() | str():
            return str(cell)
        case int():
            return f"{cell:,}"
        case float():
            return short_number(f"{cell:.3f}")
        case _:
            return printed_figure(figure_cell(cell))


def _agreement(report: Report) -> PaperTable:
    defined = [row for row in agreement_rows(report) if row.raw.number or row.cleaned.number]
    rows = [
        (
            row.name,
            printed_figure(row.raw),
            printed_figure(row.cleaned),
            "" if row.cleaned.n is None else f"{row.cleaned.n:,}",
        )
        for row in defined or agreement_rows(report)
    ]
    caption = "Agreement of all judgments and of those that cleaning kept, with 95 % intervals"
    statistics = report.results.agreement.cleaned.statistics().values()
    tails = tails_sentence((one.headline for one in statistics), "Those over items and workers")
    caption += f"; n items. {tails}".rstrip()
    if defined:
        caption += _left_out_sentence([row.name for row in agreement_rows(report) if row not in defined])
    return PaperTable("agreement", caption, ("Statistic", "Collected", "Kept", "n"), rows, frozenset({3}))


def _left_out_sentence(names: Sequence[str]) -> str:
    """Of figures that these answers don't have; report.json says why."""
    return f" Undefined here: {'; '.join(names)}." if names else ""


def _ceilings(report: Report) -> PaperTable:
    metric = report.results.ceiling.leave_one_out.metric
    of = f" ({title_of(metric)})" if metric else ""
    all_rows = list(ceiling_rows(report))
    defined = [(name, figure) for name, figure in all_rows if figure.number]
    rows = [
        (name, printed_figure(figure), "" if figure.n is None else f"{figure.n:,}")
        for name, figure in defined or all_rows
    ]
    caption = f"How well people do{of}, with 95 % intervals."
    if tails := tails_sentence((figure for _, figure in ceiling_figures(report)), "Those over items and workers"):
        caption += f" {tails}"
    if defined:
        caption += _left_out_sentence([name for name, figure in all_rows if not figure.number])
    return PaperTable("ceilings", caption, ("Ceiling", "Estimate", "n"), rows, frozenset({2}))


def _influence(report: Report) -> PaperTable:
    """Each figure without the worker who moves it furthest."""
    on_request, unmoved = figures_on_request(report), _unmoved(report)
    rows = [
        (
            statistic_name(row.statistic),
            row.worker,
            short_number(f"{row.share_of_variance:.3f}") + (" (unusual)" if row.warned else ""),
            printed_figure(figure_cell(row.without)),
        )
        for row in report.results.influence
        if tuple(row.statistic.split(".")) not in on_request and row.statistic not in unmoved
    ]
    caption = (
        "Each figure without the worker who moves it furthest, with the other workers' 95 % interval. The share is the"
        " worker's part of the workers' variance, unusual where exchangeable workers pass it in 1 % of studies."
    )
    header, title = ("Statistic", "Worker", "Share", "Without the worker"), "Without the most influential worker"
    return PaperTable("without-one-worker", caption, header, rows, title=title)


def _unmoved(report: Report) -> set[str]:
    """The figures that are printed the same without the worker who moves them furthest."""
    left_out = report.results.ceiling.leave_one_out
    figures: dict[str, Figure] = {
        **{".".join(path): one.headline for path, one in report.results.agreement.cleaned.statistics().items()},
        **{f"leave_one_out.{form}": getattr(left_out, form) for form in ("mean", "weighted", "pooled")},
        **{name: getattr(report.results.ceiling, name) for name in OF_PEOPLE},
    }
    return {name for name, one in figures.items() if isinstance(one, Estimate) and one.told_without is None}


def _scores(report: Report) -> PaperTable:
    """Every score over all items, by whatever metric, with n; undefined ones say why."""
    rows = []
    for name, score in scores_of_rows(report.results.scores):
        cell = figure_cell(score.figure)
        rows.append((name, title_of(score.metric), printed_figure(cell), "" if cell.n is None else f"{cell.n:,}"))
    scope = scope_of_scores(report.results.scores)
    caption = f"Models against the gold, with 95 % intervals; n items. {scope}".rstrip()
    title = "All scores of models"
    return PaperTable("scores", caption, ("Model", "Metric", "Score", "n"), rows, frozenset({3}), title)


def _against_reference(report: Report) -> PaperTable:
    """Models and people side by side, one column per metric."""
    table = reference_table(report.results.against_reference)
    caption = "Models, people and constant answers against the reference, with 95 % intervals."
    if table is None:
        return PaperTable("against-reference", caption, ("Who",), [])
    part = report.results.against_reference
    beside = [()] * len(table.lines) if isinstance(part, Undefined) else counts_beside(part, table.lines)
    rows = [
        (line.name, *("" if one is None else printed_figure(figure_cell(one)) for one in line.figures), *counts)
        for line, counts in zip(table.lines, beside, strict=True)
    ]
    items = f"the references of {table.source} ({table.items:,} items)"
    named = f"Models, people and constant answers against {items}, with 95 % intervals."
    title = "Models and people against the reference"
    header = ("Who", *table.titles, *(name.capitalize() for name in COUNTS if any(beside)))
    return PaperTable("against-reference", named, header, rows, title=title)


def exclusions_table(report: Report) -> PaperTable:
    """How many workers passed and failed each rule."""
    rows = [
        (rule.rule, *(f"{n:,}" for n in (rule.passed, rule.failed, rule.not_applicable, rule.judgments)))
        for rule in report.cleaning.by_rule
    ]
    header = ("Rule", "Passed", "Failed", "Not applicable", "Judgments excluded")
    caption = f"Workers by rule of the set {report.rules.name}, and the judgments that each rule alone excludes."
    return PaperTable("exclusions", caption, header, rows, frozenset({1, 2, 3, 4}))


def _by_frequency(report: Report) -> PaperTable:
    """Average precision at every production frequency."""
    rows: list[tuple[str, ...]] = []
    for row in precision_by_frequency(report.results.scores).to_dict("records"):
        score, sd, chance = (_three(row[name]) for name in ("average_precision", "sd", "chance"))
        rows.append((row["probe"], str(row["pf"]), score, sd, str(row["queries"]), chance))
    people = people_by_frequency(report.results.ceiling.leave_one_out) if rows else []
    rows += [("a typical person", str(pf), _three(value), "", "", "") for pf, value in people]
    header = ("model", "least people", "average precision", "sd over templates", "queries", "random order")
    caption = "Average precision by the least number of people who named a property."
    return PaperTable("average-precision-by-frequency", caption, header, rows, frozenset(range(1, 6)))


def _by_template(report: Report) -> PaperTable:
    """Each template's score by each metric."""
    metrics = dict.fromkeys(score.metric for score in report.results.scores if score.breakdown == TEMPLATE)
    rows = [
        (title_of(metric), row["probe"], row["template"], *(_three(row[name]) for name in ("score", "low", "high")))
        for metric in metrics
        if ranks(metric)
        for row in scores_by_template(report.results.scores, metric).to_dict("records")
    ]
    header = ("metric", "model", "template", "score", "low", "high")
    return PaperTable("scores-by-template", "Each template's own score.", header, rows, frozenset({3, 4, 5}))


def _entries(report: Report) -> PaperTable:
    """How many properties of items so many people named, by relation."""
    entries = report.results.property_entries or ()
    header = ("least people", *(name for name in entries[0] if name != "pf")) if entries else ("least people",)
    rows = [tuple(str(count) for count in row.values()) for row in entries]
    caption = "Properties of items, by the least number of people who named them."
    return PaperTable("property-entries", caption, header, rows, frozenset(range(len(header))))


def _three(number: float) -> str:
    """A figure of a table, blank where there is none.

    >>> _three(0.5), _three(float("nan"))
    ('.500', '')
    """
    return "" if math.isnan(number) else short_number(f"{number:.3f}")
