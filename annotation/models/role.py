"""Role: what a researcher who is not a study's owner may do with it."""

from django.conf import settings
from django.db import models

from annotation.models.constraints import known_choices
from annotation.models.study import Study


@known_choices
class Role(models.Model):
    class Level(models.TextChoices):
        VIEWER = "viewer", "May look and export under pseudonyms"
        EDITOR = "editor", "May also change, clean and release"
        MANAGER = "manager", "May also share, pay and see platform ids"

    study = models.ForeignKey(Study, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    level = models.CharField(max_length=7, choices=Level)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="%(class)s_once_a_study"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.level} of {self.study}"
