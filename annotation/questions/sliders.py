"""Sliders: a number for each label."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_number
from questions.answers import Answer

PREFIX = "number:"


def _read(fields: Fields, facts: Facts) -> Answer:
    """Lines are named by their label, so that nothing depends on the order in which they were shown."""
    numbers: dict[str, float] = {}
    for label in facts.labels:
        field = PREFIX + label
        given = one(fields, field)
        if given:
            numbers[label] = read_number(given, facts, field)
        elif facts.starts_in_middle:
            numbers[label] = facts.middle
        else:
            raise BadAnswer(field, _("Please place an answer on every line."))
    if not numbers:
        raise BadAnswer(PREFIX, _("This question has no lines to answer on."))
    return Answer(numbers=numbers)


SLIDERS = Question("sliders", "annotation/questions/sliders.html", _read)
