"""Stores what a run found of each worker, excludes workers and includes them again; places open and close."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass

import numpy as np
from django.db import IntegrityError, transaction
from django.utils import timezone

from agreement.cleaning.cleaning_run import Cleaning
from agreement.errors import Refused, TouchstoneError
from annotation.database.rows import chunks
from annotation.jobs import Progress
from annotation.models import AuditEntry, Participation, Study, User
from annotation.places.allocation import COUNTED, release_places, take_back_places
from annotation.releases.from_database.reading_judgments import Frame
from annotation.releases.models import CleaningRun, Exclusion, Verdict

# Excludes workers and includes them again; their places open, and close again, where the study refills.


class AlreadyExcluded(TouchstoneError):
    """The worker is excluded already."""


class AlreadyLifted(TouchstoneError):
    """Somebody lifted this exclusion before."""


@dataclass(frozen=True, slots=True)
class LiftedExclusion:
    """What lifting did: how many places are the worker's again, and how many answers are beyond their items' target."""

    exclusion: Exclusion
    places_closed: int
    surplus: int


def exclude(
    *,
    participation: Participation,
    reason: str,
    by: User | None,
    run: CleaningRun | None = None,
    refill: bool | None = None,
) -> Exclusion:
    """Excludes a worker, by hand or for a run. It changes no answer, no verdict and no pay.

    `refill` says whether their places open for others; None: as the study's setup says.
    """
    if not reason.strip():
        raise Refused("An exclusion needs a reason. The reason is recorded, so that it can be explained to the worker.")
    study = participation.study
    with transaction.atomic():
        try:
            with transaction.atomic():
                exclusion = Exclusion.objects.create(
                    participation=participation, run=run, reason=reason.strip(), created_by=by
                )
        except IntegrityError as error:  # one in force a worker: two people pressed at once, or a job runs again
            raise AlreadyExcluded(f"{participation} is excluded already.") from error
        opened, now = 0, timezone.now()
        # The race: the person asks for the next assignment. This waits for that, and what it claimed is given back too.
        Participation.objects.filter(pk=participation.pk).update(set_aside_at=now)
        if study.refills_after_exclusion if refill is None else refill:
            opened = release_places(participation=participation, at=now)
        detail = {"participation": participation.pseudonym, "places_opened": opened}
        if run is not None:
            detail |= {"run": str(run.uuid), "rules": run.rule_set.name, "sha256": run.rule_set.sha256}
        _record(participation, AuditEntry.Action.EXCLUDED, by, exclusion.reason, detail)
    return exclusion


def lift(*, exclusion: Exclusion, reason: str, by: User | None, run: CleaningRun | None = None) -> LiftedExclusion:
    """Includes a worker again: the next run keeps them, whatever its rules say (unless a `run` lifts it, by its rules).

    The places that they had filled close again. Those that others hold by now stay theirs: the surplus is recorded.
    """
    if not reason.strip():
        raise Refused("Including a worker again needs a reason. The reason is recorded.")
    with transaction.atomic():
        # Compare-and-set: of two people who lift at once, one is told so.
        in_force = Exclusion.objects.in_force().filter(pk=exclusion.pk)
        if not in_force.update(lifted_at=timezone.now(), lifted_by=by, lifted_by_run=run, lift_reason=reason.strip()):
            raise AlreadyLifted("This worker was already included again.")
        person = _locked(exclusion.participation_id)
        closed, surplus = _places_closed_again(person)
        Participation.objects.filter(pk=person.pk).update(set_aside_at=None)
        detail = {"participation": person.pseudonym, "places_closed": closed, "surplus": surplus}
        if run is not None:
            detail |= {"run": str(run.uuid)}
        _record(exclusion.participation, AuditEntry.Action.LIFTED, by, reason.strip(), detail)
    exclusion.refresh_from_db()
    return LiftedExclusion(exclusion, closed, surplus)


def _locked(participation: int) -> Participation:
    """The race: the person withdraws or goes on judging at this moment; they wait for us, or we see it."""
    people = Participation.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    return people.get(pk=participation)


def _places_closed_again(person: Participation) -> tuple[int, int]:
    """How many of their places are theirs again, and how many of their answers are beyond the target."""
    counts = person.is_pilot == (person.study.status == Study.Status.PILOTING) and person.status in COUNTED
    if person.set_aside_at is None or not counts:
        return 0, 0
    return take_back_places(participation=person, released_at=person.set_aside_at)


def _record(
    participation: Participation, action: AuditEntry.Action, by: User | None, why: str, detail: dict[str, object]
) -> None:
    AuditEntry.objects.create(study=participation.study, by=by, action=action, why=why, detail=detail)


# Stores what a run found of each worker, and excludes those who failed, in many short transactions.

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
    *,
    run: CleaningRun,
    cleaning: Cleaning,
    frame: Frame,
    include_again: Collection[str],
    refill: bool | None,
    progress: Progress,
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
            _exclude(run, person, reasons[person.pk], refill)
    to_lift = in_force.filter(participation__in=there & set(kept), run__isnull=False).select_related("participation")
    asked_for = [each for each in to_lift.order_by("pk") if each.participation.pseudonym in include_again]
    for exclusion in asked_for:
        with progress.writing():
            _lift(run, exclusion)


def _exclude(run: CleaningRun, person: Participation, reason: str, refill: bool | None) -> None:  # noqa: FBT001
    try:
        exclude(participation=person, reason=reason, by=run.created_by, run=run, refill=refill)
    except AlreadyExcluded:  # by hand, since we looked
        return


def _lift(run: CleaningRun, exclusion: Exclusion) -> None:
    try:
        lift(exclusion=exclusion, reason=f"failed no rule of {run.rule_set.name}", by=run.created_by, run=run)
    except AlreadyLifted:
        return
