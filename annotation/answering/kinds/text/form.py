"""Text: one free text."""

from django.utils.translation import gettext as _

from agreement.files.cell_texts import is_blank
from agreement.kinds.answers import Answer, Fields, Offered, Writing, typed_value
from annotation.answering.kinds.form import LONGEST_TEXT, BadAnswer, Facts, Form, last_value, read_text


def _read(fields: Fields, facts: Facts) -> Answer:  # noqa: ARG001  every kind is read by the same two
    text = read_text(last_value(fields, "text"), "text")
    if is_blank(text):
        raise BadAnswer("text", _("Please write an answer."))
    return Answer(text=text)


def _show(offered: Offered, fields: Fields) -> Writing:  # noqa: ARG001  every kind is shown by the same two
    return Writing(typed_value(fields, "text").replace("\r\n", "\n"), longest=str(LONGEST_TEXT))


FORM = Form(_read, _show)
