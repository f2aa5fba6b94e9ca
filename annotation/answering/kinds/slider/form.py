"""Slider: one number on a line between two end labels."""

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Line, Lines, Offered, typed_value
from annotation.answering.kinds.form import BadAnswer, Facts, Form, last_value, read_number


def _read(fields: Fields, facts: Facts) -> Answer:
    text = last_value(fields, "number")
    if text:
        return Answer(number=read_number(text, facts, "number"))
    if facts.starts_in_middle:
        return Answer(number=facts.middle)
    # The line itself has no name in the form, so that an unmoved one sends nothing and can't count as an answer.
    raise BadAnswer("number", _("Please place your answer on the line."))


def _show(offered: Offered, fields: Fields) -> Lines:  # noqa: ARG001  every kind is shown by the same two
    return Lines((Line("number", value=typed_value(fields, "number")),))


def _is_untouched(fields: Fields) -> bool:
    return not last_value(fields, "number")


FORM = Form(_read, _show, _is_untouched)
