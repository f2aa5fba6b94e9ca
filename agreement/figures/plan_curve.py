"""How precise a study will be, by its judgments per item, beside the precision that is wanted."""

from __future__ import annotations

import pandas as pd

from .figure import CATEGORIES, Figure

PRECISION = "precision"
QUIET = {"aria": False}  # a curve's marks have no names of their own: the table has every point


def draw_plan_curve(rows: pd.DataFrame, *, target: float, measure: str, caption: str, rises: bool = False) -> Figure:
    """`rows` has judgments_per_item, precision, workers and, where there is pay, cost; `measure` is what is on the
    y axis.
    """
    with_more = "rises" if rises else "falls"
    x = {"field": "judgments_per_item", "type": "quantitative", "title": "Judgments per item"}
    y = {"field": PRECISION, "type": "quantitative", "title": measure, "scale": {"zero": True}}
    return Figure(
        name="plan",
        title="Precision by judgments per item",
        caption=caption,
        description=f"{measure} {with_more} with the judgments per item; the line marks {target:g}; numbers in the"
        " table.",
        rows=rows,
        specification={
            "layer": [
                {
                    "mark": {"type": "line", "point": QUIET, "tooltip": True, "color": CATEGORIES[0], **QUIET},
                    "encoding": {"x": x, "y": y},
                },
                {
                    "mark": {"type": "rule", "strokeDash": [6, 4], "color": CATEGORIES[4], **QUIET},
                    "encoding": {"y": {"datum": target}},
                },
            ],
            "width": 480,
            "height": 260,
        },
    )
