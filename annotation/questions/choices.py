"""Choices: one or more labels."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, read_label
from questions.answers import Answer


def _read(fields: Fields, facts: Facts) -> Answer:
    given = {read_label(value.strip(), facts, "labels") for value in fields.get("labels") or [] if value.strip()}
    if not given:
        raise BadAnswer("labels", _("Please choose one or more answers."))
    return Answer(labels=sorted(given))


CHOICES = Question("choices", "annotation/questions/choices.html", _read)
