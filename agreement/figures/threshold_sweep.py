"""Agreement over a grid of two thresholds, as a heat map: does any conclusion hang on 60 and 90?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from .figure import CATEGORIES, Figure

CELL = 32  # pixels: eleven of them stand beside another figure on a page
COLUMNS = {
    "agreement": "agreement",
    "workers": "workers kept",
    "judgments": "judgments",
    "gold": "gold",
    "best": "best model",
}
AXES = {"upper bound": "Upper bound, % of the scale", "lower bound": "Lower bound, % of the scale"}


def draw_threshold_sweep(
    rows: Sequence[Mapping[str, object]], *, axes: tuple[str, str], statistic: str, caption: str
) -> Figure:
    """`rows` are those of `analysis.sweep_words`; without agreement the cells show how many workers are kept."""
    table = pd.DataFrame(rows)
    has_agreement = bool(table["agreement"].notna().any())
    table["present rules"] = table.pop("now").map({True: "yes", False: ""})
    if not table["best"].any():
        table = table.drop(columns="best")
    first, second = axes[0] or "first", axes[1] or "second"
    table = table.rename(columns={"first": first, "second": second, **COLUMNS})
    field = "agreement" if has_agreement else COLUMNS["workers"]
    title = statistic if has_agreement else "Workers kept"
    return Figure(
        name="threshold-sweep",
        title="Threshold sweep",
        caption=caption,
        description=f"A heat map of {title} over {len(table)} cells of the grid. Numbers in the table.",
        rows=table,
        specification={
            "layer": _layers(table, (first, second), axes, field),
            "width": {"step": CELL},
            "height": {"step": CELL - 6},
        },
    )


def _layers(table: pd.DataFrame, at: tuple[str, str], axes: tuple[str, str], field: str) -> list[dict[str, object]]:
    """The cells in their colours, their numbers in black or white, and a frame around the present rules."""
    first, second = at
    upwards = list(dict.fromkeys(table[first]))[::-1]
    across = list(dict.fromkeys(table[second]))
    place = {
        "x": {"field": second, "type": "ordinal", "sort": across, "title": _axis(axes[1]), "axis": {"labelAngle": 0}},
        "y": {"field": first, "type": "ordinal", "sort": upwards, "title": _axis(axes[0])},
    }
    has_agreement = field == "agreement"
    named = [{"field": name, "type": "nominal", "title": name} for name in table.columns if name != "present rules"]
    colour = {"title": "alpha" if has_agreement else "workers kept", "scale": {"scheme": "viridis"}}
    ends = [{"op": "min", "field": field, "as": "least"}, {"op": "max", "field": field, "as": "most"}]
    light = {
        "condition": {"test": f"datum['{field}'] > (datum.least + datum.most) / 2", "value": "black"},
        "value": "white",
    }
    shown = {"filter": f"isValid(datum['{field}'])"}
    number = {"field": field, "type": "quantitative", "format": ".2f" if has_agreement else "d"}
    return [
        {
            "mark": "rect",
            "transform": [shown],
            "encoding": {**place, "color": {"field": field, "type": "quantitative", **colour}, "tooltip": named},
        },
        {
            "mark": {"type": "text", "fontSize": 10},
            "transform": [shown, {"joinaggregate": ends}],
            "encoding": {**place, "text": number, "color": light, "tooltip": named},
        },
        {
            "mark": {"type": "rect", "fill": None, "stroke": CATEGORIES[4], "strokeWidth": 3},
            "transform": [{"filter": "datum['present rules'] === 'yes'"}],
            "encoding": {**place, "tooltip": named},
        },
    ]


def _axis(name: str) -> str | None:
    return AXES.get(name, name or None)
