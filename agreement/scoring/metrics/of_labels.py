"""Metrics of labels and of probabilities of labels: over all items or by group, and with each item left out."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from ...arrays import Floats, divide
from ...estimation.intervals import AMOUNT, CORRELATION, NATS, Range
from ...gold.label_gold import filtered_sets
from ...typical_filters import Filter
from .. import distribution_metrics as distances
from .. import label_metrics as formulas
from .. import step_metrics as steps
from ..groups import Groups
from ..jackknifed_metric import JackknifedMetric, Units
from ..label_metrics import Table, Weights
from ..metric import (
    NO_GOLD,
    CreditMetric,
    Family,
    Outputs,
    PeopleMetric,
    PooledMetric,
    Rows,
    ShareMetric,
    StepMetric,
    TableMetric,
    by_group,
    counting,
    groups_of,
    mean_by_units,
    mean_over_items,
)
from ..score_gold import NOTHING, LabelGold, share_of_one_label, size_of_gold

Measures: TypeAlias = dict[str, list[JackknifedMetric]]


# The metrics, in the order of a report.

PEOPLE = PeopleMetric(
    name="people_who_agree",
    title="share of people who agree",
    missing_is_wrong=True,
    means="The share of people who agree is the share of an item's answers that give the label, on average over items.",
    person="people_who_agree",
    credit=formulas.people_who_agree,
    of_answer=formulas.of_named_answer,
)
R_ACC = CreditMetric(
    name="r_acc",
    title="R-Acc",
    holds_for_other_workers=False,
    missing_is_wrong=True,
    chance=size_of_gold,
    means="R-Acc takes any of an item's gold labels as right (the typical ones, where the gold is a crowd's).",
    person="r_acc",
    credit=formulas.r_acc,
)
CONF = CreditMetric(
    name="conf",
    title="mean probability on the gold labels",
    holds_for_other_workers=False,
    missing_is_wrong=True,
    chance=size_of_gold,
    person="conf",
    needs_probabilities=True,
    credit=formulas.conf,
)
ACCURACY = CreditMetric(
    name="accuracy",
    title="accuracy",
    holds_for_other_workers=False,
    missing_is_wrong=True,
    chance=share_of_one_label,
    means="Accuracy takes the majority label as right, and each of k labels that tie as right by 1/k.",
    person="accuracy",
    credit=formulas.accuracy,
    of_majority=True,
    constant=formulas.one_label,
)
_OF_SHARES = partial(ShareMetric, needs_probabilities=True)
_CORRELATION = partial(
    _OF_SHARES, needs_same_labels=True, holds_for_other_workers=False, within=CORRELATION, chance=0.0
)
_DISTANCE = partial(_OF_SHARES, smaller_is_better=True, beside_people=False, is_in_words=False)
KENDALL = _CORRELATION(
    name="kendall_of_shares",
    title="Kendall's tau of shares",
    person="kendall",
    person_title="Kendall's tau",
    credit=formulas.kendall_rows,
)
SPEARMAN = _CORRELATION(
    name="spearman_of_shares",
    title="Spearman correlation of shares",
    person="spearman",
    person_title="Spearman correlation",
    credit=formulas.spearman_rows,
)
JENSEN_SHANNON = _OF_SHARES(
    name="jensen_shannon_of_shares",
    title="Jensen-Shannon divergence of shares",
    holds_for_other_workers=False,
    within=NATS,
    smaller_is_better=True,
    person="jensen_shannon",
    person_title="Jensen-Shannon divergence",
    credit=formulas.jensen_shannon,
)
CROSS_ENTROPY = _DISTANCE(
    name="cross_entropy_of_shares",
    title="cross entropy of shares",
    within=AMOUNT,
    credit=distances.cross_entropy,
    of_answer=distances.cross_entropy_of_answer,
    infinite="it is infinite: the model gives no probability to labels that people chose",
)
TOTAL_VARIATION = _DISTANCE(
    name="total_variation_of_shares",
    title="total variation of shares",
    holds_for_other_workers=False,
    credit=distances.total_variation,
)
BRIER = _OF_SHARES(
    name="brier_of_shares",
    title="Brier score over people's answers",
    within=Range(0.0, 2.0),
    smaller_is_better=True,
    beside_people=False,
    credit=distances.brier,
    of_answer=distances.brier_of_answer,
)
_POOLED = partial(PooledMetric, needs_probabilities=True, beside_people=False, is_in_words=False)
ENTROPY = _POOLED(
    name="entropy_correlation",
    title="correlation of entropies",
    within=CORRELATION,
    chance=0.0,
    in_groups=distances.entropy_correlation,
    by_units=distances.entropy_correlation_by_units,
)
CALIBRATION = _POOLED(
    name="calibration_error_of_shares",
    title="calibration error against people's shares",
    holds_for_other_workers=False,
    smaller_is_better=True,
    in_groups=distances.calibration_error,
    by_units=distances.calibration_error_by_units,
)
TOP_1 = ShareMetric(
    name="top_1_of_shares",
    title="top-1 accuracy",
    holds_for_other_workers=False,
    chance=share_of_one_label,
    means="Top-1 accuracy takes each of the labels that tie for the largest share as right.",
    person="top_1",
    credit=formulas.top_1,
    constant=np.asarray,
)
_MACRO = partial(TableMetric, needs_same_labels=True, holds_for_other_workers=False, missing_is_wrong=True)
F1 = _MACRO(
    name="f1_macro",
    title="macro F1",
    person="f1",
    of_table=lambda table: table.f1,
    of_constant=lambda s, n: divide(2 * s, n + s),
)
PRECISION = _MACRO(
    name="precision_macro", title="macro precision", beside_people=False, of_table=lambda table: table.precision
)
RECALL = _MACRO(name="recall_macro", title="macro recall", beside_people=False, of_table=lambda table: table.recall)
_OF_STEPS = partial(StepMetric, holds_for_other_workers=False, beside_people=False)
_KAPPA = partial(_OF_STEPS, within=CORRELATION, chance=0.0)
STEPS = (
    _KAPPA(
        name="quadratic_kappa_of_steps",
        title="weighted kappa, quadratic",
        means="Weighted kappa, Spearman's rho and the distance in steps take an item's median label as right.",
        formula=steps.WeightedKappa(2),
    ),
    _KAPPA(name="linear_kappa_of_steps", title="weighted kappa, linear", formula=steps.WeightedKappa(1)),
    _KAPPA(name="spearman_of_steps", title="Spearman correlation of steps", formula=steps.RankCorrelation()),
    _OF_STEPS(
        name="distance_in_steps",
        title="mean distance in steps",
        within=AMOUNT,
        smaller_is_better=True,
        distance=steps.distance_in_steps,
    ),
)
_OF_NAMED = (PEOPLE, R_ACC, CONF, ACCURACY)
_OF_PROBABLE = (KENDALL, SPEARMAN, JENSEN_SHANNON, TOP_1, CROSS_ENTROPY, TOTAL_VARIATION, BRIER)
EARNED: tuple[CreditMetric | ShareMetric, ...] = (*_OF_NAMED, *_OF_PROBABLE)
POOLED: tuple[PooledMetric, ...] = (ENTROPY, CALIBRATION)
DISTANCES: tuple[ShareMetric | PooledMetric, ...] = (JENSEN_SHANNON, CROSS_ENTROPY, TOTAL_VARIATION, BRIER, *POOLED)
TABLED: tuple[TableMetric, ...] = (F1, PRECISION, RECALL)
OF_PEOPLE: Mapping[str, CreditMetric | ShareMetric | TableMetric] = MappingProxyType(
    {metric.person: metric for metric in (*EARNED, *TABLED) if metric.person}
)


def label_measures(
    groups: Groups, p: Floats, gold: LabelGold, typical_filter: Filter, *, probable: bool = True
) -> Measures:
    """Every metric of predictions p [J, L], `probable` or labels alone, in each group; NaN is an item without any."""
    measures: Measures = {
        metric.name: [mean_over_items(part, metric, None, NO_GOLD) for part in groups.parts(credit)]
        for metric, credit in _credits(p, gold, probable=probable)
    }
    if gold.sizes is not None:
        return measures
    if gold.shares is not None and probable:
        measures |= {metric.name: metric.in_groups(groups, p, gold.shares) for metric in POOLED}
    if gold.median is not None:
        n_labels = gold.sets.shape[1]
        measures |= {metric.name: metric.measured(groups, p, gold.median, n_labels) for metric in STEPS}
    return measures | _set_measures(groups, *_predicted_and_gold(p, gold, typical_filter))


def label_measures_by_units(
    p: Floats, gold: LabelGold, typical_filter: Filter, units: Units, *, probable: bool = True
) -> dict[str, JackknifedMetric]:
    """The same over all items, leaving out each unit with all its items."""
    earned = _credits(p, gold, probable=probable)
    measures = {metric.name: mean_by_units(credit, units, metric) for metric, credit in earned}
    if gold.sizes is not None:
        return measures
    if gold.shares is not None and probable:
        measures |= {metric.name: metric.by_units(p, gold.shares, units) for metric in POOLED}
    if gold.median is not None:
        n_labels = gold.sets.shape[1]
        measures |= {metric.name: metric.measured_by_units(p, gold.median, n_labels, units) for metric in STEPS}
    predicted, target, note = _predicted_and_gold(p, gold, typical_filter)
    if not target.any():
        return measures | {metric.name: JackknifedMetric.undefined(NO_GOLD, units.size) for metric in TABLED}
    total = formulas.table(Groups.one(len(p)), predicted, target)
    each = formulas.table(Groups.equal(len(p), 1), predicted, target)
    left = Table(*(getattr(total, part) - units.sums(getattr(each, part)) for part in formulas.PARTS))
    counts, n = counting(np.asarray(target.any(axis=1)), units)
    for metric in TABLED:
        theta, without = float(metric.of_table(total).mean()), metric.of_table(left).mean(axis=1)
        measures[metric.name] = JackknifedMetric(theta, without, counts, n, units.what, note=note)
    return measures


def _credits(p: Floats, gold: LabelGold, *, probable: bool) -> list[tuple[CreditMetric | ShareMetric, Floats]]:
    """[J] what each item earns by each metric that is a mean over items and that this gold has."""
    has_own = gold.sizes is not None
    metrics = (
        metric
        for metric in EARNED
        if (probable or not metric.needs_probabilities) and not (has_own and metric.needs_same_labels)
    )
    earned = ((metric, metric.earned(p, gold)) for metric in metrics)
    return [(metric, credit) for metric, credit in earned if credit is not None]


def _predicted_and_gold(p: Floats, gold: LabelGold, typical_filter: Filter) -> tuple[Weights, Weights, str]:
    """What F1, precision and recall compare, and its name: the most probable label with the one, or sets with sets."""
    if gold.has_one_label:
        return formulas.one_label(formulas.tops(p)), formulas.one_label(gold.majority), "of labels"
    return (
        filtered_sets(np.nan_to_num(p), typical_filter),
        gold.sets,
        f"of sets, the prediction made one by the filter {typical_filter}",
    )


def _set_measures(groups: Groups, predicted: Weights, gold: Weights, note: str) -> Measures:
    """Macro F1, precision and recall; without an item its own hits and misses come off its group's counts."""
    total = formulas.table(groups, predicted, gold)
    each = formulas.table(Groups.equal(len(gold), 1), predicted, gold)
    of = groups.of
    left = Table(*(getattr(total, part)[of] - getattr(each, part) for part in formulas.PARTS))
    measures: Measures = {}
    for metric in TABLED:
        thetas, without = metric.of_table(total).mean(axis=1), metric.of_table(left).mean(axis=1)
        parts = groups.parts(without)
        scored = np.split(gold.any(axis=1), groups.starts[1:-1])
        measures[metric.name] = [
            JackknifedMetric(float(theta), part, has_gold, int(has_gold.sum()), note=note)
            if has_gold.any()
            else JackknifedMetric.undefined(NO_GOLD, len(part))
            for theta, part, has_gold in zip(thetas, parts, scored, strict=True)
        ]
    return measures


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """An item that a run doesn't cover is wrong; where a probe names labels alone, what needs probabilities is not."""
    gold, units = outputs.gold.by_label, outputs.units
    if gold is None:
        raise ValueError(NOTHING)
    p = np.where(outputs.covered[:, None], outputs.run.values[outputs.rows], np.nan)
    typical_filter, probable = outputs.gold.typical_filter, outputs.run.has_probabilities
    if units is None:
        order = np.concatenate(members)
        by_metric = label_measures(groups_of(members), p[order], gold.take(order), typical_filter, probable=probable)
        return by_group(by_metric, len(members))
    return [
        label_measures_by_units(p[items], gold.take(items), typical_filter, units.take(items), probable=probable)
        for items in members
    ]


FAMILY = Family(shape="labels", metrics=(*EARNED, *POOLED, *STEPS, *TABLED), against_gold=measure_outputs)
