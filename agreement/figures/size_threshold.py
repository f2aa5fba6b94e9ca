"""How often people call a shape big by its relative size, and the threshold that is fitted to that."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from .figure import Figure

LITERATURE = 0.29


def draw(shares: pd.DataFrame, *, k: float, sd: float, lapse: float) -> Figure:
    """From a row for each bin of relative size: `d` (its middle), `big` (the share of verdicts) and `n`."""
    d = np.linspace(0, 1, 101)
    fitted = lapse / 2 + (1 - lapse) * special.ndtr((k - d) / sd)
    rows = pd.concat(
        [
            shares.assign(what="verdicts"),
            pd.DataFrame({"d": d, "big": fitted, "n": np.nan, "what": "fitted"}),
        ],
        ignore_index=True,
    )
    x = {
        "field": "d",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "title": "(max - area) / (max - min): 0 the largest of its set, 1 the smallest",
    }
    y = {"field": "big", "type": "quantitative", "scale": {"domain": [0, 1]}, "title": "share of verdicts: big"}
    return Figure(
        name="size-threshold",
        title="What people call big",
        caption=f"Points: verdicts by relative size, their area the number of verdicts. Curve: the fitted threshold,"
        f" k = {k:.3f} with a standard deviation of {sd:.3f}. Dashed: k = {LITERATURE}, as in the literature.",
        description="The share of verdicts that call a shape big falls from one for the largest of its set to none for"
        " the smallest, steeply around the threshold.",
        rows=rows,
        specification={
            "width": 380,
            "height": 220,
            "layer": [
                {
                    "transform": [{"filter": "datum.what == 'fitted'"}],
                    "mark": "line",
                    "encoding": {"x": x, "y": y},
                },
                {
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": "#777777"},
                    "encoding": {"x": {"datum": LITERATURE, **{key: x[key] for key in ("type", "scale", "title")}}},
                },
                {
                    "transform": [{"filter": "datum.what == 'verdicts'"}],
                    "mark": {"type": "point", "color": "black"},
                    "encoding": {
                        "x": x,
                        "y": y,
                        "size": {"field": "n", "type": "quantitative", "legend": None},
                    },
                },
            ],
        },
    )
