"""ItemImport: a large file's items on their way in. Nobody sees any of them until it is published, by one update."""

import datetime as dt
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.job import Job
from annotation.models.study import Study

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
        Job, models.SET_NULL, null=True, blank=True, related_name="+", help_text="None where a command imports."
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
