"""A person has gone: returned, timed out or was rejected on the platform. All their places open again."""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.allocation import release_places_of
from annotation.errors import Refused
from annotation.models import Assignment, AuditEntry, Participation, Payment, User
from annotation.settling import refuse_bad_reason, settle

Status = Participation.Status
HERE = (Status.ENTERED, Status.WORKING, Status.FINISHED)
# What becomes of a payment that is still open: the platform pays none of the three.
PAYMENT_AFTER: dict[str, str] = {
    Status.RETURNED: Payment.Status.WAIVED,
    Status.TIMED_OUT: Payment.Status.WAIVED,
    Status.REJECTED: Payment.Status.REJECTED,
}


@dataclass(frozen=True, slots=True)
class Gone:
    """Of how many people it was recorded, and what that settled and opened."""

    people: int
    payments: int
    places: int


def leave(*, participation: Participation, status: str, by: User | None = None, why: str = "") -> bool:
    """Records that the person is gone, settles an open payment and gives all places back; told twice, it does it once.

    Who was paid can't be rejected.
    """
    if status not in PAYMENT_AFTER:
        raise Refused(f"'{status}' is no way of leaving: it is one of {', '.join(PAYMENT_AFTER)}.")
    why = why.strip()
    if status == Status.REJECTED:
        refuse_bad_reason(why, [participation.worker.platform])
    with transaction.atomic():
        gone = record_gone(
            people=Participation.objects.filter(pk=participation.pk), status=status, at=timezone.now(), why=why
        )
        if gone.people:
            AuditEntry.objects.create(
                study=participation.study,
                by=by,
                action=AuditEntry.Action.CHANGED,
                why=why,
                detail={"participation": participation.pseudonym, "status": status, "places": gone.places}
                | ({"payment": PAYMENT_AFTER[status]} if gone.payments else {}),
            )
    participation.refresh_from_db()
    if not gone.people and status == Status.REJECTED and participation.status in HERE:
        raise Refused(f"{participation} has been paid already: who was paid can't be rejected.")
    return gone.people > 0


def record_gone(*, people: QuerySet[Participation], status: str, at: dt.datetime, why: str) -> Gone:
    """The same for any number of people, without the audit row. Call it inside a transaction.

    Compare-and-set: the platform's message and a researcher's may bring the same news at once. The payments are locked
    too: nobody is rejected who is being paid at this moment.
    """
    here = set(
        people.filter(status__in=HERE)
        .order_by("pk")
        .select_for_update(no_key=True, of=("self",))
        .values_list("pk", flat=True)
    )
    open_or_not = Payment.objects.filter(participation__in=here).locked()
    payments = list(open_or_not.values_list("pk", "participation", "status"))
    if status == Status.REJECTED:
        here -= {person for _, person, state in payments if state == Payment.Status.PAID}
    gone = Participation.objects.filter(pk__in=here, status__in=HERE).update(status=status, ended_at=at)
    settled = settle(
        payments=[pk for pk, person, _ in payments if person in here], to=PAYMENT_AFTER[status], at=at, reason=why
    )
    Assignment.objects.filter(participation__in=here, status=Assignment.Status.OPEN).update(
        status=Assignment.Status.RELEASED, ended_at=at
    )
    return Gone(gone, settled, release_places_of(people=here, at=at))
