"""StoredRuleSet: a cleaning rule set as it was when first used. It is never edited: a change is another row."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.database.triggers import AppendOnly
from annotation.models import Study
from annotation.models.constraints import filled


class StoredRuleSetQuerySet(models.QuerySet["StoredRuleSet"]):
    def of_studies_or_shared(self, studies: models.QuerySet[Study]) -> Self:
        """Those that a run of one of these studies used, and those that are shared with everybody."""
        used = StoredRuleSet.objects.filter(cleaning_runs__study__in=studies.order_by().values("pk"))
        shared = SharedRuleSet.objects.values("rule_set")
        return self.filter(Q(pk__in=used.values("pk")) | Q(pk__in=shared))


class StoredRuleSet(models.Model):
    name = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64, unique=True)
    toml = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StoredRuleSetQuerySet.as_manager()
    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name = "rule set"
        constraints = [filled("name"), filled("toml")]

    def __str__(self) -> str:
        return f"{self.name} ({self.sha256[:8]})"


class SharedRuleSet(models.Model):
    """That a study's managers share a rule set which the study used with every researcher of the site.

    Which studies a rule set belongs to is said by their cleaning runs; only the sharing needs a row of its own.
    """

    rule_set = models.ForeignKey(StoredRuleSet, models.PROTECT, related_name="shares")
    study = models.ForeignKey(Study, models.PROTECT, related_name="shared_rule_sets")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rule_set", "study"], name="%(class)s_once_a_study")]

    def __str__(self) -> str:
        return f"{self.rule_set}, shared by {self.study}"
