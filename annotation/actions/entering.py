"""A person comes in: is let in or told why not, consents or declines."""

import datetime as dt

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.errors import TouchstoneError
from annotation.models import Assignment, EntryLink, Participation, Payment, Study, Worker
from annotation.models.study import new_seed


class EntryRefused(TouchstoneError):
    """A person can't take part; `sentence` says why, to them, in their language."""

    @property
    def sentence(self) -> str:
        return str(self)


class StudyNotOpen(EntryRefused):
    pass


class StudyFull(EntryRefused):
    pass


class ShutOut(EntryRefused):
    pass


class OtherSession(EntryRefused):
    pass


class AlreadyEnded(EntryRefused):
    pass


class LinkUsedUp(EntryRefused):
    pass


def session_digest(session_id: str) -> str:
    """What is kept of a platform's session id for as long as the data is: enough to recognise it, not to read it."""
    return salted_hmac("touchstone.session", session_id).hexdigest() if session_id else ""


def enter(
    *,
    study: Study,
    platform: str,
    platform_id: str,
    session_id: str = "",
    entry_link: EntryLink | None = None,
    is_verified: bool = True,
    seed: int | None = None,
) -> Participation:
    """A new participation, or the one the person has already; `seed` is given by simulations, so that they repeat."""
    now = timezone.now()
    with transaction.atomic():
        # One person at a time a study: counted capacity and alternating directions need it, and it takes a millisecond.
        study = Study.objects.select_for_update().get(pk=study.pk)
        worker, _created = Worker.objects.get_or_create(platform=platform, platform_id=platform_id)
        existing = Participation.objects.filter(study=study, worker=worker).first()
        if existing:
            return _resumed(existing, session_id)
        _refuse_if_not_open(study, now)
        _refuse_if_full(study, entry_link, worker)
        before = study.participations.count()
        participation = Participation.objects.create(
            study=study,
            worker=worker,
            entry_link=entry_link,
            is_pilot=study.status == Study.Status.PILOTING,
            is_verified=is_verified,
            seed=new_seed() if seed is None else seed,
            session_digest=session_digest(session_id),
            is_direction_reversed=bool(before & 1),
            is_word_order_swapped=bool(before & 2),
        )
        Payment.objects.create(
            participation=participation,
            platform_id=platform_id,
            session_id=session_id or None,
            amount=study.pay,
            currency=study.currency,
        )
    return participation


def _resumed(participation: Participation, session_id: str) -> Participation:
    if participation.session_digest != session_digest(session_id):
        raise OtherSession(_("You have taken part in this study before. Each person can take part once."))
    if participation.status in Participation.GAVE_BACK:
        raise AlreadyEnded(_("Your part in this study has ended."))
    return participation


def _refuse_if_not_open(study: Study, now: dt.datetime) -> None:
    if study.status not in {Study.Status.PILOTING, Study.Status.LIVE}:
        raise StudyNotOpen(_("This study is not open at the moment."))
    if (study.starts_at and now < study.starts_at) or (study.ends_at and now >= study.ends_at):
        raise StudyNotOpen(_("This study is not open at the moment."))


def _refuse_if_full(study: Study, entry_link: EntryLink | None, worker: Worker) -> None:
    if Participation.objects.filter(study__in=study.shuts_out.all(), worker=worker).exists():
        raise ShutOut(_("You have taken part in a study whose participants can't take part in this one."))
    if study.capacity is not None and study.participations.counting_towards_capacity().count() >= study.capacity:
        raise StudyFull(_("This study has all the participants it needs."))
    if not study.open_places.exists():
        raise StudyFull(_("This study has all the answers it needs."))
    if entry_link is None:
        return
    if entry_link.revoked_at is not None:
        raise LinkUsedUp(_("This link is no longer valid."))
    if entry_link.capacity is not None and entry_link.participations.count() >= entry_link.capacity:
        raise LinkUsedUp(_("This link has been used already."))


def give_consent(*, participation: Participation) -> None:
    """Keeps which version of the text was agreed to, and when; agreeing twice keeps the first."""
    first_time = Participation.objects.filter(pk=participation.pk, consented_at__isnull=True)
    first_time.update(
        consented_at=timezone.now(),
        consent_version=participation.study.consent_version,
        status=Participation.Status.WORKING,
    )
    participation.refresh_from_db()


def decline(*, participation: Participation) -> None:
    """The person said no: nothing is owed, nothing is kept of who they are on this study's pay row."""
    now = timezone.now()
    with transaction.atomic():
        undecided = Participation.objects.filter(pk=participation.pk, status=Participation.Status.ENTERED)
        if undecided.update(status=Participation.Status.DECLINED, ended_at=now):
            Payment.objects.filter(participation=participation).update(
                status=Payment.Status.WAIVED, settled_at=now, platform_id=None, session_id=None
            )
    participation.refresh_from_db()


def open_assignment_of(participation: Participation) -> Assignment | None:
    return participation.assignments.filter(status=Assignment.Status.OPEN).first()
