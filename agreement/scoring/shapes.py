"""Which metrics a probe's shape is scored by, on all items of gold and on each group of a breakdown."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agreement.gold.arrays import Bools, Floats
from agreement.gold.properties import THRESHOLDS, normalised
from agreement.scoring.average_precision import average_precision, expected_by_chance
from agreement.scoring.bleu import bleu
from agreement.scoring.breakdowns import Part
from agreement.scoring.gold import Gold, LabelGold
from agreement.scoring.groups import Groups
from agreement.scoring.measured import Measured
from agreement.scoring.measures import (
    label_measures,
    label_measures_by_units,
    number_measures,
    number_measures_by_units,
)
from agreement.scoring.probe import Probe, Run
from agreement.scoring.rouge import rouge_l_rows
from agreement.scoring.units import Units

Rows = npt.NDArray[np.int64]
NEED_PROBABILITIES = frozenset({"conf", "kendall_of_shares", "spearman_of_shares", "jensen_shannon_of_shares"})


def measured_parts(
    probe: Probe, run: Run, gold: Gold, rows: Rows, part: Part, covered: Bools, units: Units | None
) -> list[dict[str, Measured]]:
    """Every metric in each group of a breakdown.

    `rows` are gold's items' places in the run's outputs; `covered` [N] marks those that every run has an output for,
    so that the runs of a probe are measured on the same items.
    """
    members = part.members
    if gold.numbers is not None:
        return _numbers(run.values[rows], gold.numbers, [items[covered[items]] for items in members], units)
    if gold.by_label is not None:
        p = np.where(covered[:, None], run.values[rows], np.nan)
        found = _labels(p, gold.by_label, gold, members, units)
        if run.has_probabilities:
            return found
        return [{name: one for name, one in each.items() if name not in NEED_PROBABILITIES} for each in found]
    if gold.properties is not None:
        return _rankings(probe, run.values[rows], gold.properties, members)
    texts = [run.texts[at] for at in rows.tolist()]
    return _texts(texts, gold.texts or (), members)


def _numbers(x: Floats, gold: Floats, members: Sequence[Rows], units: Units | None) -> list[dict[str, Measured]]:
    if units is not None:
        return [number_measures_by_units(x[items], gold[items], units.take(items)) for items in members]
    order = np.concatenate(members)
    return _by_group(number_measures(_groups(members), x[order], gold[order]), len(members))


def _labels(
    p: Floats, by_label: LabelGold, gold: Gold, members: Sequence[Rows], units: Units | None
) -> list[dict[str, Measured]]:
    if units is not None:
        return [
            label_measures_by_units(p[items], by_label.take(items), gold.how, units.take(items)) for items in members
        ]
    order = np.concatenate(members)
    return _by_group(label_measures(_groups(members), p[order], by_label.take(order), gold.how), len(members))


def _rankings(
    probe: Probe, scores: Floats, properties: Sequence[dict[str, int]], members: Sequence[Rows]
) -> list[dict[str, Measured]]:
    """Average precision over what the probe ranks and what people named, at each production frequency."""
    names = [normalised(candidate) for candidate in probe.vocabulary]
    absent = sorted({name for named in properties for name in named} - set(names))
    column = {name: at for at, name in enumerate([*names, *absent])}
    everything = np.concatenate([scores, np.full((len(scores), len(absent)), np.nan)], axis=1)
    frequency = np.zeros(everything.shape, dtype=np.int64)
    for at, named in enumerate(properties):
        for name, count in named.items():
            frequency[at, column[name]] = count
    found: list[dict[str, Measured]] = [{} for _ in members]
    for threshold in THRESHOLDS:
        gold = frequency >= threshold
        credit = average_precision(everything, gold)
        by_chance = expected_by_chance(gold)
        for each, items in zip(found, members, strict=True):
            why = f"no item has a property that {threshold} people named"
            note = f"{int(np.isfinite(credit[items]).sum())} items with such a property"
            chance = float(np.nanmean(by_chance[items])) if np.isfinite(by_chance[items]).any() else None
            each[f"average_precision_at_{threshold}"] = Measured.of_mean(credit[items], why, note, chance)
    return found


def _texts(
    texts: Sequence[str], references: Sequence[Sequence[str]], members: Sequence[Rows]
) -> list[dict[str, Measured]]:
    rouge = dict(zip(("precision", "recall", "f"), rouge_l_rows(texts, references), strict=True))
    found = []
    for items in members:
        at = items.tolist()
        each = {"bleu": bleu([texts[i] for i in at], [references[i] for i in at])}
        each |= {f"rouge_l_{name}": Measured.of_mean(row[items], "there is no text") for name, row in rouge.items()}
        found.append(each)
    return found


def _groups(members: Sequence[Rows]) -> Groups:
    return Groups(np.concatenate([[0], np.cumsum([len(items) for items in members])]).astype(np.int64))


def _by_group(measures: dict[str, list[Measured]], size: int) -> list[dict[str, Measured]]:
    return [{name: by_group[at] for name, by_group in measures.items()} for at in range(size)]
