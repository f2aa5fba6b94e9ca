"""Job: work that must happen, as a row. Celery only runs it, and a lost message is healed by sending it again."""

import datetime as dt
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.constraints import known_choices
from annotation.models.study import Study


class JobQuerySet(models.QuerySet["Job"]):
    def unfinished(self) -> Self:
        return self.filter(status__in=(Job.Status.QUEUED, Job.Status.RUNNING))

    def waiting(self, now: dt.datetime) -> Self:
        """Queued, and not resting after a failure."""
        return self.filter(Q(not_before=None) | Q(not_before__lte=now), status=Job.Status.QUEUED)

    def to_send_again(self, silence_seconds: float) -> Self:
        """Queued so long ago that its message must be lost, or running on a worker that has fallen silent."""
        silent_since = timezone.now() - dt.timedelta(seconds=silence_seconds)
        return self.unfinished().filter(touched_at__lt=silent_since)


@known_choices
class Job(models.Model):
    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, null=True, blank=True, related_name="jobs")
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    status = models.CharField(max_length=9, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    progress = models.FloatField(default=0, help_text="From 0 to 1.")
    is_cancel_wanted = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    result = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(
        default=timezone.now, help_text="When it was queued, or when its worker last reported."
    )
    not_before = models.DateTimeField(
        null=True, blank=True, help_text="After a temporary failure it waits until then; other jobs continue."
    )
    retry_of = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="retries",
        help_text="The failed job that it repeats.",
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(progress__gte=0, progress__lte=1), name="%(class)s_progress_is_share"),
            models.CheckConstraint(
                condition=Q(status__in=("queued", "running"), finished_at__isnull=True)
                | Q(status__in=("done", "failed", "cancelled"), finished_at__isnull=False),
                name="%(class)s_finished_has_time",
            ),
            models.UniqueConstraint(
                fields=["retry_of"], condition=Q(retry_of__isnull=False), name="%(class)s_retried_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["touched_at"], condition=Q(status__in=("queued", "running")), name="%(class)s_unfinished"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.get_status_display()})"
