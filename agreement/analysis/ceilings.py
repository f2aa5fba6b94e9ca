"""How well people do: leave-one-out, and the upper bound that the gold's own reliability sets."""

from __future__ import annotations

import math
import os
from typing import Any

from agreement.cleaning.run import Cleaning
from agreement.crowd import Crowd
from agreement.scoring.people import LeaveOneOut, leave_one_out
from agreement.scoring.rounds import DEFAULT_METRIC
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.results import AgreementReport, figure_dict
from agreement.stats.seeds import stream

_PROCESSES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
# Beside the default, for labels: all three that statistics.md names. Point estimates, so that they cost little.
_BESIDE = {"choice": ("r_acc", "f1"), "verify": ("r_acc", "f1"), "choices": ("accuracy", "f1")}


def ceilings(cleaning: Cleaning, agreement: AgreementReport, *, seed: int) -> dict[str, Any]:
    """The `ceiling` part of report.json, from the kept judgments of target items."""
    return {
        "leave_one_out": _leave_one_out(cleaning, seed=seed),
        "upper_bound": figure_dict(upper_bound(agreement.split_half.headline)),
    }


def upper_bound(reliability: Figure) -> Figure:
    """sqrt(R): the most that any model can correlate with gold of reliability R."""
    if isinstance(reliability, Undefined):
        return reliability
    if reliability.estimate < 0:
        return Undefined(f"the gold's reliability is {reliability.estimate:.4f}, below 0, and has no square root")
    low, high = (None if limit is None else math.sqrt(max(limit, 0.0)) for limit in (reliability.low, reliability.high))
    method = f"square root of the split-half reliability stepped up to the gold's n; {reliability.method}"
    return Estimate(math.sqrt(reliability.estimate), low, high, reliability.n, method)


def _leave_one_out(cleaning: Cleaning, *, seed: int) -> dict[str, Any]:
    crowd = cleaning.crowd
    if crowd.kind not in DEFAULT_METRIC:
        none = {"undefined": f"leave-one-out: kind {crowd.kind} has no metric of one person against the others"}
        return {"mean": none, "weighted": none, "pooled": none}
    kept = crowd.take(cleaning.kept_targets)
    found = _of(kept, seed=seed)
    beside = {metric: figure_dict(_of(kept, metric=metric).mean) for metric in _BESIDE.get(crowd.kind, ())}
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


def _of(kept: Crowd, *, seed: int | None = None, metric: str | None = None) -> LeaveOneOut:
    """Leave-one-out on one metric; with a seed it has its interval."""
    rng = None if seed is None else stream(seed, "leave_one_out")
    answers: Any = kept.answers
    return leave_one_out(
        kept.kind,
        kept.item,
        kept.worker,
        answers,
        kept.n_items,
        kept.labels,
        rng=rng,
        metric=metric,
        processes=_PROCESSES,
    )
