"""How far scores of texts grow with the number of references that a text is held against."""

from __future__ import annotations

import pandas as pd

from agreement.figures.figure import Figure


def draw(rows: pd.DataFrame, texts: int) -> Figure:
    """`rows` has `metric`, `references` and `score`; `texts` is how many texts each score is of."""
    most = int(rows["references"].max())
    references = {"field": "references", "type": "ordinal", "title": "References", "axis": {"labelAngle": 0}}
    score = {"field": "score", "type": "quantitative", "title": "Score"}
    by_references = {"x": references, "y": score}
    return Figure(
        name="scores-by-references",
        title="Scores grow with the number of references",
        caption=f"People's texts against 1 to {most} texts of others on the same item; {texts:,} texts at each number.",
        description=f"A line for each of {rows['metric'].nunique()} metrics, which rises from 1 to {most} references.",
        rows=rows,
        specification={
            "facet": {"field": "metric", "type": "nominal", "title": None},
            "columns": 3,
            "spec": {
                "width": 170,
                "height": 170,
                "layer": [
                    {"mark": "line", "encoding": by_references},
                    {"mark": {"type": "point", "tooltip": True}, "encoding": by_references},
                ],
            },
        },
    )
