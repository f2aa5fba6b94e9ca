"""Choice: one of a few labels."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_label
from questions.answers import Answer


def read_one_label(fields: Fields, facts: Facts) -> Answer:
    given = one(fields, "label")
    if not given:
        raise BadAnswer("label", _("Please choose an answer."))
    return Answer(label=read_label(given, facts, "label"))


CHOICE = Question("choice", "annotation/questions/choice.html", read_one_label)
