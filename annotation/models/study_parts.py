"""What belongs to a study beside its items: labels, quotas of checks, questions about the form, who shares it."""

from typing import ClassVar, TypeVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from annotation.database.triggers import FrozenOnceJudged
from annotation.models.expressions import filled, known_choices
from annotation.models.question import OfAQuestion, Question, question_number
from annotation.models.study import CHECKS_PER_ASSIGNMENT, Study
from annotation.models.text_fields import LineField

# Label: one of the answers that a question offers, with the value stored and the text shown.


class Label(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="labels")
    question = question_number()
    value = LineField(max_length=80)
    display_text = LineField(max_length=120)
    position = models.PositiveSmallIntegerField()
    swatch = models.CharField(max_length=7, blank=True, help_text="A colour such as #c81e1e, shown beside the text.")
    exclusive = models.BooleanField(
        default=False, db_default=False, help_text="Chosen together with no other label, such as “none of these”."
    )

    objects = OfAQuestion["Label"]()

    triggers: ClassVar = [FrozenOnceJudged(("value", "display_text", "question"), items=("study_id", "study_id"))]

    class Meta:
        ordering = ["study", "question", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "question", "value"], name="%(class)s_value_once_a_question"),
            models.UniqueConstraint(
                fields=["study", "question", "position"], name="%(class)s_position_once_a_question"
            ),
            models.CheckConstraint(condition=~Q(value__contains="|"), name="%(class)s_without_bar"),
            filled("value"),
            filled("display_text"),
        ]

    def __str__(self) -> str:
        return self.display_text


# CheckQuota: how many check items of one name every assignment carries.


class CheckQuota(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="check_quotas")
    check_name = LineField(max_length=40)
    per_assignment = models.PositiveSmallIntegerField(default=1, validators=CHECKS_PER_ASSIGNMENT.validators)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "check_name"], name="%(class)s_name_once_a_study"),
            models.CheckConstraint(condition=Q(per_assignment__gte=1), name="%(class)s_at_least_one"),
            filled("check_name"),
        ]

    def __str__(self) -> str:
        return f"{self.per_assignment} {self.check_name}"


# ComprehensionQuestion: asked after the instructions, with two tries, so that nobody judges what they didn't get.


class ComprehensionQuestion(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="comprehension_questions")
    position = models.PositiveSmallIntegerField()
    text = LineField(max_length=400)
    right_answer = LineField(max_length=200)
    wrong_answers = models.TextField(help_text="One per line. Each person sees them in a different order.")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="%(class)s_position_once_a_study"),
            filled("text"),
            filled("right_answer"),
            filled("wrong_answers"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def answers(self) -> list[str]:
        """All that can be chosen, each once, the right one first: whoever shows them shuffles them."""
        lines = [self.right_answer, *self.wrong_answers.splitlines()]
        return list(dict.fromkeys(line.strip() for line in lines if line.strip()))


# EndQuestion: what a study asks about the person at the end, such as age or languages. Never required.


class EndQuestion(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="end_questions")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(
        max_length=40, validators=[RegexValidator("^[a-z][a-z0-9_]*$")], help_text="The name of its column in exports."
    )
    text = LineField(max_length=400)
    options = models.TextField(blank=True, help_text="One per line. Leave it empty for a free text.")

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


# Role: what a researcher who is not the study's owner may do with it.


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


Part = TypeVar("Part", Label, Question, CheckQuota, ComprehensionQuestion, EndQuestion)
