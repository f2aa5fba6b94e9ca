"""Models and people against reference labels in each group of items, such as by how many labels an item has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from agreement.analysis.reference_table import reference_breakdowns
from agreement.figures.figure import Figure
from agreement.figures.theme import CATEGORIES
from agreement.scoring.metrics import title_of
from tables.numbers import decimal_of

DASHES = [[1, 0], [2, 2], [6, 2], [4, 4]]
SHAPES = ["diamond", "square", "triangle-up", "circle"]
SAID = {"cardinality": "the number of its labels"}  # columns of our own
WHO = {"people": "people", "crowd": "the crowd", "group": "group of models", "model": "model"}


def draw(part: Mapping[str, Any], metric: str, column: str) -> Figure | None:
    """`part` is `against_reference` of report.json; None where the column has no figures of that metric."""
    found = [one for one in reference_breakdowns(part, metric) if one.column == column]
    if not found:
        return None
    groups = in_order(found[0].groups)
    if len(groups) < 2:
        return None
    named = SAID.get(column, column.replace("_", " "))
    rows = pd.DataFrame(
        [
            [line.name, WHO[line.kind], group, figure["estimate"], figure["low"], figure["high"], figure["n"]]
            for line in found[0].lines
            for group, figure in zip(found[0].groups, line.figures, strict=True)
            if figure is not None and "estimate" in figure
        ],
        columns=["who", "kind", "group", "estimate", "low", "high", "n"],
    )
    who = {"field": "who", "type": "nominal", "title": None, "sort": list(dict.fromkeys(rows["who"]))}
    # Lines of one kind share a dash, points a shape, so that people can be told from models in grey too.
    kind = {"field": "kind", "type": "nominal", "legend": None}
    kinds = list(WHO.values())
    if all(decimal_of(group) is not None for group in groups):
        mark: dict[str, Any] = {"type": "line", "point": True, "tooltip": True}
        of_kind = {"strokeDash": {**kind, "scale": {"domain": kinds, "range": DASHES}}}
    else:
        mark = {"type": "point", "size": 70, "tooltip": True}
        of_kind = {"shape": {**kind, "scale": {"domain": kinds, "range": SHAPES}}}
    axis = {"title": named[:1].upper() + named[1:], "axis": {"labelAngle": 0}}
    at = {
        "x": {"field": "group", "type": "nominal", "sort": groups, **axis},
        "xOffset": {"field": "who", "type": "nominal", "scale": {"paddingOuter": 3}},
        "color": {**who, "scale": {"range": CATEGORIES}},
    }
    score = {"type": "quantitative", "title": title_of(metric), "scale": {"domain": [0, 1]}}
    return Figure(
        name=f"against-reference-{metric.replace('_', '-')}-by-{column.replace('_', '-')}",
        title=f"{title_of(metric)} against the reference, by {named}",
        caption=f"{int(part['items']):,} items against the references of {part['source']}. People are scored one by one"
        " and averaged.",
        description=f"{title_of(metric)} of models and people in {len(groups)} groups; numbers in the table.",
        rows=rows,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "opacity": 0.6},
                    "encoding": {**at, "y": {"field": "low", **score}, "y2": {"field": "high"}},
                },
                {"mark": mark, "encoding": {**at, **of_kind, "y": {"field": "estimate", **score}}},
            ],
            "width": 420,
            "height": 260,
        },
    )


def in_order(groups: Sequence[str]) -> list[str]:
    """Groups that are numbers by their size, any others as they came.

    >>> in_order(["1", "10", "2"]), in_order(["kitchen", "bedroom"])
    (['1', '2', '10'], ['kitchen', 'bedroom'])
    """
    numbers = [decimal_of(group) for group in groups]
    if any(number is None for number in numbers):
        return list(groups)
    return [group for _, group in sorted(zip(numbers, groups, strict=True), key=lambda pair: pair[0] or 0)]
