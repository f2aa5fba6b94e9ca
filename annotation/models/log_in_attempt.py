"""LogInAttempt: that somebody tried to log in as a researcher, when, from which network, and how it ended."""

import datetime as dt
from typing import Self

from django.conf import settings
from django.db import models

from annotation.models.constraints import filled, known_choices


class LogInAttemptQuerySet(models.QuerySet["LogInAttempt"]):
    def failures_since(self, since: dt.datetime) -> Self:
        """What counts against an account or a network. An attempt that is still being checked counts as a failure."""
        failed = (LogInAttempt.Outcome.BEGUN, LogInAttempt.Outcome.WRONG, LogInAttempt.Outcome.WRONG_CODE)
        return self.filter(outcome__in=failed, at__gt=since, forgiven_at__isnull=True)


@known_choices
class LogInAttempt(models.Model):
    class Outcome(models.TextChoices):
        BEGUN = "begun", "Not finished"
        WRONG = "wrong", "Wrong name or password"
        CODE_ASKED = "code-asked", "Password right, code asked for"
        WRONG_CODE = "wrong-code", "Wrong code"
        LOGGED_IN = "logged-in", "Logged in"
        CONFIRMED = "confirmed", "Confirmed by a code"
        REFUSED = "refused", "Refused: too many before"

    # Keyed digests. What was typed as a name may be a password, so only names that exist are kept, as `user`.
    account = models.CharField(max_length=64)
    network = models.CharField(max_length=64, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.BEGUN)
    forgiven_at = models.DateTimeField(
        null=True, blank=True, help_text="No longer counts since then: a log-in worked, or an administrator unlocked."
    )

    objects = LogInAttemptQuerySet.as_manager()

    class Meta:
        verbose_name = "log-in attempt"
        ordering = ["-at", "-id"]
        constraints = [filled("account")]
        indexes = [
            models.Index(fields=["account", "at"], name="%(class)s_account_at"),
            models.Index(fields=["network", "at"], name="%(class)s_network_at"),
        ]

    def __str__(self) -> str:
        return f"{self.user or 'no such account'}: {self.get_outcome_display()}"
