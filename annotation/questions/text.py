"""Text: one free text."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_text
from questions.answers import Answer
from tables.cell_texts import is_blank


def _read(fields: Fields, facts: Facts) -> Answer:  # noqa: ARG001  every kind is read by the same two
    text = read_text(one(fields, "text"), "text")
    if is_blank(text):
        raise BadAnswer("text", _("Please write an answer."))
    return Answer(text=text)


TEXT = Question("text", "annotation/questions/text.html", _read)
