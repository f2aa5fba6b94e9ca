"""Sets workers aside and takes them back; their places open again, where the study refills."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from agreement.models import CleaningRun, Exclusion
from annotation.allocation import release_places
from annotation.errors import Refused, TouchstoneError
from annotation.models import AuditEntry, Participation, User


class AlreadyExcluded(TouchstoneError):
    """The worker is set aside already."""


class AlreadyLifted(TouchstoneError):
    """Somebody lifted this exclusion before."""


def exclude(*, participation: Participation, reason: str, by: User | None, run: CleaningRun | None = None) -> Exclusion:
    """Sets a worker aside, by hand or for a run. It changes no answer, no verdict and no pay."""
    if not reason.strip():
        raise Refused("An exclusion needs a reason: it goes into the record and can be read by the worker's advocate.")
    study = participation.study
    with transaction.atomic():
        try:
            with transaction.atomic():
                exclusion = Exclusion.objects.create(
                    participation=participation, run=run, reason=reason.strip(), created_by=by
                )
        except IntegrityError as error:  # one in force a worker: two people pressed at once, or a job runs again
            raise AlreadyExcluded(f"{participation} is set aside already.") from error
        opened, now = 0, timezone.now()
        # The race: the person asks for the next assignment. This waits for that, and what it claimed is given back too.
        Participation.objects.filter(pk=participation.pk).update(set_aside_at=now)
        if study.refills_after_exclusion:
            opened = release_places(participation=participation, at=now)
        detail = {"participation": participation.pseudonym, "places_opened": opened}
        if run is not None:
            detail |= {"run": str(run.uuid), "rules": run.rule_set.name, "sha256": run.rule_set.sha256}
        _record(participation, AuditEntry.Action.EXCLUDED, by, exclusion.reason, detail)
    return exclusion


def lift(*, exclusion: Exclusion, reason: str, by: User | None, run: CleaningRun | None = None) -> Exclusion:
    """Takes a worker back: the next run keeps them, whatever its rules say (unless a `run` lifts it, by its rules).

    Places that were given to others stay theirs, so an item may end with more judgments than its target.
    """
    if not reason.strip():
        raise Refused("Lifting an exclusion needs a reason: it goes into the record.")
    with transaction.atomic():
        # Compare-and-set: of two people who lift at once, one is told so.
        in_force = Exclusion.objects.in_force().filter(pk=exclusion.pk)
        if not in_force.update(lifted_at=timezone.now(), lifted_by=by, lifted_by_run=run, lift_reason=reason.strip()):
            raise AlreadyLifted("This exclusion was lifted already.")
        Participation.objects.filter(pk=exclusion.participation_id).update(set_aside_at=None)
        detail = {"participation": exclusion.participation.pseudonym, "surplus": _surplus(exclusion.participation)}
        if run is not None:
            detail |= {"run": str(run.uuid)}
        _record(exclusion.participation, AuditEntry.Action.LIFTED, by, reason.strip(), detail)
    exclusion.refresh_from_db()
    return exclusion


def _surplus(participation: Participation) -> int:
    """Answers whose place another person holds by now: beyond the target of their items."""
    given_away = participation.assigned_items.filter(
        released_at__isnull=False, slot__isnull=False, judgments__isnull=False
    )
    return given_away.distinct().count()


def _record(
    participation: Participation, action: AuditEntry.Action, by: User | None, why: str, detail: dict[str, object]
) -> None:
    AuditEntry.objects.create(study=participation.study, by=by, action=action, why=why, detail=detail)
