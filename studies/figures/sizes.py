"""Figures of the study on big and small: what is asked about, where people's threshold lies, who is right and where."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from agreement.figures.figure import Figure
from agreement.kinds.verify.data import K_MEAN

LIGHT = 0.55  # from here on a shade is light enough for black letters


def draw_areas(rows: pd.DataFrame) -> Figure:
    """How large the shapes are that sentences are about.

    From a row for each sort of sentence and size: `sentence`, `r` and `sentences`, their number.
    """
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


def draw_threshold(shares: pd.DataFrame, *, k: float, sd: float, lapse: float) -> Figure:
    """How often people call a shape big, and the fitted threshold.

    From a row for each bin of relative size: `d` (its middle), `big` (the share of verdicts) and `n`.
    """
    d = np.linspace(0, 1, 101)
    fitted = lapse / 2 + (1 - lapse) * special.ndtr((k - d) / sd)
    curve = pd.DataFrame({"d": d, "big": fitted, "n": np.nan, "what": "fitted"})
    rows = pd.concat([shares.assign(what="verdicts"), curve], ignore_index=True)
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
        f" k = {k:.3f} with a standard deviation of {sd:.3f}. Dashed: k = {K_MEAN}, as in the literature.",
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
                    "encoding": {"x": {"datum": K_MEAN, **{key: x[key] for key in ("type", "scale", "title")}}},
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


def draw_accuracy_by_distance(rows: pd.DataFrame) -> Figure:
    """How often models, or people, are right by how far a shape is from the threshold.

    From a row for each model and group: `who`, `distance` (the group's lower end), `right`, `low`, `high`.
    """
    who = list(dict.fromkeys(rows["who"]))
    where = {
        "x": {
            "field": "distance",
            "type": "quantitative",
            "title": "distance from the threshold, in parts of max - min",
            "scale": {"zero": True},
        },
        "color": {"field": "who", "type": "nominal", "scale": {"domain": who}, "legend": {"title": None}},
    }
    axis = {"title": "Accuracy", "type": "quantitative", "scale": {"domain": [0, 1]}}
    return Figure(
        name="accuracy-by-distance",
        title="Accuracy by distance from the threshold",
        caption="Share of verdicts that agree with the rule, by tenths of |area - T| / (max - min), with 95 % intervals"
        " over items; the dashed line is chance.",
        description="Lines of accuracy against distance from the threshold, one for each model.",
        rows=rows,
        specification={
            "width": 380,
            "height": 240,
            "layer": [
                {
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": "#777777"},
                    "encoding": {"y": {"datum": 0.5, **axis}},
                },
                {
                    "mark": {"type": "rule", "opacity": 0.6},
                    "encoding": {**where, "y": {"field": "low", **axis}, "y2": {"field": "high"}},
                },
                {"mark": "line", "encoding": {**where, "y": {"field": "right", **axis}}},
                {
                    "mark": "point",
                    "encoding": {
                        **where,
                        "y": {"field": "right", **axis},
                        "shape": {"field": "who", "type": "nominal", "scale": {"domain": who}},
                    },
                },
            ],
        },
    )


def draw_accuracy_by_sentence(rows: pd.DataFrame) -> Figure:
    """How often models are right by the sort of sentence and the shape that it is about, crossed.

    From a row for each model, sentence and shape: `who`, `sentence`, `shape`, `accuracy`.
    """
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


def _heat_map(who: str, *, is_first: bool) -> dict[str, object]:
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
