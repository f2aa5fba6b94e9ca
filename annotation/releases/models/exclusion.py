"""Exclusion: a worker excluded from a study, by a run or by hand, with the reason. It can be lifted."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Participation
from annotation.models.constraints import filled
from annotation.releases.models.cleaning_run import CleaningRun


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def in_force(self) -> Self:
        return self.filter(lifted_at__isnull=True)


class Exclusion(models.Model):
    participation = models.ForeignKey(Participation, models.PROTECT, related_name="exclusions")
    run = models.ForeignKey(CleaningRun, models.PROTECT, null=True, blank=True, related_name="exclusions")
    reason = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_by_run = models.ForeignKey(
        CleaningRun,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="lifted_exclusions",
        help_text="The later run whose rules the worker passed.",
    )
    lift_reason = models.TextField(blank=True)

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            filled("reason"),
            models.UniqueConstraint(
                fields=["participation"], condition=Q(lifted_at__isnull=True), name="%(class)s_one_in_force"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True, lift_reason="") | (Q(lifted_at__isnull=False) & ~Q(lift_reason="")),
                name="%(class)s_lifted_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation}: {self.reason}"
