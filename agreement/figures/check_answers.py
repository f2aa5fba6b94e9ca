"""The answers to check items, with the bounds that they were held to: who failed narrowly, who by far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..cleaning.rules.check import Check, judged_answers
from .figure import CATEGORIES, INK, Figure

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning

WITHIN, BEYOND = "within its bounds", "breaks them"
COLOURS = {"domain": [WITHIN, BEYOND], "range": [CATEGORIES[0], CATEGORIES[4]]}
SHAPES = {"domain": [WITHIN, BEYOND], "range": ["circle", "cross"]}


def draw_check_answers(cleaning: Cleaning) -> Figure | None:
    """None where no rule looked at a check, or nobody answered one."""
    crowd = cleaning.crowd
    parts = [judged_answers(rule, crowd) for rule in cleaning.rules.rules if isinstance(rule, Check)]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if rows.empty:
        return None
    rows["result"] = np.where(rows.pop("broken"), BEYOND, WITHIN)
    scale = crowd.scale if pd.api.types.is_float_dtype(rows["answer"]) else None
    by = ["check", "bound", "low", "high", "answer", "result"] if scale else ["check", "bound", "result"]
    counted = rows.groupby(by, sort=True, dropna=False).size().rename("answers").reset_index()
    row = {"field": "check", "type": "nominal", "title": None}
    colour = {"field": "result", "type": "nominal", "title": "The answer", "scale": COLOURS}
    count = {"field": "answers", "type": "quantitative", "title": "Answers"}
    if scale is None:
        mark = {"type": "bar", "tooltip": True}
        layers = [{"mark": mark, "encoding": {"x": count, "y": row, "color": colour}}]
    else:
        ends = {"domain": [float(scale.low), float(scale.high)], "nice": False}
        answer = {"field": "answer", "type": "quantitative", "scale": ends, "title": "Answer (lines: the bounds)"}
        points = {
            "x": answer,
            "y": row,
            "size": {**count, "scale": {"rangeMin": 20, "rangeMax": 400}},
            "color": colour,
            "shape": {"field": "result", "type": "nominal", "title": "The answer", "scale": SHAPES},
        }
        lines = [
            {
                "mark": {"type": "tick", "color": INK, "thickness": 2},
                "encoding": {"x": {**answer, "field": side}, "y": row},
            }
            for side in ("low", "high")
        ]
        mark = {"type": "point", "filled": False, "strokeWidth": 1.5, "tooltip": True}
        layers = [{"mark": mark, "encoding": points}, *lines]
    total, broken = int(counted["answers"].sum()), int(counted.loc[counted["result"] == BEYOND, "answers"].sum())
    bounds = "; ".join(
        f"{check}: {bound}" for check, bound in dict(zip(rows["check"], rows["bound"], strict=True)).items()
    )
    return Figure(
        name="check-answers",
        title="Answers to check items",
        caption=f"{total:,} answers to check items, {broken:,} of which break their bounds ({bounds}).",
        description=f"{total:,} answers to check items by check; {broken:,} break their bounds.",
        rows=counted,
        specification={"layer": layers, "width": 420, "height": {"step": 40}},
    )
