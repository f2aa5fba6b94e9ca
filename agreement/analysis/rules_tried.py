"""What a rule set does to a crowd before a release is made of it: counts, near misses, agreement, ceiling, gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..arrays import Floats
from ..cleaning.cleaning_run import Cleaning, Counts, NearMiss, count, near_misses
from ..estimation.estimate import Figure, Undefined
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


def tried(cleaning: Cleaning, *, seed: int, probes: Sequence[Probe] = (), with_gold: bool = False) -> RuleSetTrial:
    """`with_gold` also makes the gold and scores the probes, for rule sets that are compared."""
    counts = count(cleaning)
    path, raw = _agreement(*in_order_of_answers(cleaning.crowd, cleaning.crowd.on_target), seed)
    near = near_misses(cleaning)
    if not counts.judgments_kept:
        return RuleSetTrial(cleaning, counts, near, path, raw, NOTHING, "", NOTHING.headline)
    crowd, kept = in_order_of_answers(cleaning.crowd, cleaning.kept_targets)
    path, cleaned = _agreement(crowd, kept, seed)
    person = person_against_others(crowd, kept, seed=seed, how=cleaning.rules.typical_labels)
    found = RuleSetTrial(
        cleaning,
        counts,
        near,
        path,
        raw,
        cleaned,
        person.metric,
        person.person,
    )
    return _with_gold(found, crowd, kept, seed, probes) if with_gold else found


def _agreement(crowd: Crowd, sample: Sample, seed: int) -> tuple[str, Statistic | Kappa]:
    report = agreement_parts(crowd, sample, seed=seed, replicates=REPLICATES).report()
    return report.first, report.first_figure


def _with_gold(found: RuleSetTrial, crowd: Crowd, kept: Sample, seed: int, probes: Sequence[Probe]) -> RuleSetTrial:
    how = found.cleaning.rules.typical_labels
    table = gold_frame(crowd, kept, how)
    scores = score_probes(crowd, kept, gold_in(table, crowd, how), probes, seed=seed).scores
    metric = statistics_of(crowd.kind).first_metric
    first = tuple(score for score in scores if score.metric == metric and not score.breakdown)
    return replace(found, gold=table, scores=first)


def outputs_of(probes: Sequence[Probe], crowd: Crowd) -> dict[str, Floats]:
    """[N] what each probe gives the target items as one number or one label's code, for the threshold sweep.

    Probes that give neither are left out.
    """
    has_one_label = np.asarray(crowd.answers).dtype.kind == "i" if isinstance(crowd.answers, np.ndarray) else False
    has_one_number = isinstance(crowd.answers, np.ndarray) and crowd.answers.ndim == 1 and not has_one_label
    found: dict[str, Floats] = {}
    for probe in probes:
        if not probe.runs or probe.shape != ("labels" if has_one_label else "numbers"):
            continue
        values = np.mean([np.asarray(run.values, dtype=np.float64) for run in probe.runs], axis=0)
        if has_one_label:
            there = np.isfinite(values).all(axis=1)
            values = np.where(there, np.nan_to_num(values).argmax(axis=1), np.nan)
        elif not has_one_number:
            continue
        found[probe.name] = np.where(crowd.item_is_target, values, np.nan)
    return found
