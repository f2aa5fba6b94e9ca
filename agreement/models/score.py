"""Score: one figure of a probe against a gold release, pinned to that release for ever."""

from django.db import models
from django.db.models import Q

from agreement.models.gold_release import GoldRelease
from agreement.models.probe import Probe
from annotation.models.constraints import both_or_neither, finite, ordered


class Score(models.Model):
    probe = models.ForeignKey(Probe, models.PROTECT, related_name="scores")
    release = models.ForeignKey(GoldRelease, models.PROTECT, related_name="scores")
    metric = models.CharField(max_length=60)
    breakdown = models.CharField(
        max_length=80, blank=True, help_text="The column it is broken down by; empty for all items."
    )
    group = models.CharField(max_length=200, blank=True)
    estimate = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveIntegerField()
    method = models.TextField()
    undefined = models.TextField(blank=True, help_text="Why there is no figure.")
    seed = models.BigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["probe", "release", "metric", "breakdown", "group"], name="%(class)s_once_a_release"
            ),
            both_or_neither("low", "high"),
            finite("estimate"),
            finite("low"),
            finite("high"),
            ordered("low", "high"),
            models.CheckConstraint(
                condition=(Q(estimate__isnull=False, undefined="")) | (Q(estimate__isnull=True) & ~Q(undefined="")),
                name="%(class)s_figure_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.probe}: {self.metric}"
