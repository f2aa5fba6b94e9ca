"""Worker: a person known only by a platform's id, which is purged when it is no longer needed."""

from uuid import uuid4

from django.db import models

from annotation import platforms
from annotation.models.constraints import known_choices


@known_choices
class Worker(models.Model):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    platform = models.CharField(max_length=8, choices=platforms.choices())
    platform_id = models.CharField(max_length=200, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "platform_id"], name="%(class)s_platform_id_once"),
        ]

    def __str__(self) -> str:
        return f"worker {self.pk}"  # never the platform's id: this text reaches logs and history
