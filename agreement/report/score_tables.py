"""A report's scores as tables: average precision at every production frequency, and each template's score."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd

from ..estimation.estimate import Estimate
from ..scoring.metric import SPREAD
from ..scoring.metrics.of_rankings import AVERAGE_PRECISION
from ..scoring.probe import TEMPLATE
from .model_scores import ProbeScore
from .people_report import PersonAgainstOthers

COLUMNS = ("probe", "pf", "average_precision", "low", "high", "sd", "templates", "queries", "chance")


def precision_by_frequency(scores: Iterable[ProbeScore], breakdown: str = "") -> pd.DataFrame:
    """The `scores` of a report as a table, over all items or with a column for the groups of one breakdown.

    `sd` is over so many `templates` (or runs), blank where there is one; `chance` is what a random order gives.
    """
    by_metric: dict[tuple[str, str], dict[str, ProbeScore]] = {}
    for score in scores:
        if score.breakdown == breakdown:
            by_metric.setdefault((score.probe, score.group), {})[score.metric] = score
    rows = []
    for (probe, group), by_name in by_metric.items():
        for threshold, metric in AVERAGE_PRECISION.items():
            if metric.name not in by_name:
                continue
            own = by_name[metric.name]
            spread = by_name.get(f"{metric.name}{SPREAD}")
            figure = own.figure if isinstance(own.figure, Estimate) else None
            sd = spread.figure if spread is not None and isinstance(spread.figure, Estimate) else None
            rows.append(
                {
                    "probe": probe,
                    **({breakdown: group} if breakdown else {}),
                    "pf": threshold,
                    "average_precision": _number(figure.estimate if figure else None),
                    "low": _number(figure.low if figure else None),
                    "high": _number(figure.high if figure else None),
                    "sd": _number(sd.estimate if sd else None),
                    "templates": sd.n if sd else 1,
                    "queries": figure.n if figure else 0,
                    "chance": _number(own.chance),
                }
            )
    first, *others = COLUMNS
    return pd.DataFrame(rows, columns=[first, *([breakdown] if breakdown else []), *others])


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def people_by_frequency(leave_one_out: PersonAgainstOthers) -> list[tuple[int, float]]:
    """A typical person's average precisions by the least number of people, as far as they are defined."""
    figures = {leave_one_out.metric: leave_one_out.mean, **leave_one_out.other_metrics}
    named = ((threshold, figures.get(metric.person)) for threshold, metric in AVERAGE_PRECISION.items())
    return [(threshold, figure.estimate) for threshold, figure in named if isinstance(figure, Estimate)]


def scores_by_template(scores: Iterable[ProbeScore], metric: str) -> pd.DataFrame:
    """Each template's own score of each model: probe, template, score, low, high."""
    rows = [
        [score.probe, score.group, figure.estimate, _number(figure.low), _number(figure.high)]
        for score in scores
        if score.metric == metric and score.breakdown == TEMPLATE and isinstance(figure := score.figure, Estimate)
    ]
    return pd.DataFrame(rows, columns=["probe", "template", "score", "low", "high"])
