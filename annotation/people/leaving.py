"""A person has gone: returned, timed out, rejected, withdrawn or said no; places open, and what must go is erased."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agreement.errors import Refused
from annotation.models import (
    AnswerSigns,
    Assignment,
    AuditEntry,
    AuthenticityResult,
    Judgment,
    Note,
    Participation,
    Payment,
    Study,
    Tombstone,
    User,
    Worker,
)
from annotation.people.payment_lists import refuse_bad_reason, settle_payments
from annotation.places.allocation import release_places, release_places_of

# What else must go when a person withdraws: copies of answers, and SQLite's write-ahead log.

# Whoever keeps copies of answers registers here how they are erased when a person withdraws.

Erase: TypeAlias = Callable[[Participation], None]

_ERASERS: list[Erase] = []


def also_erases(erase: Erase) -> Erase:
    """Registers a function that is called inside every withdrawal's transaction; it may be called twice."""
    _ERASERS.append(erase)
    return erase


def erase_copies(participation: Participation) -> None:
    for erase in _ERASERS:
        erase(participation)


# Empties SQLite's write-ahead log, in which erased rows stand until it is written over.

# Writers wait while the log is emptied, so that it is given up after so long; the next purge tries again.
PATIENCE_MS = 100


def empty_write_ahead_log() -> bool:
    """Whether the log is empty now. PostgreSQL's holds no row that a query could reach: nothing is done there.

    The first checkpoint copies what it can and stops nobody; the second has little left to do, and needs a moment in
    which nobody reads what was there before.
    """
    if connection.vendor != "sqlite":
        return False
    patience = int(settings.DATABASES["default"].get("OPTIONS", {}).get("timeout") or 5)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            was_busy, _pages, _copied = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
    return not was_busy


# A person has gone: returned, timed out or was rejected on the platform. All their places open again.

Status = Participation.Status
HERE = (Status.ENTERED, Status.WORKING, Status.FINISHED)
# What becomes of a payment that is still open: the platform pays none of the three.
PAYMENT_AFTER: dict[str, str] = {
    Status.RETURNED: Payment.Status.WAIVED,
    Status.TIMED_OUT: Payment.Status.WAIVED,
    Status.REJECTED: Payment.Status.REJECTED,
}


@dataclass(frozen=True, slots=True)
class DepartureCounts:
    """Of how many people it was recorded, and what that settled and opened."""

    people: int
    payments: int
    places: int


def leave(*, participation: Participation, status: str, by: User | None = None, why: str = "") -> bool:
    """Records that the person is gone, settles an open payment and gives all places back; told twice, it does it once.

    Who was paid can't be rejected.
    """
    if status not in PAYMENT_AFTER:
        raise Refused(f"'{status}' is not a way to leave a study. The ways are: {', '.join(PAYMENT_AFTER)}.")
    why = why.strip()
    if status == Status.REJECTED:
        refuse_bad_reason(why, [participation.worker.platform])
    with transaction.atomic():
        counts = record_gone(
            people=Participation.objects.filter(pk=participation.pk), status=status, moment=timezone.now(), why=why
        )
        if counts.people:
            AuditEntry.objects.create(
                study=participation.study,
                by=by,
                action=AuditEntry.Action.CHANGED,
                why=why,
                detail={"participation": participation.pseudonym, "status": status, "places": counts.places}
                | ({"payment": PAYMENT_AFTER[status]} if counts.payments else {}),
            )
    participation.refresh_from_db()
    if not counts.people and status == Status.REJECTED and participation.status in HERE:
        raise Refused(f"{participation} has already been paid and can't be rejected.")
    return counts.people > 0


def record_gone(*, people: QuerySet[Participation], status: str, moment: dt.datetime, why: str) -> DepartureCounts:
    """The same for any number of people, without the audit row. Call it inside a transaction.

    Compare-and-set: the platform's message and a researcher's may bring the same news at once. The payments are locked
    too: nobody is rejected who is being paid at this moment.
    """
    still_here = set(
        people.filter(status__in=HERE)
        .order_by("pk")
        .select_for_update(no_key=True, of=("self",))
        .values_list("pk", flat=True)
    )
    open_or_not = Payment.objects.filter(participation__in=still_here).locked()
    payments = list(open_or_not.values_list("pk", "participation", "status"))
    if status == Status.REJECTED:
        still_here -= {person for _, person, state in payments if state == Payment.Status.PAID}
    n_gone = Participation.objects.filter(pk__in=still_here, status__in=HERE).update(status=status, ended_at=moment)
    settled = settle_payments(
        payments=[pk for pk, person, _ in payments if person in still_here],
        to=PAYMENT_AFTER[status],
        moment=moment,
        reason=why,
    )
    Assignment.objects.filter(participation__in=still_here, status=Assignment.Status.OPEN).update(
        status=Assignment.Status.RELEASED, ended_at=moment
    )
    return DepartureCounts(n_gone, settled, release_places_of(people=still_here, moment=moment))


# A person withdraws: the answers are erased, a tombstone of each is left, and the places open again.


def withdraw(*, participation: Participation, by: User | None = None) -> int:
    """Erases all that this person answered in this study; returns how many answers. Twice erases nothing more."""
    now = timezone.now()
    with transaction.atomic():
        # First the state: its lock waits for an answer that is being stored, and the next one finds the person gone
        # (saving_answers.py takes the other half). All in one transaction, so that a crash leaves nobody half erased.
        staying = Participation.objects.filter(pk=participation.pk).exclude(status=Participation.Status.WITHDRAWN)
        is_first = staying.update(
            status=Participation.Status.WITHDRAWN, ended_at=now, comments="", demographics={}, device=None
        )
        Assignment.objects.filter(participation=participation, status=Assignment.Status.OPEN).update(
            status=Assignment.Status.RELEASED, ended_at=now
        )
        release_places(participation=participation, moment=now)
        erase_copies(participation)  # while it is known which judgments they are copies of
        erased = _erase_answers(participation)
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


def _erase_answers(participation: Participation) -> int:
    theirs = Judgment.objects.filter(assigned_item__participation=participation)
    uuids = list(theirs.order_by("pk").values_list("uuid", flat=True))
    Tombstone.objects.bulk_create(
        (Tombstone(judgment_uuid=uuid, study_id=participation.study_id) for uuid in uuids),
        ignore_conflicts=True,
        batch_size=1000,
    )
    theirs.delete()
    Note.objects.filter(assigned_item__participation=participation).delete()
    AnswerSigns.objects.filter(assigned_item__participation=participation).delete()
    AuthenticityResult.objects.filter(participation=participation).delete()
    return len(uuids)


# Forgets who said no: in place of the platform's id a keyed digest is kept, by which this site alone knows them.

PREFIX = "declined:"
PORTION = 100  # a few queries for each, in one transaction per study


def declined_id(study: Study, platform_id: str) -> str:
    """What replaces the id of somebody who said no to this study; in another study it is another one."""
    digest = salted_hmac("touchstone.declined", f"{study.uuid} {platform_id}", algorithm="sha256").hexdigest()
    return f"{PREFIX}{digest}"


def ids_of_person(study: Study, platform_id: str) -> list[str]:
    """What the platform calls somebody, and what they are called here if they said no to this study before.

    The digest needs the site's secret key, which a shell that simulates people may not have.
    """
    have_declined = study.participations.filter(status=Participation.Status.DECLINED)
    return [platform_id, *([declined_id(study, platform_id)] if have_declined.exists() else [])]


def locked_worker_of(participation: Participation) -> Worker:
    """As it is now: in another tab the person may have said no since the participation was read."""
    workers = Worker.objects.select_for_update(no_key=True, of=("self",))
    return workers.get(participations=participation.pk)


def forget_who_declined(*, participation: Participation) -> None:
    """Hangs the participation on a worker who is known by the digest alone; their row goes unless they are in others.

    Call it inside a transaction that has locked the study: who comes in again at this moment is looked for by both.
    """
    worker = locked_worker_of(participation)
    if worker.platform_id is None or worker.platform_id.startswith(PREFIX):
        return
    known_as = declined_id(participation.study, worker.platform_id)
    unknown, _ = Worker.objects.get_or_create(platform=worker.platform, platform_id=known_as)
    Participation.objects.filter(pk=participation.pk).update(worker=unknown)
    if not worker.participations.exists():
        worker.delete()


def forget_earlier_refusals() -> int:
    """The same for a portion of those who said no before ids were forgotten; returns how many."""
    declined = Participation.objects.filter(
        status=Participation.Status.DECLINED, worker__platform_id__isnull=False
    ).exclude(worker__platform_id__startswith=PREFIX)
    studies = Counter(declined.order_by("pk").values_list("study_id", flat=True)[:PORTION])
    for study_id, count in sorted(studies.items()):
        with transaction.atomic():
            study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
            for person in declined.filter(study=study).select_related("study").order_by("pk")[:count]:
                forget_who_declined(participation=person)
            AuditEntry.objects.create(
                study=study, action=AuditEntry.Action.PURGED, detail={"platform ids of who declined": count}
            )
    return studies.total()
