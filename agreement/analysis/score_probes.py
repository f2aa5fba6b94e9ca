"""Models beside people: probes scored against the release, compared with each other, and as a share of a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import SAME
from ..judgments.crowd import Crowd, Sample
from ..kinds.statistics import statistics_of
from ..people.leave_one_out_own_words import text_people
from ..people.matched_share import MatchedShare, matched_shares, shares_of
from ..people.person_metrics import PersonMetrics
from ..report.people_and_models import (
    ComparedProbes,
    GoldAsReleased,
    GroupScore,
    ModelScores,
    ProbeReport,
    ProbeScore,
    TestAsReleased,
    the_other_way,
)
from ..scoring.comparison import compare_all, times_for
from ..scoring.crowd_gold import scores_without_workers
from ..scoring.metrics import METRICS, smaller_is_better, title_of
from ..scoring.metrics.of_orders import labels_without_a_score_last
from ..scoring.model_groups import GroupMeans, group_means
from ..scoring.other_workers import LeaveOutScores, figure_over_workers
from ..scoring.paired_tests import Difference
from ..scoring.probe import Probe, StudyItems
from ..scoring.score import ProbeScores, Score, score_probe
from ..scoring.score_gold import Gold
from ..typical_filters import Filter

AllAgain: TypeAlias = Mapping[str, Mapping[str, LeaveOutScores]]  # by probe and metric
FOR_THESE_WORKERS = ", for these workers"


def study_items(crowd: Crowd) -> StudyItems:
    """What a probe is read against: all items, checks too, so that a probe which covers them is not refused."""
    return StudyItems.of_frame(crowd.kind, crowd.items, crowd.labels, crowd.synonyms, crowd.scale)


def score_probes(crowd: Crowd, kept: Sample, release: Gold, probes: Sequence[Probe], *, seed: int) -> ModelScores:
    """Every probe scored, compared with the others, and as a share of a person."""
    if not probes:
        return ModelScores(scores=(), probes=(), comparisons=(), groups=())
    study = study_items(crowd)
    again = scores_without_workers(crowd, kept, release, probes, study, seed)
    scored = [_over_workers(score_probe(probe, release, study), again) for probe in probes]
    shares = _shares_of_person(crowd, kept, probes, seed, release.typical_filter)
    return ModelScores(
        scores=tuple(score_row(one.probe, score) for one in scored for score in one.scores),
        probes=tuple(
            replace(probe_report(one), matched_share=share, other_labels=one.other_labels)
            for one, share in zip(scored, shares, strict=True)
        ),
        comparisons=comparisons_of(probes, scored, release, study, made_again=again),
        groups=tuple(row for means in group_means(probes, scored) for row in _group_rows(means)),
    )


def _over_workers(one: ProbeScores, again: AllAgain) -> ProbeScores:
    """The scores over all items with intervals over items and workers, those with gold as released beside them."""
    own = again.get(one.probe, {})
    scores = [
        score
        if score.measured is None or score.metric not in own
        else replace(
            score,
            figure=figure_over_workers(score.measured, own[score.metric], score.figure, METRICS[score.metric].within),
            released=score.figure,
        )
        for score in one.scores
    ]
    return replace(one, scores=tuple(scores))


def _group_rows(means: GroupMeans) -> Iterator[GroupScore]:
    for score in means.scores:
        yield GroupScore(
            models=means.group,
            probes=tuple(means.probes),
            metric=score.metric,
            breakdown=score.breakdown,
            group=score.group,
            figure=score.figure,
            chance=score.chance,
            gold_as_released=_as_released(score.figure, score.released),
        )


def score_row(probe: str, score: Score) -> ProbeScore:
    """One score: which probe, which metric, over which items, and the figure."""
    return ProbeScore(
        probe=probe,
        metric=score.metric,
        breakdown=score.breakdown,
        group=score.group,
        figure=score.figure,
        chance=score.chance,
        gold_as_released=_as_released(score.figure, score.released),
    )


def _as_released(figure: Figure, released: Figure | None) -> GoldAsReleased | None:
    """The interval over items alone, gold held fixed, beside one over items and workers."""
    if not isinstance(figure, Estimate) or not isinstance(released, Estimate) or figure.over == released.over:
        return None
    return GoldAsReleased(low=released.low, high=released.high, method=released.method)


def probe_report(one: ProbeScores) -> ProbeReport:
    """What a reader of a probe's scores must know: which items it covers, and notes."""
    return ProbeReport(
        probe=one.probe, coverage=one.coverage, notes=tuple(one.notes), release=one.sha256, answers=one.answers
    )


def comparisons_of(
    probes: Sequence[Probe],
    scored: Sequence[ProbeScores],
    release: Gold,
    study: StudyItems,
    first: str = "",
    made_again: AllAgain | None = None,
) -> tuple[ComparedProbes, ...]:
    """Every pair of probes on each metric, with Holm's correction over its pairs.

    `first` comes first, or of people's gold the kind's first metric; then the one by which people are scored.

    With scores against gold `made_again`, tests over items and workers, and those with gold as released beside them.
    """
    tested = "" if made_again is None else statistics_of(release.kind).first_metric
    both = [(probe, one) for probe, one in zip(probes, scored, strict=True) if not probe.leaves_out]
    probes, scored = [probe for probe, _ in both], [one for _, one in both]
    metrics = _metrics_to_compare(scored, [first or tested, _persons(release)])
    released = compare_all(probes, scored, release, study, metrics)
    compared = compare_all(probes, scored, release, study, metrics, made_again) if made_again else released
    beside = {(pair.first, pair.second): pair for pair in compared if pair.metric == _persons(release)}
    return tuple(
        _compared_row(pair, of_release, made_again, _other_way(pair, beside, metrics))
        for pair, of_release in zip(compared, released, strict=True)
    )


def _compared_row(
    pair: Difference, released: Difference, made_again: AllAgain | None, other_way: tuple[str, ...]
) -> ComparedProbes:
    in_words = [pair.in_words if made_again is None else _scope_sentence(pair)]
    in_words += [the_other_way(pair.first, pair.second, title_of(metric)) for metric in other_way]
    return ComparedProbes(
        metric=pair.metric,
        first=pair.first,
        second=pair.second,
        figure=pair.figure,
        p=pair.p,
        p_holm_all_pairs=pair.p_all,
        p_holm_with_the_best=pair.p_best,
        in_words="; ".join(in_words),
        times_needed=times_for(pair.gap, pair.gap.theta),
        gold_as_released=_tested_as_released(pair, released),
        other_way_by=other_way,
    )


def _other_way(
    pair: Difference, beside: Mapping[tuple[str, str], Difference], metrics: Sequence[str]
) -> tuple[str, ...]:
    """The metric by which people are scored, where it holds for these workers alone and says of a pair the opposite of
    the first metric.
    """
    other = beside.get((pair.first, pair.second))
    if pair.metric != metrics[0] or other is None or METRICS[other.metric].holds_for_other_workers:
        return ()
    return (other.metric,) if _ahead(pair) * _ahead(other) < 0 else ()


def _ahead(pair: Difference) -> float:
    """How far the first model is better; 0 where nothing can be said."""
    if not isinstance(pair.figure, Estimate) or abs(pair.figure.estimate) < SAME:
        return 0.0
    return pair.figure.estimate * (-1 if smaller_is_better(pair.metric) else 1)


def _scope_sentence(pair: Difference) -> str:
    """What a test against people's gold says, and of whom where it is over items alone."""
    is_over_items = isinstance(pair.figure, Estimate) and pair.figure.over == "items" and pair.p is not None
    return f"{pair.in_words}{FOR_THESE_WORKERS}" if is_over_items else pair.in_words


def _tested_as_released(pair: Difference, released: Difference) -> TestAsReleased | None:
    beside = _as_released(pair.figure, released.figure)
    if beside is None:
        return None
    return TestAsReleased(
        low=beside.low, high=beside.high, method=beside.method, p=released.p, p_holm_all_pairs=released.p_all
    )


def _metrics_to_compare(scored: Sequence[ProbeScores], wished: Sequence[str]) -> list[str]:
    """The metrics by which two probes or more have a figure, those that are wished first."""
    defined = [
        metric
        for one in scored
        for metric, score in one.overall().items()
        if score.measured is not None and score.measured.is_defined
    ]
    several = dict.fromkeys(metric for metric in defined if defined.count(metric) > 1)
    return sorted(several, key=lambda metric: wished.index(metric) if metric in wished else len(wished))


def _persons(release: Gold) -> str:
    """The metric by which a person of the kind is scored first, as it is called of models."""
    person = statistics_of(release.kind).person
    return "" if person is None else person.probe_metric(person.default)


def _shares_of_person(
    crowd: Crowd, kept: Sample, probes: Sequence[Probe], seed: int, typical_filter: Filter
) -> list[MatchedShare | Undefined]:
    """How much of a typical person each probe is, on each worker's own items."""
    person = statistics_of(crowd.kind).person
    if person is None:
        return [Undefined(f"kind {crowd.kind} has no metric of one person against the others")] * len(probes)
    answers: Any = kept.answers
    reasons = [_no_share(crowd, person, probe) for probe in probes]
    runs = [probe.runs[0] for probe, why in zip(probes, reasons, strict=True) if not why]
    if person.of_texts:
        shares = []
        for run in runs:  # each with what weighs its own words
            people = text_people(person, kept.item, kept.worker, answers, person.default, models=run.texts)
            outputs = [people.in_their_place(run.texts)]
            shares += shares_of(people, outputs, seed=seed, fixed_workers=crowd.fixed_workers)
    else:
        shares = matched_shares(
            person,
            kept.item,
            kept.worker,
            answers,
            crowd.n_items,
            crowd.labels,
            probes=[
                np.asarray(labels_without_a_score_last(run.by_order) if person.by_order else run.values, dtype=float)
                for run in runs
            ],
            seed=seed,
            typical_filter=typical_filter,
            fixed_workers=crowd.fixed_workers,
        )
    defined = iter(shares)
    return [Undefined(why) if why else next(defined) for why in reasons]


def _no_share(crowd: Crowd, person: PersonMetrics, probe: Probe) -> str:
    """Why the probe is no share of a person; empty where it is one."""
    if probe.runs and probe.shape != statistics_of(crowd.kind).takes:
        return f"{probe.name} gives {probe.shape}, by which no person is scored"
    if person.of_lists:
        return "a person lists a few properties and a model ranks every candidate: compare the two scores"
    if not probe.runs:
        return f"{probe.name} gives log probabilities, which no person gives"
    if len(probe.runs) > 1:
        return f"{probe.name} has {len(probe.runs)} templates or runs; a matched share is of one"
    return ""
