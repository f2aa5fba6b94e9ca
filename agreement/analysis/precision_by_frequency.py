"""Average precision over production frequency as one table: a line for each model and each least number of people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from agreement.scoring.metric import SPREAD
from agreement.scoring.metrics.of_rankings import AVERAGE_PRECISION

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
            if (score := found.get(metric.name)) is None:
                continue
            spread = found.get(f"{metric.name}{SPREAD}", {})
            rows.append(
                {
                    "probe": probe,
                    **({breakdown: group} if breakdown else {}),
                    "pf": threshold,
                    "average_precision": _number(score.get("estimate")),
                    "low": _number(score.get("low")),
                    "high": _number(score.get("high")),
                    "sd": _number(spread.get("estimate")),
                    "templates": spread.get("n") or 1,
                    "queries": score.get("n") or 0,
                    "chance": _number(score.get("chance")),
                }
            )
    first, *others = COLUMNS
    return pd.DataFrame(rows, columns=[first, *([breakdown] if breakdown else []), *others])


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
