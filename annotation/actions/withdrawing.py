"""A person withdraws: the answers are erased, a tombstone of each is left, and the places open again."""

from django.db import transaction
from django.utils import timezone

from annotation.allocation import release_places
from annotation.bulk import chunks
from annotation.models import Assignment, AuditEntry, Judgment, Participation, Tombstone, User


def withdraw(*, participation: Participation, by: User | None = None) -> int:
    """Erases all that this person answered in this study; returns how many answers. Twice erases nothing more."""
    now = timezone.now()
    with transaction.atomic():
        # First the state, so that no answer is let in any more; then what is there goes, in short transactions.
        staying = Participation.objects.filter(pk=participation.pk).exclude(status=Participation.Status.WITHDRAWN)
        is_first = staying.update(status=Participation.Status.WITHDRAWN, ended_at=now, comments="", demographics={})
        Assignment.objects.filter(participation=participation, status=Assignment.Status.OPEN).update(
            status=Assignment.Status.RELEASED, ended_at=now
        )
    erased = 0
    theirs = Judgment.objects.filter(assigned_item__participation=participation).order_by("pk")
    for batch in chunks(list(theirs.values_list("pk", "uuid")), 1000):
        with transaction.atomic():
            Tombstone.objects.bulk_create(
                (Tombstone(judgment_uuid=uuid, study_id=participation.study_id) for _pk, uuid in batch),
                ignore_conflicts=True,
            )
            Judgment.objects.filter(pk__in=[pk for pk, _uuid in batch]).delete()
        erased += len(batch)
    release_places(participation=participation, at=now)
    if is_first or erased:
        AuditEntry.objects.create(
            study=participation.study,
            by=by,
            action=AuditEntry.Action.WITHDREW,
            detail={"participation": participation.pseudonym, "judgments": erased},
        )
    participation.refresh_from_db()
    return erased
