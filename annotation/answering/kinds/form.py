"""Reading what people typed and chose: the limits that a study sets, and a sentence for what can't be taken."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

from django.utils.translation import gettext as _

from agreement.errors import TouchstoneError
from agreement.kinds.answers import Answer, Circumstances, Fields, Offered, html_number
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS

LONGEST_TEXT = 5_000
DONT_KNOW, SKIPPED, TAKEN_BACK = "dont-know", "skipped", "taken-back"  # as Judgment.NoAnswer stores them
SKIP, TAKE_BACK = "skip", "take_back"  # fields of a form: why the item is skipped, and that its answer is undone
CONFIDENCES = ("1", "2", "3", "4", "5")


class BadAnswer(TouchstoneError):
    """An answer that can't be taken: a sentence for the person, tied to the field that it is about."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class MediumAsked:
    """A medium that the study's blocks show. An optional one isn't there in items whose cell is blank."""

    column: str
    must_play: bool = False
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """The limits that a study sets its answers."""

    low: float | None = None
    high: float | None = None
    labels: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()  # how people read each of them
    starts_in_middle: bool = False
    has_image: bool = False
    exclusive: frozenset[str] = frozenset()  # labels that are chosen together with no other
    fewest: int | None = None  # labels of one answer
    most: int | None = None
    has_own_labels: bool = False  # the item's, in an order of the person's own
    offers_dont_know: bool = False
    asks_confidence: bool = False
    media: tuple[MediumAsked, ...] = ()
    takes_notes: bool = False  # whether people may skip the item, flag it and comment on it

    def as_shown(self, label: str) -> str:
        """A label in the words that people read."""
        return dict(zip(self.labels, self.shown, strict=False)).get(label, label)

    @property
    def middle(self) -> float:
        if self.low is None or self.high is None:
            raise ValueError("a question without a scale has no middle")
        return (self.low + self.high) / 2


def last_value(fields: Fields, name: str) -> str:
    """The last value of this name, as a form means it, or nothing."""
    values = fields.get(name) or [""]
    return values[-1].strip()


def passed_over(fields: Fields) -> str:
    """Why a person at expert pace leaves the item without an answer; nothing where there is to be one."""
    return SKIPPED if last_value(fields, SKIP) else TAKEN_BACK if last_value(fields, TAKE_BACK) else ""


def read_number(text: str, facts: Facts, field: str) -> float:
    """A number of the study's scale; Arabic and other digits count as digits, and a decimal comma as a point."""
    try:
        # Python alone reads 5_0 as 50.
        number = float("" if "_" in text else text.replace(",", ".").replace("\u066b", "."))
    except ValueError:
        raise BadAnswer(field, _("Please give a number.")) from None
    if facts.low is None or facts.high is None or not math.isfinite(number) or not facts.low <= number <= facts.high:
        raise BadAnswer(
            field,
            _("Please give a number from %(low)s to %(high)s.")
            % {"low": html_number(facts.low), "high": html_number(facts.high)},
        )
    return number + 0.0  # -0.0 becomes 0.0: it would be another value to whoever compares texts


def read_text(text: str, field: str, longest: int = LONGEST_TEXT) -> str:
    if "\x00" in text:
        raise BadAnswer(field, _("This text contains a character that can't be saved."))
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()  # a form without script sends two for a line's end
    if len(text) > longest:
        raise BadAnswer(field, _("Please write at most {limit} characters.").format(limit=longest))
    return text


def read_label(text: str, facts: Facts, field: str) -> str:
    if text not in facts.labels:
        raise BadAnswer(field, _("Please choose one of the answers offered."))
    return text


# What every kind declares about its form, beside its template `<kind>/form.html`, and how an answer came about.


def always_touched(fields: Fields) -> bool:  # noqa: ARG001  every kind is asked alike
    return False


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind's part of a form is read, and what its template shows of it.

    `read_given` refuses with `BadAnswer`. `show` makes `item.inputs` of what is offered and of what a form sends for
    the answer given so far. `is_untouched` says whether none of its lines was moved. `script` and `style` name files in
    the kind's folder `static/`: the script defines a custom element, marked `data-part` in the template, that tells
    `item.js` whether it `isAnswered` and where a person goes on (`firstOpen`), takes over what its fields hold
    (`fill`), and sends a `change` for each answer.
    """

    read_given: Callable[[Fields, Facts], Answer]
    show: Callable[[Offered, Fields], object]
    is_untouched: Callable[[Fields], bool] = always_touched
    script: str = ""
    style: str = ""

    def read(self, fields: Fields, facts: Facts) -> Answer:
        """The answer in the form, or `BadAnswer`. Numbers come in the study's canonical direction."""
        if last_value(fields, "could_not_see") and facts.has_image:
            return Answer(could_not_see=True)
        if facts.takes_notes and (passed := passed_over(fields)):
            return Answer(no_answer=passed)
        if last_value(fields, "dont_know") and facts.offers_dont_know:
            return Answer(no_answer=DONT_KNOW)
        return self.read_given(fields, facts)


@cache
def form_of(kind: QuestionKind) -> Form:
    form: Form = import_module(f"{__package__}.{KINDS[kind].name}.form").FORM
    return form


def static_file_of(kind: QuestionKind, name: str) -> str:
    """Where a file of the kind's `static/` is found among all static files; nothing for no file."""
    return f"questions/{KINDS[kind].name}/{name}" if name else ""


def plain_template_of(kind: QuestionKind) -> str:
    """The same answer as plain fields on a researcher's page; their names begin with `a-`."""
    return f"{KINDS[kind].name}/plain.html"


def picture_of(kind: QuestionKind) -> str:
    """What draws the form small, on the card by which a researcher chooses it."""
    return f"{KINDS[kind].name}/picture.html"


def template_of(kind: QuestionKind) -> str:
    return f"{KINDS[kind].name}/form.html"


# How an answer came about, as the browser tells it: kept beside the answer, and refused where it can't be true.

LONGEST_MS = 7 * 24 * 3600 * 1000  # a week; no assignment stays open for so long
MOST_MOVES = 1_000_000
# What a browser may say of itself; "simulated" and "imported" are not for forms to claim.
INPUT_KINDS = frozenset({"mouse", "touch", "pen", "keyboard", "no-script", "unknown"})
SIMULATED = "simulated"


def read_answer(
    kind: QuestionKind, facts: Facts, fields: Fields, *, is_simulated: bool
) -> tuple[Answer, Circumstances]:
    form = form_of(kind)
    answer = form.read(fields, facts)
    circumstances = read_circumstances(form, fields, facts, answer)
    if is_simulated:  # which no form may say of itself
        circumstances = replace(circumstances, input_kind=SIMULATED)
    return answer, circumstances


def read_circumstances(form: Form, fields: Fields, facts: Facts, answer: Answer) -> Circumstances:
    response_ms = _read_count(fields, "response_ms", LONGEST_MS)
    first_touch_ms = _read_count(fields, "first_touch_ms", LONGEST_MS)
    if response_ms is not None and first_touch_ms is not None and first_touch_ms > response_ms:
        raise BadAnswer("first_touch_ms", _("The times sent with this answer can't be right."))
    return Circumstances(
        response_ms=response_ms,
        first_touch_ms=first_touch_ms,
        moves=_read_count(fields, "moves", MOST_MOVES),
        input_kind=read_input_kind(fields),
        is_untouched_middle=facts.starts_in_middle and _was_given(answer) and form.is_untouched(fields),
        confidence=_read_confidence(fields) if facts.asks_confidence and _was_given(answer) else None,
        media_use=_read_media_use(fields, facts.media, answer) if facts.media else None,
    )


def read_input_kind(fields: Fields) -> str:
    input_kind = last_value(fields, "input_kind") or "no-script"
    if input_kind not in INPUT_KINDS:
        raise BadAnswer("input_kind", _("The times sent with this answer can't be right."))
    return input_kind


def _was_given(answer: Answer) -> bool:
    return answer.could_not_see is None and answer.no_answer is None


def _read_confidence(fields: Fields) -> int:
    text = last_value(fields, "confidence")
    if text not in CONFIDENCES:
        raise BadAnswer("confidence", _("Please say how sure you are."))
    return int(text)


def _read_count(fields: Fields, name: str, most: int) -> int | None:
    text = last_value(fields, name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 12 and int(text) <= most):
        raise BadAnswer(name, _("The times sent with this answer can't be right."))
    return int(text)


# What a person did with an item's sounds and videos, and what they could not perceive. A form sends of each medium its
# column, how often it was started and how often it was played to its end, as clip:2:1; without script it sends nothing.

STARTED, ENDED, NOT_PERCEIVED = "started", "ended", "not_perceived"


def _read_media_use(fields: Fields, media: Sequence[MediumAsked], answer: Answer) -> dict[str, dict[str, int]] | None:
    use = dict(_plays_of(sent) for sent in fields.get("plays", ()) if sent)
    if use.keys() - {each.column for each in media}:
        raise BadAnswer("plays", _("The times sent with this answer can't be right."))
    if answer.could_not_see:
        for each in media:
            if each.column in fields["could_not_see"]:
                use[each.column] = {**use.get(each.column, {}), NOT_PERCEIVED: 1}
    elif read_input_kind(fields) != "no-script":
        for each in media:
            played = use.get(each.column, {ENDED: int(each.is_optional)})[ENDED]
            if each.must_play and not played:
                raise BadAnswer("plays", _("Please play it to its end first."))
    return use or None


def _plays_of(sent: str) -> tuple[str, dict[str, int]]:
    column, *counts = sent.split(":")
    if len(counts) != 2 or not all(count.isascii() and count.isdecimal() and len(count) < 6 for count in counts):
        raise BadAnswer("plays", _("The times sent with this answer can't be right."))
    started, ended = map(int, counts)
    return column, {STARTED: started, ENDED: ended}
