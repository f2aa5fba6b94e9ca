"""From a study's rows, or a frozen run's, to a `Crowd`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement.cleaning.rules_fit_checks import Checks
from agreement.judgments.crowd import COULD_NOT_SEE, Crowd
from agreement.judgments.property_coding import Coding
from annotation.database.bulk import chunks
from annotation.models import Item, Participation, Study
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
