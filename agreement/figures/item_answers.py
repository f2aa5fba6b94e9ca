"""What people answered to one item: every number as a point that names its worker, anything else by how often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..judgments.crowd import Crowd, Mask
from .figure import CATEGORIES, Figure
from .judgment_distribution import Counted, draw_one
from .worker_overview import DOMAIN, EXCLUDED, KEPT

NAME, TITLE = "item-answers", "Answers"
ROWS = 12  # points that would lie on each other stand one above the other


def draw_item_answers(
    crowd: Crowd, counts: Mask, excluded: Mask, distribution: Counted, workers: Sequence[str], links: Sequence[str]
) -> Figure:
    """Of one item's judgments that count; `excluded`, `workers` and `links` [J] are of the people who gave them."""
    which = counts & ~excluded
    out = int((counts & excluded).sum())
    caption = f"{int(which.sum()):,} judgments that count."
    caption += f" Of excluded workers there are {out} more." if out else ""
    given = np.asarray(crowd.answers) if isinstance(crowd.answers, np.ndarray) else None
    if given is None or given.ndim > 1 or given.dtype.kind != "f":
        return draw_one(distribution(crowd, which), name=NAME, title=TITLE, caption=caption)
    at = np.flatnonzero(counts)
    at = at[np.argsort(given[at], kind="stable")]
    scale = {} if crowd.scale is None else {"domain": [float(crowd.scale.low), float(crowd.scale.high)]}
    rows = pd.DataFrame(
        {
            "worker": [workers[j] for j in at.tolist()],
            "answer": given[at],
            "status": np.where(excluded[at], EXCLUDED, KEPT),
            "height": np.arange(len(at)) % ROWS,
            "link": [links[j] for j in at.tolist()],
        }
    )
    colour = {"domain": DOMAIN, "range": [CATEGORIES[0], CATEGORIES[4]]}
    status = {"field": "status", "type": "nominal", "title": "Worker", **({} if out else {"legend": None})}
    point = {
        "x": {"field": "answer", "type": "quantitative", "title": "Answer", "scale": scale},
        "y": {"field": "height", "type": "quantitative", "axis": None},
        "detail": {"field": "worker"},
        "color": {**status, "scale": colour},
        "shape": {**status, "scale": {"domain": DOMAIN, "range": ["circle", "cross"]}},
    }
    layers = [{"mark": {"type": "point", "tooltip": True}, "encoding": point}]
    if which.any():
        mean = float(given[which].mean())
        caption += f" The line is their mean, {mean:.4g}." if not out else f" The line is the others' mean, {mean:.4g}."
        layers.append({"mark": {"type": "rule"}, "encoding": {"x": {"datum": mean, "type": "quantitative"}}})
    return Figure(
        name=NAME,
        title=TITLE,
        caption=caption,
        description=f"Each answer as a point on the scale. {caption} Numbers in the table.",
        rows=rows,
        specification={"layer": layers, "width": 420, "height": 90},
    )
