"""Figures of models: beside people, on a leaderboard, by template, and against reference labels in groups of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ..estimation.estimate import Estimate
from ..files.numbers import decimal_of
from ..report.model_rows import SETTING, numeric_setting, setting_key, values_of
from ..report.people_and_models import AgainstReference, ProbeScore
from ..report.score_tables import ReferenceBreakdown, reference_breakdowns
from ..scoring.metric import SPREAD
from ..scoring.metrics import title_of
from .figure import CATEGORIES, Figure

# A leaderboard as a figure: every score with its interval as a point on a line, people and chance among the
# models.

# By the kind of a row: what it is called, its colour and its shape.
KINDS = {
    "probe": ("model", CATEGORIES[0], "circle"),
    "group": ("mean of a group", CATEGORIES[5], "square"),
    "person": ("people", CATEGORIES[4], "diamond"),
    "chance": ("chance", CATEGORIES[2], "cross"),
}
STEP = 26  # pixels from one row to the next
LEADERBOARD_COLUMNS = ["name", "kind", "score", "low", "high", "n"]


def draw_leaderboard(
    rows: Sequence[tuple[str, str, float, float | None, float | None, int | None]], metric: str
) -> Figure | None:
    """`rows` in their order: name, kind, score, ends of the interval, n. None where no row has a score."""
    if not rows:
        return None
    table = pd.DataFrame(rows, columns=LEADERBOARD_COLUMNS)
    order = table["name"].tolist()
    styles = [KINDS[kind] for kind in KINDS if (table["kind"] == kind).any()]
    table["kind"] = table["kind"].map({kind: word for kind, (word, _, _) in KINDS.items()})
    domain, colours, shapes = (list(part) for part in zip(*styles, strict=True))
    kind: dict[str, object] = {"field": "kind", "type": "nominal", "title": None}
    encoding = {
        "y": {"field": "name", "type": "nominal", "sort": order, "title": None},
        "color": {**kind, "scale": {"domain": domain, "range": colours}},
    }
    axis = {"type": "quantitative", "title": metric, "scale": {"zero": False}}
    known = {"filter": "isValid(datum.low)"}
    point = {
        **encoding,
        "shape": {**kind, "scale": {"domain": domain, "range": shapes}},
        "x": {"field": "score", **axis},
    }
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
                    "encoding": {**encoding, "x": {"field": "low", **axis}, "x2": {"field": "high"}},
                },
                {"mark": {"type": "point", "size": 70}, "encoding": point},
            ],
            "width": 420,
            "height": {"step": STEP},
        },
    )


# Each template's score of each model: how much a figure hangs on how the model was asked.

COLUMNS = ("probe", "template", "score")


def draw_scores_by_template(
    table: pd.DataFrame, metric: str, chance: float | None = None, *, name: str = "scores-by-template"
) -> Figure:
    """`table` has a row for each model and template; `metric` is what the score is called."""
    named = f"{metric[:1].upper()}{metric[1:]}"
    rows = table[list(COLUMNS)].reset_index(drop=True)
    models, templates = (list(dict.fromkeys(rows[column])) for column in ("probe", "template"))
    numbers = {template: f"{number}" for number, template in enumerate(templates, start=1)}
    rows.insert(1, "number", rows["template"].map(numbers))
    spread = rows.groupby("probe", sort=False)["score"].agg(["mean", "min", "max"])
    models_in_words = [
        f"{name} {row['mean']:.3f}, from {row['min']:.3f} to {row['max']:.3f}" for name, row in spread.iterrows()
    ]
    y = {"field": "number", "type": "ordinal", "sort": list(numbers.values()), "title": "template"}
    colour = {"field": "probe", "type": "nominal", "scale": {"domain": models}, "title": None}
    x = {"field": "score", "type": "quantitative", "title": metric}
    layers = [
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": colour, "shape": colour},
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
            f"{' The dashed line is chance.' if chance is not None else ''}{_template_list(numbers)}"
        ),
        description=f"{named} by template, the mean over templates of each model: {'; '.join(models_in_words)}.",
        rows=rows,
        specification={"width": 420, "height": {"step": 22}, "layer": layers},
    )


def _template_list(numbers: Mapping[str, str]) -> str:
    """Which template has which number; nothing where they are numbers themselves."""
    if all(template == number for template, number in numbers.items()):
        return ""
    return f" Templates: {'; '.join(f'({number}) {template}' for template, number in numbers.items())}"


# Scores by a setting that is a number, such as the number of shots: a line for each model and each other setting.


def draw_scores_by_setting(scores: Sequence[ProbeScore], metric: str) -> Figure | None:
    """None where no model has two values of a numeric setting with a figure."""
    of_settings = _by_setting(scores, metric)
    axis = numeric_setting([setting for _, setting in of_settings])
    if not axis:
        return None
    rows = _setting_rows(of_settings, _by_setting(scores, f"{metric}{SPREAD}"), axis)
    if rows.groupby("who")[axis].nunique().max() < 2:
        return None
    title = f"{title_of(metric)[:1].upper()}{title_of(metric)[1:]} by {axis}"
    who_is: dict[str, object] = {"field": "who", "type": "nominal", "title": None}
    x = {"field": axis, "type": "quantitative", "title": axis, "scale": {"zero": False}}
    score_axis = {"type": "quantitative", "title": title_of(metric), "scale": {"zero": False}}
    encoding = {"x": x, "color": {**who_is, "scale": {"range": CATEGORIES}}}
    interval = {"y": {"field": "low", **score_axis}, "y2": {"field": "high"}}
    mark = {"type": "line", "point": True, "tooltip": True}
    return Figure(
        name="scores-by-setting",
        title=title,
        caption=f"{title} of each model over all items, with 95 % intervals; a mean over runs where there are several.",
        description=f"{title} at {rows[axis].nunique()} values; numbers in the table.",
        rows=rows,
        specification={
            "width": 420,
            "height": 260,
            "layer": [
                {"mark": {"type": "rule", "opacity": 0.6}, "encoding": {**encoding, **interval}},
                {
                    "mark": mark,
                    "encoding": {**encoding, "strokeDash": who_is, "y": {"field": "score", **score_axis}},
                },
            ],
        },
    )


def _by_setting(scores: Sequence[ProbeScore], metric: str) -> dict[tuple[str, str], Estimate]:
    """What a metric is of each model and setting, where it is defined."""
    return {
        (score.probe, score.group): score.figure
        for score in scores
        if score.metric == metric and score.breakdown == SETTING and isinstance(score.figure, Estimate)
    }


def _setting_rows(
    of_settings: Mapping[tuple[str, str], Estimate], spread: Mapping[tuple[str, str], Estimate], axis: str
) -> pd.DataFrame:
    """A row for each model and setting that has a value of `axis`; other settings stand beside the model's name."""
    lines = []
    for (probe, setting), figure in sorted(of_settings.items(), key=lambda each: setting_key(each[0][1])):
        values = values_of(setting)
        if axis not in values:
            continue
        rest = " ".join(f"{name}={value}" for name, value in values.items() if name != axis)
        sd = spread[probe, setting].estimate if (probe, setting) in spread else None
        who = f"{probe}, {rest}" if rest else probe
        lines.append([who, float(values[axis]), figure.estimate, figure.low, figure.high, sd, figure.n])
    return pd.DataFrame(lines, columns=["who", axis, "score", "low", "high", "sd", "n"])


# Models and people against reference labels in each group of items, such as by how many labels an item has.

DASHES = [[1, 0], [2, 2], [6, 2], [4, 4]]
SHAPES = ["diamond", "square", "triangle-up", "circle"]
SAID = {"cardinality": "the number of its labels"}  # columns of our own
WHO = {"people": "people", "crowd": "the crowd", "group": "group of models", "model": "model"}


def draw_against_reference(part: AgainstReference, metric: str, column: str) -> Figure | None:
    """None where the column has no figures of that metric."""
    breakdowns = [one for one in reference_breakdowns(part, metric) if one.column == column]
    if not breakdowns or len(in_order(breakdowns[0].groups)) < 2:
        return None
    rows, groups = _rows(breakdowns[0]), in_order(breakdowns[0].groups)
    named = SAID.get(column, column.replace("_", " "))
    return Figure(
        name=f"against-reference-{metric.replace('_', '-')}-by-{column.replace('_', '-')}",
        title=f"{title_of(metric)} against the reference, by {named}",
        caption=f"{part.items:,} items against the references of {part.source}. People are scored one by one"
        " and averaged.",
        description=f"{title_of(metric)} of models and people in {len(groups)} groups; numbers in the table.",
        rows=rows,
        specification={"layer": _layers(rows, groups, metric, named), "width": 420, "height": 260},
    )


def _rows(breakdown: ReferenceBreakdown) -> pd.DataFrame:
    """A row per person or model and group that has a score."""
    return pd.DataFrame(
        [
            [line.name, WHO[line.kind], group, figure.estimate, figure.low, figure.high, figure.n]
            for line in breakdown.lines
            for group, figure in zip(breakdown.groups, line.figures, strict=True)
            if isinstance(figure, Estimate)
        ],
        columns=["who", "kind", "group", "estimate", "low", "high", "n"],
    )


def _layers(rows: pd.DataFrame, groups: Sequence[str], metric: str, named: str) -> list[dict[str, object]]:
    """The intervals, and over them the scores: a line over groups that are numbers, else points."""
    who = {"field": "who", "type": "nominal", "title": None, "sort": list(dict.fromkeys(rows["who"]))}
    encoding = {
        "x": {
            "field": "group",
            "type": "nominal",
            "sort": groups,
            "title": named[:1].upper() + named[1:],
            "axis": {"labelAngle": 0},
        },
        "xOffset": {"field": "who", "type": "nominal", "scale": {"paddingOuter": 3}},
        "color": {**who, "scale": {"range": CATEGORIES}},
    }
    score = {"type": "quantitative", "title": title_of(metric), "scale": {"domain": [0, 1]}}
    mark, of_kind = _mark(groups)
    return [
        {
            "mark": {"type": "rule", "opacity": 0.6},
            "encoding": {**encoding, "y": {"field": "low", **score}, "y2": {"field": "high"}},
        },
        {"mark": mark, "encoding": {**encoding, **of_kind, "y": {"field": "estimate", **score}}},
    ]


def _mark(groups: Sequence[str]) -> tuple[dict[str, object], dict[str, object]]:
    """The mark of a score and its encoding.

    Lines of one kind share a dash, points a shape, so that people can be told from models in grey too.
    """
    kind = {"field": "kind", "type": "nominal", "legend": None}
    kinds = list(WHO.values())
    if all(decimal_of(group) is not None for group in groups):
        dashes: dict[str, object] = {"strokeDash": {**kind, "scale": {"domain": kinds, "range": DASHES}}}
        return {"type": "line", "point": True, "tooltip": True}, dashes
    shapes: dict[str, object] = {"shape": {**kind, "scale": {"domain": kinds, "range": SHAPES}}}
    return {"type": "point", "size": 70, "tooltip": True}, shapes


def in_order(groups: Sequence[str]) -> list[str]:
    """Groups that are numbers by their size, any others as they came.

    >>> in_order(["1", "10", "2"]), in_order(["kitchen", "bedroom"])
    (['1', '2', '10'], ['kitchen', 'bedroom'])
    """
    numbers = [decimal_of(group) for group in groups]
    if any(number is None for number in numbers):
        return list(groups)
    return [group for _, group in sorted(zip(numbers, groups, strict=True), key=lambda pair: pair[0] or 0)]
