"""How large the shapes are that sentences are about, by what the sentence says."""

from __future__ import annotations

import pandas as pd

from .figure import Figure


def draw(rows: pd.DataFrame) -> Figure:
    """From a row for each sort of sentence and size: `sentence`, `r` and `sentences`, their number."""
    return Figure(
        name="queried-areas",
        title="How large the shapes are that sentences are about",
        caption=f"Number of sentences by the size r of their shape, {int(rows['sentences'].sum()):,} scenes. Areas grow"
        " with the square of r.",
        description="Bars of the number of sentences by size, a row for each sort of sentence.",
        rows=rows,
        specification={
            "width": 300,
            "height": 50,
            "mark": "bar",
            "encoding": {
                "x": {"field": "r", "type": "ordinal", "title": "size r of the shape", "axis": {"labelAngle": 0}},
                "y": {"field": "sentences", "type": "quantitative", "title": None, "axis": {"tickCount": 2}},
                "row": {
                    "field": "sentence",
                    "type": "nominal",
                    "title": None,
                    "header": {"labelAngle": 0, "labelAlign": "left"},
                },
            },
        },
    )
