"""Whom a researcher can decide on at once, and how a study's payments stand: counts and sums, by one query each."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from annotation.accounts.researcher_accounts import forget_old_keys
from annotation.models import Assignment, AuditEntry, LogInAttempt, OpenEntry, Participation, Payment, Study, Worker
from annotation.models.judgment import GRACE
from annotation.people.leaving import PREFIX, forget_earlier_refusals
from annotation.people.paying import Figures
from annotation.people.payment_lists import total_of
from annotation.platforms import OWN_LINKS

# Removes what need no longer be known of people: ids past their date, networks and log-ins after days.

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


Status = Payment.Status
FINISHED = Q(participation__finished_at__isnull=False)
KEPT = Q(participation__set_aside_at__isnull=True)
DUE = Q(status=Status.DUE)
OPEN_AND_UNVERIFIED = Q(status__in=Payment.OPEN, participation__is_verified=False)
CLAIMED_TWICE = Exists(
    Participation.objects.filter(
        study=OuterRef("participation__study"), worker=OuterRef("participation__worker")
    ).exclude(pk=OuterRef("participation"))
)


def _assignments(**which: object) -> Exists:
    return Exists(Assignment.objects.filter(participation=OuterRef("participation"), **which))


def _may_still_finish(now: dt.datetime) -> Q:
    """Here, and with an assignment that still takes answers, or come within as long without one."""
    unfinished = (Assignment.Status.OPEN, Assignment.Status.EXPIRED)
    at_work = Q(_assignments(status__in=unfinished, expires_at__gt=now - GRACE))
    has_just_come = ~Q(_assignments()) & Q(participation__entered_at__gt=now - GRACE)
    here = (Participation.Status.ENTERED, Participation.Status.WORKING)
    return Q(participation__status__in=here) & (at_work | has_just_come)


def _stopped(now: dt.datetime) -> Q:
    return ~FINISHED & ~_may_still_finish(now)


HANDED_IN_A_PART = Q(_assignments(status=Assignment.Status.SUBMITTED))


@dataclass(frozen=True, slots=True)
class Group:
    """Payments that are decided on together: what is done to them (`to`), and to whom, in words and as a condition."""

    to: Status
    people: str
    where: Callable[[dt.datetime], Q]
    wider_than: str = ""  # a group that is offered instead, where this one has nobody more

    def of(self, study: Study) -> QuerySet[Payment]:
        return Payment.objects.filter(self.where(timezone.now()), participation__study=study)


# Excluding somebody decides nothing about pay: both ways of approving are offered, and none of rejecting.
GROUPS: dict[str, Group] = {
    "approve-finished-not-excluded": Group(Status.APPROVED, "finished, not excluded", lambda _: DUE & FINISHED & KEPT),
    "approve-finished": Group(
        Status.APPROVED,
        "finished, excluded or not",
        lambda _: DUE & FINISHED,
        wider_than="approve-finished-not-excluded",
    ),
    "approve-part": Group(
        Status.APPROVED, "handed in a part, then stopped", lambda now: DUE & _stopped(now) & HANDED_IN_A_PART
    ),
    "pay-approved": Group(Status.PAID, "approved, not paid yet", lambda _: Q(status=Status.APPROVED)),
    "pay-finished": Group(Status.PAID, "finished, not approved yet", lambda _: DUE & FINISHED),
    "waive-unfinished": Group(
        Status.WAIVED, "came and did not finish", lambda now: DUE & _stopped(now) & ~HANDED_IN_A_PART
    ),
}


def offers(study: Study) -> list[tuple[str, Group, Figures]]:
    """The groups that have somebody in them, with how many and their sum."""
    now = timezone.now()
    sums = {f"sum_{n}": Sum("amount", filter=group.where(now)) for n, group in enumerate(GROUPS.values())}
    counts = {f"count_{n}": Count("pk", filter=group.where(now)) for n, group in enumerate(GROUPS.values())}
    mine = Payment.objects.filter(participation__study=study).order_by()
    rows: list[Any] = list(mine.values("currency").annotate(**counts, **sums))
    figures = {
        key: Figures(
            sum(row[f"count_{n}"] for row in rows), total_of((row[f"sum_{n}"], row["currency"]) for row in rows)
        )
        for n, key in enumerate(GROUPS)
    }
    narrower = {key: figures[group.wider_than].count if group.wider_than else 0 for key, group in GROUPS.items()}
    return [(key, group, figures[key]) for key, group in GROUPS.items() if figures[key].count > narrower[key]]


@dataclass(frozen=True, slots=True)
class PaymentOverview:
    """How a study's payments stand: by status, and what a researcher has to know before deciding."""

    lines: tuple[tuple[str, Figures], ...]  # status in words
    open: int
    to_decide_excluded: int  # finished, due, and excluded
    may_still_finish: int  # due, and in no group until they have finished or can't any more
    unverified: int  # finished, and to be paid: an id that is only claimed
    claimed_twice: int  # those of them whose id another person of the study has claimed too
    finished_when_waived: int  # a person came back and finished after their payment was waived


def standing_of(study: Study) -> PaymentOverview:
    at_work = DUE & ~FINISHED & _may_still_finish(timezone.now())
    rows = list(
        Payment.objects.filter(participation__study=study)
        .order_by()
        .values("status", "currency")
        .annotate(
            people=Count("pk"),
            total=Sum("amount"),
            excluded=Count("pk", filter=DUE & FINISHED & ~KEPT),
            at_work=Count("pk", filter=at_work),
            unverified=Count("pk", filter=OPEN_AND_UNVERIFIED & FINISHED),
            claimed_twice=Count("pk", filter=OPEN_AND_UNVERIFIED & FINISHED & Q(CLAIMED_TWICE)),
            unpaid=Count("pk", filter=Q(status=Status.WAIVED, participation__status=Participation.Status.FINISHED)
                         & Q(participation__finished_at__gt=F("settled_at"))),
        )
    )  # fmt: skip
    counts: dict[str, int] = defaultdict(int)
    sums: dict[str, list[tuple[Decimal | None, str | None]]] = defaultdict(list)
    for row in rows:
        counts[row["status"]] += row["people"]
        sums[row["status"]].append((row["total"], row["currency"]))
    return PaymentOverview(
        lines=tuple(
            (str(status.label), Figures(counts[status], total_of(sums[status]))) for status in Status if counts[status]
        ),
        open=sum(counts[status] for status in Payment.OPEN),
        to_decide_excluded=sum(row["excluded"] for row in rows),
        may_still_finish=sum(row["at_work"] for row in rows),
        unverified=sum(row["unverified"] for row in rows),
        claimed_twice=sum(row["claimed_twice"] for row in rows),
        finished_when_waived=sum(row["unpaid"] for row in rows),
    )


def ids_kept(study: Study) -> str:
    """One sentence: of how many people platform ids are still kept, until when or why."""
    people = study.participations.filter(worker__platform_id__isnull=False)
    people = people.exclude(worker__platform_id__startswith=PREFIX)
    found = people.aggregate(kept=Count("pk"), owed=Count("pk", filter=OWED))
    kept, owed, days = found["kept"], found["owed"], study.retention_days
    if not kept:
        return "No platform id of anybody in this study is kept."
    said = f"The platform id{'s' if kept != 1 else ''} of {_people(kept)} {'are' if kept != 1 else 'is'} kept"
    if study.closed_at is None:
        return f"{said}: the study isn't closed. {days} days after it is closed, they go, once no payment is open."
    until = study.closed_at + dt.timedelta(days=days)
    date = f"{until.day} {until:%B %Y}"
    if owed:
        return f"{said}: {owed} payment{'s are' if owed != 1 else ' is'} open. They are kept until {date} at least."
    if until > timezone.now():
        return f"{said} until {date}, {days} days after the study was closed."
    return f"{said} and will be purged within the hour, unless another study that they took part in still needs them."


def _people(count: int) -> str:
    return f"{count} {'person' if count == 1 else 'people'}"
