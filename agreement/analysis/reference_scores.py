"""Models, people and answers that never vary beside each other, all held against labels or numbers from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..estimation.intervals import GROUPS
from ..judgments.crowd import Crowd, Sample
from ..kinds.statistics import statistics_of
from ..people.leave_one_out import LEAST_ITEMS
from ..people.leave_one_out import against_reference as people_against
from ..people.person_metrics import PersonMetrics
from ..report.people_and_models import AgainstReference, LabelsPerItem, ReferenceScore
from ..scoring.metric import CreditMetric, LabelMetric, Metric, ShareMetric
from ..scoring.model_groups import group_means
from ..scoring.probe import Probe, Run, StudyItems
from ..scoring.score import Part, Score, parts_of, score_probe
from ..scoring.score_gold import NAME, Gold, crowd_as_probe
from ..typical_filters import Filter
from .against_reference import Reference, workers_one_by_one
from .score_probes import comparisons_of, probe_report, study_items

PEOPLE = "people, one by one"
CHANCE = "chance"
MOST_CONSTANTS = 20  # of the labels that are right most often
# Up to so many judgments people have an interval in each group of items too: a group costs as much as the whole.
MOST_FOR_GROUPS = 5_000
# Deletions for all groups together up to which each judgment is left out alone; some 20 seconds of work. Beyond, as
# with many columns of numbers, judgments, items and workers are left out in random groups.
MOST_DELETIONS = 60_000


def scores_against_reference(
    crowd: Crowd, kept: Sample, release: Gold, reference: Reference | str, probes: Sequence[Probe], *, seed: int
) -> AgainstReference | Undefined:
    """Models, people and constant answers, or why there is no reference."""
    if isinstance(reference, str):
        return Undefined(reference)
    study = study_items(crowd)
    people = list(_people(crowd, kept, reference, release.typical_filter, seed))
    crowds = score_probe(crowd_as_probe(release, study), reference.gold, study)
    return _of_probes(probes, reference, study, [*people, *_rows("crowd", NAME, crowds.scores)])


def scores_of_models_alone(study: StudyItems, reference: Reference, probes: Sequence[Probe]) -> AgainstReference:
    """The same with nobody's judgments."""
    return _of_probes(probes, reference, study, [])


def _of_probes(
    probes: Sequence[Probe], reference: Reference, study: StudyItems, beside: Sequence[ReferenceScore]
) -> AgainstReference:
    gold = reference.gold
    fitting = [probe for probe in probes if probe.shape == gold.takes]
    scored = [score_probe(probe, gold, study) for probe in fitting]
    means = group_means(fitting, scored)
    constants = list(_constants(gold, study))
    return AgainstReference(
        source=reference.source,
        items=len(gold),
        labels_per_item=_summary(gold),
        scores=(
            *(row for one in scored for row in _rows("model", one.probe, one.scores)),
            *(row for one in means for row in _rows("group", f"mean of {one.group}", one.scores)),
            *beside,
            *constants,
            *_chances([*(score for one in scored for score in one.scores), *_of_a_constant(gold, study)]),
        ),
        groups={one.group: tuple(one.probes) for one in means},
        probes=tuple(probe_report(one) for one in scored),
        comparisons=comparisons_of(fitting, scored, gold, study),
    )


def _summary(gold: Gold) -> LabelsPerItem | None:
    """How many labels the reference gives an item: their mean and sd (n - 1)."""
    if gold.by_label is None or len(gold) < 2:
        return None
    sizes = gold.by_label.sets.sum(axis=1)
    return LabelsPerItem(mean=float(sizes.mean()), sd=float(sizes.std(ddof=1)), most=int(sizes.max()))


def _rows(kind: str, name: str, scores: Iterable[Score]) -> Iterator[ReferenceScore]:
    for score in scores:
        yield ReferenceScore(
            kind=kind,
            name=name,
            metric=score.metric,
            breakdown=score.breakdown,
            group=score.group,
            figure=score.figure,
            chance=score.chance,
        )


# People, one by one: each worker is scored as a model is, and the workers' scores are averaged.


def _people(
    crowd: Crowd, kept: Sample, reference: Reference, typical_filter: Filter, seed: int
) -> Iterator[ReferenceScore]:
    person = statistics_of(crowd.kind).person
    if person is None:
        return
    if reference.gold.order is not None or reference.gold.properties is not None:
        figure = workers_one_by_one(crowd, kept, reference, seed)
        yield _of_people(person.probe_metric(person.against_reference.person), "", "", figure)
        return
    has_reference = reference.rows[kept.item] >= 0
    judged = _ReferenceJudgments(
        crowd, kept, reference, person, typical_filter, with_groups=int(has_reference.sum()) <= MOST_FOR_GROUPS
    )
    everything = np.arange(len(reference.gold))
    parts, metrics = parts_of(reference.gold), _metrics_of(person, reference.gold)
    deletions = len(metrics) * sum(
        int(has_reference.sum()) + len(everything) + crowd.n_workers * len(part.names) for part in parts
    )
    most = GROUPS if deletions > MOST_DELETIONS else None
    for part in [Part("", ("",), (everything,)), *parts]:
        for group, items in zip(part.names, part.members, strict=True):
            for metric in metrics:
                figure = judged.figure(metric, items, seed, part.column, group, most if part.column else None)
                yield _of_people(metric.name, part.column, group, figure)


def _of_people(metric: str, breakdown: str, group: str, figure: Figure) -> ReferenceScore:
    return ReferenceScore(
        kind="people", name=PEOPLE, metric=metric, breakdown=breakdown, group=group, figure=figure, chance=None
    )


def _metrics_of(person: PersonMetrics, gold: Gold) -> list[Metric]:
    """Those that a reference can be held against; accuracy where every item of it has one label."""
    metrics: list[Metric] = []
    for metric in person.declared:
        if isinstance(metric, ShareMetric) or (isinstance(metric, LabelMetric) and _needs_more(metric, person, gold)):
            continue
        metrics.append(metric)
    return metrics


def _needs_more(metric: LabelMetric, person: PersonMetrics, gold: Gold) -> bool:
    if metric.needs_probabilities:
        return not person.has_probabilities
    is_of_one_label = isinstance(metric, CreditMetric) and metric.of_majority
    return is_of_one_label and gold.by_label is not None and not gold.by_label.has_one_label


class _ReferenceJudgments:
    """Judgments of items that have a reference, to be scored in one group of items after the other."""

    def __init__(
        self,
        crowd: Crowd,
        kept: Sample,
        reference: Reference,
        person: PersonMetrics,
        typical_filter: Filter,
        *,
        with_groups: bool,
    ) -> None:
        self.crowd, self.person, self.typical_filter, self.with_groups = crowd, person, typical_filter, with_groups
        self.gold = reference.gold
        self.with_reference = np.flatnonzero(reference.rows >= 0)  # items that have a reference
        self.place = reference.rows
        n = np.bincount(kept.worker[reference.rows[kept.item] >= 0], minlength=crowd.n_workers)
        counting = (n >= LEAST_ITEMS)[kept.worker]  # the same people in every group
        self.item, self.worker = kept.item[counting], kept.worker[counting]
        answers: Any = kept.answers
        self.answers = answers[counting]

    def figure(
        self, metric: Metric, items: npt.NDArray[np.int64], seed: int, column: str, group: str, most: int | None
    ) -> Figure:
        is_whole = not column
        rng = stream(seed, f"reference {metric.name} {column} {group}") if is_whole or self.with_groups else None
        mean = people_against(
            self.person,
            self.item,
            self.worker,
            self.answers,
            self.crowd.n_items,
            self.crowd.labels,
            reference=self._reference_of_items(items),
            rng=rng,
            metric=metric.person,
            typical_filter=self.typical_filter,
            least_items=LEAST_ITEMS if is_whole else 1,
            most=most,
        ).mean
        if rng is None and isinstance(mean, Estimate):
            why = f"no interval by group from {MOST_FOR_GROUPS:,} judgments on"
            return Estimate(mean.estimate, None, None, mean.n, f"mean over workers; {why}")
        return mean

    def _reference_of_items(self, items: npt.NDArray[np.int64]) -> Floats | Bools:
        """[N] or [N, L] the reference of these items alone, on all items of the study."""
        rows = self.with_reference[np.isin(self.place[self.with_reference], items)]
        if self.gold.by_label is not None:
            sets = np.zeros((self.crowd.n_items, len(self.gold.labels)), dtype=np.bool_)
            sets[rows] = self.gold.by_label.sets[self.place[rows]]
            return sets
        if self.gold.numbers is None:
            raise TypeError("a reference is labels or numbers")
        numbers = np.full(self.crowd.n_items, np.nan)
        numbers[rows] = self.gold.numbers[self.place[rows]]
        return numbers


# Answers that never vary, and chance.


def _constants(gold: Gold, study: StudyItems) -> Iterator[ReferenceScore]:
    """Each label as the answer to every item, those first that are right most often."""
    if gold.by_label is None or gold.by_label.sizes is not None:
        return
    often = np.argsort(-gold.by_label.sets.sum(axis=0), kind="stable")[:MOST_CONSTANTS]
    for label in often.tolist():
        scores = score_probe(_constant(gold, study, label), gold, study, breakdowns=()).scores
        yield from _rows("constant", f"always {gold.labels[label]}", scores)


def _constant(gold: Gold, study: StudyItems, label: int) -> Probe:
    values = np.zeros((len(study.ids), len(gold.labels)))
    values[:, label] = 1.0
    return Probe(f"always {gold.labels[label]}", "labels", (Run({}, values, has_probabilities=False),))


def _of_a_constant(gold: Gold, study: StudyItems) -> tuple[Score, ...]:
    """Scores that know the level of chance where no model was scored."""
    return () if gold.by_label is None else score_probe(_constant(gold, study, 0), gold, study).scores


def _chances(scores: Sequence[Score]) -> Iterator[ReferenceScore]:
    seen = set()
    for score in scores:
        place = (score.metric, score.breakdown, score.group)
        if score.chance is not None and place not in seen:
            seen.add(place)
            method = "what equal probabilities for all labels score in expectation"
            yield ReferenceScore(
                kind="chance",
                name=CHANCE,
                metric=score.metric,
                breakdown=score.breakdown,
                group=score.group,
                figure=Estimate(score.chance, None, None, score.n, method),
                chance=score.chance,
            )
