"""From a study's rows, or a frozen run's, to a `Crowd`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from agreement.cleaning.fitting import Checks
from agreement.crowd import Crowd, QuestionKind
from agreement.frames.answers import answers_of
from agreement.frames.columns import codes_of, extras_of, items_of, scale_of, workers_of
from agreement.frames.counting import counted, members_of
from agreement.frames.rows import Longs, read_rows
from agreement.models import CleaningRun
from annotation.models import Study


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A crowd and the rows that it came from: the primary keys of its judgments [J] and participations [W]."""

    crowd: Crowd
    judgments: Longs
    participations: Longs


def crowd_of(source: Study | CleaningRun) -> Crowd:
    """The judgments of a study that count now, or those that a cleaning run froze; workers by their pseudonyms."""
    return frame_of(source).crowd


def checks_of(study: Study) -> Checks:
    """The study's items and labels, against which a rule set is held before any answer is read."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    return Checks(cast("QuestionKind", study.kind), labels, items_of(study)[0])


def frame_of(source: Study | CleaningRun) -> Frame:
    study = source if isinstance(source, Study) else source.study
    rows = read_rows(counted(source) if isinstance(source, Study) else members_of(source), study)
    items, item_keys = items_of(study)
    workers, worker, participations = workers_of(rows)
    answers, labels = answers_of(study, rows.answers)
    crowd = Crowd(
        kind=cast("QuestionKind", study.kind),
        scale=scale_of(study),
        labels=labels,
        items=items,
        workers=workers,
        worker=worker,
        item=codes_of(rows.item, item_keys),
        answers=answers,
        extras=extras_of(study, rows),
        repeats="refuse",
    )
    return Frame(crowd, rows.judgment, participations)
