"""The three pictures with which a report and a study's results begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ..estimation.estimate import Estimate
from ..kinds.statistics import statistics_of
from ..report.figure_rows import figures_on_request
from ..report.model_board import ModelBoard, model_board
from ..report.people_and_models import ProbeScore
from ..report.score_words import scope_of_scores
from ..scoring.metrics import has_upper_bound, smaller_is_better, title_of
from . import judgment_distribution
from .figure import CATEGORIES, QUIET, THEME, Figure
from .of_agreement import draw_agreement_intervals
from .of_models import STEP

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning
    from ..report.report import Report

HEADLINE = ("judgment-distribution", "agreement", "models-and-people")  # their names, in their order
MOST_MODELS = 12
MOST_METRICS = 2  # of the picture; the table beside it has more
# By who it is: what the legend calls it, its colour and its shape.
STYLES = {
    "model": ("model", CATEGORIES[0], "circle"),
    "person": ("a typical person", CATEGORIES[4], "diamond"),
    "ceiling": ("the most a model can reach", CATEGORIES[5], "stroke"),
    "chance": ("chance", QUIET, "stroke"),
}
LINES = [STYLES[who][0] for who in ("ceiling", "chance")]


def headline_figures(cleaning: Cleaning, report: Report) -> list[Figure]:
    """The answers; agreement before and after cleaning; people and models against what any model can reach. A picture
    with nothing to draw is left out.
    """
    results = report.results
    figures = [
        judgment_distribution.draw(cleaning, statistics_of(cleaning.crowd.kind).distribution),
        draw_agreement_intervals(results.agreement, on_request=figures_on_request(report)),
        draw_models_and_people(model_board(report), results.scores),
    ]
    return [figure for figure in figures if figure is not None]


def draw_models_and_people(board: ModelBoard, scores: Sequence[ProbeScore] = ()) -> Figure | None:
    """By the first metric and one with a ceiling: models beside people, and as lines what any model can reach and
    chance; without models people alone. None where nobody has a score. `scores` say of what their intervals are.
    """
    models = len(board.of_models())
    board = board.best(MOST_MODELS)
    first, *others = [*board.to_print()[0], ""]
    metrics = [first, *sorted(filter(None, others), key=has_upper_bound, reverse=True)][:MOST_METRICS]
    lines = [
        [title_of(metric), line.name, STYLES[line.who][0], figure.estimate, figure.low, figure.high, figure.n or None]
        for metric in metrics
        for line in board.lines
        if isinstance(figure := line.figures.get(metric), Estimate)
    ]
    if not lines:
        return None
    rows = pd.DataFrame(lines, columns=["metric", "who", "kind", "estimate", "low", "high", "n"])
    # One figure without an interval has no axis that would say anything.
    alone = rows.groupby("metric")["metric"].transform("size").eq(1) & rows["low"].isna()
    rows = rows[~alone] if not alone.all() else rows
    rows = rows.assign(place=_places(rows, {title_of(metric) for metric in metrics if smaller_is_better(metric)}))
    drawn = int(rows.loc[~rows["kind"].isin(LINES), "metric"].value_counts().max() or 0)
    styles = [style for style in STYLES.values() if (rows["kind"] == style[0]).any()]
    title = "Models and people" if models else "A person against the others"
    caption = "Scores against the gold with 95 % intervals"
    if (rows["kind"] == STYLES["person"][0]).any():
        caption += "; a typical person is each worker scored against the others' gold"
    if models > MOST_MODELS:
        caption += f"; the {MOST_MODELS} best of {models:,} models by {title_of(board.metrics[0])}"
    caption += f". {scope_of_scores(score for score in scores if score.metric in metrics)}".rstrip()
    return Figure(
        name="models-and-people",
        title=title,
        caption=caption,
        description=f"Scores with intervals, in {rows['metric'].nunique()} metrics; numbers in the table.",
        rows=rows,
        specification={
            "facet": {"field": "metric", "type": "nominal", "title": None, "sort": list(dict.fromkeys(rows["metric"]))},
            "columns": 1,
            "spec": {"layer": _score_layers(styles), "width": 340, "height": STEP * max(4, drawn)},
            "resolve": {"scale": {"x": "independent", "y": "independent"}},
            "config": {"legend": {**THEME["legend"], "orient": "bottom", "direction": "vertical"}},
        },
    )


def _score_layers(styles: Sequence[tuple[str, str, str]]) -> list[dict[str, object]]:
    """What models can reach and chance as lines across, and over them each score with its interval."""
    names, colours, shapes = (list(part) for part in zip(*styles, strict=True))
    kind = {"field": "kind", "type": "nominal", "title": None}
    colour = {**kind, "scale": {"domain": names, "range": colours}}
    axis = {"type": "quantitative", "title": "Score", "scale": {"zero": False}, "axis": {"tickCount": 7}}
    is_line = f"indexof({LINES}, datum.kind) >= 0"
    who = {
        "y": {
            "field": "who",
            "type": "nominal",
            "sort": {"field": "place", "op": "min", "order": "ascending"},
            "title": None,
        },
        "color": colour,
    }
    shape = {**kind, "scale": {"domain": names, "range": shapes}}
    return [
        {
            "transform": [{"filter": is_line}],
            "mark": {"type": "rule", "strokeWidth": 1.5, "strokeDash": [5, 3], "tooltip": True},
            "encoding": {"x": {"field": "estimate", **axis}, "color": colour},
        },
        {
            "transform": [{"filter": f"!({is_line})"}],
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {**who, "x": {"field": "low", **axis}, "x2": {"field": "high"}},
        },
        {
            "transform": [{"filter": f"!({is_line})"}],
            "mark": {"type": "point", "size": 60, "opacity": 1, "tooltip": True},
            "encoding": {**who, "shape": shape, "x": {"field": "estimate", **axis}},
        },
    ]


def _places(rows: pd.DataFrame, smaller_is_better: set[str]) -> pd.Series[float]:
    """1 for the best of a metric, whichever way it points."""
    height = rows["estimate"].where(rows["metric"].isin(smaller_is_better), -rows["estimate"])
    return height.groupby(rows["metric"]).rank(method="first")
