"""Agreement and ceilings of a cleaned crowd, computed side by side on the processors that there are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..cleaning.cleaning_run import Cleaning
from ..estimation.estimate import Figure, Undefined, stream
from ..judgments.crowd import Crowd, Properties, Sample
from ..judgments.order_of_answers import in_order_of_answers
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..people.agreement_report import AgreementReport, Parts
from ..people.human_ceiling import noise_ceiling, upper_bound, upper_bound_of
from ..people.leave_one_out import typical_person
from ..people.leave_one_out_round import People, people_of
from ..people.leave_one_out_texts import TextPeople, text_people
from ..people.listed_properties import ListedPeople, listed_people
from ..people.person_metrics import PersonMetrics
from ..people.report import parts_of
from ..people.worker_pairs import pairwise
from ..processes import give_back_freed_memory, over, processors
from ..report.people_and_models import Ceiling, CrowdAgainstReference, PersonAgainstOthers
from ..typical_filters import AS_PUBLISHED, Filter

# How well people do: leave-one-out, pairs of workers, noise ceilings.


def of_pairs(crowd: Crowd, kept: Sample, *, seed: int) -> Figure:
    """How far pairs of workers agree, which needs one number an answer."""
    if not _is_one_number(crowd):
        return _no_number(crowd)
    values: Any = kept.answers
    rng = stream(seed, "pairwise")
    return pairwise(kept.item, kept.worker, values, crowd.n_items, rng=rng, fixed_workers=crowd.fixed_workers)


def noise_of(crowd: Crowd, kept: Sample) -> tuple[Figure, Figure]:
    """Workers against everyone's mean, without them in it and with them."""
    if not _is_one_number(crowd):
        return _no_number(crowd), _no_number(crowd)
    values: Any = kept.answers
    noise = noise_ceiling(kept.item, kept.worker, values, crowd.n_items, fixed_workers=crowd.fixed_workers)
    return noise.lower, noise.upper


def _is_one_number(crowd: Crowd) -> bool:
    person = statistics_of(crowd.kind).person
    return person is not None and person.of_numbers


def _no_number(crowd: Crowd) -> Undefined:
    return Undefined(f"kind {crowd.kind} has no number an answer, which this figure correlates")


def person_against_others(
    crowd: Crowd, kept: Sample, *, seed: int | None, how: Filter = AS_PUBLISHED
) -> PersonAgainstOthers:
    """Leave-one-out on the kind's first metric, with a seed also its interval, and the other metrics beside it."""
    person = statistics_of(crowd.kind).person
    if person is None:
        none = Undefined(f"leave-one-out: kind {crowd.kind} has no metric of one person against the others")
        return PersonAgainstOthers(mean=none, weighted=none, pooled=none)
    people = people_in(person, crowd, kept, how)
    rng = None if seed is None else stream(seed, "leave_one_out")
    found = typical_person(people, rng=rng, fixed_workers=crowd.fixed_workers)
    beside: dict[str, Figure] = {}  # point estimates, so that they cost little
    for metric in person.beside:
        other = typical_person(replace(people, metric=metric), rng=None)
        beside[metric] = other.pooled if people.pools else other.mean
    ids = crowd.workers
    return PersonAgainstOthers(
        metric=found.metric,
        mean=found.mean,
        weighted=found.weighted,
        pooled=found.pooled,
        workers_counted=len(found.workers),
        items_per_worker=found.items_per_worker,
        others_behind_a_gold=found.n_others if math.isfinite(found.n_others) else 0.0,
        other_metrics=beside,
        headline="pooled" if people.pools else "mean",
        left_out=dict(sorted((str(ids[worker]), why) for worker, why in found.left_out.items())),
    )


def people_in(person: PersonMetrics, crowd: Crowd, kept: Sample, how: Filter) -> People | ListedPeople | TextPeople:
    """Everybody's answers, to be scored on the kind's first metric."""
    answers: Any = kept.answers
    if isinstance(answers, Properties):
        return listed_people(kept.item, kept.worker, answers, crowd.n_items, person.default)
    metric, n_labels = person.default, len(crowd.labels)
    if person.of_texts:
        return text_people(person, kept.item, kept.worker, answers, metric)
    return people_of(
        person, kept.item, kept.worker, answers, crowd.n_items, n_labels, metric, how, for_people_alone=True
    )


# Both, side by side on the processors that there are.

PROCESSES = processors()
WORTH_FORKING = 100_000  # judgments; below, starting a process costs more than it saves


@dataclass(frozen=True, slots=True, eq=False)
class RunStatistics:
    """Agreement before and after cleaning, and how well people do. `kept` is what gold is made of.

    Workers are numbered by their answers, otherwise for `raw` than for the rest: `crowd` and `raw_crowd` name them.
    """

    crowd: Crowd
    kept: Sample
    raw_crowd: Crowd
    raw: AgreementReport
    cleaned: AgreementReport
    leave_one_out: PersonAgainstOthers
    upper_bound: Figure
    pairwise: Figure
    noise_lower: Figure
    noise_upper: Figure

    def ceiling(self, reference: CrowdAgainstReference | Undefined) -> Ceiling:
        """How well people do, beside what they make of a reference."""
        return Ceiling(
            leave_one_out=self.leave_one_out,
            upper_bound=self.upper_bound,
            pairwise=self.pairwise,
            noise_lower=self.noise_lower,
            noise_upper=self.noise_upper,
            reference=reference,
        )

    def kept_of(self, crowd: Crowd) -> Sample:
        """What gold is made of, its workers by the codes of a crowd that numbers them otherwise."""
        code = np.asarray(crowd.workers.get_indexer(self.crowd.workers), dtype=np.int32)
        return replace(self.kept, worker=code[self.kept.worker])


def measure(
    cleaning: Cleaning,
    *,
    seed: int,
    replicates: int,
    how: Filter = AS_PUBLISHED,
    has_leave_one_out_interval: bool = True,
) -> RunStatistics:
    """Everything measured, gold's typical labels by the rule `how`. The number of processes changes no digit.

    Where cleaning took nothing, raw is cleaned.
    """
    on_target = cleaning.crowd.on_target
    raw_crowd, raw = in_order_of_answers(cleaning.crowd, on_target)
    changed = bool(np.any(on_target != cleaning.kept_targets))
    crowd, kept = in_order_of_answers(cleaning.crowd, cleaning.kept_targets) if changed else (raw_crowd, raw)
    processes = PROCESSES if len(raw.item) >= WORTH_FORKING else 1
    of_raw = agreement_parts(raw_crowd, raw, seed=seed, replicates=replicates)
    of_kept = agreement_parts(crowd, kept, seed=seed, replicates=replicates) if changed else None
    seed_of_people = seed if has_leave_one_out_interval else None
    calls: list[Callable[[], Any]] = [  # the longest first
        lambda: person_against_others(crowd, kept, seed=seed_of_people, how=how),
        *of_raw.calls,
        *(of_kept.calls if of_kept else ()),
        lambda: of_pairs(crowd, kept, seed=seed),
        lambda: noise_of(crowd, kept),
    ]
    give_back_freed_memory()
    left_out, *answers, pairs, (noise_lower, noise_upper) = over(calls, lambda call: call(), processes)
    before = of_raw.joined(answers[: len(of_raw.calls)])
    after = of_kept.joined(answers[len(of_raw.calls) :]) if of_kept else before
    bound = bound_of(crowd, kept, after.split_half.headline)
    return RunStatistics(crowd, kept, raw_crowd, before, after, left_out, bound, pairs, noise_lower, noise_upper)


def bound_of(crowd: Crowd, kept: Sample, split_half: Figure) -> Figure:
    """The most that a model can correlate with the gold; undefined with its reason where answers aren't numbers."""
    if not KINDS[crowd.kind].has_scale:
        return upper_bound(split_half)
    values: Any = kept.answers
    fixed = crowd.fixed_workers
    return upper_bound_of(kept.item, kept.worker, values, split_half, crowd.labels, fixed_workers=fixed)


def agreement_parts(crowd: Crowd, sample: Sample, *, seed: int, replicates: int) -> Parts:
    """The agreement report of some of a crowd's judgments, in parts that may be computed side by side."""
    return parts_of(
        crowd.kind,
        statistics_of(crowd.kind).agreement,
        sample.item,
        sample.worker,
        sample.answers,
        labels=crowd.labels,
        scale=crowd.scale,
        seed=seed,
        replicates=replicates,
        ordered=crowd.ordered,
        fixed_workers=crowd.fixed_workers,
    )
