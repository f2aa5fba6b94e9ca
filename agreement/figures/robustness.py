"""How far results hang on thresholds and on single workers: the sweep and the influence, drawn of an analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ..cleaning.sweep import NoThreshold, sweep
from ..estimation.estimate import Estimate
from ..judgments.crowd import sample_of
from ..people.agreement_without_each_worker import influence_of, measure_of
from ..report.cleaning_report import rows_of, sentences
from .figure import CATEGORIES, QUIET, Figure

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning

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


def _layers(
    table: pd.DataFrame, columns: tuple[str, str], axes: tuple[str, str], field: str
) -> list[dict[str, object]]:
    """The cells in their colours, their numbers in black or white, and a frame around the present rules."""
    first, second = columns
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


# Agreement without each worker, beside the agreement of all: those whose leaving changes it most.

MOST_WORKERS = 20


def draw_workers_influence(workers: pd.DataFrame, *, name: str, agreement_of_all: float) -> Figure | None:
    """`workers` has `worker`, `without` (agreement without them) and perhaps a `link`; `name` is the statistic's.

    None where nobody's leaving changes anything.
    """
    rows = workers.assign(change=workers["without"] - agreement_of_all).dropna(subset=["change"])
    rows = rows.reindex(rows["change"].abs().sort_values(ascending=False, kind="stable").index)
    drawn = rows.head(MOST_WORKERS)
    if drawn.empty or not drawn["change"].abs().max() > 0:
        return None
    some = f" The {len(drawn)} who change it most, of {len(rows):,}." if len(drawn) < len(rows) else ""
    most = drawn.iloc[0]
    y = {"field": "worker", "type": "nominal", "sort": drawn["worker"].tolist(), "title": "Without"}
    x = {"field": "without", "type": "quantitative", "title": name, "scale": {"zero": False}}
    summary = f"{name}: {agreement_of_all:.3f} with everybody, {most['without']:.3f} without {most['worker']}."
    return Figure(
        name="influence",
        title="Agreement without each worker",
        caption=f"{summary}{some} The line is the agreement of everybody. A worker is no worse for being influential:"
        " look at their answers before you exclude anybody.",
        description=f"{summary} Numbers in the table.",
        rows=drawn,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "strokeDash": [4, 3], "color": QUIET},
                    "encoding": {"x": {"datum": agreement_of_all, "type": "quantitative"}},
                },
                {
                    "mark": {"type": "rule", "strokeWidth": 2, "color": CATEGORIES[3]},
                    "encoding": {"y": y, "x": x, "x2": {"datum": agreement_of_all}},
                },
                {"mark": {"type": "point", "size": 60}, "encoding": {"y": y, "x": x}},
            ],
            "width": 420,
        },
    )


# How far results hang on thresholds and on single workers: the sweep and the influence, drawn of an analysis.

# The pictures of these have workers' names in them, so a published bundle has them drawn anew.
NAME_WORKERS = frozenset({"influence"})


def draw_sweep(cleaning: Cleaning) -> Figure | None:
    """None where there is no threshold to vary."""
    try:
        result = sweep(cleaning)
    except NoThreshold:
        return None
    summary = " ".join(sentences(result))
    first, second = result.axes
    framed = f"every check with such a bound is held to the cell's. Framed: the rules of this analysis. {summary}"
    caption = f"{result.statistic}; {framed}"
    return draw_threshold_sweep(
        rows_of(result), axes=(first.name, second.name), statistic=result.statistic, caption=caption
    )


def draw_influence(cleaning: Cleaning) -> Figure | None:
    """Of the workers who are kept; None where no figure of agreement is, or nobody's leaving changes it."""
    crowd = cleaning.crowd
    sample = sample_of(crowd, cleaning.kept_targets)
    measured = measure_of(crowd, sample)
    influence = influence_of(sample.item, sample.worker, sample.answers, measured, n_workers=crowd.n_workers)
    if not isinstance(influence.figure, Estimate):
        return None
    is_compared = cleaning.worker_kept & cleaning.took_part
    workers = pd.DataFrame({"worker": list(map(str, crowd.workers)), "without": influence.without})[is_compared]
    return draw_workers_influence(workers, name=influence.name, agreement_of_all=influence.figure.estimate)
