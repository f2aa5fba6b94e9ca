"""Removes what need no longer be known of people: ids past their date, networks and log-ins after days."""

import datetime as dt
from collections import Counter

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.accounts.researcher_accounts import forget_old_keys
from annotation.models import AuditEntry, LogInAttempt, OpenEntry, Participation, Payment, Study, Worker
from annotation.people.leaving import forget_earlier_refusals
from annotation.platforms import OWN_LINKS

PORTION = 1000
NETWORKS_KEPT = dt.timedelta(days=1)
LOG_INS_KEPT = dt.timedelta(days=90)
# Where a platform pays, an amount may stand there alone, and its ids are needed until the row is settled.
OWED = Q(payment__status__in=Payment.OPEN) & (Q(payment__amount__isnull=False) | ~Q(worker__platform=OWN_LINKS))


def purge(*, now: dt.datetime) -> int:
    """Purges a portion of the platform ids that are due, and returns of how many workers."""
    OpenEntry.objects.filter(at__lt=now - NETWORKS_KEPT).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    LogInAttempt.objects.filter(at__lt=now - LOG_INS_KEPT).delete()
    forget_old_keys(now=now)
    forget_earlier_refusals()
    with transaction.atomic():
        # The race this prevents: the person comes into another study at this moment, which needs the id. enter() locks
        # the worker too; whoever is second looks at what the first has done.
        found = _due(now).order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True)
        due = list(_due(now).filter(pk__in=list(found[:PORTION])))
        theirs = Participation.objects.filter(worker__in=due)
        Payment.objects.filter(participation__in=theirs.values("pk")).update(platform_id=None, session_id=None)
        AuditEntry.objects.bulk_create(
            AuditEntry(study_id=study, action=AuditEntry.Action.PURGED, detail={"platform ids": count})
            for study, count in sorted(Counter(theirs.values_list("study_id", flat=True)).items())
        )
        return Worker.objects.filter(pk__in=[worker.pk for worker in due]).update(platform_id=None)


def _due(now: dt.datetime) -> QuerySet[Worker]:
    """Workers whose every study is closed and past its retention date, and to whom nothing is owed any more."""
    closed = Study.objects.filter(status=Study.Status.CLOSED).values_list("pk", "closed_at", "retention_days")
    past = [pk for pk, closed_at, days in closed if closed_at and (now - closed_at).days >= days]
    theirs = Participation.objects.filter(worker=OuterRef("pk"))
    return Worker.objects.filter(
        Exists(theirs),
        ~Exists(theirs.exclude(study__in=past)),
        ~Exists(theirs.filter(OWED)),
        platform_id__isnull=False,
    )
