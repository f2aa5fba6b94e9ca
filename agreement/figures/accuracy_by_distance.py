"""How often models, and people, are right by how far a shape is from the threshold."""

from __future__ import annotations

import pandas as pd

from .figure import Figure


def draw(rows: pd.DataFrame) -> Figure:
    """From a row for each model and group: `who`, `distance` (the group's lower end), `right`, `low`, `high`."""
    who = list(dict.fromkeys(rows["who"]))
    where = {
        "x": {
            "field": "distance",
            "type": "quantitative",
            "title": "distance from the threshold, in parts of max - min",
            "scale": {"zero": True},
        },
        "color": {"field": "who", "type": "nominal", "scale": {"domain": who}, "legend": {"title": None}},
    }
    axis = {"title": "Accuracy", "type": "quantitative", "scale": {"domain": [0, 1]}}
    return Figure(
        name="accuracy-by-distance",
        title="Accuracy by distance from the threshold",
        caption="Share of verdicts that agree with the rule, by tenths of |area - T| / (max - min), with 95 % intervals"
        " over items; the dashed line is chance.",
        description="Lines of accuracy against distance from the threshold, one for each model.",
        rows=rows,
        specification={
            "width": 380,
            "height": 240,
            "layer": [
                {
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": "#777777"},
                    "encoding": {"y": {"datum": 0.5, **axis}},
                },
                {
                    "mark": {"type": "rule", "opacity": 0.6},
                    "encoding": {**where, "y": {"field": "low", **axis}, "y2": {"field": "high"}},
                },
                {"mark": "line", "encoding": {**where, "y": {"field": "right", **axis}}},
                {
                    "mark": "point",
                    "encoding": {
                        **where,
                        "y": {"field": "right", **axis},
                        "shape": {"field": "who", "type": "nominal", "scale": {"domain": who}},
                    },
                },
            ],
        },
    )
