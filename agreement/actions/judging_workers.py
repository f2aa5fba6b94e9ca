"""Stores what a run found of each worker, and excludes those who failed, in many short transactions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict

import numpy as np

from agreement.actions.excluding import AlreadyExcluded, AlreadyLifted, exclude, lift
from agreement.cleaning.run import Cleaning
from agreement.frames import Frame
from agreement.models import CleaningRun, Exclusion, Verdict
from annotation.bulk import chunks
from annotation.jobs import Progress
from annotation.models import Participation

VERDICTS_A_TRANSACTION = 1000


def store_verdicts(*, run: CleaningRun, cleaning: Cleaning, frame: Frame, progress: Progress) -> None:
    """Every rule's verdict on every worker, with its evidence. A run that began again starts from none."""
    with progress.writing():
        run.verdicts.all().delete()
    for portion in chunks(_verdicts(run, cleaning, frame), VERDICTS_A_TRANSACTION):
        with progress.writing():
            Verdict.objects.bulk_create(portion)


def _verdicts(run: CleaningRun, cleaning: Cleaning, frame: Frame) -> Iterator[Verdict]:
    for verdicts in cleaning.verdicts:
        for worker, participation in enumerate(frame.participations.tolist()):
            yield Verdict(
                run=run,
                participation_id=participation,
                rule=str(verdicts.rule)[:200],
                outcome=verdicts.of(worker),
                evidence=[asdict(found) for found in verdicts.evidence.get(worker, ())],
            )


def exclude_failed(
    *, run: CleaningRun, cleaning: Cleaning, frame: Frame, include_again: Collection[str], progress: Progress
) -> None:
    """Excludes who failed, and includes those in `include_again` whom an earlier run excluded and this one keeps; a
    second time changes nothing.
    """
    failed = np.flatnonzero(~cleaning.worker_kept).tolist()
    reasons = {int(frame.participations[worker]): cleaning.worker_reasons[worker] for worker in failed}
    kept = frame.participations[cleaning.worker_kept].tolist()
    in_force = Exclusion.objects.in_force()
    there = set(in_force.filter(participation__study=run.study).values_list("participation", flat=True))
    people = Participation.objects.select_related("study").filter(pk__in=reasons.keys() - there)
    for person in list(people.order_by("pk")):
        with progress.writing():  # one each: their places open again, and they may be many
            _exclude(run, person, reasons[person.pk])
    to_lift = in_force.filter(participation__in=there & set(kept), run__isnull=False).select_related("participation")
    asked_for = [each for each in to_lift.order_by("pk") if each.participation.pseudonym in include_again]
    for exclusion in asked_for:
        with progress.writing():
            _lift(run, exclusion)


def _exclude(run: CleaningRun, person: Participation, reason: str) -> None:
    try:
        exclude(participation=person, reason=reason, by=run.created_by, run=run)
    except AlreadyExcluded:  # by hand, since we looked
        return


def _lift(run: CleaningRun, exclusion: Exclusion) -> None:
    try:
        lift(exclusion=exclusion, reason=f"failed no rule of {run.rule_set.name}", by=run.created_by, run=run)
    except AlreadyLifted:
        return
