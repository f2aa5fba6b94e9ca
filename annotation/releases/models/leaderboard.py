"""Leaderboard: a release's probes compared with each other, made again whenever a probe comes; and its public link."""

import secrets

from django.conf import settings
from django.db import models

from annotation.models import Study
from annotation.models.expressions import both_or_neither
from annotation.releases.models.gold_release import GoldRelease


class Leaderboard(models.Model):
    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="leaderboard")
    metric = models.CharField(max_length=80)
    comparisons = models.JSONField(
        help_text="Every pair of probes: difference, interval, p, and p corrected by Holm in two ways."
    )
    groups = models.JSONField(default=list, help_text="The mean scores of each group of models.")
    against_reference = models.JSONField(
        default=dict, help_text="Models and people against the items' own references, as in report.json."
    )
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"leaderboard of {self.release}"


def new_token() -> str:
    return secrets.token_urlsafe(24)


class PublicLeaderboard(models.Model):
    """A link by which anybody may read a study's leaderboard, until it is revoked."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="public_leaderboard")
    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [both_or_neither("revoked_at", "revoked_by")]

    def __str__(self) -> str:
        return f"public leaderboard of {self.study}"


class LeaderboardColumns(models.Model):
    """By which columns a study's scores are broken down on its leaderboard, and which of them are drawn as a curve."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="leaderboard_columns")
    tables = models.JSONField(default=list, help_text="Columns whose groups stand in a table.")
    curves = models.JSONField(default=list, help_text="Those of them that are drawn as a curve.")
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"columns of the leaderboard of {self.study}"
