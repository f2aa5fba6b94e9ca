"""Participation: a worker in a study, under a random pseudonym."""

import datetime as dt
import secrets
from typing import Self
from uuid import uuid4

from django.db import models
from django.db.models import Count, Q

from annotation.models.constraints import both_or_neither, known_choices
from annotation.models.entry_link import EntryLink
from annotation.models.study import Study, new_seed
from annotation.models.worker import Worker

# No vowels, no look-alikes: a pseudonym is read aloud and typed, and never spells a word.
PSEUDONYM_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
# Who has come in and not begun after so long is taken to have gone, and another may come instead.
NEW_FOR = dt.timedelta(hours=1)


def new_pseudonym() -> str:
    return "p" + "".join(secrets.choice(PSEUDONYM_LETTERS) for _ in range(9))


class ParticipationQuerySet(models.QuerySet["Participation"]):
    def counting_towards_capacity(self, now: dt.datetime) -> Self:
        """Who has finished, is at work, or has just come in: not who gave back, nor who left without a word."""
        status, open_ones = Participation.Status, Q(assignments__status="open")
        told = self.alias(assigned=Count("assignments"), at_work=Count("assignments", filter=open_ones))
        is_new = Q(assigned=0, entered_at__gt=now - NEW_FOR)
        here = Q(status__in=(status.ENTERED, status.WORKING)) & (Q(at_work__gt=0) | is_new)
        return told.filter(Q(status=status.FINISHED) | here)

    def left_since(self, moment: dt.datetime) -> Self:
        """Those who have returned, timed out, been rejected or withdrawn since."""
        status = Participation.Status
        gone = (status.RETURNED, status.TIMED_OUT, status.REJECTED, status.WITHDRAWN)
        return self.filter(status__in=gone, ended_at__gt=moment)

    def unverified(self) -> Self:
        """Those whom nobody vouches for: they came by an open link."""
        return self.filter(is_verified=False)


@known_choices
class Participation(models.Model):
    class Status(models.TextChoices):
        ENTERED = "entered"
        DECLINED = "declined", "No consent"
        FAILED_COMPREHENSION = "failed-comprehension"
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

    GAVE_BACK = ("declined", "failed-comprehension", "returned", "timed-out", "rejected", "withdrawn")

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.PROTECT, related_name="participations")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="participations")
    entry_link = models.ForeignKey(EntryLink, models.PROTECT, null=True, blank=True, related_name="participations")
    pseudonym = models.CharField(max_length=20, default=new_pseudonym)
    status = models.CharField(max_length=20, choices=Status, default=Status.ENTERED)
    is_pilot = models.BooleanField(default=False)
    is_verified = models.BooleanField(
        default=True, help_text="The platform vouches for the person; an open link doesn't."
    )
    seed = models.BigIntegerField(
        default=new_seed, help_text="Order of items, checks, words and direction follow from it."
    )
    device = models.CharField(
        max_length=8, choices=Device, null=True, blank=True, help_text="What the person came in with; none: not known."
    )
    # Of the platform's session only a digest is kept here: the id itself stands on the pay row, until it is settled.
    session_digest = models.CharField(max_length=64, blank=True)
    is_direction_reversed = models.BooleanField(default=False)
    is_word_order_swapped = models.BooleanField(default=False)

    entered_at = models.DateTimeField(auto_now_add=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_version = models.CharField(max_length=20, null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    set_aside_at = models.DateTimeField(
        null=True, blank=True, help_text="Whoever is set aside may end what was begun, and gets nothing new."
    )
    comprehension_tries = models.PositiveSmallIntegerField(default=0)
    comments = models.TextField(blank=True)
    demographics = models.JSONField(default=dict, blank=True)

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "worker"], name="%(class)s_once_a_worker"),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="%(class)s_pseudonym_once_a_study"),
            both_or_neither("consented_at", "consent_version"),
            models.CheckConstraint(
                condition=Q(status="finished", finished_at__isnull=False) | ~Q(status="finished"),
                name="%(class)s_finished_has_time",
            ),
        ]
        indexes = [models.Index(fields=["study", "status"], name="%(class)s_study_status")]

    def __str__(self) -> str:
        return self.pseudonym
