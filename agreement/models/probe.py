"""Probe: a model's outputs on a study's items, as the file that came in."""

from uuid import uuid4

from django.conf import settings
from django.db import models

from annotation.models import Blob, Study
from annotation.models.constraints import filled


class Probe(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, models.PROTECT, related_name="probes")
    name = models.CharField(max_length=120)
    file = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    options = models.JSONField(default=dict, help_text="How the file is read: log base, normalise, ...")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study", "name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="%(class)s_name_once_a_study"),
            filled("name"),
        ]

    def __str__(self) -> str:
        return self.name
