"""E-mails to researchers who asked for them: a study is full or stuck, a job failed, ids of unpaid people will go.

What has happened is found by the clock and kept as a row, so that it is told once; sending is done from the rows, may
run twice at once, and is tried again after a failure.
"""

import datetime as dt
import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Max, Q
from django.urls import reverse

from agreement.errors import Refused
from annotation.accounts.permissions import Right, may
from annotation.models import Assignment, AuditEntry, Job, Judgment, Notice, NoticeWish, Study, User
from annotation.models.judgment import GRACE
from annotation.models.webhook import LONGEST_SILENCE
from annotation.people.retention import SECOND_WARNING_AFTER, ids_kept, undecided_studies
from annotation.studies.study_progress import unanswered_places

logger = logging.getLogger(__name__)
MOST_ATTEMPTS = 5
REST = dt.timedelta(minutes=10)  # between two attempts, and after it a sender that died is given up
PORTION = 100
# Jobs that failed longer ago are nothing new.
NEWS = dt.timedelta(days=2)


@transaction.atomic
def ask_for_notices(*, study: Study, user: User, stuck_after_hours: int) -> NoticeWish:
    """The researcher gets e-mails about the study from now on."""
    if not 1 <= stuck_after_hours <= LONGEST_SILENCE:
        raise Refused(f"Give from 1 to {LONGEST_SILENCE} hours.")
    if not user.email:
        raise Refused("Your account has no e-mail address: ask the site's administrator to fill it in.")
    values = {"stuck_after_hours": stuck_after_hours}
    wish, _ = NoticeWish.objects.update_or_create(study=study, user=user, defaults=values)
    _record_change(study, user, {"e-mails": "asked for", **values})
    return wish


@transaction.atomic
def end_notices(*, study: Study, user: User) -> None:
    if NoticeWish.objects.filter(study=study, user=user).delete()[0]:
        _record_change(study, user, {"e-mails": "ended"})


def last_notice(wish: NoticeWish | None) -> Notice | None:
    """The newest e-mail that the researcher was to get, sent or not."""
    return None if wish is None else wish.notices.order_by("-created_at", "-pk").first()


def _record_change(study: Study, user: User, detail: dict[str, object]) -> None:
    AuditEntry.objects.create(study=study, by=user, action=AuditEntry.Action.CHANGED, detail=detail)


# What has happened.


def find_notices(*, now: dt.datetime) -> int:
    """Keeps a row of each thing that is to be told; returns how many are new. Found twice, it is kept once."""
    wishes = NoticeWish.objects.filter(study__deleted_at=None, user__is_active=True).select_related("study", "user")
    new_notices: list[Notice] = []
    for wish in wishes.order_by("pk"):
        if may(wish.user, Right.LOOK, wish.study):
            new_notices += _new_notices(wish, now)
    before = Notice.objects.count()
    Notice.objects.bulk_create(new_notices, ignore_conflicts=True)
    return Notice.objects.count() - before


def _new_notices(wish: NoticeWish, now: dt.datetime) -> list[Notice]:
    study, event = wish.study, Notice.Event
    since = max(wish.created_at, now - NEWS)
    failed = Job.objects.filter(study=study, status=Job.Status.FAILED, finished_at__gt=since)
    jobs = failed.values_list("uuid", flat=True)
    news = [Notice(wish=wish, event=event.JOB_FAILED, about=str(uuid)) for uuid in jobs]
    if not study.is_open_at(now):
        return [*news, *_payment_warnings(wish, now)]
    if study.open_places.exists():
        return [*news, *_stuck_notices(wish, now)]
    last = Assignment.objects.filter(participation__study=study).aggregate(last=Max("pk"))["last"]
    if last is not None and not unanswered_places(study):
        # Another assignment after this one means that places were opened again, and filled.
        news.append(Notice(wish=wish, event=event.FULL, about=str(last)))
    return news


def _payment_warnings(wish: NoticeWish, now: dt.datetime) -> list[Notice]:
    """The two warnings; `about` names which."""
    warned_at = wish.study.pay_warned_at
    if warned_at is None or not undecided_studies(Study.objects.filter(pk=wish.study.pk)).exists():
        return []
    which = "second" if now - warned_at >= SECOND_WARNING_AFTER else "first"
    return [Notice(wish=wish, event=Notice.Event.PAY_OPEN, about=f"{which} warning of {warned_at:%Y-%m-%d}")]


def _stuck_notices(wish: NoticeWish, now: dt.datetime) -> list[Notice]:
    since = now - dt.timedelta(hours=wish.stuck_after_hours)
    if wish.created_at > since or _answered_since(wish.study, since):
        return []
    last_notice_sent = wish.notices.filter(event=Notice.Event.STUCK).order_by("-created_at").first()
    if last_notice_sent is not None and not _answered_since(wish.study, last_notice_sent.created_at):
        return []
    return [
        Notice(wish=wish, event=Notice.Event.STUCK, about=str(0 if last_notice_sent is None else last_notice_sent.pk))
    ]


def _answered_since(study: Study, moment: dt.datetime) -> bool:
    """Among assignments that are young enough to be answered since: the index of all judgments isn't read for it."""
    oldest = moment - dt.timedelta(minutes=study.minutes_allowed) - GRACE
    young = Assignment.objects.filter(participation__study=study, claimed_at__gt=oldest)
    return Judgment.objects.filter(assigned_item__assignment__in=young, created_at__gt=moment).exists()


# Telling.


def send_notices(*, now: dt.datetime) -> int:
    """Sends what waits, and returns how many were sent; nothing while the site has no mail server."""
    if not settings.SENDS_EMAIL:
        return 0
    is_its_turn = Q(tried_at=None) | Q(tried_at__lt=now - REST)
    waiting = Notice.objects.filter(is_its_turn, sent_at=None, attempts__lt=MOST_ATTEMPTS)
    sent = 0
    for notice in waiting.select_related("wish__study", "wish__user").order_by("created_at", "pk")[:PORTION]:
        # The race: two clocks send at once. Whoever moves the row's attempts first sends; the other finds it moved.
        as_read = Notice.objects.filter(pk=notice.pk, attempts=notice.attempts, sent_at=None)
        if as_read.update(attempts=F("attempts") + 1, tried_at=now) == 1:
            sent += _send_notice(notice, now)
    return sent


def _send_notice(notice: Notice, now: dt.datetime) -> bool:
    study, user = notice.wish.study, notice.wish.user
    try:
        send_mail(subject=_one_line(f"{study.title}: {notice.get_event_display()}"), message=_text(notice),
                  from_email=None, recipient_list=[user.email])  # fmt: skip
    except (SMTPException, OSError) as error:
        logger.warning("notice %s could not be sent: %s", notice.pk, error)
        Notice.objects.filter(pk=notice.pk).update(error=f"{type(error).__name__}: {error}")
        return False
    Notice.objects.filter(pk=notice.pk).update(sent_at=now, error="")
    return True


def _text(notice: Notice) -> str:
    """No answers, no pseudonyms: mail is read by many machines."""
    study, wish = notice.wish.study, notice.wish
    match Notice.Event(notice.event):
        case Notice.Event.FULL:
            sentence = "All judgments that it needs are in. Nobody new comes in, and you can close it."
        case Notice.Event.STUCK:
            sentence = f"It still needs judgments, and no answer has come in for {wish.stuck_after_hours} hours."
        case Notice.Event.JOB_FAILED:
            sentence = "One of its jobs failed. The job's page says why, and starts it again."
        case Notice.Event.PAY_OPEN:
            sentence = f"{ids_kept(study)} Its page Pay has them all."
    page = reverse("agreement:watch", args=[study.uuid])
    end = "You asked for these e-mails on that page, and end them there."
    return "\n\n".join([f"{study.title} ({study.slug})", sentence, f"{settings.PUBLIC_ADDRESS}{page}", f"{end}\n"])


def _one_line(text: str) -> str:
    """A title with a line's end in it would be another header."""
    return " ".join(text.split())
