"""Every current answer to a few items, whether it counts or not, for pages about one item or one person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.judgments.answer_text import answer_texts
from agreement.judgments.crowd import Crowd, Mask
from agreement.kinds.statistics import statistics_of
from annotation.models import Item, Judgment, Label, Study
from annotation.releases.from_database.answer_columns import answers_of, codes_of, items_of, scale_of
from annotation.releases.from_database.counted_judgments import counted
from annotation.releases.from_database.judgment_rows import Longs, read_rows


@dataclass(frozen=True, slots=True, eq=False)
class AnswersOfItems:
    """`judgments` are rows with their place, person and item, in order of their keys; `crowd` [J] has those with an
    answer, `at` their place in it. `counts` [J] marks what an analysis would take in, `texts` [J] are the answers as
    people saw them.
    """

    crowd: Crowd
    judgments: list[Judgment]
    at: dict[int, int]
    participations: Longs  # [W]
    items: Longs  # [N]
    counts: Mask
    texts: list[str]
    labels: tuple[str, ...]  # as people saw them

    def text(self, judgment: Judgment) -> str:
        return self.texts[self.at[judgment.pk]] if judgment.pk in self.at else ""

    def others(self, judgment: Judgment, excluded: Collection[int]) -> str:
        """What everybody else answered to the item, of those who count and aren't excluded; "" where nobody did."""
        person, item = judgment.assigned_item.participation_id, judgment.assigned_item.item_id
        return self.in_words(item, {person, *excluded})

    def in_words(self, item: int, without: Collection[int]) -> str:
        of_item = self.items[self.crowd.item] == item
        left = ~np.isin(self.participations[self.crowd.worker], list(without))
        which = self.counts & left & of_item
        if not which.any():
            return ""
        return statistics_of(self.crowd.kind).in_words(self.crowd.take(which).answers, self.labels)


def answers_of_items(study: Study, items: Collection[int], most: int | None = None) -> AnswersOfItems:
    """Of `most` answers at most, in the order in which they were given. The same few queries for any number of them."""
    # By the time and not by the key alone: to have keys in order SQLite would read the judgments of all studies.
    current = Judgment.objects.current().filter(assigned_item__item__in=items).order_by("created_at", "pk")
    with_all = current.select_related("assigned_item__participation", "assigned_item__item")
    judgments = list(with_all if most is None else with_all[:most])
    answered = [each.pk for each in judgments if getattr(each, study.question_kind.column) is not None]
    answers_given = Judgment.objects.filter(pk__in=answered or [0])  # nobody has key 0
    rows = read_rows(answers_given, study, are_named=True)
    table, keys = items_of(study, Item.objects.filter(pk__in=items))
    answers, labels = answers_of(study, rows.answers)
    people = np.unique(rows.participation)
    blank = pd.Series([""] * len(answered), dtype=object)
    extras = pd.DataFrame({"response_ms": rows.response_ms, "submitted_at": blank, "assignment_id": blank})
    crowd = Crowd(
        kind=study.kind,
        scale=scale_of(study),
        labels=labels,
        items=table,
        workers=pd.Index(people.astype(str), dtype=object),
        worker=codes_of(rows.participation, people),
        item=codes_of(rows.item, keys),
        answers=answers,
        extras=extras,
        repeats="refuse",
    )
    count = set(counted(study).filter(assigned_item__item__in=items).order_by().values_list("pk", flat=True))
    shown = dict(Label.objects.filter(study=study).values_list("value", "display_text"))
    names = tuple(shown.get(label, label) for label in labels)
    everything: npt.NDArray[np.intp] = np.arange(len(answered))
    return AnswersOfItems(
        crowd=crowd,
        judgments=judgments,
        at={pk: place for place, pk in enumerate(rows.judgment.tolist())},
        participations=people,
        items=keys,
        counts=np.array([pk in count for pk in rows.judgment.tolist()], dtype=np.bool_),
        texts=answer_texts(replace(crowd, labels=names), everything) if answered else [],
        labels=names,
    )
