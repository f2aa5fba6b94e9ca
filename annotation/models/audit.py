"""AuditEntry: who did what to a study, when, why and under which rules. It names nobody's platform id."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.database.triggers import AppendOnly
from annotation.models.constraints import known_choices
from annotation.models.study import Study


@known_choices
class AuditEntry(models.Model):
    class Action(models.TextChoices):
        CREATED = "created"
        CHANGED_STATUS = "changed-status"
        CHANGED = "changed"
        DUPLICATED = "duplicated"
        ARCHIVED = "archived"
        RESTORED = "restored"
        DELETED = "deleted", "Deleted a draft"
        SHARED = "shared"
        IMPORTED = "imported"
        CLEANED = "cleaned"
        EXCLUDED = "excluded"
        LIFTED = "lifted", "Lifted an exclusion"
        RELEASED = "released", "Released gold"
        EXPORTED = "exported"
        PAID = "paid"
        WITHDREW = "withdrew"
        PURGED = "purged", "Purged platform ids"
        SCORED = "scored"

    study = models.ForeignKey(Study, models.PROTECT, related_name="audit_entries")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=14, choices=Action)
    why = models.TextField(blank=True)
    detail = models.JSONField(default=dict)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["study", "-at"], name="%(class)s_study_at")]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.study}"
