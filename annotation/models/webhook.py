"""What is sent out: wishes for e-mails, webhooks and their deliveries."""

import datetime as dt
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.expressions import filled, known_choices
from annotation.models.study import Study

LONGEST_SILENCE = 24 * 60  # hours


class NoticeWish(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="notice_wishes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_wishes")
    stuck_after_hours = models.PositiveSmallIntegerField(
        default=24, help_text="A study without an answer for so long, that still needs some, is stuck."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="%(class)s_once_a_study"),
            models.CheckConstraint(
                condition=Q(stuck_after_hours__gte=1, stuck_after_hours__lte=LONGEST_SILENCE),
                name="%(class)s_hours_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"e-mails about {self.study}"


@known_choices
class Notice(models.Model):
    class Event(models.TextChoices):
        FULL = "full", "all judgments are in"
        STUCK = "stuck", "no answers are coming in"
        JOB_FAILED = "job-failed", "a job failed"
        PAY_OPEN = "pay-open", "payments are undecided, and their ids will go"

    wish = models.ForeignKey(NoticeWish, models.CASCADE, related_name="notices")
    event = models.CharField(max_length=10, choices=Event)
    about = models.CharField(max_length=40, help_text="What makes it another notice: a job's UUID, an assignment.")
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["wish", "event", "about"], name="%(class)s_once"),
            filled("about"),
        ]
        indexes = [models.Index(fields=["created_at"], condition=Q(sent_at__isnull=True), name="%(class)s_to_send")]

    def __str__(self) -> str:
        return f"{self.wish.study}: {self.get_event_display()}"


# Webhook: an address that is told of what happens in a study; WebhookDelivery: one notice, with its last reply.


class Webhook(models.Model):
    class Event(models.TextChoices):
        STUDY_FILLED = "study.filled", "Every judgment that was wanted is there"
        JOB_ENDED = "job.ended", "A job is done, has failed or was cancelled"
        RELEASE_MADE = "release.made", "A gold release was made"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="webhooks")
    address = models.URLField(max_length=400)
    events = models.JSONField()
    # The secret follows from this and the site's SECRET_KEY, as that of a second factor does.
    nonce = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [filled("address"), filled("nonce")]

    def __str__(self) -> str:
        return f"webhook {self.uuid}"


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def due(self, now: dt.datetime) -> Self:
        return self.filter(due_at__lte=now)


@known_choices
class WebhookDelivery(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=12, choices=Webhook.Event)
    subject = models.CharField(max_length=60, help_text="Which job, release or filling it is about.")
    about = models.JSONField(help_text="Ids alone: who may read more asks the API.")
    created_at = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True, help_text="When it is sent next; empty: it has ended.")
    delivered_at = models.DateTimeField(null=True, blank=True)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_reply = models.CharField(max_length=500, blank=True, help_text="How the reply began, or why there was none.")

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event", "subject"], name="%(class)s_once"),
            models.CheckConstraint(
                condition=Q(delivered_at__isnull=True) | Q(due_at__isnull=True), name="%(class)s_delivered_is_not_due"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="%(class)s_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
