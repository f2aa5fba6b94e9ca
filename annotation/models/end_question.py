"""EndQuestion: what a study asks about the person at the end, such as age or languages. Never required."""

from django.core.validators import RegexValidator
from django.db import models

from annotation.models.constraints import filled
from annotation.models.study import Study


class EndQuestion(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="end_questions")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(
        max_length=40, validators=[RegexValidator("^[a-z][a-z0-9_]*$")], help_text="Its column in exports."
    )
    text = models.CharField(max_length=400)
    options = models.TextField(blank=True, help_text="One a line; none: the person writes.")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="%(class)s_position_once_a_study"),
            models.UniqueConstraint(fields=["study", "name"], name="%(class)s_name_once_a_study"),
            filled("name"),
            filled("text"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def choices(self) -> list[str]:
        return list(dict.fromkeys(line.strip() for line in self.options.splitlines() if line.strip()))
