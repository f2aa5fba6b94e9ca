"""A person comes in: is let in or told why not, consents or declines."""

import datetime as dt

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.allocation import expire_overdue
from annotation.errors import TouchstoneError
from annotation.models import EntryLink, OpenEntry, Participation, Payment, Study, Worker
from annotation.models.study import new_seed
from annotation.settling import settle

HOUR = dt.timedelta(hours=1)


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
    """Taking part ended before, and this is that person: `participation` says how."""

    def __init__(self, participation: Participation) -> None:
        self.participation = participation
        super().__init__(_("Your part in this study has ended."))


class LinkUsedUp(EntryRefused):
    pass


class TooManyAtOnce(EntryRefused):
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
    network: str = "",
    device: Participation.Device | None = None,
    seed: int | None = None,
) -> Participation:
    """A new participation, or the one the person has already.

    `network` (networks.py) limits how many come by an open link; `device` (devices.py) is what they came with; `seed`
    is given by simulations, so that they repeat.
    """
    now = timezone.now()
    with transaction.atomic():
        # One person at a time a study: counted capacity and alternating directions need it, and it takes a millisecond.
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        Worker.objects.get_or_create(platform=platform, platform_id=platform_id)
        # One study at a time a person: else two that shut each other's people out would both let in who comes at once.
        worker = Worker.objects.select_for_update(no_key=True).get(platform=platform, platform_id=platform_id)
        existing = Participation.objects.filter(study=study, worker=worker).first()
        if existing:
            return _resumed(existing, session_id)
        if not study.is_open_at(now):
            raise StudyNotOpen(_("This study is not open at the moment."))
        _refuse_if_shut_out(study, worker)
        _refuse_if_full(study, now)
        if entry_link:
            link = EntryLink.objects.get(pk=entry_link.pk)
            _refuse_if_used_up(study, link, now)
            _refuse_if_too_many(link, network, now)
        before = study.participations.count()
        participation = Participation.objects.create(
            study=study,
            worker=worker,
            entry_link=entry_link,
            is_pilot=study.status == Study.Status.PILOTING,
            is_verified=is_verified,
            seed=new_seed() if seed is None else seed,
            device=device,
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
        raise AlreadyEnded(participation)
    return participation


def _refuse_if_shut_out(study: Study, worker: Worker) -> None:
    elsewhere = Participation.objects.filter(study__in=study.shuts_out.all(), worker=worker)
    if elsewhere.exclude(status=Participation.Status.DECLINED).exists():
        raise ShutOut(_("You have taken part in a study whose participants can't take part in this one."))


def _refuse_if_full(study: Study, now: dt.datetime) -> None:
    if study.capacity is not None and study.participations.counting_towards_capacity(now).count() >= study.capacity:
        raise StudyFull(_("This study has all the participants it needs."))
    # Before anybody is sent away: what is overdue is given back, even where the clock that does it is late or dead.
    if not study.open_places.exists() and not expire_overdue(now=now, study=study):
        raise StudyFull(_("This study has all the answers it needs."))


def _refuse_if_used_up(study: Study, link: EntryLink, now: dt.datetime) -> None:
    if link.revoked_at is not None or link.study_id != study.pk:
        raise LinkUsedUp(_("This link is no longer valid."))
    if link.kind == EntryLink.Kind.INVITATION and link.participations.exists():
        raise LinkUsedUp(_("This link has been used already."))
    if link.capacity is not None and link.participations.counting_towards_capacity(now).count() >= link.capacity:
        raise LinkUsedUp(_("This link has let in all the people that it is for."))


def _refuse_if_too_many(link: EntryLink, network: str, now: dt.datetime) -> None:
    """Counts in the database, under the study's lock, so that any number of web processes count together."""
    if link.kind != EntryLink.Kind.OPEN or not network:
        return
    if link.open_entries.filter(network=network, at__gt=now - HOUR).count() >= link.most_an_hour:
        raise TooManyAtOnce(_("Many people have come in from your network just now. Please try again in an hour."))
    OpenEntry.objects.create(link=link, network=network, at=now)


def give_consent(*, participation: Participation) -> None:
    """Keeps which version of the text was agreed to, and when; agreeing twice keeps the first."""
    # Compare-and-set: who has declined in another tab, returned or withdrawn meanwhile is not brought back.
    first_time = Participation.objects.filter(pk=participation.pk, status=Participation.Status.ENTERED)
    first_time.update(
        consented_at=timezone.now(),
        consent_version=participation.study.consent_version,
        status=Participation.Status.WORKING,
    )
    participation.refresh_from_db()


def decline(*, participation: Participation) -> None:
    """The person said no: nothing is owed; neither the device nor, on this study's pay row, who they are is kept."""
    now = timezone.now()
    with transaction.atomic():
        undecided = Participation.objects.filter(pk=participation.pk, status=Participation.Status.ENTERED)
        if undecided.update(status=Participation.Status.DECLINED, ended_at=now, device=None):
            theirs = Payment.objects.filter(participation=participation).values_list("pk", flat=True)
            settle(payments=list(theirs), to=Payment.Status.WAIVED, at=now)
    participation.refresh_from_db()
