"""Choices: one or more labels, within the limits that a study sets."""

from dataclasses import replace

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Offered, Options, options_of
from annotation.answering.kinds.form import BadAnswer, Facts, Form, read_label


def _read(fields: Fields, facts: Facts) -> Answer:
    labels = {read_label(value.strip(), facts, "labels") for value in fields.get("labels") or [] if value.strip()}
    if not labels:
        raise BadAnswer("labels", _("Please choose one or more answers."))
    alone = sorted(labels & facts.exclusive)
    if alone and len(labels) > 1:
        sentence = _("{label} can't be chosen together with other answers.")
        raise BadAnswer("labels", sentence.format(label=f"“{facts.as_shown(alone[0])}”"))
    is_enough = facts.fewest is None or len(labels) >= facts.fewest or alone
    if not is_enough or (facts.most is not None and len(labels) > facts.most):
        raise BadAnswer("labels", how_many(facts.fewest, facts.most))
    return Answer(labels=sorted(labels))


def how_many(fewest: int | None, most: int | None) -> str:
    """How many labels an answer may have, in a sentence that no language has to inflect; nothing without a limit."""
    low, high = fewest or 1, most
    if low == high:
        return _("Number of answers to choose: exactly {number}.").format(number=low)
    if high is not None and low > 1:
        return _("Number of answers to choose: from {fewest} to {most}.").format(fewest=low, most=high)
    if high is not None:
        return _("Number of answers to choose: at most {most}.").format(most=high)
    return _("Number of answers to choose: at least {fewest}.").format(fewest=low) if low > 1 else ""


def _show(offered: Offered, fields: Fields) -> Options:
    options = options_of(offered, fields.get("labels", ()))
    return replace(options, how_many=how_many(offered.fewest, offered.most))


FORM = Form(_read, _show, script="label-choices.js", style="label-choices.css")
