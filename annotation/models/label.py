"""Label: one of the answers that a study offers, with the value stored and the text shown."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from annotation.models.constraints import filled
from annotation.models.study import Study
from annotation.triggers import FrozenOnceJudged


class Label(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="labels")
    value = models.CharField(max_length=80)
    display_text = models.CharField(max_length=120)
    position = models.PositiveSmallIntegerField()
    swatch = models.CharField(max_length=7, blank=True, help_text="A colour such as #c81e1e, shown beside the text.")

    triggers: ClassVar = [FrozenOnceJudged(("value", "display_text"), items=("study_id", "study_id"))]

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "value"], name="%(class)s_value_once_a_study"),
            models.UniqueConstraint(fields=["study", "position"], name="%(class)s_position_once_a_study"),
            models.CheckConstraint(condition=~Q(value__contains="|"), name="%(class)s_without_bar"),
            filled("value"),
            filled("display_text"),
        ]

    def __str__(self) -> str:
        return self.display_text
