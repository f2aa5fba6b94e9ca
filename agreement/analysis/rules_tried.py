"""What a rule set does to a crowd before a release is made of it: counts, near misses, agreement, ceiling, gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import Floats
from ..cleaning.cleaning_run import Cleaning, Counts, NearMiss, count, near_misses
from ..estimation.estimate import Figure, Undefined
from ..gold.gold_columns import ITEM_ID, SHARE, labels_in
from ..judgments.crowd import Crowd, Sample
from ..judgments.order_of_answers import in_order_of_answers
from ..kinds.statistics import statistics_of
from ..people.agreement_report import Kappa, Statistic
from ..report.people_and_models import ProbeScore
from ..scoring.crowd_gold import gold_frame, gold_in
from ..scoring.probe import Probe
from .run_statistics import agreement_parts, person_against_others
from .score_probes import score_probes

NOTHING = Statistic(Undefined("these rules keep no judgment"))
# The intervals are the jackknife's: a preview draws no samples.
REPLICATES = 0


@dataclass(frozen=True, slots=True, eq=False)
class RuleSetTrial:
    """`statistic` is the path in report.json of the figure that suits the kind of question; `scores` are the probes' on
    the kind's first metric.
    """

    cleaning: Cleaning
    counts: Counts
    near: list[NearMiss]
    statistic: str
    raw: Statistic | Kappa
    cleaned: Statistic | Kappa
    metric: str
    ceiling: Figure
    gold: pd.DataFrame | None = None
    scores: tuple[ProbeScore, ...] = ()


def try_rule_set(
    cleaning: Cleaning, *, seed: int, probes: Sequence[Probe] = (), with_gold: bool = False
) -> RuleSetTrial:
    """`with_gold` also makes the gold and scores the probes, for rule sets that are compared."""
    counts = count(cleaning)
    path, raw = _agreement(*in_order_of_answers(cleaning.crowd, cleaning.crowd.on_target), seed)
    near = near_misses(cleaning)
    if not counts.judgments_kept:
        return RuleSetTrial(cleaning, counts, near, path, raw, NOTHING, "", NOTHING.headline)
    crowd, kept = in_order_of_answers(cleaning.crowd, cleaning.kept_targets)
    path, cleaned = _agreement(crowd, kept, seed)
    person = person_against_others(crowd, kept, seed=seed, typical_filter=cleaning.rules.typical_labels)
    trial = RuleSetTrial(
        cleaning,
        counts,
        near,
        path,
        raw,
        cleaned,
        person.metric,
        person.person,
    )
    return _with_gold(trial, crowd, kept, seed, probes) if with_gold else trial


def _agreement(crowd: Crowd, sample: Sample, seed: int) -> tuple[str, Statistic | Kappa]:
    report = agreement_parts(crowd, sample, seed=seed, replicates=REPLICATES).report()
    return report.first, report.first_figure


def _with_gold(trial: RuleSetTrial, crowd: Crowd, kept: Sample, seed: int, probes: Sequence[Probe]) -> RuleSetTrial:
    typical_filter = trial.cleaning.rules.typical_labels
    table = gold_frame(crowd, kept, typical_filter)
    scores = score_probes(crowd, kept, gold_in(table, crowd, typical_filter), probes, seed=seed).scores
    metric = statistics_of(crowd.kind).first_metric
    first = tuple(score for score in scores if score.metric == metric and not score.breakdown)
    return replace(trial, gold=table, scores=first)


def outputs_of(probes: Sequence[Probe], crowd: Crowd) -> dict[str, Floats]:
    """[N] what each probe gives the target items as one number or one label's code, for the threshold sweep.

    Probes that give neither are left out.
    """
    has_one_label = np.asarray(crowd.answers).dtype.kind == "i" if isinstance(crowd.answers, np.ndarray) else False
    has_one_number = isinstance(crowd.answers, np.ndarray) and crowd.answers.ndim == 1 and not has_one_label
    outputs: dict[str, Floats] = {}
    for probe in probes:
        if not probe.runs or probe.shape != ("labels" if has_one_label else "numbers"):
            continue
        values = np.mean([np.asarray(run.values, dtype=np.float64) for run in probe.runs], axis=0)
        if has_one_label:
            is_covered = np.isfinite(values).all(axis=1)
            values = np.where(is_covered, np.nan_to_num(values).argmax(axis=1), np.nan)
        elif not has_one_number:
            continue
        outputs[probe.name] = np.where(crowd.item_is_target, values, np.nan)
    return outputs


# Two golds of the same items beside each other: how far they go together, and where they differ most.

MOST_SHOWN = 15
MEAN, MAJORITY = "mean", "label"


@dataclass(frozen=True, slots=True)
class GoldCompared:
    """`differences` are the items that differ most: of means their distance, of labels half the sum of the distances
    between their shares. `correlation` is None for labels, `other_majority` for numbers.
    """

    items: int
    largest: float
    average: float
    correlation: float | None
    other_majority: int | None
    differences: list[dict[str, Any]]


def compare_gold(first: pd.DataFrame | None, second: pd.DataFrame | None) -> GoldCompared | str:
    """Or, in words, why there is nothing to compare."""
    if first is None or second is None:
        return "One of them keeps no judgment, so that it has no gold."
    first, second = (table[table["n"] > 0].set_index(ITEM_ID.name) for table in (first, second))
    both = first.index.intersection(second.index)
    if not len(both):
        return "They have no item in common."
    first, second = first.loc[both], second.loc[both]
    if MEAN in first and MEAN in second:
        return _means(first[MEAN].astype(float), second[MEAN].astype(float))
    labels = labels_in(first.columns)
    if labels and labels == labels_in(second.columns) and MAJORITY in first:
        return _shares(first, second, labels)
    return "Gold of this kind of question is no number and no label: compare the two gold.csv files."


def _means(first: pd.Series[float], second: pd.Series[float]) -> GoldCompared:
    apart = (first - second).abs()
    varies = len(first) > 2 and first.std() > 0 and second.std() > 0
    r = float(np.corrcoef(first, second)[0, 1]) if varies else None
    rows = [_row(item, f"{first[item]:.4g}", f"{second[item]:.4g}", apart[item]) for item in _most_different(apart)]
    return GoldCompared(len(apart), float(apart.max()), float(apart.mean()), r, None, rows)


def _shares(first: pd.DataFrame, second: pd.DataFrame, labels: list[str]) -> GoldCompared:
    names = [SHARE.replace("{label}", label) for label in labels]
    apart = (first[names].astype(float) - second[names].astype(float)).abs().sum(axis=1) / 2
    rows = [
        _row(item, str(first[MAJORITY][item]), str(second[MAJORITY][item]), apart[item])
        for item in _most_different(apart)
    ]
    others = int((first[MAJORITY] != second[MAJORITY]).sum())
    return GoldCompared(len(apart), float(apart.max()), float(apart.mean()), None, others, rows)


def _most_different(apart: pd.Series[float]) -> list[Any]:
    """The items that differ at all, the most different first."""
    largest = apart[apart > 0].sort_values(ascending=False, kind="stable")
    return list(largest.index[:MOST_SHOWN])


def _row(item: object, first: str, second: str, apart: float) -> dict[str, object]:
    return {"item_id": str(item), "first": first, "second": second, "difference": float(apart)}
