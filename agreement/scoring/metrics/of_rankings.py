"""Average precision of candidates in their order against the properties that people name, by how many name them."""

from collections.abc import Sequence

import numpy as np

from ...files.cell_texts import normalised_name
from ...gold.label_gold import THRESHOLDS
from ..jackknifed_metric import JackknifedMetric
from ..label_metrics import average_precision, expected_by_chance
from ..metric import Family, Metric, Outputs, Rows
from ..score_gold import NOTHING

# What chance scores depends on the candidates and is measured with the figure.
AVERAGE_PRECISION = {
    threshold: Metric(
        name=f"average_precision_at_{threshold}",
        title=f"average precision at {threshold}",
        counts_missing=True,
        person=f"average_precision_at_{threshold}",
    )
    for threshold in THRESHOLDS
}
THRESHOLD_OF = {metric.person: (metric, threshold) for threshold, metric in AVERAGE_PRECISION.items()}


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """Average precision over what the probe ranks and what people named, at each production frequency."""
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
    return figures


FAMILY = Family(shape="ranking", metrics=tuple(AVERAGE_PRECISION.values()), against_gold=measure_outputs)
