"""One round of leave-one-out: every worker's score against the gold of the others, on all judgments or on some."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, order_by
from ..gold.label_gold import filtered_sets
from ..scoring import label_metrics
from ..scoring.groups import Groups
from ..scoring.metric import CreditMetric, Metric, ShareMetric, TableMetric
from ..scoring.metrics import of_labels, of_numbers
from ..typical_filters import Filter
from .leave_one_out_gold import (
    EncodedAnswers,
    Shares,
    any_repeats,
    majority_of,
    others_shares,
    typical_of,
)
from .leave_one_out_numbers import Numbers, Outputs, Steps, Totals, code_numbers, others_mean, rounds_of_numbers
from .person_metrics import PersonMetrics, Round

FAR_FEWER = 3  # times as many labels as an item's own, from which holding those alone saves memory and time

Scored: TypeAlias = tuple[Floats, float]


@dataclass(frozen=True, eq=False)
class People:
    """Judgments sorted by worker, with the metric that scores them.

    `answers`: a slider's `Steps`; else [J, L] the weight that each answer gives each label. Of many labels an item gets
    a few: then the L columns are those that its own judgments name, and `own` [N, L] says which of the study's
    `n_labels` they are. With a `reference`, [N] numbers or [N, L] label sets from elsewhere, everyone is scored against
    that and not against the others.
    """

    worker: Ints
    item: Ints
    answers: Steps | Floats
    n_workers: int
    n_items: int
    metric: str
    typical_filter: Filter
    repeats: bool
    reference: Floats | Bools | None = None
    own: Ints | None = None
    n_labels: int = 0
    has_one_label: bool = False

    @property
    def scored_by(self) -> Metric:
        """What the metric declares."""
        declared: Mapping[str, Metric] = (
            of_numbers.OF_PEOPLE if isinstance(self.answers, Steps) else of_labels.OF_PEOPLE
        )
        return declared[self.metric]

    @property
    def has_judged(self) -> Bools:
        """[W] whether a worker has a judgment at all."""
        return np.bincount(self.worker, minlength=self.n_workers) > 0

    @property
    def never_vary(self) -> Bools:
        """[W] whether a worker gave one and the same answer throughout; only a slider's correlations mind."""
        if not isinstance(self.answers, Steps):
            return np.zeros(self.n_workers, dtype=np.bool_)
        return ~Groups.of_sorted(self.worker, self.n_workers).vary(self.answers.steps)

    @property
    def pools(self) -> bool:
        """Whether the figure over all answers at once comes first: of texts alone."""
        return False

    @property
    def why_undefined(self) -> str:
        return "all answers are the same, or the gold of the others is"

    @property
    def n_others(self) -> float:
        """How many others stand behind an item's gold, on average."""
        if self.reference is not None:
            return 0.0
        return len(self.worker) / max(len(np.unique(self.item)), 1) - 1

    @cached_property
    def _numbers(self) -> Numbers | None:
        """Every slider judgment beside its gold, if every item has another's answer: made once for many rounds."""
        if not isinstance(self.answers, Steps) or self.reference is not None:
            return None
        numbers = others_mean(self.worker, self.item, self.answers, self.n_workers, self.n_items, repeats=self.repeats)
        return numbers if len(numbers.item) == len(self.item) else None

    @cached_property
    def _totals(self) -> Totals | None:
        """What rounds without some of a slider's judgments are made from."""
        if self._numbers is None or self.repeats or self.metric != of_numbers.SPEARMAN.name:
            return None
        return Totals.of(self._numbers, self.n_items)

    @cached_property
    def _encoded_answers(self) -> EncodedAnswers | None:
        """Label answers as numbers, so that each distinct case is scored once."""
        if isinstance(self.answers, Steps) or self.repeats or self.reference is not None:
            return None
        if self.own is not None and isinstance(self.scored_by, TableMetric):  # which looks at what the labels are
            return None
        return EncodedAnswers.of(self.item, self.answers)

    @cached_property
    def _sets_of_reference(self) -> tuple[Bools, Filter | None]:
        """[N, L] a reference's label sets, and the filter that makes sets of answers where one has several labels."""
        sets = np.asarray(self.reference, dtype=np.bool_)
        return sets, None if bool((sets.sum(axis=1) <= 1).all()) else self.typical_filter

    def round(self, keep: Bools | None = None, *, whole_items: bool = False) -> Round:
        """Score all workers on the judgments that `keep` marks, each against gold made without its own answers.

        `whole_items` says that `keep` leaves out items with all their judgments: the gold of the rest stays.
        """
        return self._rounds((), keep, whole_items=whole_items, has_pooled=True)[0]

    def beside(self, probes: Sequence[Any], keep: Bools | None = None, *, whole_items: bool = False) -> list[Round]:
        """The rounds of the workers and of each probe `in_their_place`, against the same gold; none is pooled."""
        return self._rounds(probes, keep, whole_items=whole_items, has_pooled=False)

    def in_their_place(self, outputs: Floats) -> Outputs | Floats:
        """A probe's outputs, [N] or [N, L], for as many rounds as are wanted."""
        if not isinstance(self.answers, Steps):
            return outputs
        return Outputs(outputs, Groups.of_sorted(self.worker, self.n_workers), self.item)

    def _rounds(self, probes: Sequence[Any], keep: Bools | None, *, whole_items: bool, has_pooled: bool) -> list[Round]:
        if keep is not None and not probes and self._totals is not None:
            by_worker = self._totals.spearman(keep)
            if by_worker is not None:
                return [by_worker]
        worker, item, answers = self.worker, self.item, self.answers
        if (whole_items or keep is None) and self._numbers is not None:
            numbers = self._numbers if keep is None else self._numbers.take(keep)
            return rounds_of_numbers(self.metric, numbers, probes, keep, has_pooled=has_pooled)
        if keep is not None:
            worker, item = worker[keep], item[keep]
            answers = answers.take(keep) if isinstance(answers, Steps) else answers[keep]
        if self.reference is not None:
            return [self._round_against(self.reference, worker, item, answers)]
        if isinstance(answers, Steps):
            numbers = others_mean(worker, item, answers, self.n_workers, self.n_items, repeats=self.repeats)
            return rounds_of_numbers(self.metric, numbers, probes, keep, has_pooled=has_pooled)
        own = self._shares(worker, item, answers, keep)
        rounds = self._scored([own])
        if probes:
            places = self._places(worker, item, own, keep)
            rounds += self._scored(replace(places, person=probe[places.item_of_case]) for probe in probes)
        return rounds

    def _scored(self, people: Iterable[Shares]) -> list[Round]:
        """The round of each of these, which all have the same gold."""
        scored = score_shares(self.metric, people, self.typical_filter, f1_of=self._f1_of)
        return [Round(shares.groups.sizes, *score) for shares, score in scored]

    def constants(self, keep: Bools | None = None) -> Floats | None:
        """[W, L] what a model that always gives label l gets on each worker's items, gold made as in `round`.

        None for the metrics that a constant answer has no score on, or that aren't of labels.
        """
        if isinstance(self.answers, Steps) or self.own is not None or not has_constants(self.metric):
            return None
        marked = slice(None) if keep is None else keep
        shares = self._shares(self.worker[marked], self.item[marked], self.answers[marked], keep)
        return constant_answers(self.metric, shares, self.typical_filter, f1_of=self._f1_of)

    @property
    def _f1_of(self) -> Filter | None:
        return None if self.has_one_label else self.typical_filter

    def _shares(self, worker: Ints, item: Ints, answers: Floats, keep: Bools | None) -> Shares:
        """Every label judgment that `keep` marks beside what the others gave its item."""
        if self._encoded_answers is not None:
            written = self._encoded_answers if keep is None else self._encoded_answers.take(keep)
            return written.shares(worker, item, self.n_workers, self.n_items)
        shares = others_shares(worker, item, answers, self.n_workers, self.n_items, repeats=self.repeats)
        return shares if self.own is None else replace(shares, label=self.own[shares.item], n_labels=self.n_labels)

    def _places(self, worker: Ints, item: Ints, own: Shares, keep: Bools | None) -> Shares:
        """The same for a probe in people's places: its cases are of one item each."""
        if self._encoded_answers is None:
            return replace(own, label=None, n_labels=0)
        written = self._encoded_answers if keep is None else self._encoded_answers.take(keep)
        return written.places(worker, item, self.n_workers, self.n_items)

    def _round_against(self, reference: Floats | Bools, worker: Ints, item: Ints, answers: Steps | Floats) -> Round:
        groups = Groups.of_sorted(worker, self.n_workers)
        if isinstance(answers, Steps):
            gold = reference.astype(np.float64)
            numbers = Numbers(groups, item, answers, *code_numbers(gold[item]))
            return rounds_of_numbers(self.metric, numbers, (), None, has_pooled=True)[0]
        shares = Shares(groups, item, answers / answers.sum(axis=1, keepdims=True), answers)
        sets, typical_filter = self._sets_of_reference
        return Round(groups.sizes, *score_sets(self.metric, shares, sets[item], f1_of=typical_filter))


def people_of(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[Any],
    n_items: int,
    n_labels: int,
    metric: str,
    typical_filter: Filter,
    reference: Floats | Bools | None = None,
    *,
    for_people_alone: bool = False,
) -> People:
    """Sort judgments by worker and write answers as numbers or as weights; KeyError for a metric of other answers.

    Where no probe is to be put in people's place, a crowd of many labels is held by each item's own.
    """
    if metric not in metrics.metrics:
        raise KeyError(f"{metric} doesn't score these answers; choose {', '.join(metrics.metrics)}")
    order = order_by(worker)
    n_workers = int(worker.max(initial=-1)) + 1
    worker, item, sorted_answers = worker[order], item[order], answers[order]
    if metrics.weights is None:
        numbers = Steps.of(sorted_answers.astype(np.float64))
        repeats = any_repeats(worker, item, n_items)
        return People(worker, item, numbers, n_workers, n_items, metric, typical_filter, repeats, reference)
    few = None
    if metrics.named is not None and for_people_alone and reference is None and typical_filter == "typical":
        few = _own_labels(*metrics.named(sorted_answers), item, n_items, n_labels)
    weights, own = (metrics.weights(sorted_answers, n_labels), None) if few is None else few
    says = np.nan_to_num(weights).any(axis=1)
    worker, item = worker[says], item[says]
    return People(
        worker,
        item,
        weights[says],
        n_workers,
        n_items,
        metric,
        typical_filter,
        any_repeats(worker, item, n_items),
        reference,
        own,
        n_labels,
        metrics.has_one_label,
    )


def _own_labels(judgment: Ints, label: Ints, item: Ints, n_items: int, n_labels: int) -> tuple[Floats, Ints] | None:
    """[J, D] the answers' weights on the D labels at most that an item's judgments name, and [N, D] which they are.

    None where D isn't far below the number of labels. D is 4 at least, for the filters treat fewer labels otherwise.
    """
    cells, which = np.unique(item[judgment].astype(np.int64) * n_labels + label, return_inverse=True)
    of, first = np.unique(cells // max(n_labels, 1), return_index=True)
    sizes = np.diff([*first, len(cells)])
    most = max(int(sizes.max(initial=0)), 4)
    if FAR_FEWER * most > n_labels:
        return None
    slot = np.arange(len(cells)) - np.repeat(first, sizes)
    own = np.full((n_items, most), n_labels, dtype=np.int64)
    own[np.repeat(of, sizes), slot] = cells % n_labels
    weights = np.zeros((len(item), most))
    weights[judgment, slot[which]] = 1.0
    return weights, own


def score_shares(
    metric: str, people: Iterable[Shares], typical_filter: Filter, *, f1_of: Filter | None
) -> Iterator[tuple[Shares, Scored]]:
    """[G] the label metric in each group, and over all answers at once; gold sets by majority, or by the filter.

    All of `people` stand beside the same others, whose gold is made once.
    """
    declared, gold = of_labels.OF_PEOPLE[metric], None
    for shares in people:
        if isinstance(declared, ShareMetric):
            others = shares.others
            yield (
                shares,
                _means(shares, declared.credit(shares.person, divide(others, others.sum(axis=1, keepdims=True)))),
            )
        else:
            if gold is None:
                gold = _gold_sets(declared, shares.others, typical_filter, f1_of=f1_of)
            yield shares, score_sets(metric, shares, gold, f1_of=f1_of)


def has_constants(metric: str) -> bool:
    """Whether a constant answer has a score on the label metric."""
    declared = of_labels.OF_PEOPLE[metric]
    return (declared.of_constant if isinstance(declared, TableMetric) else declared.constant) is not None


def constant_answers(metric: str, shares: Shares, typical_filter: Filter, *, f1_of: Filter | None) -> Floats:
    """[G, L] the metric of each label l as the answer to everything, from how often it is in the gold sets.

    With n things in a group and s_l the credit that l gets there, s_l / n; macro F1 2 s_l / (n + s_l) / L, which of
    sets adds up over the labels in a constant set, so that the best one is all of them, the same in every column.
    """
    declared = of_labels.OF_PEOPLE[metric]
    gold = _gold_sets(declared, shares.others, typical_filter, f1_of=f1_of)
    credit: label_metrics.Weights = gold
    if not isinstance(declared, TableMetric):
        credit = gold if declared.constant is None else declared.constant(gold)
    elif f1_of is None:
        credit = label_metrics.one_label(gold)
    s = (
        shares.groups.sum_rows(credit)
        if shares.which is None
        else label_metrics.sums_of_cases(shares.groups, credit, shares.which)
    )
    n = shares.groups.sizes[:, None].astype(np.float64)
    if not isinstance(declared, TableMetric) or declared.of_constant is None:
        return divide(s, n)
    each = declared.of_constant(s, n) / s.shape[1]
    return each if f1_of is None else np.repeat(each.sum(axis=1, keepdims=True), s.shape[1], axis=1)


def _gold_sets(
    declared: CreditMetric | ShareMetric | TableMetric, others: Floats, typical_filter: Filter, *, f1_of: Filter | None
) -> Bools:
    if isinstance(declared, TableMetric):
        of_majority = f1_of is None
    else:
        of_majority = isinstance(declared, ShareMetric) or declared.of_majority
    return majority_of(others) if of_majority else typical_of(others, typical_filter)


def score_sets(metric: str, shares: Shares, gold: Bools, *, f1_of: Filter | None) -> Scored:
    """[G] and over all: a label metric against the label sets [K, L] of the cases.

    F1 is of labels where an item has one (`f1_of` is None), else of sets, a person's made one by that filter.
    """
    declared = of_labels.OF_PEOPLE[metric]
    if isinstance(declared, ShareMetric):
        raise KeyError(f"{metric} needs proportions, and these are sets")
    if isinstance(declared, CreditMetric):
        return _means(shares, declared.credit(shares.person, gold))
    predicted: label_metrics.Weights = label_metrics.one_label(label_metrics.tops(shares.person))
    target: label_metrics.Weights = label_metrics.one_label(gold)
    if f1_of is not None:
        predicted, target = filtered_sets(np.nan_to_num(shares.person), f1_of), gold
    if shares.label is None:
        by_group = label_metrics.table(shares.groups, predicted, target, shares.which)
    else:
        by_group = label_metrics.table_of_own(shares.groups, predicted, target, shares.label, shares.n_labels)
    pooled = label_metrics.Table(*(getattr(by_group, part).sum(axis=0, keepdims=True) for part in label_metrics.PARTS))
    return np.asarray(declared.of_table(by_group).mean(axis=1)), float(declared.of_table(pooled).mean())


def _means(shares: Shares, credit: Floats) -> Scored:
    each = shares.at(credit)
    return shares.groups.mean(each), float(Groups.one(len(each)).mean(each)[0])
