"""AccountEntry: what was done to a researcher's account, when and by whom: the record of how it can be entered."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation.models.constraints import known_choices
from annotation.triggers import AppendOnly


@known_choices
class AccountEntry(models.Model):
    class Action(models.TextChoices):
        UNLOCKED = "unlocked", "Unlocked after failed log-ins"
        SECOND_FACTOR_SET = "factor-set", "Set up a second factor"
        SECOND_FACTOR_REMOVED = "factor-removed", "Removed the second factor"
        SECOND_FACTOR_RESET = "factor-reset", "Reset by an administrator"
        RECOVERY_CODE_USED = "code-used", "Used a recovery code"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="account_entries")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Nobody: a command on the server.",
    )
    action = models.CharField(max_length=14, choices=Action)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name_plural = "account entries"
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.user}"
