"""Agreement and ceilings of a cleaned crowd, of all workers, and without the one who moves each figure furthest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cleaning.cleaning_run import Cleaning
from ..estimation.design import design_of, runs
from ..estimation.estimate import Estimate, Figure, MostInfluential, Undefined, stream
from ..files.numbers import PER_CENT, Scale
from ..judgments.crowd import Crowd, Properties, Sample, options_per_judgment
from ..judgments.order_of_answers import in_order_of_answers
from ..kinds.kind import QuestionKind
from ..kinds.options import has_own_labels
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..people.agreement_report import AgreementReport, Measures, Parts, StatisticsInput
from ..people.human_ceiling import noise_ceiling, upper_bound, upper_bound_of
from ..people.leave_one_out import typical_person
from ..people.leave_one_out_own_words import ListedPeople, TextPeople, listed_people, text_people
from ..people.leave_one_out_round import People, people_of
from ..people.person_metrics import PersonMetrics
from ..people.worker_pairs import pairwise
from ..processes import give_back_freed_memory, map_tasks, processors
from ..report.people_and_models import Ceiling, CrowdAgainstReference, FigureWithout, Influence, PersonAgainstOthers
from ..typical_filters import AS_PUBLISHED, Filter


def parts_of(
    kind: QuestionKind,
    measures: Measures,
    item: npt.NDArray[np.integer],
    worker: npt.NDArray[np.integer],
    answers: object,
    *,
    labels: Sequence[str] = (),
    scale: Scale | None = None,
    seed: int = 0,
    replicates: int = 1_000,
    ordered: bool = False,
    fixed_workers: bool = False,
    n_options: npt.NDArray[np.integer] | None = None,
) -> Parts:
    """The agreement report of J judgments (kept ones, on target items only) as parts that may be computed side by side.

    `measures` makes the report of answers of their type, and `kind` is what sentences call them. `item`, `worker` [J]
    are integer codes, gaps allowed; codes of labels may be `ordered`, if the labels' order means something. `n_options`
    [J] is how many labels the item of each judgment has, where items have labels of their own. Of
    `fixed_workers` every interval is over items alone.
    Raises `DoubleEntryDiffers` where an independent package makes another figure.

    >>> from agreement.people.label_reports import label_report
    >>> item, worker, code = np.repeat([0, 1, 2], 2), np.tile([0, 1], 3), np.array([0, 0, 1, 1, 0, 1])
    >>> parts = parts_of("choice", label_report, item, worker, code, labels=["no", "yes"], replicates=0)
    >>> round(parts.report().fleiss_kappa.statistic.headline.estimate, 4)
    0.3333

    Items are drawn at random in the order of their rows, where each item's rows stand together.
    """
    item, worker = np.asarray(item), np.asarray(worker)
    if np.any(item[1:] < item[:-1]):  # in order of items every sum is faster
        if (run := runs(item)) is not None:
            item = run
        elif isinstance(answers, np.ndarray):
            order = np.argsort(item, kind="stable")
            item, worker, answers = item[order], worker[order], answers[order]
            n_options = None if n_options is None else n_options[order]
    design = replace(design_of(item, worker), fixed_workers=fixed_workers)
    of_item = None
    if n_options is not None:
        of_item = np.ones(design.items)
        of_item[design.item] = n_options
    asked = StatisticsInput(kind, design, tuple(labels), scale or PER_CENT, seed, replicates, ordered, of_item)
    return measures(asked, answers)


# Agreement and ceilings of a cleaned crowd, computed side by side on the processors that there are.

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
    crowd: Crowd, kept: Sample, *, seed: int | None, typical_filter: Filter = AS_PUBLISHED
) -> PersonAgainstOthers:
    """Leave-one-out on the kind's first metric, with a seed also its interval, and the other metrics beside it."""
    person = statistics_of(crowd.kind).person
    if person is None:
        none = Undefined(f"leave-one-out: kind {crowd.kind} has no metric of one person against the others")
        return PersonAgainstOthers(mean=none, weighted=none, pooled=none)
    people = people_in(person, crowd, kept, typical_filter)
    rng = None if seed is None else stream(seed, "leave_one_out")
    leave_one_out = typical_person(people, rng=rng, fixed_workers=crowd.fixed_workers)
    beside: dict[str, Figure] = {}  # point estimates, so that they cost little
    has_own = has_own_labels(crowd.labels)
    for metric in (name for name in person.beside if not (has_own and person.needs_same_labels(name))):
        other = typical_person(replace(people, metric=metric), rng=None)
        beside[metric] = other.pooled if people.pools else other.mean
    ids = crowd.workers
    return PersonAgainstOthers(
        metric=leave_one_out.metric,
        mean=leave_one_out.mean,
        weighted=leave_one_out.weighted,
        pooled=leave_one_out.pooled,
        workers_counted=len(leave_one_out.workers),
        items_per_worker=leave_one_out.items_per_worker,
        others_behind_a_gold=leave_one_out.n_others if math.isfinite(leave_one_out.n_others) else 0.0,
        other_metrics=beside,
        headline="pooled" if people.pools else "mean",
        left_out=dict(sorted((str(ids[worker]), why) for worker, why in leave_one_out.left_out.items())),
    )


def people_in(
    person: PersonMetrics, crowd: Crowd, kept: Sample, typical_filter: Filter
) -> People | ListedPeople | TextPeople:
    """Everybody's answers, to be scored on the kind's first metric."""
    answers: Any = kept.answers
    if isinstance(answers, Properties):
        return listed_people(kept.item, kept.worker, answers, crowd.n_items, person.default)
    metric, n_labels = person.default, len(crowd.labels)
    if person.of_texts:
        return text_people(person, kept.item, kept.worker, answers, metric)
    return people_of(
        person, kept.item, kept.worker, answers, crowd.n_items, n_labels, metric, typical_filter, for_people_alone=True
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
    typical_filter: Filter = AS_PUBLISHED,
    has_leave_one_out_interval: bool = True,
) -> RunStatistics:
    """Everything measured, gold's typical labels by `typical_filter`. The number of processes changes no digit.

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
        lambda: person_against_others(crowd, kept, seed=seed_of_people, typical_filter=typical_filter),
        *of_raw.calls,
        *(of_kept.calls if of_kept else ()),
        lambda: of_pairs(crowd, kept, seed=seed),
        lambda: noise_of(crowd, kept),
    ]
    give_back_freed_memory()
    left_out, *answers, pairs, (noise_lower, noise_upper) = map_tasks(calls, lambda call: call(), processes)
    before = of_raw.joined(answers[: len(of_raw.calls)])
    after = of_kept.joined(answers[len(of_raw.calls) :]) if of_kept else before
    bound = upper_bound_figure(crowd, kept, after.split_half.headline)
    return RunStatistics(crowd, kept, raw_crowd, before, after, left_out, bound, pairs, noise_lower, noise_upper)


def upper_bound_figure(crowd: Crowd, kept: Sample, split_half: Figure) -> Figure:
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
        n_options=options_per_judgment(crowd, sample.item),
    )


# `influence` of a report: each figure of agreement and of people without the worker who moves it furthest.

LIMITS_UP_TO = 10_000  # judgments; of more, making the figures again would take as long as the rest of the analysis


def without_one_worker(
    cleaning: Cleaning, measured: RunStatistics, *, seed: int, typical_filter: Filter
) -> tuple[Influence, ...]:
    """One row per statistic. `warned` where the worker's share of the workers' variance passes the 99 % point.

    `without` is the figure of all other workers, made again from their judgments, with its own interval.
    """
    figures = {
        **_of_agreement(measured.cleaned),
        **_of_person(measured.leave_one_out),
        "upper_bound": measured.upper_bound,
        "pairwise": measured.pairwise,
        "noise_lower": measured.noise_lower,
        "noise_upper": measured.noise_upper,
    }
    moved = {
        name: (figure.most_influential_worker, int(figure.most_influential_worker.worker))
        for name, figure in figures.items()
        if isinstance(figure, Estimate) and figure.most_influential_worker is not None
    }
    again: dict[int, set[str]] = {}
    if len(measured.kept.item) <= LIMITS_UP_TO:
        for name, (_, worker) in moved.items():
            again.setdefault(worker, set()).add(name.partition(".")[0])
    ids = measured.crowd.workers
    figures_without = {
        worker: _figures_without_worker(cleaning, str(ids[worker]), names, seed=seed, typical_filter=typical_filter)
        for worker, names in again.items()
    }
    return tuple(
        Influence(
            statistic=name,
            worker=str(ids[worker]),
            share_of_variance=one.share,
            warned=one.is_unusual,
            without=_figure_without_worker(figures_without.get(worker, {}).get(name), one),
        )
        for name, (one, worker) in moved.items()
    )


def _figures_without_worker(
    cleaning: Cleaning, worker: str, names: set[str], *, seed: int, typical_filter: Filter
) -> dict[str, Figure]:
    """The figures of everybody else by their places: of the statistics that are named, and what they are made of.

    Intervals are the jackknife's: no samples are drawn.
    """
    left_out = cleaning.crowd.worker == cleaning.crowd.workers.get_loc(worker)
    crowd, others = in_order_of_answers(cleaning.crowd, cleaning.kept_targets & ~left_out)
    figures: dict[str, Figure] = {}
    if names - {"leave_one_out", "pairwise"}:
        parts = agreement_parts(crowd, others, seed=seed, replicates=0)
        agreement = parts.joined([call() for call in parts.calls])
        figures |= _of_agreement(agreement)
        figures["upper_bound"] = upper_bound_figure(crowd, others, agreement.split_half.headline)
    if "pairwise" in names:
        figures["pairwise"] = of_pairs(crowd, others, seed=seed)
    if "leave_one_out" in names:
        figures |= _of_person(person_against_others(crowd, others, seed=seed, typical_filter=typical_filter))
    return figures


def _of_agreement(report: AgreementReport) -> dict[str, Figure]:
    """Every figure of all answers, by its place."""
    return {".".join(path): statistic.headline for path, statistic in report.statistics().items()}


def _of_person(person: PersonAgainstOthers) -> dict[str, Figure]:
    forms = {"mean": person.mean, "weighted": person.weighted, "pooled": person.pooled}
    return {f"leave_one_out.{form}": figure for form, figure in forms.items()}


def _figure_without_worker(figure: Figure | None, one: MostInfluential) -> FigureWithout | Undefined:
    """The figure of the others; of many judgments, where it wasn't made again, as the deletion gives it."""
    if figure is None:
        return FigureWithout(estimate=one.estimate, low=None, high=None)
    if isinstance(figure, Undefined):
        return figure
    return FigureWithout(estimate=figure.estimate, low=figure.low, high=figure.high, over=figure.over)
