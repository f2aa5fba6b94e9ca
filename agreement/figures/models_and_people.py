"""Every model's score beside a typical person's, with intervals: one panel per metric."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..estimation.estimate import Estimate
from ..report.people_and_models import PersonAgainstOthers, ProbeScore
from ..scoring.metrics import smaller_is_better, title_of
from .figure import CATEGORIES, Figure

PERSON, MODEL = "a typical person", "model"


def draw_models_and_people(scores: Sequence[ProbeScore], leave_one_out: PersonAgainstOthers) -> Figure | None:
    """Breakdowns are left to their own figures."""
    lines = [
        [title_of(score.metric), score.probe, MODEL, figure.estimate, figure.low, figure.high, figure.n]
        for score in scores
        if not score.breakdown and isinstance(figure := score.figure, Estimate)
    ]
    if not lines:
        return None
    person = leave_one_out.person
    if leave_one_out.metric and isinstance(person, Estimate):
        title = title_of(leave_one_out.metric)
        lines.append([title, PERSON, PERSON, person.estimate, person.low, person.high, person.n])
    rows = pd.DataFrame(lines, columns=["metric", "who", "kind", "estimate", "low", "high", "n"])
    rows["place"] = _places(rows, {title_of(score.metric) for score in scores if smaller_is_better(score.metric)})
    best_first = {"field": "place", "op": "min", "order": "ascending"}
    kind = {"field": "kind", "type": "nominal", "title": None}
    domain = [MODEL, PERSON]
    at = {
        "y": {"field": "who", "type": "nominal", "sort": best_first, "title": None},
        "color": {**kind, "scale": {"domain": domain, "range": [CATEGORIES[0], CATEGORIES[4]]}},
    }
    shape = {**kind, "scale": {"domain": domain, "range": ["circle", "diamond"]}}
    axis = {"type": "quantitative", "title": "Score", "scale": {"zero": False}}
    interval = {**at, "x": {"field": "low", **axis}, "x2": {"field": "high"}}
    layers = [
        {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": interval},
        {
            "mark": {"type": "point", "size": 60, "tooltip": True},
            "encoding": {**at, "shape": shape, "x": {"field": "estimate", **axis}},
        },
    ]
    return Figure(
        name="models-and-people",
        title="Models and people",
        caption="Scores against the gold with 95 % intervals; a typical person is scored against the others' gold.",
        description=f"Scores of models with intervals, in {rows['metric'].nunique()} metrics; numbers in the table.",
        rows=rows,
        specification={
            "facet": {"field": "metric", "type": "nominal", "title": None, "sort": list(dict.fromkeys(rows["metric"]))},
            "columns": 2,
            "spec": {"layer": layers, "width": 260},
            "resolve": {"scale": {"x": "independent", "y": "independent"}},
        },
    )


def _places(rows: pd.DataFrame, smaller_is_better: set[str]) -> pd.Series[float]:
    """1 for the best of a metric, whichever way it points."""
    height = rows["estimate"].where(rows["metric"].isin(smaller_is_better), -rows["estimate"])
    return height.groupby(rows["metric"]).rank(method="first")
