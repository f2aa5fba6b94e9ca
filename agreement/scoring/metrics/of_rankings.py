"""Candidates in their order against the properties that people name: where what anybody names stands, and average
precision by how many name it.

Which properties so many people name hardly moves when one worker goes, so that average precision is for these workers;
the mean reciprocal rank is a mean over all that people name, and holds for others.
"""

from collections.abc import Sequence

import numpy as np

from ...files.cell_texts import normalised_name
from ...gold.label_gold import THRESHOLDS
from ..jackknifed_metric import JackknifedMetric
from ..label_metrics import average_precision, expected_by_chance, mean_reciprocal_rank
from ..metric import Family, Metric, Outputs, Rows
from ..score_gold import NOTHING

NAMED = Metric(
    name="reciprocal_rank_of_named",
    title="mean reciprocal rank of what people named",
    counts_missing=True,
    person="reciprocal_rank_of_named",
    means="The mean reciprocal rank of what people named is over all that an item's people named, and over items.",
)
# What chance scores depends on the candidates and is measured with the figure.
AVERAGE_PRECISION = {
    threshold: Metric(
        name=f"average_precision_at_{threshold}",
        title=f"average precision at {threshold}",
        counts_missing=True,
        holds_for_other_workers=False,
        person=f"average_precision_at_{threshold}",
    )
    for threshold in THRESHOLDS
}
THRESHOLD_OF = {metric.person: (metric, threshold) for threshold, metric in AVERAGE_PRECISION.items()}


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """Over what the probe ranks and what people named; average precision at each production frequency."""
    properties, scores = outputs.gold.properties, outputs.run.values[outputs.rows]
    if properties is None:
        raise ValueError(NOTHING)
    names = [normalised_name(candidate) for candidate in outputs.probe.vocabulary]
    absent = (
        [] if outputs.probe.only_vocabulary else sorted({name for named in properties for name in named} - set(names))
    )
    column = {name: position for position, name in enumerate([*names, *absent])}
    everything = np.concatenate([scores, np.full((len(scores), len(absent)), np.nan)], axis=1)
    frequency = np.zeros(everything.shape, dtype=np.int64)
    for position, named in enumerate(properties):
        for name, count in named.items():
            if name in column:
                frequency[position, column[name]] = count
    earned, size = mean_reciprocal_rank(everything, frequency.astype(np.float64)), everything.shape[1]
    by_chance_named = float(np.mean(1 / np.arange(1, size + 1))) if size else None
    figures: list[dict[str, JackknifedMetric]] = [{} for _ in members]
    for threshold, metric in AVERAGE_PRECISION.items():
        gold = frequency >= threshold
        credit = average_precision(everything, gold)
        by_chance = expected_by_chance(gold)
        for each, items in zip(figures, members, strict=True):
            why = f"no item has a property that {threshold} people named"
            note = f"{int(np.isfinite(credit[items]).sum())} items with such a property"
            chance = float(np.nanmean(by_chance[items])) if np.isfinite(by_chance[items]).any() else None
            each[metric.name] = JackknifedMetric.of_mean(credit[items], why, note, chance)
    for each, items in zip(figures, members, strict=True):
        each[NAMED.name] = JackknifedMetric.of_mean(earned[items], "no item has a property", chance=by_chance_named)
    return figures


FAMILY = Family(shape="ranking", metrics=(*AVERAGE_PRECISION.values(), NAMED), against_gold=measure_outputs)
