"""Average precision of models over how many people named a property: one curve per model, and the random baseline."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .figure import Figure

BASELINE = "random order"
X = {
    "field": "pf",
    "type": "ordinal",
    "title": "least number of people who named the property",
    "axis": {"labelAngle": 0},
}
Y = {"field": "average_precision", "type": "quantitative", "title": "average precision", "scale": {"domain": [0, 1]}}
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def draw(
    table: pd.DataFrame, people: Sequence[tuple[int, float]] = (), *, name: str = "average-precision-by-frequency"
) -> Figure:
    """`table` is `precision_by_frequency`'s; `people` are a typical person's average precisions by least number."""
    rows = table.assign(
        lower=(table["average_precision"] - table["sd"]).clip(lower=0),
        upper=(table["average_precision"] + table["sd"]).clip(upper=1),
        model=table["probe"],
    )
    models = list(dict.fromkeys(rows["model"]))
    beside = [("a typical person", pf, value) for pf, value in people]
    by_chance = table.dropna(subset=["chance"]).groupby("pf", sort=True)["chance"].mean().reset_index()
    levels = zip(by_chance["pf"].tolist(), by_chance["chance"].tolist(), strict=True)
    beside += [(BASELINE, int(pf), float(value)) for pf, value in levels]
    others = pd.DataFrame(beside, columns=["model", "pf", "average_precision"])
    rows = pd.concat(
        [rows[[*others.columns, "lower", "upper", "sd", "templates", "queries"]], others], ignore_index=True
    )
    names = [*models, *dict.fromkeys(others["model"])]
    with_bars = bool(table["sd"].notna().any())
    bars = "Bars are one sd over templates. " if with_bars else ""
    queries = ", ".join(f"{n:,} at {pf}" for pf, n in table.groupby("pf")["queries"].max().items())
    return Figure(
        name=name,
        title="Average precision by production frequency",
        caption=(
            "Average precision of each model's candidates against the properties that at least so many people named,"
            f" mean over queries within a template and then over templates. {bars}Queries with such a"
            f" property: {queries}. The {BASELINE} is the expected average precision of the same candidates."
        ),
        description=_in_words(table),
        rows=rows,
        specification={
            "width": 380,
            "height": 260,
            "encoding": {"x": X},
            "layer": _layers(names),
        },
    )


def _layers(names: Sequence[str]) -> list[dict[str, object]]:
    """Bars, lines and points: a colour and a shape for each model, dashes for the baseline."""
    colour = {"field": "model", "type": "nominal", "scale": {"domain": names}, "title": None}
    shape = {
        "field": "model",
        "type": "nominal",
        "scale": {"domain": names, "range": [*_shapes(len(names))]},
        "title": None,
    }
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 1.5},
            "encoding": {"y": {**Y, "field": "lower"}, "y2": {"field": "upper"}, "color": colour},
        },
        {
            "mark": {"type": "line", "strokeWidth": 1.5},
            "encoding": {
                "y": Y,
                "color": colour,
                "strokeDash": {
                    "condition": {"test": f"datum.model === '{BASELINE}'", "value": [4, 4]},
                    "value": [1, 0],
                },
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"y": Y, "color": colour, "shape": shape},
        },
    ]


def _shapes(count: int) -> list[str]:
    return [SHAPES[index % len(SHAPES)] for index in range(count)]


def _in_words(table: pd.DataFrame) -> str:
    parts = []
    for name, rows in table.dropna(subset=["average_precision"]).groupby("probe", sort=False):
        ends = rows.iloc[[0, -1]]
        from_, to = ends["average_precision"]
        parts.append(f"{name} goes from {from_:.2f} at {ends['pf'].iloc[0]} people to {to:.2f} at {ends['pf'].iloc[1]}")
    return f"Average precision by how many people named a property: {'; '.join(parts) or 'no model has a figure'}."
