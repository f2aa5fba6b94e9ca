"""Worker: a person, known by a platform's id alone. Participation: a worker in a study. Payment: what one is owed."""

import datetime as dt
import random
import secrets
from typing import Any, Self
from uuid import uuid4

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.crypto import salted_hmac

from annotation import platforms
from annotation.models.entry_link import EntryLink
from annotation.models.expressions import both_or_neither, exactly_one, filled, known_choices
from annotation.models.study import Study, new_seed

# Worker: a person known only by a platform's id, which is purged when it is no longer needed.


@known_choices
class Worker(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    platform = models.CharField(max_length=8, choices=platforms.choices())
    platform_id = models.CharField(max_length=200, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "platform_id"], name="%(class)s_platform_id_once"),
        ]

    def __str__(self) -> str:
        return f"worker {self.pk}"  # never the platform's id: this text reaches logs and history


# No vowels, no look-alikes: a pseudonym is read aloud and typed, and never spells a word.
PSEUDONYM_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
# Who has come in and not agreed after so long is taken to have gone, and another may come instead.
ARRIVING_FOR = dt.timedelta(minutes=5)
# The same for who has agreed and not begun; who is unverified has less time, for names can be made up by the hundred.
READING_FOR = dt.timedelta(hours=1)
UNVERIFIED_READING_FOR = dt.timedelta(minutes=5)


# In the place of a session's digest: the person never came here, their judgments were gathered elsewhere and imported.
IMPORTED = "imported"


def new_pseudonym(rng: random.Random | None = None) -> str:
    """Drawn so that nobody can guess it, except where a simulation has a generator of its own."""
    rng = rng or secrets.SystemRandom()
    return "p" + "".join(rng.choice(PSEUDONYM_LETTERS) for _ in range(9))


def _model(name: str) -> Any:
    """A model whose own module imports this one."""
    return apps.get_model("annotation", name)


def session_digest(session_id: str) -> str:
    """What is kept of a platform's session id for as long as the data is: enough to recognise it, not to read it."""
    return salted_hmac("touchstone.session", session_id).hexdigest() if session_id else ""


class ParticipationQuerySet(models.QuerySet["Participation"]):
    def counting_towards_capacity(self, now: dt.datetime) -> Self:
        """Who has finished, holds places, or is about to begin: not who gave back, nor who left without a word.

        Who is unverified and has not agreed doesn't count at all: a page that is only opened costs nobody a place.
        """
        status = Participation.Status
        arriving = Q(status=status.ENTERED, is_verified=True, entered_at__gt=now - ARRIVING_FOR)
        reads = Q(is_verified=True, consented_at__gt=now - READING_FOR)
        reads |= Q(is_verified=False, consented_at__gt=now - UNVERIFIED_READING_FOR)
        has_begun = Exists(_model("Assignment").objects.to_judge().filter(participation=OuterRef("pk")))
        reading = Q(status=status.WORKING) & reads & ~Q(has_begun)
        return self.filter(Q(status=status.FINISHED) | self._at_work() | arriving | reading)

    def finished_or_at_work(self) -> Self:
        return self.filter(Q(status=Participation.Status.FINISHED) | self._at_work())

    def _at_work(self) -> Q:
        """Holds places in an assignment that is open, and has not lost the unanswered ones by a long silence: one
        answer keeps nobody at work who is unverified.
        """
        places = _model("AssignedItem").objects.filter(
            participation=OuterRef("pk"), slot__isnull=False, assignment__status="open"
        )
        holds = Q(Exists(places.filter(released_at__isnull=True)))
        lost = Q(Exists(places.unanswered().filter(released_at__isnull=False)))
        return Q(status=Participation.Status.WORKING) & holds & (Q(is_verified=True) | ~lost)

    def left_since(self, moment: dt.datetime) -> Self:
        """Those who have returned, timed out, been rejected or withdrawn since."""
        status = Participation.Status
        statuses = (status.RETURNED, status.TIMED_OUT, status.REJECTED, status.WITHDRAWN)
        return self.filter(status__in=statuses, ended_at__gt=moment)

    def unverified(self) -> Self:
        """Those who came by an open link, or from a platform without its signature: their ids are only claimed."""
        return self.filter(is_verified=False).exclude(session_digest=IMPORTED)


@known_choices
class Participation(models.Model):
    class Status(models.TextChoices):
        ENTERED = "entered"
        DECLINED = "declined", "No consent"
        FAILED_COMPREHENSION = "failed-comprehension"
        FAILED_QUALIFICATION = "failed-qualification", "Did not qualify"
        WORKING = "working"
        FINISHED = "finished"
        RETURNED = "returned", "Returned on the platform"
        TIMED_OUT = "timed-out", "Timed out on the platform"
        REJECTED = "rejected", "Rejected on the platform"
        WITHDRAWN = "withdrawn"

    class Device(models.TextChoices):
        PHONE = "phone"
        TABLET = "tablet"
        COMPUTER = "computer"

    GAVE_BACK = (
        "declined", "failed-comprehension", "failed-qualification", "returned", "timed-out", "rejected", "withdrawn",
    )  # fmt: skip

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.PROTECT, related_name="participations")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="participations")
    entry_link = models.ForeignKey(EntryLink, models.PROTECT, null=True, blank=True, related_name="participations")
    pseudonym = models.CharField(max_length=20, default=new_pseudonym)
    status = models.CharField(max_length=20, choices=Status, default=Status.ENTERED)
    is_pilot = models.BooleanField(default=False)
    is_verified = models.BooleanField(
        default=True, help_text="Verified by an invitation or by the platform's signature."
    )
    seed = models.BigIntegerField(
        default=new_seed, help_text="Decides the order of items, checks and words, and the direction of the scale."
    )
    device = models.CharField(
        max_length=8,
        choices=Device,
        null=True,
        blank=True,
        help_text="The device that the person used; empty: not known.",
    )
    # Of the platform's session only a digest is kept here: the id itself stands on the pay row, until it is settled.
    # Where a platform has no session (SONA), it is of the secret that the first page gave the browser.
    session_digest = models.CharField(max_length=64, blank=True)
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)

    entered_at = models.DateTimeField(auto_now_add=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_version = models.CharField(max_length=20, null=True, blank=True)
    agreed_to_signs = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether the consent page named the signs that the study counts. Without that none are kept.",
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    set_aside_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the person was excluded. They may finish what they have started, and get nothing new.",
    )
    looked_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When a researcher looked at answers that seemed careless, and kept the person.",
    )
    comprehension_tries = models.PositiveSmallIntegerField(default=0)
    comments = models.TextField(blank=True)
    demographics = models.JSONField(default=dict, blank=True)

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        constraints = [
            # An id that is only claimed may be claimed by several, each with a session of their own.
            models.UniqueConstraint(fields=["study", "worker", "session_digest"], name="%(class)s_once_per_session"),
            models.UniqueConstraint(
                fields=["study", "worker"], condition=Q(is_verified=True), name="%(class)s_verified_once_per_worker"
            ),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="%(class)s_pseudonym_once_a_study"),
            both_or_neither("consented_at", "consent_version"),
            models.CheckConstraint(
                condition=Q(agreed_to_signs=False) | Q(consented_at__isnull=False), name="%(class)s_signs_after_consent"
            ),
            models.CheckConstraint(
                condition=Q(status="finished", finished_at__isnull=False) | ~Q(status="finished"),
                name="%(class)s_finished_has_time",
            ),
        ]
        indexes = [models.Index(fields=["study", "status"], name="%(class)s_study_status")]

    def __str__(self) -> str:
        return self.pseudonym


# OpenEntry: that somebody unverified came, from which network, for as long as their number is limited.


class OpenEntry(models.Model):
    # By an open link, or by the address that a platform has been given for the study.
    link = models.ForeignKey(EntryLink, models.CASCADE, null=True, blank=True, related_name="open_entries")
    study = models.ForeignKey(Study, models.CASCADE, null=True, blank=True, related_name="open_entries")
    # Nobody, where the person was refused: that counts too, or ids could be tried out without end.
    participation = models.ForeignKey(Participation, models.CASCADE, null=True, blank=True, related_name="open_entries")
    # A keyed digest that differs from day to day (annotation/entry/links.py): no address is ever stored.
    network = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "open entries"
        constraints = [
            filled("network"),
            exactly_one("link", "study", name="by_link_or_to_study"),
        ]
        indexes = [
            models.Index(fields=["link", "network", "at"], name="%(class)s_lately"),
            models.Index(fields=["study", "network", "at"], name="%(class)s_lately_to_study"),
        ]

    def __str__(self) -> str:
        return f"by {self.link}" if self.link else f"to {self.study}"


# Payment: what a participation is owed. While it is open it keeps the platform's ids; settling removes them.


class PaymentQuerySet(models.QuerySet["Payment"]):
    def open(self) -> Self:
        """Neither paid nor rejected nor waived: somebody still has to decide, or to pay."""
        return self.filter(status__in=Payment.OPEN)

    def locked(self) -> Self:
        """Locked by number until the transaction ends; who rejects has locked the participations before."""
        return self.order_by("pk").select_for_update(no_key=True, of=("self",))


@known_choices
class Payment(models.Model):
    class Status(models.TextChoices):
        DUE = "due"
        APPROVED = "approved", "Approved, to be paid"
        PAID = "paid"
        REJECTED = "rejected"
        WAIVED = "waived", "Nothing is owed"
        LAPSED = "lapsed", "Never decided"

    OPEN = ("due", "approved")

    participation = models.OneToOneField(Participation, models.PROTECT, related_name="payment")
    status = models.CharField(max_length=8, choices=Status, default=Status.DUE)
    platform_id = models.CharField(max_length=200, null=True, blank=True)
    session_id = models.CharField(max_length=200, null=True, blank=True)
    amount = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    currency = models.CharField(max_length=3, null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Why the person was rejected, in the words for the platform.")
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = PaymentQuerySet.as_manager()

    class Meta:
        constraints = [
            both_or_neither("amount", "currency"),
            models.CheckConstraint(condition=Q(amount__isnull=True) | Q(amount__gte=0), name="%(class)s_not_negative"),
            models.CheckConstraint(
                condition=Q(status__in=("due", "approved"), settled_at__isnull=True)
                | (~Q(status__in=("due", "approved")) & Q(settled_at__isnull=False)),
                name="%(class)s_settled_has_time",
            ),
            models.CheckConstraint(
                condition=Q(status__in=("due", "approved")) | Q(platform_id__isnull=True, session_id__isnull=True),
                name="%(class)s_settled_keeps_no_ids",
            ),
            models.CheckConstraint(
                condition=~Q(status="rejected") | ~Q(reason=""), name="%(class)s_rejected_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_status_display()}: {self.participation}"
