"""Job: work that must happen, as a row, run by Celery; ItemImport and ItemUpload: the largest work that one does."""

import datetime as dt
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from annotation.models.expressions import known_choices
from annotation.models.study import Study


class JobQuerySet(models.QuerySet["Job"]):
    def unfinished(self) -> Self:
        return self.filter(status__in=(Job.Status.QUEUED, Job.Status.RUNNING))

    def waiting(self, now: dt.datetime) -> Self:
        """Queued, and not resting after a failure."""
        return self.filter(Q(not_before=None) | Q(not_before__lte=now), status=Job.Status.QUEUED)

    def to_send_again(self, silence_seconds: float) -> Self:
        """Queued so long ago that its message must be lost, or running on a worker that has fallen silent. A sign of
        life from a later time than that is from before the clock was set back: whoever lives has given another since.
        """
        now, silence = timezone.now(), dt.timedelta(seconds=silence_seconds)
        return self.unfinished().exclude(touched_at__range=(now - silence, now + silence))


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


# ItemImport and ItemUpload: a large file of items that is being imported.

# ItemImport: a large file's items on their way in. Nobody sees any of them until it is published, by one update.

# An import that has written nothing for so long has lost its process.
SILENCE = dt.timedelta(minutes=5)


class ItemImportQuerySet(models.QuerySet["ItemImport"]):
    def unpublished(self) -> Self:
        return self.filter(published_at=None)

    def abandoned(self) -> Self:
        return self.unpublished().filter(touched_at__lt=timezone.now() - SILENCE)


class ItemImport(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="imports")
    source = models.TextField(help_text="The file's name.")
    rows = models.PositiveIntegerField()
    job = models.OneToOneField(
        Job, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Empty if a command imported it."
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now, help_text="When the last of its rows were written.")
    published_at = models.DateTimeField(null=True, blank=True)

    objects = ItemImportQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["study"], condition=Q(published_at__isnull=True), name="%(class)s_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} ({self.rows:,} items)"


# ItemUpload: a large file of items, with its pictures, kept in parts until the job that imports it has ended.

# Some 20 ms of SQLite's one write lock.
PART_BYTES = 1_000_000
LONG_SILENCE = dt.timedelta(days=2)  # of an upload in parts, which somebody may go on with tomorrow


class ItemUploadQuerySet(models.QuerySet["ItemUpload"]):
    def being_stored(self) -> Self:
        """Whose request still writes: it has written something in the last minutes. One in parts goes on for days."""
        now = timezone.now()
        goes_on = Q(files__isnull=False, touched_at__gte=now - LONG_SILENCE)
        return self.filter(Q(touched_at__gte=now - SILENCE) | goes_on, job=None)

    def no_longer_needed(self) -> Self:
        """Those whose job has ended, and those whose request died before there was a job."""
        now = timezone.now()
        is_silent = Q(files__isnull=True, touched_at__lt=now - SILENCE) | Q(touched_at__lt=now - LONG_SILENCE)
        return self.filter(Q(is_silent, job=None) | Q(job__finished_at__isnull=False))


class ItemUpload(models.Model):
    # One at a time in a study, as its imports are.
    study = models.OneToOneField(Study, models.CASCADE, related_name="upload")
    name = models.TextField(help_text="The file's name.")
    job = models.OneToOneField(
        Job, models.CASCADE, null=True, related_name="upload", help_text="Empty while it is being uploaded."
    )
    files = models.JSONField(
        null=True, help_text="Of one that comes in requests of its own, part by part: each file's name and size."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now, help_text="When the last of its parts was written.")

    objects = ItemUploadQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class ItemUploadPart(models.Model):
    upload = models.ForeignKey(ItemUpload, models.CASCADE, related_name="parts")
    file_number = models.PositiveIntegerField(help_text="0 is the file of items; its pictures follow.")
    file_name = models.TextField()
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["upload", "file_number", "number"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "file_number", "number"], name="%(class)s_number_once_a_file"),
            models.CheckConstraint(
                condition=Q(LessThanOrEqual(Length(F("content")), Value(PART_BYTES))), name="%(class)s_at_most_a_part"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name}, part {self.number}"
