"""How an answer came about, as the browser tells it: kept beside the answer, and refused where it can't be true."""

from django.utils.translation import gettext as _

from questions.answers import Answer, Circumstances, Fields
from questions.form import Form
from questions.reading_forms import BadAnswer, Facts, one

LONGEST_MS = 7 * 24 * 3600 * 1000  # a week; no assignment stays open for so long
MOST_MOVES = 1_000_000
# What a browser may say of itself; "simulated" and "imported" are not for forms to claim.
INPUT_KINDS = frozenset({"mouse", "touch", "pen", "keyboard", "no-script", "unknown"})


def read_circumstances(form: Form, fields: Fields, facts: Facts, answer: Answer) -> Circumstances:
    response_ms = _count(fields, "response_ms", LONGEST_MS)
    first_touch_ms = _count(fields, "first_touch_ms", LONGEST_MS)
    if response_ms is not None and first_touch_ms is not None and first_touch_ms > response_ms:
        raise BadAnswer("first_touch_ms", _("The times sent with this answer can't be right."))
    input_kind = one(fields, "input_kind") or "no-script"
    if input_kind not in INPUT_KINDS:
        raise BadAnswer("input_kind", _("The times sent with this answer can't be right."))
    return Circumstances(
        response_ms=response_ms,
        first_touch_ms=first_touch_ms,
        moves=_count(fields, "moves", MOST_MOVES),
        input_kind=input_kind,
        is_untouched_middle=facts.starts_in_middle and not answer.could_not_see and form.is_untouched(fields),
    )


def _count(fields: Fields, name: str, most: int) -> int | None:
    given = one(fields, name)
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) <= 12 and int(given) <= most):
        raise BadAnswer(name, _("The times sent with this answer can't be right."))
    return int(given)
