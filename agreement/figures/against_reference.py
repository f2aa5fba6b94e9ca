"""Models and people against reference labels in each group of items, such as by how many labels an item has."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..estimation.estimate import Estimate
from ..files.numbers import decimal_of
from ..report.people_and_models import AgainstReference
from ..report.score_tables import ReferenceBreakdown, reference_breakdowns
from ..scoring.metrics import title_of
from .figure import CATEGORIES, Figure

DASHES = [[1, 0], [2, 2], [6, 2], [4, 4]]
SHAPES = ["diamond", "square", "triangle-up", "circle"]
SAID = {"cardinality": "the number of its labels"}  # columns of our own
WHO = {"people": "people", "crowd": "the crowd", "group": "group of models", "model": "model"}


def draw_against_reference(part: AgainstReference, metric: str, column: str) -> Figure | None:
    """None where the column has no figures of that metric."""
    found = [one for one in reference_breakdowns(part, metric) if one.column == column]
    if not found or len(in_order(found[0].groups)) < 2:
        return None
    rows, groups = _rows(found[0]), in_order(found[0].groups)
    named = SAID.get(column, column.replace("_", " "))
    return Figure(
        name=f"against-reference-{metric.replace('_', '-')}-by-{column.replace('_', '-')}",
        title=f"{title_of(metric)} against the reference, by {named}",
        caption=f"{part.items:,} items against the references of {part.source}. People are scored one by one"
        " and averaged.",
        description=f"{title_of(metric)} of models and people in {len(groups)} groups; numbers in the table.",
        rows=rows,
        specification={"layer": _layers(rows, groups, metric, named), "width": 420, "height": 260},
    )


def _rows(breakdown: ReferenceBreakdown) -> pd.DataFrame:
    """A row per person or model and group that has a score."""
    return pd.DataFrame(
        [
            [line.name, WHO[line.kind], group, figure.estimate, figure.low, figure.high, figure.n]
            for line in breakdown.lines
            for group, figure in zip(breakdown.groups, line.figures, strict=True)
            if isinstance(figure, Estimate)
        ],
        columns=["who", "kind", "group", "estimate", "low", "high", "n"],
    )


def _layers(rows: pd.DataFrame, groups: Sequence[str], metric: str, named: str) -> list[dict[str, object]]:
    """The intervals, and over them the scores: a line over groups that are numbers, else points."""
    who = {"field": "who", "type": "nominal", "title": None, "sort": list(dict.fromkeys(rows["who"]))}
    at = {
        "x": {
            "field": "group",
            "type": "nominal",
            "sort": groups,
            "title": named[:1].upper() + named[1:],
            "axis": {"labelAngle": 0},
        },
        "xOffset": {"field": "who", "type": "nominal", "scale": {"paddingOuter": 3}},
        "color": {**who, "scale": {"range": CATEGORIES}},
    }
    score = {"type": "quantitative", "title": title_of(metric), "scale": {"domain": [0, 1]}}
    mark, of_kind = _mark(groups)
    return [
        {
            "mark": {"type": "rule", "opacity": 0.6},
            "encoding": {**at, "y": {"field": "low", **score}, "y2": {"field": "high"}},
        },
        {"mark": mark, "encoding": {**at, **of_kind, "y": {"field": "estimate", **score}}},
    ]


def _mark(groups: Sequence[str]) -> tuple[dict[str, object], dict[str, object]]:
    """The mark of a score and its encoding.

    Lines of one kind share a dash, points a shape, so that people can be told from models in grey too.
    """
    kind = {"field": "kind", "type": "nominal", "legend": None}
    kinds = list(WHO.values())
    if all(decimal_of(group) is not None for group in groups):
        dashes: dict[str, object] = {"strokeDash": {**kind, "scale": {"domain": kinds, "range": DASHES}}}
        return {"type": "line", "point": True, "tooltip": True}, dashes
    shapes: dict[str, object] = {"shape": {**kind, "scale": {"domain": kinds, "range": SHAPES}}}
    return {"type": "point", "size": 70, "tooltip": True}, shapes


def in_order(groups: Sequence[str]) -> list[str]:
    """Groups that are numbers by their size, any others as they came.

    >>> in_order(["1", "10", "2"]), in_order(["kitchen", "bedroom"])
    (['1', '2', '10'], ['kitchen', 'bedroom'])
    """
    numbers = [decimal_of(group) for group in groups]
    if any(number is None for number in numbers):
        return list(groups)
    return [group for _, group in sorted(zip(numbers, groups, strict=True), key=lambda pair: pair[0] or 0)]
