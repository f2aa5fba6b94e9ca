"""How often models are right by the sort of sentence and the shape that it is about, crossed."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .figure import Figure

LIGHT = 0.55  # from here on a shade is light enough for black letters


def draw(rows: pd.DataFrame) -> Figure:
    """From a row for each model, sentence and shape: `who`, `sentence`, `shape`, `accuracy`."""
    return Figure(
        name="accuracy-by-sentence",
        title="Accuracy by sentence and shape",
        caption="Share of verdicts that agree with the rule, by what the sentence says, whether it is true, and the"
        " shape that it is about; means over runs.",
        description="A heat map for each model, with a row for each sort of sentence and a column for each shape.",
        rows=rows,
        specification={
            "hconcat": [_heat_map(who, is_first=at == 0) for at, who in enumerate(dict.fromkeys(rows["who"]))],
            "spacing": 14,
        },
    )


def _heat_map(who: str, *, is_first: bool) -> dict[str, Any]:
    plain = {"domain": False, "ticks": False, "title": None}
    where = {
        "x": {"field": "shape", "type": "nominal", "axis": {**plain, "labelAngle": -40}},
        "y": {"field": "sentence", "type": "nominal", "axis": plain if is_first else None},
    }
    number = {"field": "accuracy", "type": "quantitative"}
    shade = {**number, "scale": {"domain": [0, 1], "scheme": "viridis"}, "legend": None}
    readable = {"condition": {"test": f"datum.accuracy > {LIGHT}", "value": "black"}, "value": "white"}
    return {
        "title": {"text": who, "fontWeight": "normal", "fontSize": 11},
        "transform": [{"filter": {"field": "who", "equal": who}}],
        "width": {"step": 40},
        "height": {"step": 30},
        "layer": [
            {"mark": "rect", "encoding": {**where, "color": shade}},
            {"mark": "text", "encoding": {**where, "text": {**number, "format": ".2f"}, "color": readable}},
        ],
    }
