"""Every metric of one prediction of all items against gold, and which of them a probe's type is scored by."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from agreement.arrays import Bools, Floats, divide
from agreement.gold.property_gold import THRESHOLDS, normalised
from agreement.gold.typical_labels import Filter, filtered
from agreement.scoring import label_metrics as by_label
from agreement.scoring import label_metrics as proportions
from agreement.scoring.breakdowns import Part
from agreement.scoring.correlation import CORRELATIONS, Correlation, deletions
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import Measured, Units, cross_fitted_errors
from agreement.scoring.label_metrics import average_precision, expected_by_chance
from agreement.scoring.probe import Probe, Run
from agreement.scoring.score_gold import NOTHING, Gold, LabelGold
from agreement.scoring.text_metrics import bleu, rouge_l_rows

# Every metric of one prediction of all items against gold, over all items or by group, with each item left out.

CONSTANT = "the prediction or the gold never varies, or there are fewer than two items"
NO_GOLD = "no item has gold for it"
ALL_TIED = "of every item, gold or the scores put all labels in one place"
BY_SET: dict[str, Callable[[Floats, Bools], Floats]] = {"r_acc": by_label.r_acc, "conf": by_label.conf}
BY_SHARE: dict[str, Callable[[Floats, Floats], Floats]] = {
    "kendall": proportions.kendall_rows,
    "spearman": proportions.spearman_rows,
    "jensen_shannon": proportions.jensen_shannon,
    "top_1": proportions.top_1,
}
BY_ORDER = {"kendall_of_orders": by_label.kendall_rows, "spearman_of_orders": by_label.spearman_rows}
SETS = ("f1", "precision", "recall")
Measures = dict[str, list[Measured]]


def number_measures(groups: Groups, x: Floats, gold: Floats) -> Measures:
    """Spearman, Pearson, Kendall and RMSE of x [J] against gold [J] in each group; the items are in group order."""
    found: Measures = {
        name: [
            Measured(float(theta), part, why=CONSTANT, is_correlation=True)
            for theta, part in zip(whole, groups.parts(without), strict=True)
        ]
        for name, (whole, without) in deletions(groups, x, gold).items()
    }
    found["rmse"] = _rmse(groups, cross_fitted_errors(groups, x, gold) ** 2)
    return found


def number_measures_by_units(x: Floats, gold: Floats, units: Units) -> dict[str, Measured]:
    """The same over all items, leaving out each unit with all its items; terms also keep the deletions of pairs."""
    by_item = {name: one for name, [one] in number_measures(Groups.one(len(x)), x, gold).items()}
    without = {
        name: units.without(partial(_of_some, correlation, x, gold)) for name, (correlation, _) in CORRELATIONS.items()
    }
    if by_item["rmse"].is_defined:
        squares = cross_fitted_errors(Groups.one(len(x)), x, gold) ** 2
        sums, counts = units.sums(squares), units.sums(np.ones(len(x)))
        without["rmse"] = np.sqrt(np.maximum(divide(squares.sum() - sums, len(x) - counts), 0.0))
    return {name: _by_units(one, without.get(name), units) for name, one in by_item.items()}


def _by_units(by_item: Measured, without: Floats | None, units: Units) -> Measured:
    if without is None:
        return by_item
    pairs = by_item.without if units.what == "terms" else None
    return replace(by_item, without=without, units=units.what, pairs=pairs)


def label_measures_by_units(p: Floats, gold: LabelGold, how: Filter, units: Units) -> dict[str, Measured]:
    """The same over all items, leaving out each unit with all its items."""
    found = {name: _mean_by_units(credit, units, name) for name, credit in label_credits(p, gold).items()}
    predicted, target, note = _predicted_and_gold(p, gold, how)
    if not target.any():
        return found | {f"{name}_macro": Measured.undefined(NO_GOLD, units.size) for name in SETS}
    total = by_label.table(Groups.one(len(p)), predicted, target)
    each = by_label.table(Groups.equal(len(p), 1), predicted, target)
    left = by_label.Table(*(getattr(total, part) - units.sums(getattr(each, part)) for part in by_label.PARTS))
    counts, n = _counting(np.asarray(target.any(axis=1)), units)
    for name in SETS:
        theta, without = float(getattr(total, name).mean()), getattr(left, name).mean(axis=1)
        found[f"{name}_macro"] = Measured(theta, without, counts, n, units.what, note=note)
    return found


def label_credits(p: Floats, gold: LabelGold) -> dict[str, Floats]:
    """[J] what each item earns by each metric that is a mean over items; NaN where it counts nowhere."""
    earned = {name: score(p, gold.sets) for name, score in BY_SET.items()}
    earned["accuracy"] = by_label.accuracy(p, gold.majority)
    if gold.shares is not None:
        earned |= {f"{name}_of_shares": score(p, gold.shares) for name, score in BY_SHARE.items()}
    return earned


def label_measures(groups: Groups, p: Floats, gold: LabelGold, how: Filter) -> Measures:
    """Every metric of label predictions p [J, L] in each group; a row of NaN is an item without a prediction."""
    found: Measures = {
        name: [Measured.of_mean(part, NO_GOLD, _left_out(part, name)) for part in groups.parts(credit)]
        for name, credit in label_credits(p, gold).items()
    }
    return found | _set_measures(groups, *_predicted_and_gold(p, gold, how))


def _predicted_and_gold(p: Floats, gold: LabelGold, how: Filter) -> tuple[by_label.Weights, by_label.Weights, str]:
    """What F1, precision and recall compare, and its name: the most probable label with the one, or sets with sets."""
    if gold.has_one_label:
        return by_label.one_label(by_label.tops(p)), by_label.one_label(gold.majority), "of labels"
    return filtered(np.nan_to_num(p), how), gold.sets, f"of sets, the prediction made one by the filter {how}"


def _set_measures(groups: Groups, predicted: by_label.Weights, gold: by_label.Weights, note: str) -> Measures:
    """Macro F1, precision and recall; without an item its own hits and misses come off its group's counts."""
    total = by_label.table(groups, predicted, gold)
    each = by_label.table(Groups.equal(len(gold), 1), predicted, gold)
    of = groups.of
    left = by_label.Table(*(getattr(total, part)[of] - getattr(each, part) for part in by_label.PARTS))
    found: Measures = {}
    for name in SETS:
        whole, without = getattr(total, name).mean(axis=1), getattr(left, name).mean(axis=1)
        parts = groups.parts(without)
        scored = np.split(gold.any(axis=1), groups.starts[1:-1])
        found[f"{name}_macro"] = [
            Measured(float(theta), part, there, int(there.sum()), note=note)
            if there.any()
            else Measured.undefined(NO_GOLD, len(part))
            for theta, part, there in zip(whole, parts, scored, strict=True)
        ]
    return found


def chance_of(metric: str, gold: LabelGold) -> float | None:
    """What equal probabilities for all labels score in expectation; None where that isn't a level of chance."""
    size = gold.sets.shape[1]
    has = gold.sets.any(axis=1)
    if metric in ("r_acc", "conf") and has.any():
        return float(np.sum(gold.sets[has]) / (int(has.sum()) * size))
    if metric in ("accuracy", "top_1_of_shares") and has.any():
        return 1.0 / int(size)
    return 0.0 if metric in ("kendall_of_shares", "spearman_of_shares") else None


def _of_some(correlation: Correlation, x: Floats, gold: Floats, groups: Groups, items: npt.NDArray[np.int64]) -> Floats:
    return correlation(groups, x[items], gold[items])


def _mean_by_units(credit: Floats, units: Units, name: str) -> Measured:
    there = np.isfinite(credit)
    if not there.any():
        return Measured.undefined(NO_GOLD, units.size)
    known = np.where(there, credit, 0.0)
    sums, sizes = units.sums(known), units.sums(there.astype(np.float64))
    without = divide(known.sum() - sums, there.sum() - sizes)
    theta = float(known.sum() / there.sum())
    return Measured(theta, without, *_counting(there, units), units.what, note=_left_out(credit, name))


def _counting(there: Bools, units: Units) -> tuple[Bools, int]:
    """[U] the units that hold an item which counts, and how many such items there are."""
    return units.sums(there.astype(np.float64)) > 0, int(there.sum())


def _left_out(credit: Floats, name: str) -> str:
    lost = int(np.sum(~np.isfinite(credit)))
    if not lost:
        return ""
    why = "a side is constant or missing" if name.endswith(("_of_shares", "_of_orders")) else "there is no gold for it"
    return f"{lost} of {len(credit)} items left out, where {why}"


def _rmse(groups: Groups, squares: Floats) -> list[Measured]:
    """Sqrt of each group's mean squared error; leaving an item out takes its own error and leaves the other lines."""
    n = groups.spread(groups.sizes.astype(np.float64))
    rest = divide(groups.spread(groups.sum(squares)) - squares, np.maximum(n - 1, 0))
    theta, without = np.sqrt(divide(groups.sum(squares), groups.sizes)), np.sqrt(np.maximum(rest, 0.0))
    why = "an affine fit on the other items needs three items or more"
    return [
        Measured(float(one), part) if len(part) > 2 else Measured.undefined(why, len(part))
        for one, part in zip(theta, groups.parts(without), strict=True)
    ]


def tops_as_shares(scores: Floats) -> Floats:
    """[J, L] an equal share on the highest of each row's scores; NaN scores are candidates without one."""
    known = np.where(np.isnan(scores), -np.inf, scores)
    top = (known == known.max(axis=1, keepdims=True)) & np.isfinite(known)
    return divide(top.astype(np.float64), top.sum(axis=1, keepdims=True))


# Which metrics a probe's shape is scored by, on all items of gold and on each group of a breakdown.

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
    if gold.order is not None:
        p = np.where(covered[:, None], run.by_order[rows], np.nan)
        return [_orders(p, gold.order, items, units) for items in members]
    if gold.properties is not None:
        return _rankings(probe, run.values[rows], gold.properties, members)
    if gold.texts is not None:
        return _texts([run.texts[at] for at in rows.tolist()], gold.texts, members)
    raise ValueError(NOTHING)


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


def _orders(p: Floats, gold: Floats, items: Rows, units: Units | None) -> dict[str, Measured]:
    """How far each item's labels are in the order of gold, mean over items."""
    earned = {name: score(labels_without_a_score_last(p[items]), gold[items]) for name, score in BY_ORDER.items()}
    if units is not None:
        among = units.take(items)
        return {name: _mean_by_units(credit, among, name) for name, credit in earned.items()}
    return {name: Measured.of_mean(credit, ALL_TIED, _left_out(credit, name)) for name, credit in earned.items()}


def labels_without_a_score_last(p: Floats) -> Floats:
    """[J, L] the scores, with those that are missing below the lowest of their row; a row without any stays NaN.

    >>> labels_without_a_score_last(np.array([[2.0, np.nan, 1.0], [np.nan, np.nan, np.nan]])).tolist()
    [[2.0, 0.0, 1.0], [nan, nan, nan]]
    """
    lowest = np.min(np.where(np.isnan(p), np.inf, p), axis=1, initial=np.inf, keepdims=True)
    return np.where(np.isnan(p) & np.isfinite(lowest), lowest - 1, p)


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
