"""ItemImport and ItemUpload: a large file of items that is being imported."""

import datetime as dt
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from annotation.models.job import Job
from annotation.models.study import Study

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


class ItemUploadQuerySet(models.QuerySet["ItemUpload"]):
    def being_stored(self) -> Self:
        """Whose request still writes: it has written something in the last minutes."""
        return self.filter(job=None, touched_at__gte=timezone.now() - SILENCE)

    def no_longer_needed(self) -> Self:
        """Those whose job has ended, and those whose request died before there was a job."""
        is_silent = Q(job=None, touched_at__lt=timezone.now() - SILENCE)
        return self.filter(is_silent | Q(job__finished_at__isnull=False))


class ItemUpload(models.Model):
    # One at a time in a study, as its imports are.
    study = models.OneToOneField(Study, models.CASCADE, related_name="upload")
    name = models.TextField(help_text="The file's name.")
    job = models.OneToOneField(
        Job, models.CASCADE, null=True, related_name="upload", help_text="Empty while it is being uploaded."
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
