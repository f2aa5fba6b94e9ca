"""StoredRuleSet: a cleaning rule set as it was when first used. It is never edited: a change is another row."""

from typing import ClassVar

from django.db import models

from annotation.models.constraints import filled
from annotation.triggers import AppendOnly


class StoredRuleSet(models.Model):
    name = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64, unique=True)
    toml = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly()]

    class Meta:
        verbose_name = "rule set"
        constraints = [filled("name"), filled("toml")]

    def __str__(self) -> str:
        return f"{self.name} ({self.sha256[:8]})"
