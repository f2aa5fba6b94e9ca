"""Agreement and ceilings of a cleaned crowd, measured side by side on the processors that there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.analysis.ceilings import noise_of, of_pairs, person_against_others
from agreement.analysis.heap import give_back_freed_memory
from agreement.analysis.sample import Sample, sample_of
from agreement.cleaning.run import Cleaning
from agreement.crowd import Crowd
from agreement.scoring.ceiling import upper_bound, upper_bound_of
from agreement.scoring.processes import over, processors
from agreement.stats.asked import Parts
from agreement.stats.estimate import Figure
from agreement.stats.report import parts_of
from agreement.stats.results import AgreementReport, figure_dict

PROCESSES = processors()
WORTH_FORKING = 100_000  # judgments; below, starting a process costs more than it saves


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Agreement before and after cleaning, and the `ceiling` part of report.json. `kept` is what gold is made of."""

    kept: Sample
    raw: AgreementReport
    cleaned: AgreementReport
    ceiling: dict[str, Any]


def measure(cleaning: Cleaning, *, seed: int, replicates: int, has_leave_one_out_interval: bool = True) -> Measured:
    """Everything measured; the number of processes changes no digit. Where cleaning took nothing, raw is cleaned."""
    crowd = cleaning.crowd
    raw = sample_of(crowd, crowd.on_target)
    changed = bool(np.any(crowd.on_target != cleaning.kept_targets))
    kept = sample_of(crowd, cleaning.kept_targets) if changed else raw
    processes = PROCESSES if len(raw.item) >= WORTH_FORKING else 1
    of_raw = _agreement(crowd, raw, seed=seed, replicates=replicates)
    of_kept = _agreement(crowd, kept, seed=seed, replicates=replicates) if changed else None
    calls: list[Callable[[], Any]] = [  # the longest first
        lambda: person_against_others(crowd, kept, seed=seed if has_leave_one_out_interval else None),
        *of_raw.calls,
        *(of_kept.calls if of_kept else ()),
        lambda: of_pairs(crowd, kept, seed=seed),
        lambda: noise_of(crowd, kept),
    ]
    give_back_freed_memory()
    left_out, *answers, pairs, noise = over(calls, lambda call: call(), processes)
    before = of_raw.joined(answers[: len(of_raw.calls)])
    after = of_kept.joined(answers[len(of_raw.calls) :]) if of_kept else before
    ceiling = {
        "leave_one_out": left_out,
        "upper_bound": figure_dict(_upper_bound(crowd, kept, after.split_half.headline)),
        **pairs,
        **noise,
    }
    return Measured(kept, before, after, ceiling)


def _upper_bound(crowd: Crowd, kept: Sample, split_half: Figure) -> Figure:
    """The most that a model can correlate with the gold; undefined with its reason where answers aren't numbers."""
    if crowd.kind not in ("slider", "sliders"):
        return upper_bound(split_half)
    values: Any = kept.answers
    return upper_bound_of(kept.item, kept.worker, values, split_half, crowd.labels)


def _agreement(crowd: Crowd, sample: Sample, *, seed: int, replicates: int) -> Parts:
    return parts_of(
        crowd.kind,
        sample.item,
        sample.worker,
        sample.answers,
        labels=crowd.labels,
        scale=crowd.scale,
        seed=seed,
        replicates=replicates,
        ordered=crowd.ordered,
    )
