"""Leave-one-out of answers in people's own words: texts, and lists of properties."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, order_by
from ..files.cell_texts import normalised_name
from ..judgments.crowd import Properties
from ..scoring.caption_metrics import caption_figures
from ..scoring.groups import Groups
from ..scoring.metric import Metric
from ..scoring.metrics.of_rankings import NAMED, THRESHOLD_OF
from ..scoring.metrics.of_texts import OF_PEOPLE, TextMetric
from ..scoring.text_pairs import ROWS, TextCorpus, TextRows, pairs_within
from .person_metrics import PersonMetrics, Round

NOBODY_ELSE = "no item has texts by two people"


class InOwnWords(ABC):
    """What people who write texts and people who list properties have in common, as `AnyPeople`."""

    worker: Ints
    n_workers: int
    reference = None

    @property
    def has_judged(self) -> Bools:
        """[W] whether a worker has a judgment at all."""
        return np.bincount(self.worker, minlength=self.n_workers) > 0

    @property
    def never_vary(self) -> Bools:
        """[W] nobody: answers that are all the same have their figures like any other."""
        return np.zeros(self.n_workers, dtype=np.bool_)

    @abstractmethod
    def round(self, keep: Bools | None = None, probe: Any = None, *, whole_items: bool = False) -> Round: ...

    def beside(self, probes: Sequence[Any], keep: Bools | None = None, *, whole_items: bool = False) -> list[Round]:
        """The rounds of the workers and of each probe in their place."""
        return [self.round(keep, outputs, whole_items=whole_items) for outputs in (None, *probes)]

    def constants(self, keep: Bools | None = None) -> None:  # noqa: ARG002  as `AnyPeople`
        """No constant answer is tried: chance is 0."""
        return


@dataclass(frozen=True, eq=False)
class TextPeople(InOwnWords):
    """J texts sorted by worker, each held against the texts that others wrote of its item.

    A figure is of summed counts, of a worker's texts or of all; `metric` names it. The weights of CIDEr-D are those of
    all texts, whoever is left out.
    """

    worker: Ints
    item: Ints
    texts: tuple[str, ...]
    n_workers: int
    metric: str
    corpus: TextCorpus
    own: TextRows
    pools: bool = True  # the figure over all texts at once is what is compared with a model's

    @property
    def scored_by(self) -> TextMetric:
        """What the metric declares."""
        return next(declared for declared in OF_PEOPLE if declared.person == self.metric)

    @property
    def n_others(self) -> float:
        """How many others' texts one is held against, on average."""
        rows = self._all_counts[:, ROWS] > 0
        return float(self.own.groups.sizes[rows].mean()) if rows.any() else 0.0

    @property
    def why_undefined(self) -> str:
        return self.scored_by.why_undefined if (self._all_counts[:, ROWS] > 0).any() else NOBODY_ELSE

    @cached_property
    def _all_counts(self) -> Floats:
        return self.own.summed()

    def in_their_place(self, texts: Sequence[str]) -> TextRows:
        """A model's texts, one per item, each in the place of every text of its item."""
        return TextRows.paired(
            self.corpus, [texts[item] for item in self.item.tolist()], *pairs_within(self.item, self.worker), self.texts
        )

    def round(self, keep: Bools | None = None, probe: TextRows | None = None, *, whole_items: bool = False) -> Round:
        """All workers' figures on the texts that `keep` marks, or a model's in their place (`in_their_place`).

        `whole_items` says that `keep` leaves out items with all their texts: the references of the rest stay.
        """
        if probe is None and (keep is None or whole_items):
            rows = self._all_counts
        else:
            rows = (self.own if probe is None else probe).summed(None if whole_items else keep)
        if keep is not None:
            rows = np.where(keep[:, None], rows, 0.0)
        sums = Groups.of_sorted(self.worker, self.n_workers).sum_rows(rows)
        figures = caption_figures(np.vstack([sums, sums.sum(axis=0)]), self.corpus.n_items)[:, self.scored_by.column]
        return Round(sums[:, ROWS].astype(np.int64), figures[:-1], float(figures[-1]))


def text_people(
    metrics: PersonMetrics,
    item: Ints,
    worker: Ints,
    answers: npt.NDArray[Any],
    metric: str,
    *,
    models: Sequence[str] = (),
) -> TextPeople:
    """People's texts, one a judgment, sorted by worker; `models` are texts that are to stand in their place.

    Raises KeyError for a metric that isn't among `metrics`.
    """
    if metric not in metrics.metrics:
        raise KeyError(f"{metric} doesn't score these answers; choose {', '.join(metrics.metrics)}")
    order = order_by(worker)
    worker, item = worker[order], item[order]
    texts = tuple(map(str, answers[order].tolist()))
    by_item: dict[int, list[str]] = {}
    for code, text in zip(item.tolist(), texts, strict=True):
        by_item.setdefault(code, []).append(text)
    corpus = TextCorpus.of(models, [*by_item.values()])
    own = TextRows.paired(corpus, texts, *pairs_within(item, worker), texts)
    return TextPeople(worker, item, texts, int(worker.max(initial=-1)) + 1, metric, corpus, own)


# What people list, held against the properties that others name: average precision of a person's own list.


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The lists of J judgments as E entries, one judgment after the other, each in the order in which it was written.

    `judgment`, `name` and `place` [E]: whose list, which of the `names` (normalised), and its place in it from 1. A
    name is in a list once.
    """

    judgment: Ints
    name: Ints
    place: Ints
    size: int
    names: tuple[str, ...]

    @classmethod
    def of(cls, answers: Properties) -> Lists:
        """The lists of answers; spellings that are normalised to one name are that name, at its first place."""
        names, codes = _codes_of(answers.names)
        code = codes[answers.property]
        judgment = np.repeat(np.arange(len(answers)), np.diff(answers.offsets))
        fine = code >= 0
        _, first = np.unique(judgment[fine] * max(len(names), 1) + code[fine], return_index=True)
        kept = np.flatnonzero(fine)[np.sort(first)]
        judgment, code = judgment[kept], code[kept]
        start = np.searchsorted(judgment, judgment)
        return cls(judgment, code, np.arange(len(judgment)) - start + 1, len(answers), names)

    def take(self, keep: Bools) -> Lists:
        """The lists of the judgments that `keep` marks."""
        number = np.cumsum(keep) - 1
        stays = keep[self.judgment]
        judgment = number[self.judgment[stays]]
        return replace(
            self, judgment=judgment, name=self.name[stays], place=self.place[stays], size=int(np.count_nonzero(keep))
        )

    def average_precision(self, is_gold: Bools, n_gold: Ints, n_candidates: int) -> Floats:
        """[J] average precision of each list; NaN without gold.

        `is_gold` [E] says which entries are, `n_gold` [J] how many properties are gold, listed or not. What a person
        didn't list ties for the last place among `n_candidates`.
        """
        hits = np.cumsum(is_gold)
        before = np.concatenate([[0], hits])[np.searchsorted(self.judgment, self.judgment)]
        credit = np.where(is_gold, divide((hits - before).astype(np.float64), self.place.astype(np.float64)), 0.0)
        by_judgment = np.bincount(self.judgment, weights=credit, minlength=self.size)
        listed = np.bincount(self.judgment, weights=is_gold, minlength=self.size)
        right = n_gold.astype(np.float64)
        tail = (right - listed) * right / max(n_candidates, 1)
        return divide(by_judgment + tail, np.where(right > 0, right, np.nan))

    def mean_reciprocal_rank(self, by_others: Ints, mentions: Ints, n_candidates: int) -> Floats:
        """[J] the mean over the others' `mentions` [J] of 1 / the place of what they name; NaN without any.

        `by_others` [E] counts those of each entry. What a person didn't list ties for the places behind their list.
        """
        harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n_candidates + 1))])
        length = np.bincount(self.judgment, minlength=self.size)
        behind = divide(harmonic[-1] - harmonic[length], (n_candidates - length).astype(np.float64), by_zero=0.0)
        listed = np.bincount(self.judgment, weights=by_others, minlength=self.size)
        earned = np.bincount(self.judgment, weights=by_others / self.place, minlength=self.size)
        total = mentions.astype(np.float64)
        return divide(earned + (total - listed) * behind, np.where(total > 0, total, np.nan))


@lru_cache(maxsize=8)
def _codes_of(texts: tuple[str, ...]) -> tuple[tuple[str, ...], Ints]:
    """The distinct names, and which of them each of the given ones is; -1 for one with nothing in it."""
    spelt = [normalised_name(name) for name in texts]
    names = sorted({name for name in spelt if name})
    code_of = {name: number for number, name in enumerate(names)}
    return tuple(names), np.array([*(code_of.get(name, -1) for name in spelt), -1], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ListedPeople(InOwnWords):
    """People who answer with lists, as `leave_one_out_round.People` are: each scored against what the others name.

    Judgments sorted by worker. An item counts for a worker if others judged it too; one without a property that enough
    of the others name has no figure, and the worker's is the mean over the rest.
    """

    worker: Ints
    item: Ints
    lists: Lists
    n_workers: int
    n_items: int
    metric: str

    @property
    def scored_by(self) -> Metric:
        """What the metric declares."""
        return NAMED if self.metric == NAMED.person else THRESHOLD_OF[self.metric][0]

    @property
    def n_others(self) -> float:
        """How many others stand behind an item's gold, on average."""
        return len(self.worker) / max(len(np.unique(self.item)), 1) - 1

    @property
    def pools(self) -> bool:
        return False

    @property
    def why_undefined(self) -> str:
        return "no property of an item is named by enough people"

    def round(self, keep: Bools | None = None, probe: None = None, *, whole_items: bool = False) -> Round:  # noqa: ARG002 - as `People`
        """Score all workers on the judgments that `keep` marks, each against what the others there name."""
        worker, item, lists = self.worker, self.item, self.lists
        if keep is not None:
            worker, item, lists = worker[keep], item[keep], lists.take(keep)
        credit, shared = self._credit(item, lists)
        n_items = np.bincount(worker[shared], minlength=self.n_workers)
        defined = np.isfinite(credit)
        total = np.bincount(worker[defined], weights=credit[defined], minlength=self.n_workers)
        values = divide(total, np.bincount(worker[defined], minlength=self.n_workers).astype(np.float64))
        return Round(n_items, values, float(credit[defined].mean()) if defined.any() else float("nan"))

    def _credit(self, item: Ints, lists: Lists) -> tuple[Floats, Bools]:
        """[J] the figure against the others, and whether there is an other.

        With c people who name a property of an item, it is gold for who names it if c - 1 >= t, for all else if c >= t;
        c - 1 others name it, or c.
        """
        size = len(lists.names)
        cell = item[lists.judgment].astype(np.int64) * max(size, 1) + lists.name
        cells, which = np.unique(cell, return_inverse=True)
        count = np.bincount(which, minlength=len(cells))
        shared = np.bincount(item, minlength=self.n_items)[item] > 1
        if self.metric == NAMED.person:
            mentions = np.bincount(item[lists.judgment], minlength=self.n_items)[item]
            mentions = mentions - np.bincount(lists.judgment, minlength=lists.size)
            return np.where(shared, lists.mean_reciprocal_rank(count[which] - 1, mentions, size), np.nan), shared
        threshold = THRESHOLD_OF[self.metric][1]
        enough = np.bincount(
            (cells // max(size, 1))[count >= threshold].astype(np.int64), minlength=self.n_items
        )  # properties of each item that t people name
        just = np.bincount(lists.judgment[count[which] == threshold], minlength=lists.size)  # gold by one's own word
        is_gold = count[which] > threshold
        credit = lists.average_precision(is_gold, enough[item] - just, size)
        return np.where(shared, credit, np.nan), shared


def listed_people(item: Ints, worker: Ints, answers: Properties, n_items: int, metric: str) -> ListedPeople:
    """Judgments sorted by worker, with the metric that scores them."""
    order = np.argsort(worker, kind="stable")
    lists = Lists.of(answers.at(order))
    return ListedPeople(worker[order], item[order], lists, int(worker.max(initial=-1)) + 1, n_items, metric)
