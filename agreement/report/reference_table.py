"""One table of models, people, the crowd, constant answers and chance against reference labels, from a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from ..estimation.estimate import Estimate, Figure, Undefined
from ..scoring.metric import BESIDE_THE_MEAN, MAXIMUM, SPREAD
from ..scoring.metrics import METRICS, smaller_is_better, title_of
from ..scoring.metrics.of_labels import CreditMetric
from .agreement_words import said_figure
from .items_without_output import uncovered_by_model
from .model_scores import AgainstReference, ReferenceScore

KINDS = ("model", "group", "people", "crowd", "constant", "chance")  # in the order of the table
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
    rows = [row for row in part.scores if not row.breakdown]
    has_several = part.labels_per_item is not None and part.labels_per_item.most > 1
    metrics = [name for name in _metrics(rows, first) if not (has_several and _is_of_one_label(name))]
    lines = _sorted(_lines(rows, lambda row: row.metric, metrics), metrics)
    return ReferenceTable(part.source, part.items, metrics, lines)


def reference_breakdowns(part: AgainstReference, metric: str) -> list[ReferenceBreakdown]:
    """The metric by each column of the items, by labels and by how many labels an item has."""
    rows = [row for row in part.scores if row.metric == metric and row.kind in IN_PARTS]
    columns = dict.fromkeys(row.breakdown for row in rows if row.breakdown)
    breakdowns = []
    for column in columns:
        own = [row for row in rows if row.breakdown == column]
        groups = list(dict.fromkeys(row.group for row in own))
        breakdowns.append(ReferenceBreakdown(metric, column, groups, _lines(own, lambda row: row.group, groups)))
    return breakdowns


def reference_lines(part: AgainstReference, first: Sequence[str] = ()) -> list[str]:
    """The table in Markdown, with what it rests on above it."""
    table = reference_table(part, first)
    if table is None:
        return []
    people = any(line.kind == "people" for line in table.lines)
    who = "Models and people" if people else "Models"
    cells = [
        [line.name, *(_said(part, line, *column) for column in zip(table.metrics, line.figures, strict=True))]
        for line in table.lines
    ]
    rows = [["", *table.titles], ["---"] * (1 + len(table.titles)), *cells]
    said = [f"{who} against the references of {table.source} ({table.items:,} items)."]
    if sizes := part.labels_per_item:
        said.append(f"An item has {sizes.mean:.3f} labels on average (SD {sizes.sd:.3f}), {sizes.most} at most.")
    if people:
        said.append("People are scored one by one and averaged.")
    return [" ".join(said), "", *(f"| {' | '.join(row)} |" for row in rows)]


def _said(part: AgainstReference, line: Line, metric: str, figure: Figure | None) -> str:
    """A figure with its interval, and what the model's templates or runs have beside their mean."""
    if figure is None:
        return "–"
    beside = {
        row.metric.removeprefix(metric): row.figure.estimate
        for row in part.scores
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
    notes = [f"- {name}: {said.replace('items of gold', 'items of the reference')}" for name, said in without.items()]
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
    there = {row.metric for row in scored}
    known = [name for name in METRICS if name in there and METRICS[name].beside_people]
    others = sorted(name for name in there if name not in METRICS and not name.endswith(BESIDE_THE_MEAN))
    return [name for name in dict.fromkeys([*first, *known, *others]) if name in there]


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


def _sorted(lines: Sequence[Line], metrics: Sequence[str]) -> list[Line]:
    """Models and answers that never vary with the best first, and of the latter the best alone."""
    if not metrics:
        return list(lines)
    sign = 1 if smaller_is_better(metrics[0]) else -1

    def place(line: Line) -> float:
        figure = line.figures[0]
        return sign * figure.estimate if isinstance(figure, Estimate) else float("inf")

    return [line for kind in KINDS for line in _best([one for one in lines if one.kind == kind], kind, place)]


def _best(lines: list[Line], kind: str, place: Callable[[Line], float]) -> Iterator[Line]:
    ordered = sorted(lines, key=place)
    yield from ordered[:MOST_CONSTANTS] if kind == "constant" else ordered
