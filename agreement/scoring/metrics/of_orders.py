"""Metrics of labels in an order: how far a probe's scores order an item's labels as gold does."""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ...estimation.intervals import CORRELATION
from .. import label_metrics as formulas
from ..jackknifed_metric import JackknifedMetric
from ..metric import Family, Outputs, PeopleMetric, Rows, ShareMetric, mean_over_items
from ..score_gold import NOTHING

PEOPLE = PeopleMetric(
    name="rho_with_people",
    title="Spearman correlation with each person's order",
    within=CORRELATION,
    chance=0.0,
    means="The correlation with each person's order is a mean over an item's people, and over items.",
    credit=formulas.rho_with_people,
    of_answer=formulas.of_places,
)
KENDALL = ShareMetric(
    name="kendall_of_orders",
    title="Kendall's tau of orders",
    holds_for_other_workers=False,
    within=CORRELATION,
    chance=0.0,
    person="kendall",
    person_title="Kendall's tau",
    credit=formulas.kendall_rows,
)
SPEARMAN = ShareMetric(
    name="spearman_of_orders",
    title="Spearman correlation of orders",
    holds_for_other_workers=False,
    within=CORRELATION,
    chance=0.0,
    person="spearman",
    person_title="Spearman correlation",
    credit=formulas.spearman_rows,
)
METRICS = (PEOPLE, KENDALL, SPEARMAN)
ALL_TIED = "of every item, gold or the scores put all labels in one place"


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """How far each item's labels are in the order of gold, mean over items."""
    gold = outputs.gold.order
    if gold is None:
        raise ValueError(NOTHING)
    p = np.where(outputs.covered[:, None], outputs.run.by_order[outputs.rows], np.nan)
    earned = {metric: metric.credit(labels_without_a_score_last(p), gold) for metric in METRICS}
    figures = []
    for items in members:
        units = outputs.units.take(items) if outputs.units else None
        figures.append(
            {each.name: mean_over_items(credit[items], each, units, ALL_TIED) for each, credit in earned.items()}
        )
    return figures


def labels_without_a_score_last(p: Floats) -> Floats:
    """[J, L] the scores, with those that are missing below the lowest of their row; a row without any stays NaN.

    >>> labels_without_a_score_last(np.array([[2.0, np.nan, 1.0], [np.nan, np.nan, np.nan]])).tolist()
    [[2.0, 0.0, 1.0], [nan, nan, nan]]
    """
    lowest = np.min(np.where(np.isnan(p), np.inf, p), axis=1, initial=np.inf, keepdims=True)
    return np.where(np.isnan(p) & np.isfinite(lowest), lowest - 1, p)


FAMILY = Family(shape="labels", gold="orders", metrics=METRICS, against_gold=measure_outputs)
