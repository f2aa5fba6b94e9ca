"""ApiToken: what a researcher's script signs in with; IdempotencyKey: a request that is carried out once."""

import datetime as dt
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.constraints import filled


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
    name = models.CharField(max_length=80)
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
