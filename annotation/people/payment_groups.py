"""Whom a researcher can decide on at once, and how a study's payments stand: counts and sums, by one query each."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from agreement.files.items_file import OUTSIDE_RESULTS
from annotation.models import AssignedItem, Assignment, Judgment, Participation, Payment, Study
from annotation.models.judgment import GRACE, QUALIFICATION
from annotation.people.paying import Figures
from annotation.people.payment_lists import total_of

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
    has_just_come = ~Q(_assignments(number__gt=QUALIFICATION)) & Q(participation__entered_at__gt=now - GRACE)
    statuses = (Participation.Status.ENTERED, Participation.Status.WORKING)
    return Q(participation__status__in=statuses) & (at_work | has_just_come)


def _has_stopped(now: dt.datetime) -> Q:
    return ~FINISHED & ~_may_still_finish(now)


HANDED_IN_A_PART = Q(_assignments(number__gt=QUALIFICATION, status=Assignment.Status.SUBMITTED))


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
        Status.APPROVED, "handed in a part, then stopped", lambda now: DUE & _has_stopped(now) & HANDED_IN_A_PART
    ),
    "pay-approved": Group(Status.PAID, "approved, not paid yet", lambda _: Q(status=Status.APPROVED)),
    "pay-finished": Group(Status.PAID, "finished, not approved yet", lambda _: DUE & FINISHED),
    "waive-unfinished": Group(
        Status.WAIVED, "came and did not finish", lambda now: DUE & _has_stopped(now) & ~HANDED_IN_A_PART
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


# Who answered "I can't see the picture", and at how many items: no judgments, and no ground for anything by itself.

MANY = 0.5


@dataclass(frozen=True, slots=True)
class SawLittle:
    """A person who could not see the pictures of so many of the items that they answered."""

    pk: int
    pseudonym: str
    unseen: int
    items: int


def unseen_by_participation(study: Study) -> dict[int, int]:
    """How many items each participation could not see, by its key; nobody who saw them all.

    The study is asked of each such answer, which an index knows: joined, SQLite goes through all judgments (8 s of a
    million).
    """
    of_study = AssignedItem.objects.filter(pk=OuterRef("assigned_item"), item__study=study)
    unseen = Judgment.objects.could_not_be_seen().filter(Exists(of_study)).order_by()
    return dict(Counter(unseen.values_list("assigned_item__participation_id", flat=True)))


def paid_for_little(study: Study) -> list[SawLittle]:
    """Of those who finished and whose payment is open, who could not see half of the pictures or more."""
    unseen = unseen_by_participation(study)
    if not unseen:
        return []
    open_payments = Payment.objects.open().filter(participation__study=study, participation__in=list(unseen))
    finished = open_payments.filter(participation__finished_at__isnull=False)
    people = dict(finished.values_list("participation", "participation__pseudonym"))
    items = _answered_items(people)
    people_who_saw_little = [
        SawLittle(pk, people[pk], unseen[pk], items[pk]) for pk in people if unseen[pk] >= MANY * items[pk]
    ]
    return sorted(people_who_saw_little, key=lambda one: (-one.unseen / one.items, one.pseudonym))


def _answered_items(people: dict[int, str]) -> dict[int, int]:
    """How many items each participation answered in any way, without practice and qualification."""
    theirs = (
        AssignedItem.objects.answered()
        .filter(participation__in=list(people))
        .exclude(item__kind__in=OUTSIDE_RESULTS)
        .order_by()
    )
    return dict(theirs.values_list("participation").annotate(items=Count("pk")))
