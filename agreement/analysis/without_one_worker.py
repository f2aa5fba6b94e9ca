"""`influence` of report.json: each figure of agreement and of people without the worker who moves it furthest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..cleaning.cleaning_run import Cleaning
from ..estimation.most_influential import INFLUENTIAL
from ..judgments.order_of_answers import in_order_of_answers
from ..typical_filters import Filter
from .run_statistics import (
    RunStatistics,
    agreement_parts,
    bound_of,
    of_pairs,
    person_against_others,
)

LIMITS_UP_TO = 10_000  # judgments; of more, making the figures again would take as long as the rest of the analysis
BESIDE = ("labels", "other_metrics")  # figures beside a statistic
Figures = Mapping[str, Any]


def without_one_worker(cleaning: Cleaning, measured: RunStatistics, *, seed: int, how: Filter) -> list[dict[str, Any]]:
    """One row per statistic. `warned` where the worker's share of the workers' variance passes the 99 % point.

    `without` is the figure of all other workers, made again from their judgments, with its own interval.
    """
    figures = _figures(measured.cleaned.as_dict() | measured.ceiling)
    moved = {name: figure[INFLUENTIAL] for name, figure in figures if INFLUENTIAL in figure}
    again: dict[int, set[str]] = {}
    if len(measured.kept.item) <= LIMITS_UP_TO:
        for name, one in moved.items():
            again.setdefault(one["worker"], set()).add(name.partition(".")[0])
    made = {
        worker: _made_without(cleaning, measured.crowd.workers[worker], names, seed=seed, how=how)
        for worker, names in again.items()
    }
    return [
        {
            "statistic": name,
            "worker": str(measured.crowd.workers[one["worker"]]),
            "share_of_variance": one["share"],
            "warned": one["share"] > one["limit"],
            "without": _without(made.get(one["worker"], {}).get(name), one),
        }
        for name, one in moved.items()
    ]


def _made_without(cleaning: Cleaning, worker: str, names: set[str], *, seed: int, how: Filter) -> dict[str, Figures]:
    """The figures of everybody else by their places: of the statistics that are named, and what they are made of.

    Intervals are the jackknife's: no samples are drawn.
    """
    left_out = cleaning.crowd.worker == cleaning.crowd.workers.get_loc(worker)
    crowd, others = in_order_of_answers(cleaning.crowd, cleaning.kept_targets & ~left_out)
    found: dict[str, Any] = {}
    if names - {"leave_one_out", "pairwise"}:
        parts = agreement_parts(crowd, others, seed=seed, replicates=0)
        agreement = parts.joined([call() for call in parts.calls])
        found |= agreement.as_dict() | bound_of(crowd, others, agreement.split_half.headline)
    if "pairwise" in names:
        found |= of_pairs(crowd, others, seed=seed)
    if "leave_one_out" in names:
        found["leave_one_out"] = person_against_others(crowd, others, seed=seed, how=how)
    return dict(_figures(found))


def _figures(found: Figures, path: str = "") -> Iterator[tuple[str, Figures]]:
    """Every figure, by its place."""
    for key, value in found.items():
        if isinstance(value, Mapping) and key not in BESIDE:
            if "estimate" in value or "undefined" in value:
                yield path + key, value
            else:
                yield from _figures(value, f"{path}{key}.")


def _without(figure: Figures | None, one: Figures) -> dict[str, Any]:
    """The figure of the others; of many judgments, where it wasn't made again, as the deletion gives it."""
    if figure is None:
        return {"estimate": one["estimate"], "low": None, "high": None}
    if "undefined" in figure:
        return {"undefined": figure["undefined"]}
    return {key: figure[key] for key in ("estimate", "low", "high", "over") if key in figure}
