"""Sliders: a number for each label."""

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Line, Lines, Offered, typed_value
from agreement.kinds.sliders.data import PREFIX
from annotation.answering.kinds.form import BadAnswer, Facts, Form, last_value, read_number


def _read(fields: Fields, facts: Facts) -> Answer:
    """Lines are named by their label, so that nothing depends on the order in which they were shown."""
    numbers: dict[str, float] = {}
    for label in facts.labels:
        field = PREFIX + label
        text = last_value(fields, field)
        if text:
            numbers[label] = read_number(text, facts, field)
        elif facts.starts_in_middle:
            numbers[label] = facts.middle
        else:
            raise BadAnswer(field, _("Please place an answer on every line."))
    if not numbers:
        raise BadAnswer(PREFIX, _("This question has no lines to answer on."))
    return Answer(numbers=numbers)


def _show(offered: Offered, fields: Fields) -> Lines:
    lines = (
        Line(PREFIX + label.value, label.display_text, label.swatch, typed_value(fields, PREFIX + label.value))
        for label in offered.labels
    )
    return Lines(tuple(lines))


def _is_untouched(fields: Fields) -> bool:
    return not any(last_value(fields, name) for name in fields if name.startswith(PREFIX))


FORM = Form(_read, _show, _is_untouched)
