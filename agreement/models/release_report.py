"""ReleaseReport: the report page, figures and tables of a release, drawn by a job."""

from typing import ClassVar

from django.db import models

from agreement.models.gold_release import GoldRelease
from annotation.triggers import AppendOnly


class ReleaseReport(models.Model):
    """Made of what the database has when it is drawn; somebody's withdrawal removes it with what it shows of them."""

    release = models.OneToOneField(GoldRelease, models.PROTECT, related_name="drawn")
    figures = models.JSONField(help_text="Name, title, caption and description of every figure, in order.")
    content = models.BinaryField(help_text="report.html, figures/ and tables/ as one zip.")
    drawn_at = models.DateTimeField(auto_now_add=True)

    triggers: ClassVar = [AppendOnly(allows_delete=True)]

    def __str__(self) -> str:
        return f"report of {self.release}"
