"""A report's scores as tables: against reference labels, at every production frequency, by template."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import pandas as pd

from ..estimation.estimate import Estimate, Figure, Undefined
from ..scoring.metric import BESIDE_THE_MEAN, MAXIMUM, SPREAD, CreditMetric
from ..scoring.metrics import METRICS, smaller_is_better, title_of
from ..scoring.metrics.of_rankings import AVERAGE_PRECISION
from ..scoring.probe import TEMPLATE
from ..scoring.score import MAPPED, Coverage
from ..warnings.warning import named
from .agreement_words import said_figure
from .model_rows import COUNTS, SETTING, counts_cells, scores_of_rows, setting_key
from .people_and_models import AgainstReference, PersonAgainstOthers, ProbeScore, ReferenceScore


class _Probe(Protocol):
    """A probe of a report."""

    @property
    def probe(self) -> str: ...
    @property
    def coverage(self) -> Coverage: ...


class _Score(Protocol):
    """A score of a report: whose it is, by which metric."""

    @property
    def name(self) -> str: ...
    @property
    def metric(self) -> str: ...


def uncovered_in_words(coverage: Coverage, metrics: Iterable[str] = ()) -> str:
    """Of one model; nothing where it has an output for every item. `metrics` are those that it is scored by.

    >>> uncovered_in_words(Coverage(30, 28, ("i1", "i2"), ()), ["accuracy"])
    '2 of the 30 items of gold have no output (i1 and i2) and count as wrong'
    >>> uncovered_in_words(Coverage(30, 29, ("i1",), ()), ["spearman"])
    '1 of the 30 items of gold has no output (i1) and is left out of its scores'
    """
    missing = coverage.missing
    if not missing:
        return ""
    one = len(missing) == 1
    are_wrong = {METRICS[name].missing_is_wrong for name in metrics if name in METRICS}
    wrong = "counts as wrong" if one else "count as wrong"
    left_out = f"{'is' if one else 'are'} left out of its scores"
    end = {(True,): wrong, (False,): left_out, (): left_out}.get(
        tuple(are_wrong), f"{wrong} where a score counts every item, and {'is' if one else 'are'} left out elsewhere"
    )
    have = f"{len(missing):,} of the {coverage.gold:,} items of gold {'has' if one else 'have'} no output"
    return f"{have} ({named(missing)}) and {end}"


def uncovered_by_model(probes: Iterable[_Probe], scores: Iterable[_Score]) -> dict[str, str]:
    """The sentence of each model that lacks an output, by its name; a row of `scores` says whose metric it is."""
    rows = list(scores)
    sentences = {}
    for probe in probes:
        metrics = sorted({row.metric for row in rows if row.name == probe.probe})
        if sentence := uncovered_in_words(probe.coverage, metrics):
            sentences[probe.probe] = sentence
    return sentences


# One table of models, people, the crowd, constant answers and chance against reference labels, from a report.

KINDS = ("model", "group", "people", "crowd", "constant", "chance")  # in the order of the table
OF_MODELS = ("model", "group")  # which may have settings
MOST_CONSTANTS = 3
IN_PARTS = KINDS[:4]


@dataclass(frozen=True, slots=True)
class Line:
    """One row: `figures` has one for each metric of the table, or group of the breakdown; None where there is none."""

    kind: str
    name: str
    figures: list[Figure | None]


@dataclass(frozen=True, slots=True)
class ReferenceTable:
    source: str
    items: int
    metrics: list[str]
    lines: list[Line]

    @property
    def titles(self) -> list[str]:
        return [title_of(metric) for metric in self.metrics]


@dataclass(frozen=True, slots=True)
class ReferenceBreakdown:
    """One metric by the groups of a column."""

    metric: str
    column: str
    groups: list[str]
    lines: list[Line]


def reference_table(part: AgainstReference | Undefined, first: Sequence[str] = ()) -> ReferenceTable | None:
    """The table, its first columns the metrics named; None where nothing was held against a reference."""
    if isinstance(part, Undefined):
        return None
    rows = rows_over_all(part)
    has_several = part.labels_per_item is not None and part.labels_per_item.most > 1
    metrics = [name for name in _metrics(rows, first) if not (has_several and _is_of_one_label(name))]
    lines = _sort_lines(_lines(rows, lambda row: row.metric, metrics), metrics)
    return ReferenceTable(part.source, part.items, metrics, lines)


def rows_over_all(part: AgainstReference) -> list[ReferenceScore]:
    """The scores over all items, each setting of a model as a row of its own."""
    rows = [row for row in part.scores if row.kind in OF_MODELS or not row.breakdown]
    return [replace(row, name=name, breakdown="", group="") for name, row in scores_of_rows(rows)]


def reference_breakdowns(part: AgainstReference, metric: str) -> list[ReferenceBreakdown]:
    """The metric by each column of the items, by labels and by how many labels an item has."""
    rows = [row for row in part.scores if row.metric == metric and row.kind in IN_PARTS]
    columns = dict.fromkeys(row.breakdown for row in rows if row.breakdown)
    breakdowns = []
    for column in columns:
        own = [row for row in rows if row.breakdown == column]
        groups = list(dict.fromkeys(row.group for row in own))
        groups = sorted(groups, key=setting_key) if column.startswith(SETTING) else groups
        breakdowns.append(ReferenceBreakdown(metric, column, groups, _lines(own, lambda row: row.group, groups)))
    return breakdowns


def reference_lines(part: AgainstReference, first: Sequence[str] = ()) -> list[str]:
    """The table in Markdown, with what it rests on above it."""
    table = reference_table(part, first)
    if table is None:
        return []
    people = any(line.kind == "people" for line in table.lines)
    who = "Models and people" if people else "Models"
    beside = counts_beside(part, table.lines)
    cells = [
        [
            line.name,
            *(_figure_text(part, line, *column) for column in zip(table.metrics, line.figures, strict=True)),
            *counts,
        ]
        for line, counts in zip(table.lines, beside, strict=True)
    ]
    titles = [*table.titles, *(COUNTS if any(beside) else ())]
    rows = [["", *titles], ["---"] * (1 + len(titles)), *cells]
    heading = [f"{who} against the references of {table.source} ({table.items:,} items)."]
    if sizes := part.labels_per_item:
        heading.append(f"An item has {sizes.mean:.3f} labels on average (SD {sizes.sd:.3f}), {sizes.most} at most.")
    if people:
        heading.append("People are scored one by one and averaged.")
    return [" ".join(heading), "", *(f"| {' | '.join(row)} |" for row in rows)]


def counts_beside(part: AgainstReference, lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Of each line how many answers were refused, truncated and unmapped; nothing where no model's were mapped."""
    answers = {probe.probe: probe.answers for probe in part.probes if probe.answers is not None}
    if not answers:
        return [() for _ in lines]
    counts = []
    for line in lines:
        of_model = next((one for name, one in answers.items() if f"{line.name}, ".startswith(f"{name}, ")), None)
        counts.append(counts_cells(of_model if line.kind == "model" else None))
    return counts


def _figure_text(part: AgainstReference, line: Line, metric: str, figure: Figure | None) -> str:
    """A figure with its interval, and what the model's templates or runs have beside their mean."""
    if figure is None:
        return "–"
    beside = {
        row.metric.removeprefix(metric): row.figure.estimate
        for row in rows_over_all(part)
        if isinstance(row.figure, Estimate)
        and (row.kind, row.name, row.breakdown) == (line.kind, line.name, "")
        and row.metric in {f"{metric}{ending}" for ending in BESIDE_THE_MEAN}
    }
    if not beside:
        return said_figure(figure, metric)
    return f"{said_figure(figure, metric)}, sd {beside[SPREAD]:.3f}, maximum {beside[MAXIMUM]:.3f}"


def reference_text(part: AgainstReference) -> str:
    """The same with the models' notes."""
    without = uncovered_by_model(part.probes, part.scores)
    notes = [
        f"- {name}: {reason.replace('items of gold', 'items of the reference')}" for name, reason in without.items()
    ]
    notes += [f"- {one.probe}: {note}" for one in part.probes for note in one.notes]
    return "\n".join([*reference_lines(part), *(["", *notes] if notes else [])])


def as_frame(table: ReferenceTable) -> pd.DataFrame:
    """The table's estimates, one row per model or person and one column per metric."""
    rows = [
        {"who": line.name}
        | {
            title: figure.estimate if isinstance(figure, Estimate) else None
            for title, figure in zip(table.titles, line.figures, strict=True)
        }
        for line in table.lines
    ]
    return pd.DataFrame(rows)


def _metrics(rows: Sequence[ReferenceScore], first: Sequence[str]) -> list[str]:
    scored = [row for row in rows if row.kind in IN_PARTS] or rows
    metrics = {row.metric for row in scored}
    known = [name for name in METRICS if name in metrics and METRICS[name].beside_people]
    others = sorted(name for name in metrics if name not in METRICS and not name.endswith(BESIDE_THE_MEAN))
    return [name for name in dict.fromkeys([*first, *known, *others]) if name in metrics]


def _is_of_one_label(name: str) -> bool:
    """Such as accuracy: where items have several labels it rests on the others alone, which a table can't say."""
    metric = METRICS.get(name)
    return isinstance(metric, CreditMetric) and metric.of_majority


def _lines(
    rows: Sequence[ReferenceScore], column_of: Callable[[ReferenceScore], str], columns: Sequence[str]
) -> list[Line]:
    named: dict[tuple[str, str], dict[str, Figure]] = {}
    for row in rows:
        named.setdefault((row.kind, row.name), {})[column_of(row)] = row.figure
    ordered = sorted(named.items(), key=lambda pair: KINDS.index(pair[0][0]))
    return [Line(kind, name, [figures.get(column) for column in columns]) for (kind, name), figures in ordered]


def _sort_lines(lines: Sequence[Line], metrics: Sequence[str]) -> list[Line]:
    """Models and answers that never vary with the best first, and of the latter the best alone."""
    if not metrics:
        return list(lines)
    sign = 1 if smaller_is_better(metrics[0]) else -1
    figures = {line.name: line.figures[0] for line in lines}

    def place(line: Line) -> float:
        """The other way of counting answers stands below its model."""
        figure = figures.get(line.name.partition(f", {MAPPED}")[0], line.figures[0])
        return sign * figure.estimate if isinstance(figure, Estimate) else float("inf")

    return [line for kind in KINDS for line in _best([one for one in lines if one.kind == kind], kind, place)]


def _best(lines: list[Line], kind: str, place: Callable[[Line], float]) -> Iterator[Line]:
    ordered = sorted(lines, key=place)
    yield from ordered[:MOST_CONSTANTS] if kind == "constant" else ordered


# A report's scores as tables: average precision at every production frequency, and each template's score.

COLUMNS = ("probe", "pf", "average_precision", "low", "high", "sd", "templates", "queries", "chance")


def precision_by_frequency(scores: Iterable[ProbeScore], breakdown: str = "") -> pd.DataFrame:
    """The `scores` of a report as a table, over all items or with a column for the groups of one breakdown.

    `sd` is over so many `templates` (or runs), blank where there is one; `chance` is what a random order gives.
    """
    by_metric: dict[tuple[str, str], dict[str, ProbeScore]] = {}
    for score in scores:
        if score.breakdown == breakdown:
            by_metric.setdefault((score.probe, score.group), {})[score.metric] = score
    rows = []
    for (probe, group), by_name in by_metric.items():
        for threshold, metric in AVERAGE_PRECISION.items():
            if metric.name not in by_name:
                continue
            own = by_name[metric.name]
            spread = by_name.get(f"{metric.name}{SPREAD}")
            figure = own.figure if isinstance(own.figure, Estimate) else None
            sd = spread.figure if spread is not None and isinstance(spread.figure, Estimate) else None
            rows.append(
                {
                    "probe": probe,
                    **({breakdown: group} if breakdown else {}),
                    "pf": threshold,
                    "average_precision": _number(figure.estimate if figure else None),
                    "low": _number(figure.low if figure else None),
                    "high": _number(figure.high if figure else None),
                    "sd": _number(sd.estimate if sd else None),
                    "templates": sd.n if sd else 1,
                    "queries": figure.n if figure else 0,
                    "chance": _number(own.chance),
                }
            )
    first, *others = COLUMNS
    return pd.DataFrame(rows, columns=[first, *([breakdown] if breakdown else []), *others])


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def people_by_frequency(leave_one_out: PersonAgainstOthers) -> list[tuple[int, float]]:
    """A typical person's average precisions by the least number of people, as far as they are defined."""
    figures = {leave_one_out.metric: leave_one_out.mean, **leave_one_out.other_metrics}
    named = ((threshold, figures.get(metric.person)) for threshold, metric in AVERAGE_PRECISION.items())
    return [(threshold, figure.estimate) for threshold, figure in named if isinstance(figure, Estimate)]


def scores_by_template(scores: Iterable[ProbeScore], metric: str) -> pd.DataFrame:
    """Each template's own score of each model: probe, template, score, low, high."""
    rows = [
        [score.probe, score.group, figure.estimate, _number(figure.low), _number(figure.high)]
        for score in scores
        if score.metric == metric and score.breakdown == TEMPLATE and isinstance(figure := score.figure, Estimate)
    ]
    return pd.DataFrame(rows, columns=["probe", "template", "score", "low", "high"])
