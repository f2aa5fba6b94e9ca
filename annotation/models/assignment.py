"""Assignment: a participation's share of a study: which items, in which order, by when."""

import datetime as dt
from typing import Self
from uuid import uuid4

from django.db import models
from django.db.models import Q

from annotation.models.constraints import known_choices
from annotation.models.participation import Participation

# After its deadline an assignment's places are given away, but its answers are still taken for so long, as late ones.
GRACE = dt.timedelta(hours=24)


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def overdue(self, now: dt.datetime) -> Self:
        return self.filter(status=Assignment.Status.OPEN, expires_at__lt=now)


@known_choices
class Assignment(models.Model):
    class Status(models.TextChoices):
        OPEN = "open"
        SUBMITTED = "submitted"
        EXPIRED = "expired"
        RELEASED = "released", "Its items were given back"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="assignments")
    number = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    token_version = models.PositiveSmallIntegerField(
        default=1, help_text="Raising it revokes all earlier links to the assignment."
    )
    items_per_page = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The study's number of items per page when the assignment started."
    )
    claimed_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "number"], name="%(class)s_number_once_a_participation"),
            models.UniqueConstraint(
                fields=["participation"], condition=Q(status="open"), name="%(class)s_one_open_a_participation"
            ),
            models.CheckConstraint(
                condition=Q(status="open", ended_at__isnull=True) | (~Q(status="open") & Q(ended_at__isnull=False)),
                name="%(class)s_ended_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["expires_at"], condition=Q(status="open"), name="%(class)s_open_by_expiry"),
        ]

    def __str__(self) -> str:
        return f"{self.participation}, assignment {self.number}"
