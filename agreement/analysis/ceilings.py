"""How well people do: leave-one-out, pairs of workers, noise ceilings."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from agreement.analysis.sample import Sample
from agreement.crowd import Crowd
from agreement.scoring.ceiling import noise_ceiling
from agreement.scoring.pairwise import pairwise
from agreement.scoring.people import typical_person
from agreement.scoring.rounds import DEFAULT_METRIC, People, people_of
from agreement.stats.results import figure_dict
from agreement.stats.seeds import stream

# Beside the default, for labels: all three that docs/statistics.md names. Point estimates, so that they cost little.
_BESIDE = {"choice": ("r_acc", "f1"), "verify": ("r_acc", "f1"), "choices": ("accuracy", "f1")}


def of_pairs(crowd: Crowd, kept: Sample, *, seed: int) -> dict[str, Any]:
    """How far pairs of workers agree, which needs one number an answer."""
    if crowd.kind != "slider":
        return {"pairwise": _no_number(crowd)}
    values: Any = kept.answers
    rng = stream(seed, "pairwise")
    return {"pairwise": figure_dict(pairwise(kept.item, kept.worker, values, crowd.n_items, rng=rng))}


def noise_of(crowd: Crowd, kept: Sample) -> dict[str, Any]:
    """Workers against everyone's mean, without them in it and with them."""
    if crowd.kind != "slider":
        return {"noise_lower": _no_number(crowd), "noise_upper": _no_number(crowd)}
    values: Any = kept.answers
    noise = noise_ceiling(kept.item, kept.worker, values, crowd.n_items)
    return {"noise_lower": figure_dict(noise.lower), "noise_upper": figure_dict(noise.upper)}


def _no_number(crowd: Crowd) -> dict[str, str]:
    return {"undefined": f"kind {crowd.kind} has no number an answer, which this figure correlates"}


def person_against_others(crowd: Crowd, kept: Sample, *, seed: int | None) -> dict[str, Any]:
    """Leave-one-out on the kind's first metric, with a seed also its interval, and the other metrics beside it."""
    if crowd.kind not in DEFAULT_METRIC:
        none = {"undefined": f"leave-one-out: kind {crowd.kind} has no metric of one person against the others"}
        return {"mean": none, "weighted": none, "pooled": none}
    people = _people(crowd, kept)
    found = typical_person(people, rng=None if seed is None else stream(seed, "leave_one_out"))
    beside = {
        metric: figure_dict(typical_person(replace(people, metric=metric), rng=None).mean)
        for metric in _BESIDE.get(crowd.kind, ())
    }
    ids = crowd.workers
    return {
        "metric": found.metric,
        "mean": figure_dict(found.mean),
        "weighted": figure_dict(found.weighted),
        "pooled": figure_dict(found.pooled),
        "workers_counted": len(found.workers),
        "items_a_worker": found.items_a_worker,
        "others_behind_a_gold": found.n_others if math.isfinite(found.n_others) else 0.0,
        "other_metrics": beside,
        "left_out": {str(ids[worker]): why for worker, why in sorted(found.left_out.items())},
    }


def _people(crowd: Crowd, kept: Sample) -> People:
    """Everybody's answers, to be scored on the kind's first metric."""
    answers: Any = kept.answers
    metric, n_labels = DEFAULT_METRIC[crowd.kind], len(crowd.labels)
    return people_of(
        crowd.kind, kept.item, kept.worker, answers, crowd.n_items, n_labels, metric, "typical", for_people_alone=True
    )
