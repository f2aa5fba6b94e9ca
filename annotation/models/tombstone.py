"""Tombstone: what is left of a judgment that its giver withdrew: that there was one, and when it went."""

from typing import ClassVar

from django.db import models

from annotation.models.study import Study
from annotation.triggers import AppendOnly


class Tombstone(models.Model):
    judgment_uuid = models.UUIDField(unique=True)
    study = models.ForeignKey(Study, models.PROTECT, related_name="tombstones")
    erased_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly()]

    def __str__(self) -> str:
        return f"erased {self.judgment_uuid}"
