"""How many of the people with each vice each rule set excludes, as a heat map (`make cleaning-study`)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from agreement.figures.figure import Figure

DESIGNS = {
    "similarity": "A slider, 10 questions per person",
    "colours": "A label of 11, 30 questions per person",
    "colour-sliders": "A slider for each of 11 labels, 30 questions per person",
}
COLUMNS = ["study", "rules", "vice", "recall", "precision", "found", "with_vice", "careful_excluded", "careful"]
FIGURES = {
    "recall": "recall: of those with the vice, the share excluded",
    "precision": "precision: of those excluded, the share with the vice",
}
QUIET_AXIS = {"domain": False, "ticks": False}


def draw(results: pd.DataFrame) -> Figure:
    """From a row for each design, rule set and vice, with `recall` and `precision`."""
    rows = results.assign(study=[DESIGNS.get(name, name) for name in results["design"]])[COLUMNS]
    studies = int(results["studies"].max())
    return Figure(
        name="cleaning-study",
        title="Whom the rules exclude",
        caption=f"Recall and precision of rule sets over {studies} simulated studies with each vice. Recall is the"
        " share of the people with the vice whom a rule set excludes; precision is their share of all whom it excludes,"
        " and blank where that is nobody.",
        description="Heat maps with a row for each rule set and a column for each vice: recall on the left, precision"
        " on the right; above for a slider, then for a label of eleven, then for a slider for each of eleven labels.",
        rows=rows,
        specification={
            "config": {"aria": False},
            "vconcat": [
                {
                    "title": {"text": study, "fontWeight": "normal"},
                    "hconcat": [_heat_map(rows[rows["study"] == study], study, field) for field in FIGURES],
                    "spacing": 16,
                }
                for study in rows["study"].unique()
            ],
        },
    )


def _heat_map(rows: pd.DataFrame, study: str, field: str) -> dict[str, Any]:
    is_first = field == next(iter(FIGURES))
    where = {
        "x": {
            "field": "vice",
            "type": "nominal",
            "scale": {"domain": rows["vice"].unique().tolist()},
            "title": FIGURES[field],
            "axis": {**QUIET_AXIS, "orient": "top", "labelAngle": -40, "titlePadding": 6},
        },
        "y": {
            "field": "rules",
            "type": "nominal",
            "scale": {"domain": rows["rules"].unique().tolist()},
            "title": None,
            "axis": QUIET_AXIS if is_first else None,
        },
    }
    shade = {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [0, 1], "scheme": "viridis"},
        "legend": None,
    }
    number = {"field": field, "type": "quantitative", "format": ".2f"}
    readable = {"condition": {"test": f"datum.{field} > 0.6", "value": "black"}, "value": "white"}
    return {
        "transform": [
            {"filter": {"field": "study", "equal": study}},
            {"calculate": f"isValid(datum.{field}) ? datum.{field} : null", "as": field},
        ],
        "width": {"step": 34},
        "height": {"step": 20},
        "layer": [
            {"mark": {"type": "rect", "invalid": "filter"}, "encoding": {**where, "color": shade}},
            {
                "transform": [{"filter": f"isValid(datum.{field})"}],
                "mark": {"type": "text", "fontSize": 10},
                "encoding": {**where, "text": number, "color": readable},
            },
        ],
    }
