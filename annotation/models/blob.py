"""Blob: the bytes of an upload or a picture, found by their SHA-256 and never changed."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from annotation.triggers import AppendOnly


class Blob(models.Model):
    sha256 = models.CharField(max_length=64, primary_key=True)
    content_type = models.CharField(max_length=80)
    content = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex="^[0-9a-f]{64}$"), name="%(class)s_sha256_is_one")
        ]

    def __str__(self) -> str:
        return self.sha256[:12]
