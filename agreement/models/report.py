"""Report: agreement or ceilings computed again from a release, with other options than it was published with."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from agreement.models.gold_release import GoldRelease
from annotation.models.constraints import known_choices
from annotation.triggers import AppendOnly


@known_choices
class Report(models.Model):
    class Kind(models.TextChoices):
        AGREEMENT = "agreement"
        CEILING = "ceiling"

    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=9, choices=Kind)
    seed = models.BigIntegerField()
    replicates = models.PositiveIntegerField()
    figures = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["release", "kind", "seed", "replicates"], name="%(class)s_once"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.release}"
