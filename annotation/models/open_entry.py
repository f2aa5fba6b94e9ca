"""OpenEntry: that somebody unverified came, from which network, for as long as their number is limited."""

from django.db import models

from annotation.models.constraints import exactly_one, filled
from annotation.models.entry_link import EntryLink
from annotation.models.participation import Participation
from annotation.models.study import Study


class OpenEntry(models.Model):
    # By an open link, or by the address that a platform has been given for the study.
    link = models.ForeignKey(EntryLink, models.CASCADE, null=True, blank=True, related_name="open_entries")
    study = models.ForeignKey(Study, models.CASCADE, null=True, blank=True, related_name="open_entries")
    # Nobody, where the person was refused: that counts too, or ids could be tried out without end.
    participation = models.ForeignKey(Participation, models.CASCADE, null=True, blank=True, related_name="open_entries")
    # A keyed digest that differs from day to day (annotation/crowding.py): no address is ever stored.
    network = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "open entries"
        constraints = [
            filled("network"),
            exactly_one("link", "study", name="by_link_or_to_study"),
        ]
        indexes = [
            models.Index(fields=["link", "network", "at"], name="%(class)s_lately"),
            models.Index(fields=["study", "network", "at"], name="%(class)s_lately_to_study"),
        ]

    def __str__(self) -> str:
        return f"by {self.link}" if self.link else f"to {self.study}"
