"""Each template's score of each model: how much a figure hangs on how the model was asked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from .figure import Figure

COLUMNS = ("probe", "template", "score")


def draw_scores_by_template(
    table: pd.DataFrame, metric: str, chance: float | None = None, *, name: str = "scores-by-template"
) -> Figure:
    """`table` has a row for each model and template; `metric` is what the score is called."""
    named = f"{metric[:1].upper()}{metric[1:]}"
    rows = table[list(COLUMNS)].reset_index(drop=True)
    models, templates = (list(dict.fromkeys(rows[column])) for column in ("probe", "template"))
    numbers = {template: f"{at}" for at, template in enumerate(templates, start=1)}
    rows.insert(1, "number", rows["template"].map(numbers))
    spread = rows.groupby("probe", sort=False)["score"].agg(["mean", "min", "max"])
    said = [f"{name} {row['mean']:.3f}, from {row['min']:.3f} to {row['max']:.3f}" for name, row in spread.iterrows()]
    y = {
        "field": "number",
        "type": "ordinal",
        "sort": list(numbers.values()),
        "title": "template",
    }
    colour = {"field": "probe", "type": "nominal", "scale": {"domain": models}, "title": None}
    x = {"field": "score", "type": "quantitative", "title": metric}
    layers = [
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y,
                "color": colour,
                "shape": colour,
            },
        }
    ]
    if chance is not None:
        layers.append(
            {
                "data": {"values": [{"chance": chance}]},
                "mark": {"type": "rule", "strokeDash": [4, 4]},
                "encoding": {"x": {"field": "chance", "type": "quantitative"}},
            }
        )
    return Figure(
        name=name,
        title=f"{named} by template",
        caption=(
            f"{named} of each model with each of {len(templates)} templates, over all items."
            f"{' The dashed line is chance.' if chance is not None else ''}{_listed(numbers)}"
        ),
        description=f"{named} by template, the mean over templates of each model: {'; '.join(said)}.",
        rows=rows,
        specification={"width": 420, "height": {"step": 22}, "layer": layers},
    )


def _listed(numbers: Mapping[str, str]) -> str:
    """Which template has which number; nothing where they are numbers themselves."""
    if all(template == number for template, number in numbers.items()):
        return ""
    return f" Templates: {'; '.join(f'({number}) {template}' for template, number in numbers.items())}"
