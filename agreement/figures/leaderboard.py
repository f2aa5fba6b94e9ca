"""A leaderboard as a figure: every score with its interval as a point on a line, people and chance among the models."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .figure import CATEGORIES, Figure

# By the kind of a row: what it is called, its colour and its shape.
KINDS = {
    "probe": ("model", CATEGORIES[0], "circle"),
    "group": ("mean of a group", CATEGORIES[5], "square"),
    "person": ("people", CATEGORIES[4], "diamond"),
    "chance": ("chance", CATEGORIES[2], "cross"),
}
LEADERBOARD_COLUMNS = ["name", "kind", "score", "low", "high", "n"]
STEP = 26


def draw_leaderboard(
    rows: Sequence[tuple[str, str, float, float | None, float | None, int | None]], metric: str
) -> Figure | None:
    """`rows` in their order: name, kind, score, ends of the interval, n. None where no row has a score."""
    if not rows:
        return None
    table = pd.DataFrame(rows, columns=LEADERBOARD_COLUMNS)
    order = table["name"].tolist()
    there = [KINDS[kind] for kind in KINDS if (table["kind"] == kind).any()]
    table["kind"] = table["kind"].map({kind: word for kind, (word, _, _) in KINDS.items()})
    domain, colours, shapes = (list(part) for part in zip(*there, strict=True))
    kind: dict[str, object] = {"field": "kind", "type": "nominal", "title": None}
    at = {
        "y": {"field": "name", "type": "nominal", "sort": order, "title": None},
        "color": {**kind, "scale": {"domain": domain, "range": colours}},
    }
    axis = {"type": "quantitative", "title": metric, "scale": {"zero": False}}
    known = {"filter": "isValid(datum.low)"}
    point = {**at, "shape": {**kind, "scale": {"domain": domain, "range": shapes}}, "x": {"field": "score", **axis}}
    return Figure(
        name="leaderboard",
        title=metric,
        caption="Each score with its 95 % interval; models, people and chance on one scale.",
        description=f"{metric} of {len(table)} rows with intervals; numbers in the table.",
        rows=table,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "transform": [known],
                    "encoding": {**at, "x": {"field": "low", **axis}, "x2": {"field": "high"}},
                },
                {"mark": {"type": "point", "size": 70}, "encoding": point},
            ],
            "width": 420,
            "height": {"step": STEP},
        },
    )
