"""From a study's rows, or a frozen run's, to a `Crowd`; and every current answer to a few items."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.cleaning.check_items import Checks
from agreement.judgments.crowd import COULD_NOT_SEE, Crowd, Mask, answer_texts
from agreement.judgments.property_coding import Coding
from agreement.kinds.statistics import statistics_of
from annotation.database.bulk import chunks
from annotation.models import Item, Judgment, Label, Participation, Study
from annotation.models.judgment import JudgmentQuerySet
from annotation.releases.from_database.answer_columns import (
    answers_of,
    codes_of,
    extras_of,
    items_of,
    scale_of,
    workers_of,
)
from annotation.releases.from_database.counted_judgments import among_frozen, counted, unseen_in
from annotation.releases.from_database.judgment_rows import Longs, read_rows
from annotation.releases.frozen_sets import frozen_keys
from annotation.releases.models import CleaningRun, PropertyCode

PEOPLE_PER_QUERY = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A crowd and the rows that it came from: the keys of its judgments [J], participations [W] and items [N]."""

    crowd: Crowd
    judgments: Longs
    participations: Longs
    items: Longs

    @property
    def judging(self) -> Longs:
        """The participations that have a judgment: not those who saw no picture."""
        return self.participations[np.unique(self.crowd.worker)]


def crowd_of(source: Study | CleaningRun) -> Crowd:
    """The judgments of a study that count now, or those that a cleaning run froze; workers by their pseudonyms."""
    return frame_of(source).crowd


def checks_of(study: Study) -> Checks:
    """The study's check items and labels, against which a rule set is held before any answer is read."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    return Checks(study.kind, labels, items_of(study, study.items.filter(kind=Item.Kind.CHECK))[0])


def frame_of(source: Study | CleaningRun, judgments: JudgmentQuerySet | None = None) -> Frame:
    """The same with its rows; of `judgments`, where a run has frozen none yet."""
    study = source if isinstance(source, Study) else source.study
    if judgments is not None or isinstance(source, Study):
        rows = read_rows(counted(study) if judgments is None else judgments, study)
    else:
        rows = read_rows(among_frozen(source), study, only=frozen_keys(source))
    items, item_keys = items_of(study)
    unseen = _unseen(source, study)
    workers, worker, participations = workers_of(rows, unseen)
    unseen_of_worker = np.array([unseen.get(key, 0) for key in participations.tolist()], dtype=np.int64)
    extras = extras_of(study, rows)
    if unseen:
        extras[COULD_NOT_SEE] = unseen_of_worker[worker].astype(np.float64)
    answers, labels = answers_of(study, rows.answers)
    crowd = Crowd(
        kind=study.kind,
        scale=scale_of(study),
        labels=labels,
        items=items,
        workers=workers,
        worker=worker,
        item=codes_of(rows.item, item_keys),
        answers=answers,
        extras=extras,
        repeats="refuse",
        unseen=unseen_of_worker,
        coding=coding_of(source),
        synonyms=study.synonyms,
    )
    return Frame(crowd, rows.judgment, participations, item_keys)


def coding_of(source: Study | CleaningRun) -> Coding | None:
    """The coding of a study's properties that is in force, or that was when a run froze its judgments."""
    study = source if isinstance(source, Study) else source.study
    if not study.question_kind.has_properties:
        return None
    revision = None if isinstance(source, Study) else int(source.counts.get("coding", 0))
    rows = PropertyCode.objects.of_study(study, revision)
    return rows.as_coding(f"{study.slug}, coding {rows.last_revision()}")


def _unseen(source: Study | CleaningRun, study: Study) -> dict[int, int]:
    """At how many items a participation could not see the picture, by its key; of nobody who has withdrawn."""
    counts = unseen_in(source)
    if not counts:
        return {}
    people = study.participations.exclude(status=Participation.Status.WITHDRAWN)
    found: dict[int, int] = {}
    for pseudonyms in chunks(counts, PEOPLE_PER_QUERY):
        rows = people.filter(pseudonym__in=pseudonyms).values_list("pk", "pseudonym")
        found.update((pk, counts[pseudonym]) for pk, pseudonym in rows)
    return found


# Every current answer to a few items, whether it counts or not, for pages about one item or one person.


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
