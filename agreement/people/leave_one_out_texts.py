"""Leave-one-out of texts: every person's texts against the other texts of their items, and a model's in their place."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, order_by
from ..scoring.caption_metrics import caption_figures
from ..scoring.groups import Groups
from ..scoring.metrics.of_texts import OF_PEOPLE, TextMetric
from ..scoring.text_pairs import ROWS, TextCorpus, TextRows, pairs_within
from .person_metrics import PersonMetrics
from .scored_people import Round

NOBODY_ELSE = "no item has texts by two people"


@dataclass(frozen=True, eq=False)
class TextPeople:
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
    reference: None = None

    @property
    def scored_by(self) -> TextMetric:
        """What the metric declares."""
        return next(declared for declared in OF_PEOPLE if declared.person == self.metric)

    @property
    def has_judged(self) -> Bools:
        """[W] whether a worker wrote anything at all."""
        return np.bincount(self.worker, minlength=self.n_workers) > 0

    @property
    def never_vary(self) -> Bools:
        """[W] nobody: texts that are all the same have their figures like any."""
        return np.zeros(self.n_workers, dtype=np.bool_)

    @property
    def n_others(self) -> float:
        """How many others' texts one is held against, on average."""
        rows = self._whole[:, ROWS] > 0
        return float(self.own.groups.sizes[rows].mean()) if rows.any() else 0.0

    @property
    def why_undefined(self) -> str:
        return self.scored_by.why_undefined if (self._whole[:, ROWS] > 0).any() else NOBODY_ELSE

    @cached_property
    def _whole(self) -> Floats:
        return self.own.summed()

    def in_their_place(self, texts: Sequence[str]) -> TextRows:
        """A model's texts, one per item, each in the place of every text of its item."""
        return TextRows.paired(
            self.corpus, [texts[at] for at in self.item.tolist()], *pairs_within(self.item, self.worker), self.texts
        )

    def round(self, keep: Bools | None = None, probe: TextRows | None = None, *, whole_items: bool = False) -> Round:
        """All workers' figures on the texts that `keep` marks, or a model's in their place (`in_their_place`).

        `whole_items` says that `keep` leaves out items with all their texts: the references of the rest stay.
        """
        if probe is None and (keep is None or whole_items):
            rows = self._whole
        else:
            rows = (self.own if probe is None else probe).summed(None if whole_items else keep)
        if keep is not None:
            rows = np.where(keep[:, None], rows, 0.0)
        sums = Groups.of_sorted(self.worker, self.n_workers).sum_rows(rows)
        figures = caption_figures(np.vstack([sums, sums.sum(axis=0)]), self.corpus.n_items)[:, self.scored_by.column]
        return Round(sums[:, ROWS].astype(np.int64), figures[:-1], float(figures[-1]))

    def beside(self, probe: TextRows, keep: Bools | None = None, *, whole_items: bool = False) -> tuple[Round, Round]:
        """The rounds of the workers and of a probe in their place."""
        own, model = (self.round(keep, outputs, whole_items=whole_items) for outputs in (None, probe))
        return own, model

    def constants(self, keep: Bools | None = None) -> None:  # noqa: ARG002  as `People`
        """No constant answer is tried: chance is 0."""
        return


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
    for at, text in zip(item.tolist(), texts, strict=True):
        by_item.setdefault(at, []).append(text)
    corpus = TextCorpus.of(models, [*by_item.values()])
    own = TextRows.paired(corpus, texts, *pairs_within(item, worker), texts)
    return TextPeople(worker, item, texts, int(worker.max(initial=-1)) + 1, metric, corpus, own)
