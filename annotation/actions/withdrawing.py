"""A person withdraws: the answers are erased, a tombstone of each is left, and the places open again."""

from django.db import transaction
from django.utils import timezone

from annotation.allocation import release_places
from annotation.erasing import erase_copies
from annotation.models import Assignment, AuditEntry, Judgment, Participation, Tombstone, User
from annotation.write_ahead_log import empty_write_ahead_log


def withdraw(*, participation: Participation, by: User | None = None) -> int:
    """Erases all that this person answered in this study; returns how many answers. Twice erases nothing more."""
    now = timezone.now()
    with transaction.atomic():
        # First the state: its lock waits for an answer that is being stored, and the next one finds the person gone
        # (saving.py takes the other half). All in one transaction, so that a crash leaves nobody half erased.
        staying = Participation.objects.filter(pk=participation.pk).exclude(status=Participation.Status.WITHDRAWN)
        is_first = staying.update(
            status=Participation.Status.WITHDRAWN, ended_at=now, comments="", demographics={}, device=None
        )
        Assignment.objects.filter(participation=participation, status=Assignment.Status.OPEN).update(
            status=Assignment.Status.RELEASED, ended_at=now
        )
        release_places(participation=participation, at=now)
        erase_copies(participation)  # while it is known which judgments they are copies of
        erased = _erase(participation)
        if is_first or erased:
            AuditEntry.objects.create(
                study=participation.study,
                by=by,
                action=AuditEntry.Action.WITHDREW,
                detail={"participation": participation.pseudonym, "judgments": erased},
            )
        transaction.on_commit(empty_write_ahead_log, robust=True)  # erased already: a log that stays is no failure
    participation.refresh_from_db()
    return erased


def _erase(participation: Participation) -> int:
    theirs = Judgment.objects.filter(assigned_item__participation=participation)
    uuids = list(theirs.order_by("pk").values_list("uuid", flat=True))
    Tombstone.objects.bulk_create(
        (Tombstone(judgment_uuid=uuid, study_id=participation.study_id) for uuid in uuids),
        ignore_conflicts=True,
        batch_size=1000,
    )
    theirs.delete()
    return len(uuids)
