"""A report's scores as tables: average precision at every production frequency, and each template's score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from ..scoring.metric import SPREAD
from ..scoring.metrics.of_rankings import AVERAGE_PRECISION
from ..scoring.probe import TEMPLATE

COLUMNS = ("probe", "pf", "average_precision", "low", "high", "sd", "templates", "queries", "chance")


def precision_by_frequency(scores: Iterable[Mapping[str, Any]], breakdown: str = "") -> pd.DataFrame:
    """The `scores` of a report as a table, over all items or with a column for the groups of one breakdown.

    `sd` is over so many `templates` (or runs), blank where there is one; `chance` is what a random order gives.
    """
    by_metric: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for score in scores:
        if score["breakdown"] == breakdown:
            by_metric.setdefault((score["probe"], score["group"]), {})[score["metric"]] = score
    rows = []
    for (probe, group), found in by_metric.items():
        for threshold, metric in AVERAGE_PRECISION.items():
            if metric.name not in found:
                continue
            own = found[metric.name]
            spread = found.get(f"{metric.name}{SPREAD}", {})
            rows.append(
                {
                    "probe": probe,
                    **({breakdown: group} if breakdown else {}),
                    "pf": threshold,
                    "average_precision": _number(own.get("estimate")),
                    "low": _number(own.get("low")),
                    "high": _number(own.get("high")),
                    "sd": _number(spread.get("estimate")),
                    "templates": spread.get("n") or 1,
                    "queries": own.get("n") or 0,
                    "chance": _number(own.get("chance")),
                }
            )
    first, *others = COLUMNS
    return pd.DataFrame(rows, columns=[first, *([breakdown] if breakdown else []), *others])


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def people_by_frequency(leave_one_out: Mapping[str, Any]) -> list[tuple[int, float]]:
    """A typical person's average precisions by the least number of people, as far as they are defined."""
    first = {leave_one_out.get("metric"): leave_one_out.get("mean")}
    figures: dict[Any, Any] = {**first, **leave_one_out.get("other_metrics", {})}
    found = ((threshold, figures.get(metric.person) or {}) for threshold, metric in AVERAGE_PRECISION.items())
    return [(threshold, float(figure["estimate"])) for threshold, figure in found if "estimate" in figure]


def scores_by_template(scores: Iterable[Mapping[str, Any]], metric: str) -> pd.DataFrame:
    """Each template's own score of each model: probe, template, score, low, high."""
    rows = [
        [score["probe"], score["group"], score["estimate"], _number(score["low"]), _number(score["high"])]
        for score in scores
        if score["metric"] == metric and score["breakdown"] == TEMPLATE and "estimate" in score
    ]
    return pd.DataFrame(rows, columns=["probe", "template", "score", "low", "high"])
