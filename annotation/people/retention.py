"""How long it is known who people are: platform ids until their date, networks and log-ins for days."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Count, DateTimeField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Value
from django.utils import timezone

from annotation.accounts.researcher_accounts import forget_old_keys
from annotation.models import (
    AnswerSigns,
    AuditEntry,
    AuthenticityResult,
    Judgment,
    LogInAttempt,
    OpenEntry,
    Participation,
    Payment,
    Study,
    Worker,
)
from annotation.models.judgment import QUALIFICATION
from annotation.people.leaving import PREFIX, forget_earlier_refusals
from annotation.people.payment_lists import settle_payments
from annotation.platforms import OWN_LINKS

Status = Payment.Status
PORTION = 1000
SIGNS_PORTION = 20_000
NETWORKS_KEPT = dt.timedelta(days=1)
LOG_INS_KEPT = dt.timedelta(days=90)
# So long after the first warning the ids of payments go that nobody has settled, and so long after it comes the second.
DECIDE_WITHIN = dt.timedelta(days=30)
SECOND_WARNING_AFTER = dt.timedelta(days=23)

# Where a platform pays, an amount may stand there alone.
HAS_A_SUM = Q(payment__amount__isnull=False) | ~Q(worker__platform=OWN_LINKS)
# Who gave no answer is owed nothing, unless a researcher said otherwise, and a qualification round is none. Of who
# withdrew nobody knows any more.
HAS_ANSWERED = (
    Q(finished_at__isnull=False)
    | Q(status=Participation.Status.WITHDRAWN)
    | Exists(
        Judgment.objects.filter(
            assigned_item__assignment__participation=OuterRef("pk"), assigned_item__assignment__number__gt=QUALIFICATION
        )
    )
)
OWED: Q = HAS_A_SUM & (Q(payment__status=Status.APPROVED) | (Q(payment__status=Status.DUE) & Q(HAS_ANSWERED)))


def purge(*, now: dt.datetime) -> int:
    """Purges a portion of the platform ids that are due, and returns of how many workers."""
    OpenEntry.objects.filter(at__lt=now - NETWORKS_KEPT).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    LogInAttempt.objects.filter(at__lt=now - LOG_INS_KEPT).delete()
    forget_old_keys(now=now)
    forget_earlier_refusals()
    past = _past_their_date(now)
    open_there = Participation.objects.filter(study__in=past, payment__status__in=Payment.OPEN)
    _settle_undecided(open_there.exclude(OWED), to=Status.WAIVED, now=now)
    _warn_studies(past, now=now)
    warned = Q(study__pay_warned_at__lte=now - DECIDE_WITHIN)
    _settle_undecided(open_there.filter(warned), to=Status.LAPSED, now=now)
    _erase_signs(past)
    with transaction.atomic():
        # The race this prevents: the person comes into another study at this moment, which needs the id. enter() locks
        # the worker too; whoever is second looks at what the first has done.
        locked = (
            _due_workers(past).order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True)
        )
        due = list(_due_workers(past).filter(pk__in=list(locked[:PORTION])))
        theirs = Participation.objects.filter(worker__in=due)
        AuditEntry.objects.bulk_create(
            AuditEntry(study_id=study, action=AuditEntry.Action.PURGED, detail={"platform ids": count})
            for study, count in sorted(Counter(theirs.values_list("study_id", flat=True)).items())
        )
        return Worker.objects.filter(pk__in=[worker.pk for worker in due]).update(platform_id=None)


def _erase_signs(past: Sequence[int]) -> None:
    """A portion of what was counted beside answers, and of what platforms' checks said of people."""
    signs = AnswerSigns.objects.filter(assigned_item__participation__study__in=past)
    AnswerSigns.objects.filter(pk__in=list(signs.values_list("pk", flat=True)[:SIGNS_PORTION])).delete()
    AuthenticityResult.objects.filter(participation__study__in=past).delete()


def _past_their_date(now: dt.datetime) -> list[int]:
    closed = Study.objects.filter(status=Study.Status.CLOSED).values_list("pk", "closed_at", "retention_days")
    return [pk for pk, closed_at, days in closed if closed_at and (now - closed_at).days >= days]


def _settle_undecided(people: QuerySet[Participation], *, to: Status, now: dt.datetime) -> None:
    """By the clock: nobody has decided. A portion of them, as one entry in the record of each study."""
    with transaction.atomic():
        some = people.order_by("pk").select_for_update(no_key=True, of=("self",))
        rows = list(some.values_list("study", "payment", "pseudonym")[:PORTION])
        for study in sorted({study for study, _payment, _name in rows}):
            theirs = [(payment, name) for study_of_row, payment, name in rows if study_of_row == study]
            settle_payments(payments=[payment for payment, _name in theirs], to=to, moment=now)
            detail = {"payments": len(theirs), "to": to, "participations": [name for _payment, name in theirs]}
            AuditEntry.objects.create(study_id=study, action=AuditEntry.Action.CHANGED, detail=detail)


def _warn_studies(past: Sequence[int], *, now: dt.datetime) -> None:
    """From now on the study's pages and the e-mails about it say that its payments have to be decided on."""
    waits = Exists(Participation.objects.filter(OWED, study=OuterRef("pk")))
    Study.objects.filter(waits, pk__in=past, pay_warned_at=None).update(pay_warned_at=now)


def _due_workers(past: Sequence[int]) -> QuerySet[Worker]:
    """Workers whose every study is closed and past its retention date, and to whom nothing is owed any more."""
    theirs = Participation.objects.filter(worker=OuterRef("pk"))
    return Worker.objects.filter(
        Exists(theirs),
        ~Exists(theirs.exclude(study__in=past)),
        ~Exists(theirs.filter(payment__status__in=Payment.OPEN)),
        platform_id__isnull=False,
    )


def undecided_studies(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Those whose researchers have been warned: how many payments wait for a decision (`people`), and until when."""
    waits = Q(participations__payment__status__in=Payment.OPEN)
    warned = studies.filter(pay_warned_at__isnull=False)
    end = ExpressionWrapper(F("pay_warned_at") + Value(DECIDE_WITHIN), DateTimeField())
    return warned.annotate(people=Count("participations", filter=waits), decide_before=end).filter(people__gt=0)


def ids_kept(study: Study) -> str:
    """One sentence: of how many people platform ids are still kept, until when or why."""
    people = study.participations.filter(worker__platform_id__isnull=False)
    people = people.exclude(worker__platform_id__startswith=PREFIX)
    counts = people.aggregate(kept=Count("pk"), owed=Count("pk", filter=OWED))
    kept, owed, days = counts["kept"], counts["owed"], study.retention_days
    if not kept:
        return "No platform id of anybody in this study is kept."
    beginning = f"The platform id{'s' if kept != 1 else ''} of {_people(kept)} {'are' if kept != 1 else 'is'} kept"
    wait = DECIDE_WITHIN.days
    if study.closed_at is None:
        return (
            f"{beginning}: the study isn't closed. They go {days} days after it is closed, {wait} days later at most."
        )
    until = study.closed_at + dt.timedelta(days=days)
    if owed:
        payments = f"{owed} payment{'s are' if owed != 1 else ' is'} open"
        if warned_at := study.pay_warned_at:
            last = _date(warned_at + DECIDE_WITHIN)
            return f"{beginning}: {payments}. Decide before {last}: then they go, and the rows say “never decided”."
        return f"{beginning}: {payments}. They go on {_date(until)} once all are settled, {wait} days later at most."
    if until > timezone.now():
        return f"{beginning} until {_date(until)}, {days} days after the study was closed."
    return (
        f"{beginning} and will be purged within the hour, unless another study that they took part in still needs them."
    )


def _date(moment: dt.datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _people(count: int) -> str:
    return f"{count} {'person' if count == 1 else 'people'}"
