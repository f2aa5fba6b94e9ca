"""What a page shows of one question of an item: worded, with its lines or labels and the answer so far."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby

from django.http import QueryDict

from agreement.files.question_fields import QUESTION, Wording, word
from agreement.kinds.answers import Fields, Offered, ShownLabel, html_number
from agreement.kinds.data import form_fields_of
from annotation.answering.kinds.form import CONFIDENCES, DONT_KNOW, Form, form_of, last_value, template_of
from annotation.answering.offered import OfferedItem, offered_of
from annotation.answering.several_questions import ASKED, Asked, standing_answer
from annotation.models import AssignedItem, Judgment, Study
from annotation.models.question import FIRST


@dataclass(frozen=True, slots=True)
class Scale:
    """A slider's scale as HTML wants it, whatever the language: decimal points, no grouping."""

    low: str
    high: str
    middle: str
    step: str


def scale_of(study: Study) -> Scale:
    if study.scale_low is None or study.scale_high is None:
        return Scale("", "", "", "")
    low, high = float(study.scale_low), float(study.scale_high)
    return Scale(html_number(low), html_number(high), html_number((low + high) / 2), html_number((high - low) / 100))


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """One question of an item, with what the template of its kind shows of the answer (`inputs`), and what that is
    made from.
    """

    position: int | str  # what the names of its fields begin with: the item's, and of several q and a number: 3-q2
    asked: Asked
    offered: Offered
    inputs: object
    wording: Wording
    is_direction_reversed: bool
    no_answer: str
    confidence: str
    is_shown: bool
    is_answered: bool

    @property
    def study(self) -> Study:
        """The study as it asks this."""
        return self.asked.study

    @property
    def number(self) -> int:
        return self.asked.number

    @property
    def labels(self) -> tuple[ShownLabel, ...]:
        return self.offered.labels

    @property
    def form(self) -> Form:
        return form_of(self.study.kind)

    @property
    def template(self) -> str:
        return template_of(self.study.kind)

    @property
    def scale(self) -> Scale:
        return scale_of(self.study)

    @property
    def is_missing(self) -> bool:
        """Whether the item can't be done without an answer to it."""
        return self.is_shown and self.study.is_required and not self.is_answered

    @property
    def is_unknown(self) -> bool:
        """The person has said that they don't know."""
        return self.no_answer == DONT_KNOW

    @property
    def confidences(self) -> tuple[str, ...]:
        return CONFIDENCES

    @property
    def shown_if(self) -> str:
        """Its condition, for the page's script."""
        condition = self.asked.condition
        if condition is None:
            return ""
        return json.dumps({**asdict(condition), "labels": sorted(condition.labels)})


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that are shown together: one by itself, or several statements that are rated on one scale, as a table.

    `fits` says where there is room for that table, in the words of touchstone.css; elsewhere they stand one under the
    other.
    """

    questions: tuple[ShownQuestion, ...]
    fits: str = ""

    @property
    def offered(self) -> Offered:
        return self.questions[0].offered


def shown_question(
    asked: Asked, one: AssignedItem, judgment: Judgment | None, *, seed: int, position: int | str, is_shown: bool
) -> ShownQuestion:
    study, fields = asked.study, one.item.fields
    if asked.number != FIRST:  # a question of the item's own stands for the first
        fields = {name: text for name, text in fields.items() if name != QUESTION}
    offered = offered_of(
        study, asked.labels, OfferedItem(one.item.pk, one.item.fields, one.is_direction_reversed, seed)
    )
    return ShownQuestion(
        position=position,
        asked=asked,
        offered=offered,
        inputs=form_of(study.kind).show(offered, form_fields_of(study.kind, judgment) if judgment else {}),
        wording=word(study.question, fields, is_swapped=one.is_word_order_swapped),
        is_direction_reversed=one.is_direction_reversed,
        no_answer=(judgment and judgment.no_answer) or "",
        confidence=str((judgment and judgment.confidence) or ""),
        is_shown=is_shown,
        is_answered=standing_answer(judgment) is not None,
    )


def question_as_sent(question: ShownQuestion, form: QueryDict, *, is_one_of_several: bool) -> ShownQuestion:
    fields = fields_of_item(form, question.position)
    if is_one_of_several and ASKED not in fields:  # it wasn't shown
        return question
    return replace(
        question,
        inputs=question.form.show(question.offered, fields),
        no_answer=DONT_KNOW if last_value(fields, "dont_know") else "",
        confidence=last_value(fields, "confidence"),
    )


def fields_of_item(form: QueryDict, position: int | str) -> Fields:
    """One item's fields of a page's form, or one question's: each name begins with its position."""
    prefix = f"i{position}-"
    return {name.removeprefix(prefix): values for name, values in form.lists() if name.startswith(prefix)}


def groups_of(questions: Sequence[ShownQuestion]) -> Iterator[Group]:
    """Choices that follow one another with the same labels, none of them under a condition, are one group."""
    for scale, group in groupby(questions, key=_rated_on):
        rows = tuple(group)
        if scale is not None and len(rows) > 1:
            yield Group(rows, room_for_table(scale.labels))
        else:
            yield from (Group((row,)) for row in rows)


def _rated_on(question: ShownQuestion) -> Offered | None:
    is_row = question.study.kind == MATRIX_KIND and question.asked.condition is None
    return question.offered if is_row else None


# A rating matrix: choices with one set of labels. Widths in rem, as in touchstone.css.
MATRIX_KIND = "choice"
PHONE, PAGE, BESIDE = 20, 41, 0.6  # the room on a phone and on a page, and the share of it beside the statements
LEAST, CHARACTER, GAP = 2.8, 0.45, 0.3  # of one point: a finger's, and what the longest word of its label takes


def room_for_table(labels: Sequence[ShownLabel]) -> str:
    """Where a table of these labels fits: "everywhere", "beside" the statements or "under" them on a page, or "".

    >>> few, many = [ShownLabel(v, v, "") for v in "12345"], [ShownLabel(str(v), str(v), "") for v in range(40)]
    >>> room_for_table(few), room_for_table(many[:8]), room_for_table(many[:11]), room_for_table(many)
    ('everywhere', 'beside', 'under', '')
    """
    longest = max((len(word) for label in labels for word in label.display_text.split()), default=0)
    width = len(labels) * max(LEAST, longest * CHARACTER + GAP)
    if width <= PHONE:
        return "everywhere"
    return "beside" if width <= PAGE * BESIDE else "under" if width <= PAGE else ""
