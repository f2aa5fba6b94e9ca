"""Slider: one number on a line between two end labels."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_number
from questions.answers import Answer


def _read(fields: Fields, facts: Facts) -> Answer:
    given = one(fields, "number")
    if given:
        return Answer(number=read_number(given, facts, "number"))
    if facts.starts_in_middle:
        return Answer(number=facts.middle)
    # The line itself has no name in the form, so that an unmoved one sends nothing and can't count as an answer.
    raise BadAnswer("number", _("Please place your answer on the line."))


SLIDER = Question("slider", "annotation/questions/slider.html", _read)
