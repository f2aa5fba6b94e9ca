"""A researcher, their account, its second factor and attempts to log in; and what anybody did to a study."""

import datetime as dt
from typing import ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from annotation.database.triggers import AppendOnly
from annotation.models.expressions import filled, known_choices
from annotation.models.study import Study
from annotation.models.text_fields import LineField

# User: a researcher who signs in. Annotators never do.


class User(AbstractUser):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)


# AccountEntry: what was done to a researcher's account, when and by whom: the record of how it can be entered.


@known_choices
class AccountEntry(models.Model):
    class Action(models.TextChoices):
        UNLOCKED = "unlocked", "Unlocked after failed log-ins"
        SECOND_FACTOR_SET = "factor-set", "Set up a second factor"
        SECOND_FACTOR_REMOVED = "factor-removed", "Removed the second factor"
        SECOND_FACTOR_RESET = "factor-reset", "Reset by an administrator"
        RECOVERY_CODE_USED = "code-used", "Used a recovery code"
        TOKEN_CREATED = "token-made", "Created an API token"
        TOKEN_REVOKED = "token-revoked", "Revoked an API token"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="account_entries")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty: a command on the server did it.",
    )
    action = models.CharField(max_length=14, choices=Action)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name_plural = "account entries"
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.user}"


# LogInAttempt: that somebody tried to log in as a researcher, when, from which network, and how it ended.


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
        REFUSED = "refused", "Refused: too many failed log-ins"

    # Keyed digests. What was typed as a name may be a password, so only names that exist are kept, as `user`.
    account = models.CharField(max_length=64)
    network = models.CharField(max_length=64, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.BEGUN)
    forgiven_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Not counted since then, because a log-in succeeded or an administrator unlocked the account.",
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


# SecondFactor: that a researcher's log-in asks for an app's code as well; RecoveryCode: what replaces a lost app.


class SecondFactor(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    # The secret follows from this and the site's SECRET_KEY (accounts/researcher_accounts.py): a copy of the database
    # opens nothing.
    nonce = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    last_step = models.BigIntegerField(
        help_text="The 30 seconds of the code that was used last, so that no code works twice."
    )

    class Meta:
        constraints = [filled("nonce")]

    def __str__(self) -> str:
        return f"second factor of {self.user}"


class RecoveryCode(models.Model):
    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [filled("digest")]

    def __str__(self) -> str:
        return f"recovery code of {self.factor.user}"


# ApiToken: what a researcher's script signs in with; IdempotencyKey: a request that is carried out once.


class Scope(models.TextChoices):
    """What a token may do of what its researcher may do."""

    READ = "read", "Read studies and results, under pseudonyms"
    WRITE = "write", "Create and change studies, items, analyses, models"
    LINKS = "links:read", "See the links and codes that let people in"
    PLATFORM_IDS = "platform_ids:read", "See platform ids, where the researcher is a manager"
    PAYMENTS = "payments:write", "Decide on payments, where the researcher is a manager"


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def in_force(self, now: dt.datetime) -> Self:
        """Those that still sign in: neither revoked nor expired, of a researcher who may still log in."""
        return self.filter(revoked_at=None, expires_at__gt=now, user__is_active=True, user__is_staff=True)

    def newest_first(self) -> Self:
        return self.order_by("-created_at", "-pk")


class ApiToken(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = LineField(max_length=80)
    scopes = models.JSONField()
    # The token itself is shown once and stored nowhere.
    digest = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=4, help_text="Its last characters, to tell it from others.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        constraints = [filled("name"), filled("digest")]

    def __str__(self) -> str:
        return f"{self.name} (…{self.ending})"


class IdempotencyKey(models.Model):
    """A creation that came with a key: sent again with the same key, it gets the stored answer and does nothing."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request = models.CharField(max_length=64, help_text="The SHA-256 of the method, the address and the body.")
    created_at = models.DateTimeField(auto_now_add=True)
    # Empty while the first request is being carried out.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="%(class)s_once_a_user"),
            filled("key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__gte=200, status__lt=300), name="%(class)s_done_or_nothing"
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="%(class)s_created_at")]

    def __str__(self) -> str:
        return self.key


# AuditEntry: who did what to a study, when, why and under which rules. It names nobody's platform id.


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
