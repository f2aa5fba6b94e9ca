"""StudySummary: what the pages of a large study show, computed by a job and shown with its age."""

from django.db import models
from django.db.models import Q

from annotation.models import Study


class StudySummary(models.Model):
    """One row per study, replaced by each job. It holds no answer and no pseudonym: keys of people and items only.

    A person's withdrawal deletes it (erasing.py), and the next page or the clock has it made again.
    """

    study = models.OneToOneField(Study, models.CASCADE, related_name="stored_summary")
    made_at = models.DateTimeField()
    judgments = models.PositiveIntegerField(help_text="How many judgments counted when it was made.")
    last_judgment = models.BigIntegerField(help_text="The highest number of a judgment that it looked at.")
    basis = models.CharField(
        max_length=64, help_text="Digest of all else that it depends on: rules, exclusions, status."
    )
    facts = models.JSONField(help_text="Agreement, the distribution of answers, judgments over time, times.")
    workers = models.BinaryField(help_text="Columns of numbers with a row per person, as numpy writes them.")
    items = models.BinaryField(help_text="The same with a row per item.")

    class Meta:
        verbose_name_plural = "study summaries"
        constraints = [
            models.CheckConstraint(condition=Q(last_judgment__gte=0), name="%(class)s_last_judgment_from_zero"),
        ]

    def __str__(self) -> str:
        return f"summary of {self.study}"
