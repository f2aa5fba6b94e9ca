"""CheckQuota: how many check items of one name every assignment carries."""

from django.db import models
from django.db.models import Q

from annotation.models.constraints import filled
from annotation.models.study import Study


class CheckQuota(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="check_quotas")
    check_name = models.CharField(max_length=40)
    an_assignment = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "check_name"], name="%(class)s_name_once_a_study"),
            models.CheckConstraint(condition=Q(an_assignment__gte=1), name="%(class)s_at_least_one"),
            filled("check_name"),
        ]

    def __str__(self) -> str:
        return f"{self.an_assignment} {self.check_name}"
