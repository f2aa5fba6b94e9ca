"""OpenEntry: that somebody came in by an open link, from which network, for as long as their number is limited."""

from django.db import models

from annotation.models.constraints import filled
from annotation.models.entry_link import EntryLink


class OpenEntry(models.Model):
    link = models.ForeignKey(EntryLink, models.CASCADE, related_name="open_entries")
    # A keyed digest that differs from day to day (annotation/networks.py): no address is ever stored.
    network = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "open entries"
        constraints = [filled("network")]
        indexes = [models.Index(fields=["link", "network", "at"], name="%(class)s_lately")]

    def __str__(self) -> str:
        return f"by {self.link}"
