"""Choice: one of a few labels, which may be the points of a scale."""

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Offered, Options, options_of
from annotation.answering.kinds.form import BadAnswer, Facts, Form, last_value, read_label


def _read(fields: Fields, facts: Facts) -> Answer:
    label = last_value(fields, "label")
    if not label:
        raise BadAnswer("label", _("Please choose an answer."))
    return Answer(label=read_label(label, facts, "label"))


def _show(offered: Offered, fields: Fields) -> Options:
    return options_of(offered, fields.get("label", ()))


FORM = Form(_read, _show, style="ordered-labels.css")
