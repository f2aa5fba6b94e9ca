"""Choices: one or more labels."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Options, ShownLabel, options_of
from annotation.answering.kinds.form import BadAnswer, Facts, Form, read_label


def _read(fields: Fields, facts: Facts) -> Answer:
    labels = {read_label(value.strip(), facts, "labels") for value in fields.get("labels") or [] if value.strip()}
    if not labels:
        raise BadAnswer("labels", _("Please choose one or more answers."))
    return Answer(labels=sorted(labels))


def _show(labels: Sequence[ShownLabel], fields: Fields) -> Options:
    return options_of(labels, fields.get("labels", ()))


FORM = Form(_read, _show)
