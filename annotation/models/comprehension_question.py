"""ComprehensionQuestion: asked after the instructions, with two tries, so that nobody judges what they didn't get."""

from django.db import models

from annotation.models.constraints import filled
from annotation.models.study import Study


class ComprehensionQuestion(models.Model):
    study = models.ForeignKey(Study, models.CASCADE, related_name="comprehension_questions")
    position = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=400)
    right_answer = models.CharField(max_length=200)
    wrong_answers = models.TextField(help_text="One a line. The order shown differs from person to person.")

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
