"""A person comes in: is let in or told why not, consents or declines."""

import datetime as dt
import re
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.assignment_order import generator
from agreement.errors import TouchstoneError
from annotation.models import EntryLink, Judgment, OpenEntry, Participation, Payment, Study, Worker
from annotation.models.participation import new_pseudonym, session_digest
from annotation.models.study import new_seed
from annotation.people.leaving import empty_write_ahead_log, forget_who_declined, ids_of_person, locked_worker_of
from annotation.people.payment_lists import settle_payments
from annotation.places.allocation import expire_overdue, release_silent

# What kind of device a person came with, told by what the browser sends; of the user agent nothing else is kept.

Device = Participation.Device

# In this order: a Windows computer with a touch screen says "Tablet PC", an iPad says "Mobile", and every Android says
# "Linux". An iPad in desktop mode sends what a Mac sends, and an Android in desktop mode what a Linux computer sends.
_KINDS = (
    (Device.COMPUTER, re.compile("Windows NT|Macintosh|X11|CrOS")),
    (Device.TABLET, re.compile("iPad|Tablet")),
    (Device.PHONE, re.compile("iPhone|iPod|Mobi|Phone")),
    (Device.TABLET, re.compile("Android")),  # on a phone it says "Mobile" as well
    (Device.COMPUTER, re.compile("Linux")),
)
PHONE_HINT = "?1"


def device_of(user_agent: str, mobile_hint: str = "") -> Participation.Device | None:
    """The kind of device, or None where it can't be told; `mobile_hint` is the header Sec-CH-UA-Mobile.

    >>> device_of("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0").value
    'computer'
    """
    if mobile_hint.strip() == PHONE_HINT:
        return Device.PHONE
    return next((device for device, says in _KINDS if says.search(user_agent)), None)


HOUR = dt.timedelta(hours=1)


class EntryRefused(TouchstoneError):
    """A person can't take part; `sentence` says why, to them, in their language. A personal reason is about whose id
    it is, and said to nobody who only claims one.
    """

    is_personal = False

    @property
    def sentence(self) -> str:
        return str(self)


class StudyNotOpen(EntryRefused):
    pass


class StudyFull(EntryRefused):
    pass


class ShutOut(EntryRefused):
    is_personal = True


class OtherSession(EntryRefused):
    is_personal = True


class AlreadyEnded(EntryRefused):
    """Taking part ended before, and this is that person: `participation` says how."""

    def __init__(self, participation: Participation) -> None:
        self.participation = participation
        super().__init__(_("Your part in this study has ended."))


class CodeUsed(EntryRefused):
    """Somebody takes part already with an id that proves nothing (SONA's survey code)."""

    is_personal = True


class LinkUsedUp(EntryRefused):
    pass


class TooManyAtOnce(EntryRefused):
    pass


def unproven_sentence() -> str:
    """The one sentence for whoever proves nothing, whatever the personal reason: so it tells nobody who took part."""
    return _(
        "You can't take part in this study. Perhaps you have already taken part in it, or in a related one. If you have"
        " already started, please continue in the same browser."
    )


def why_not_open(study: Study, now: dt.datetime) -> str:
    """Why nobody can begin anything in a study that is not open; everybody may know."""
    if study.status == Study.Status.DRAFT or (study.starts_at is not None and now < study.starts_at):
        return _("This study has not begun yet. Please come back later.")
    if study.status == Study.Status.PAUSED and study.archived_at is None:
        return _("This study is paused at the moment. Please try again later.")
    return _("This study is closed. Nobody can begin it any more.")


@dataclass(frozen=True, slots=True)
class _Newcomer:
    """Who wants to take part; `digest` is what they are known again by, `is_code_alone` that a page gave them it."""

    platform: str
    platform_id: str
    session_id: str
    digest: str
    is_code_alone: bool
    link: EntryLink | None
    is_verified: bool
    device: Participation.Device | None
    seed: int | None


def enter(
    *,
    study: Study,
    platform: str,
    platform_id: str,
    session_id: str = "",
    secret: str = "",
    entry_link: EntryLink | None = None,
    is_verified: bool = True,
    network: str = "",
    device: Participation.Device | None = None,
    seed: int | None = None,
) -> Participation:
    """A new participation, or the one that the person has already.

    A person is known again by id and session. Where the platform has no session (SONA), `secret` is what the first page
    gave the browser, and the id alone opens nothing. Whoever is not verified only claims the id: another session with
    the same id is then another person, so that a made-up one shuts nobody out. `network` (links.py) limits how many
    unverified people come; `device` is what they came with; `seed` is given by simulations, so that they
    repeat.
    """
    now = timezone.now()
    link = EntryLink.objects.get(pk=entry_link.pk) if entry_link else None
    is_verified = is_verified and (link is None or link.kind == EntryLink.Kind.INVITATION)
    person = _Newcomer(
        platform, platform_id, session_id, digest=session_digest(secret or session_id), is_code_alone=bool(secret),
        link=link, is_verified=is_verified, device=device, seed=seed,
    )  # fmt: skip
    refusal = participation = None
    with transaction.atomic():
        # One person at a time a study: counted capacity and alternating directions need it, and it takes a millisecond.
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if existing := _known_again(study, person):
            return existing
        if not person.is_verified:
            _refuse_if_too_many(study, link, network, now)
        try:
            participation = _create_if_free(study, person, now)
        except EntryRefused as error:
            refusal = error
        if not person.is_verified and not isinstance(refusal, StudyNotOpen):
            # Refused or not: else ids could be tried out without end.
            _count_entry(study, link, participation, network, now)
    if participation is None:
        raise refusal or EntryRefused(unproven_sentence())
    return participation


def _known_again(study: Study, person: _Newcomer) -> Participation | None:
    known_as = ids_of_person(study, person.platform_id)
    theirs = study.participations.filter(worker__platform=person.platform, worker__platform_id__in=known_as)
    existing = theirs.filter(session_digest=person.digest).first()
    if existing is None and person.is_verified and theirs.filter(is_verified=True).exists():
        raise OtherSession(_("You have taken part in this study before. Each person can take part once."))
    if existing is not None and existing.status in Participation.GAVE_BACK:
        raise AlreadyEnded(existing)
    return existing


def _locked_worker(platform: str, platform_id: str) -> Worker:
    """One study at a time a person: else two that shut each other's people out would both let in who comes at once.

    The other race: the id is purged, or replaced since the person said no to another study, between the two
    statements. Then it is a new worker's.
    """
    while True:
        Worker.objects.get_or_create(platform=platform, platform_id=platform_id)
        of_id = Worker.objects.select_for_update(no_key=True).filter(platform=platform, platform_id=platform_id)
        if worker := of_id.first():
            return worker


def _create_if_free(study: Study, person: _Newcomer, now: dt.datetime) -> Participation:
    """The participation with its pay row; nothing is kept of who is refused."""
    with transaction.atomic():
        worker = _locked_worker(person.platform, person.platform_id)
        _refuse_unless_free(study, worker, person.link, now, is_code_alone=person.is_code_alone)
        return _create_participation(study, worker, person)


def _create_participation(study: Study, worker: Worker, person: _Newcomer) -> Participation:
    before = study.participations.count()
    repeats = None if person.seed is None else generator(person.seed, f"pseudonym {person.platform_id}")
    participation = Participation.objects.create(
        pseudonym=new_pseudonym(repeats),
        study=study,
        worker=worker,
        entry_link=person.link,
        is_verified=person.is_verified,
        device=person.device,
        session_digest=person.digest,
        seed=new_seed() if person.seed is None else person.seed,
        is_pilot=study.status == Study.Status.PILOTING,
        is_direction_reversed=bool(before & 1),
        is_word_order_swapped=bool(before & 2),
    )
    Payment.objects.create(
        participation=participation,
        platform_id=person.platform_id,
        session_id=person.session_id or None,
        amount=study.pay,
        currency=study.currency,
    )
    return participation


def _refuse_unless_free(
    study: Study, worker: Worker, link: EntryLink | None, now: dt.datetime, *, is_code_alone: bool
) -> None:
    if not study.is_open_at(now):
        raise StudyNotOpen(why_not_open(study, now))
    # What is the same for everybody comes first: where a study is full, no answer depends on whose id it is.
    _refuse_if_full(study, now)
    _refuse_if_shut_out(study, worker)
    if is_code_alone:
        _refuse_if_code_used(study, worker, now)
    if link:
        _refuse_if_used_up(study, link, now)


def _refuse_if_shut_out(study: Study, worker: Worker) -> None:
    elsewhere = Participation.objects.filter(study__in=study.shuts_out.all(), worker=worker)
    if elsewhere.exclude(status=Participation.Status.DECLINED).exists():
        raise ShutOut(_("You have taken part in a study whose participants can't take part in this one."))


def _refuse_if_code_used(study: Study, worker: Worker, now: dt.datetime) -> None:
    """A code that somebody works with, or has answered with. One that was only tried out is still its owner's."""
    theirs = Participation.objects.filter(study=study, worker=worker)
    has_answered = Exists(Judgment.objects.filter(assigned_item__participation=OuterRef("pk")))
    came_to_an_end = Q(status__in=Participation.GAVE_BACK) & ~Q(status=Participation.Status.DECLINED)
    if theirs.filter(Q(has_answered) | came_to_an_end).exists() or theirs.counting_towards_capacity(now).exists():
        raise CodeUsed(unproven_sentence())


def _refuse_if_full(study: Study, now: dt.datetime) -> None:
    if study.capacity is not None and study.participations.counting_towards_capacity(now).count() >= study.capacity:
        raise StudyFull(_("This study has all the participants it needs."))
    # Before anybody is sent away: what is overdue is given back, even if the scheduled task is late or has stopped.
    if not study.open_places.exists() and not expire_overdue(now=now, study=study):
        release_silent(now=now, study=study)
        if not study.open_places.exists():
            raise StudyFull(_("This study has all the answers it needs."))


def _refuse_if_used_up(study: Study, link: EntryLink, now: dt.datetime) -> None:
    if link.revoked_at is not None or link.study_id != study.pk:
        raise LinkUsedUp(_("This link is no longer valid."))
    if link.kind == EntryLink.Kind.INVITATION and link.participations.exists():
        raise LinkUsedUp(_("This link has been used already."))
    if link.capacity is not None and link.participations.counting_towards_capacity(now).count() >= link.capacity:
        raise LinkUsedUp(_("This link has already been used by as many people as it allows."))


def _refuse_if_too_many(study: Study, link: EntryLink | None, network: str, now: dt.datetime) -> None:
    """Counts in the database, under the study's lock, so that any number of web processes count together."""
    entries = link.open_entries if link else study.open_entries
    most = link.most_per_hour if link else study.unverified_per_hour
    if network and entries.filter(network=network, at__gt=now - HOUR).count() >= most:
        raise TooManyAtOnce(
            _("Many people have just joined this study from your network. Please try again in an hour.")
        )


def _count_entry(
    study: Study, link: EntryLink | None, participation: Participation | None, network: str, now: dt.datetime
) -> None:
    if network:
        to = {"link": link} if link else {"study": study}
        OpenEntry.objects.create(network=network, at=now, participation=participation, **to)


def give_consent(*, participation: Participation, names_signs: bool = False) -> None:
    """Keeps which version of the text was agreed to, and when; agreeing twice keeps the first.

    `names_signs`: the page that was agreed to named what the study counts beside answers.
    """
    # Compare-and-set: who has declined in another tab, returned or withdrawn meanwhile is not brought back.
    first_time = Participation.objects.filter(pk=participation.pk, status=Participation.Status.ENTERED)
    first_time.update(
        consented_at=timezone.now(),
        consent_version=participation.study.consent_version,
        agreed_to_signs=names_signs and participation.study.counts_signs,
        status=Participation.Status.WORKING,
    )
    participation.refresh_from_db()


def decline(*, participation: Participation) -> None:
    """The person said no: nothing is owed, and neither the device nor who they are is kept (leaving.py)."""
    now = timezone.now()
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=participation.study_id)
        locked_worker_of(participation)
        undecided = Participation.objects.filter(pk=participation.pk, status=Participation.Status.ENTERED)
        if undecided.update(status=Participation.Status.DECLINED, ended_at=now, device=None):
            theirs = Payment.objects.filter(participation=participation).values_list("pk", flat=True)
            settle_payments(payments=list(theirs), to=Payment.Status.WAIVED, moment=now)
            forget_who_declined(participation=participation)
            transaction.on_commit(
                empty_write_ahead_log, robust=True
            )  # forgotten already: a log that stays is no failure
    participation.refresh_from_db()
