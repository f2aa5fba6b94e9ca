"""A person has gone: returned, timed out or was rejected on the platform. All their places open again."""

from django.db import transaction
from django.utils import timezone

from annotation.allocation import release_places
from annotation.errors import Refused
from annotation.models import Assignment, AuditEntry, Participation, User

GONE = (Participation.Status.RETURNED, Participation.Status.TIMED_OUT, Participation.Status.REJECTED)
HERE = (Participation.Status.ENTERED, Participation.Status.WORKING, Participation.Status.FINISHED)


def leave(*, participation: Participation, status: str, by: User | None = None, why: str = "") -> bool:
    """Records that the person is gone and gives all their places back; told twice, it does it once."""
    if status not in GONE:
        raise Refused(f"'{status}' is no way of leaving: it is one of {', '.join(GONE)}.")
    now = timezone.now()
    with transaction.atomic():
        # Compare-and-set: the platform's message and our own polling may bring the same news at once.
        still_here = Participation.objects.filter(pk=participation.pk, status__in=HERE)
        if not still_here.update(status=status, ended_at=now):
            participation.refresh_from_db()
            return False
        Assignment.objects.filter(participation=participation, status=Assignment.Status.OPEN).update(
            status=Assignment.Status.RELEASED, ended_at=now
        )
        given_back = release_places(participation=participation, at=now)
        AuditEntry.objects.create(
            study=participation.study,
            by=by,
            action=AuditEntry.Action.CHANGED,
            why=why,
            detail={"participation": participation.pseudonym, "status": status, "places": given_back},
        )
    participation.refresh_from_db()
    return True
