"""Every coefficient of agreement with its interval, before and after cleaning."""

from __future__ import annotations

import pandas as pd

from ..estimation.estimate import Estimate
from ..report.figure_rows import NAMES
from ..report.people_and_models import Agreement
from .figure import BEFORE, CATEGORIES, Figure

STAGES = {"raw": "collected", "cleaned": "kept"}


def draw_agreement_intervals(agreement: Agreement) -> Figure | None:
    """None where no coefficient is defined."""
    lines = []
    is_same = agreement.raw == agreement.cleaned
    names = sorted(NAMES, key=lambda each: ".".join(each[1]) != agreement.cleaned.first)
    stages = {stage: said for stage, said in STAGES.items() if stage == "cleaned" or not is_same}
    for stage, judgments in stages.items():
        statistics = (agreement.raw if stage == "raw" else agreement.cleaned).statistics()
        for name, path in names:
            figure = statistics[path].headline if path in statistics else None
            if isinstance(figure, Estimate):
                lines.append([name, judgments, figure.estimate, figure.low, figure.high, figure.n])
    if not lines:
        return None
    rows = pd.DataFrame(lines, columns=["statistic", "judgments", "estimate", "low", "high", "n"])
    domain = list(STAGES.values())
    at = {
        "y": {"field": "statistic", "type": "nominal", "sort": [name for name, _ in names], "title": None},
        "yOffset": {"field": "judgments", "sort": domain},
        "color": {
            "field": "judgments", "type": "nominal", "title": "Judgments",
            "scale": {"domain": domain, "range": [BEFORE, CATEGORIES[0]]},
            **({"legend": None} if is_same else {}),
        },
    }  # fmt: skip
    of = (
        "of all judgments, for cleaning kept them all"
        if is_same
        else "of all judgments and of those that cleaning kept"
    )
    axis = {"type": "quantitative", "title": "Agreement", "scale": {"zero": True}}
    return Figure(
        name="agreement",
        title="Agreement",
        caption=f"Coefficients of agreement with 95 % intervals, {of}.",
        description=f"Coefficients of agreement with intervals, {of}; numbers in the table.",
        rows=rows,
        specification={
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {**at, "x": {"field": "low", **axis}, "x2": {"field": "high"}},
                },
                {"mark": {"type": "point", "tooltip": True}, "encoding": {**at, "x": {"field": "estimate", **axis}}},
            ],
            "width": 420,
        },
    )
