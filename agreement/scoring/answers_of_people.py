"""Scores that are means over people's answers, without each worker and without each judgment: exactly, in closed form.

What an item earns is the mean over its judgments of what each of them earns, y_iw, and the score is the mean over
items. Such a score moves with every worker, where a majority hardly moves when one goes: what other workers would have
answered shows in it (docs/scoring.md). Without worker w an item's mean is (n_i m_i - y_iw) / (n_i - 1), and an item
that w alone judged goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..estimation.intervals import groups
from .metric import PeopleMetric, ShareMetric
from .metrics import FAMILIES
from .metrics.of_orders import labels_without_a_score_last
from .other_workers import LeaveOutScores, has_one_score
from .probe import Probe, StudyItems, covered_by
from .score_gold import Gold

MOST_ALONE = 200_000  # judgments, from which they are left out in groups
JUDGMENT_GROUPS = 1_000


@dataclass(frozen=True, eq=False)
class AnswersOfPeople:
    """Judgments [J] of the gold's items: `item` its row in the gold, `worker` its code, and what was answered, a code
    of a label [J] or weights of the labels [J, L]. `has_sets` says that the weights are of several labels, each in
    full, or their places. `group` [J] are the random groups of judgments that are left out where there are many.
    """

    item: Ints
    worker: Ints
    answer: Ints | Floats
    n_items: int
    has_sets: bool
    group: npt.NDArray[np.int64] | None

    @classmethod
    def of(
        cls,
        item: Ints,
        worker: Ints,
        answer: Ints | Floats,
        n_items: int,
        rng: np.random.Generator,
        *,
        has_sets: bool = False,
    ) -> AnswersOfPeople:
        """`item` is -1 where the gold has none; weights that are all 0 say nothing of shares, and don't count."""
        is_counted = item >= 0
        if answer.ndim == 2 and not has_sets:
            is_counted &= answer.sum(axis=1) > 0
        item, worker, answer = item[is_counted], worker[is_counted], answer[is_counted]
        if answer.ndim == 2 and not has_sets:
            answer = answer / answer.sum(axis=1, keepdims=True)
        group = groups(len(item), rng, JUDGMENT_GROUPS) if len(item) > MOST_ALONE else None
        return cls(item, worker, answer, n_items, has_sets, group)

    def has_mean(self, metric: object) -> bool:
        """Whether the metric is a mean over these answers."""
        if not isinstance(metric, ShareMetric) or metric.of_answer is None:
            return False
        return isinstance(metric, PeopleMetric) or not self.has_sets

    def earned(self, of_label: Floats, of_any: Floats) -> Floats:
        """[J] what each judgment earns, from [N, L + k] what an answer of each label does and [N] any answer."""
        if self.answer.ndim == 1:
            return np.asarray(of_label[self.item, self.answer] + of_any[self.item])
        earned = of_any[self.item]
        for label, weights in enumerate(self.answer.T):
            gives_label = weights > 0
            earned[gives_label] += weights[gives_label] * of_label[self.item[gives_label], label]
        return earned

    @cached_property
    def workers(self) -> npt.NDArray[np.int64]:
        """[W] the codes of the workers who are there."""
        return np.flatnonzero(np.bincount(self.worker))

    @cached_property
    def _cells(self) -> tuple[npt.NDArray[np.int64], Ints, Ints, Floats]:
        """[J] the cell of each judgment; of each cell the item, the worker's place and how many judgments it has."""
        size = int(self.worker.max(initial=-1)) + 1
        key, which, counts = np.unique(
            self.item.astype(np.int64) * size + self.worker, return_inverse=True, return_counts=True
        )
        place = np.searchsorted(self.workers, key % size)
        return which.reshape(-1), key // size, place, counts.astype(np.float64)

    def left_out(self, earned: Floats) -> LeaveOutScores:
        """The mean over items without each worker and without each judgment; `earned` [J] is NaN where an item doesn't
        count.
        """
        counts = np.isfinite(earned)
        y = np.where(counts, earned, 0.0)
        n = sum_by(self.item, counts, self.n_items)
        mean = divide(sum_by(self.item, y, self.n_items), n, by_zero=0.0)
        total, size = float(mean.sum()), int((n > 0).sum())
        cell, item, place, times = self._cells
        own = sum_by(cell, y, len(times))
        W = len(self.workers)
        times = np.where(sum_by(cell, counts, len(times)) > 0, times, 0.0)
        move, is_lost = _moves_without(n[item], mean[item], times, own)
        worker = divide(total + sum_by(place, move, W), size - sum_by(place, is_lost, W))
        move, is_lost = _moves_without(n[self.item], mean[self.item], counts.astype(np.float64), y)
        if self.group is None:
            judgment = divide(total + move, size - is_lost.astype(np.float64))[counts]
        else:
            of = int(self.group.max()) + 1
            judgment = divide(total + sum_by(self.group, move, of), size - sum_by(self.group, is_lost, of))
        return LeaveOutScores(worker, judgment, self.workers, is_mean=True)


def _moves_without(n: Floats, mean: Floats, times: Floats, own: Floats) -> tuple[Floats, Bools]:
    """How an item's mean moves without `times` of its n judgments, whose sum is `own`; and whether the item goes."""
    left = n - times
    is_lost = (left <= 0) & (times > 0)
    return np.where(is_lost, -mean, divide(mean * times - own, left, by_zero=0.0)), is_lost


def _outputs(probe: Probe, gold: Gold) -> list[Floats]:
    """Of each run, as the metrics of the gold take them."""
    if gold.order is None:
        return [run.values for run in probe.runs]
    return [labels_without_a_score_last(run.by_order) for run in probe.runs]


def means_of_answers(
    probes: Sequence[Probe], gold: Gold, study: StudyItems, people: AnswersOfPeople
) -> dict[str, dict[str, LeaveOutScores]]:
    """By probe and metric, of those that are means over people's answers; over all items, and over all runs."""
    rows = study.rows_of(gold.ids)
    means: dict[str, dict[str, LeaveOutScores]] = {}
    if len(people.workers) < 2:
        return means
    for probe in probes:
        if probe.shape != "labels" or not has_one_score(probe):
            continue
        covered = covered_by(probe.runs)[rows]
        for metric in FAMILIES[gold.scored_as].metrics:
            if people.has_mean(metric) and isinstance(metric, ShareMetric) and metric.of_answer is not None:
                if metric.needs_probabilities and not all(run.has_probabilities for run in probe.runs):
                    continue
                outputs = (np.where(covered[:, None], values[rows], np.nan) for values in _outputs(probe, gold))
                earned = np.mean([people.earned(*metric.of_answer(p)) for p in outputs], axis=0)
                means.setdefault(probe.name, {})[metric.name] = people.left_out(earned)
    return means
