"""Feedback on practice: what is said of a right answer and of a wrong one. Checks have none, or they would be told from
the other items.
"""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from agreement.files.numbers import Scale
from agreement.kinds.answers import Answer, Fields
from agreement.kinds.data import is_right
from agreement.kinds.right_answers import RightAnswer
from annotation.answering.kinds.form import last_value
from annotation.answering.several_questions import standing_answer
from annotation.models import AssignedItem, Item, Judgment, Study
from annotation.models.question import FIRST

# What the form of a practice item says of itself, so that no other answer costs a look at its item.
PRACTICE = "practice"
# Fields of an item: said of every answer, of a right one, of a wrong one.
ALWAYS, RIGHT, WRONG = "feedback", "feedback_right", "feedback_wrong"


def right_answer_of(item: Item, question: Study) -> RightAnswer:
    low, high = question.scale_low, question.scale_high
    return RightAnswer(
        expected=tuple(item.expected or ()),
        low=None if item.min is None else Decimal(repr(item.min)),
        high=None if item.max is None else Decimal(repr(item.max)),
        scale=None if low is None or high is None else Scale(Decimal(low), Decimal(high)),
    )


def is_answered_right(item: Item, question: Study, answer: Answer | Judgment) -> bool | None:
    """By the rule of checks, on the question that the item is about; None where nothing says what is right."""
    right = right_answer_of(item, question)
    return is_right(question.kind, answer, right) if right else None


def has_feedback(item: Item) -> bool:
    return item.kind == Item.Kind.PRACTICE and any(_text(item, name) for name in (ALWAYS, RIGHT, WRONG))


def depends_on_answer(item: Item) -> bool:
    return item.kind == Item.Kind.PRACTICE and any(_text(item, name) for name in (RIGHT, WRONG))


def feedback_on(item: Item, question: Study, answer: Answer | Judgment | None) -> str:
    """`question` is the one that the item is about. Before there is an answer only what is said of every one."""
    if item.kind != Item.Kind.PRACTICE:
        return ""
    verdict = None if answer is None else is_answered_right(item, question, answer)
    by_answer = "" if verdict is None else _text(item, RIGHT if verdict else WRONG)
    return " ".join(filter(None, (by_answer, _text(item, ALWAYS))))


def feedback_to_preview(item: Item) -> str:
    """All of it, for a researcher, whose answers in a preview reach nobody."""
    parts = (("If the answer is right: ", RIGHT), ("If it is wrong: ", WRONG), ("", ALWAYS))
    return " ".join(begin + text for begin, name in parts if (text := _text(item, name)))


def _text(item: Item, name: str) -> str:
    return str(item.fields.get(name, "")).strip()


def feedback_on_saved(*, assignment_uuid: UUID, fields: Fields) -> str | None:
    """For the script of a page that has just saved this form; None of all but practice whose feedback depends on the
    answer. Of an item of several questions once it is done.
    """
    position = last_value(fields, "position")
    if not last_value(fields, PRACTICE) or not position.isdecimal():
        return None
    places = AssignedItem.objects.select_related("item__study").filter(item__kind=Item.Kind.PRACTICE)
    place = places.filter(assignment__uuid=assignment_uuid, position=int(position)).first()
    if place is None or not depends_on_answer(place.item) or (place.questions > FIRST and place.done_at is None):
        return None
    item = place.item
    row = Judgment.objects.current().filter(assigned_item=place, question=item.check_question).first()
    answer = standing_answer(row)
    return feedback_on(item, item.study.asked(item.check_question), answer) if answer else _text(item, ALWAYS)
