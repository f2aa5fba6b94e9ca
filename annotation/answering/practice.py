"""Practice and the qualification round: what is said of a right answer and of a wrong one, and who may go on.

Checks have no feedback, or they would be told from the other items.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.files.numbers import Scale
from agreement.kinds.answers import Answer, Fields, RightAnswer
from agreement.kinds.data import is_right
from annotation.answering.kinds.form import last_value
from annotation.answering.several_questions import standing_answer
from annotation.models import AssignedItem, Assignment, Item, Judgment, Study
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


def may_give_feedback(item: Item, study: Study) -> bool:
    """On practice, and on qualification items where the study wants it."""
    return item.kind == Item.Kind.PRACTICE or (item.kind == Item.Kind.QUALIFICATION and study.qualification_feedback)


def has_feedback(item: Item, study: Study) -> bool:
    return may_give_feedback(item, study) and any(_text(item, name) for name in (ALWAYS, RIGHT, WRONG))


def depends_on_answer(item: Item, study: Study) -> bool:
    return may_give_feedback(item, study) and any(_text(item, name) for name in (RIGHT, WRONG))


def feedback_on(item: Item, question: Study, answer: Answer | Judgment | None) -> str:
    """`question` is the one that the item is about. Before there is an answer only what is said of every one."""
    if not may_give_feedback(item, question):
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
    """For the script of a page that has just saved this form; None of all but practice (and qualification) whose
    feedback depends on the answer. Of an item of several questions once it is done.
    """
    position = last_value(fields, "position")
    if not last_value(fields, PRACTICE) or not position.isdecimal():
        return None
    places = AssignedItem.objects.select_related("item__study").filter(item__kind__in=OUTSIDE_RESULTS)
    place = places.filter(assignment__uuid=assignment_uuid, position=int(position)).first()
    if place is None or (place.questions > FIRST and place.done_at is None):
        return None
    item = place.item
    if not depends_on_answer(item, item.study):
        return None
    answer = standing_answer(_graded_answer(item, place, item.study))
    return feedback_on(item, item.study.asked(item.check_question), answer) if answer else _text(item, ALWAYS)


# The qualification round: items with right answers before any place is claimed, answered once.


def _graded_answer(item: Item, place: AssignedItem, study: Study) -> Judgment | None:
    """The latest to the question that the item is about. Of a qualification item with feedback the first: what was
    changed after that says how well somebody reads feedback.
    """
    answers = Judgment.objects.filter(assigned_item=place, question=item.check_question).order_by("revision")
    is_first = item.kind == Item.Kind.QUALIFICATION and has_feedback(item, study)
    return answers.first() if is_first else answers.last()


@dataclass(frozen=True, slots=True)
class QualificationRound:
    """What people are told of it beforehand."""

    questions: int
    pass_mark: int


def qualification_of(study: Study) -> QualificationRound | None:
    """None where everybody who has read the instructions may begin."""
    if study.qualification_pass_mark is None:
        return None
    items = study.items.filter(kind=Item.Kind.QUALIFICATION)[: study.qualification_items].count()
    return QualificationRound(items, study.qualification_pass_mark)


def right_answers_in(assignment: Assignment) -> int:
    """How many of its qualification items are answered right. What could not be seen, and "I don't know", is not."""
    places = assignment.assigned_items.filter(item__kind=Item.Kind.QUALIFICATION).select_related("item__study")
    return sum(_is_right(place) for place in places)


def _is_right(place: AssignedItem) -> bool:
    study = place.item.study
    answer = standing_answer(_graded_answer(place.item, place, study))
    return answer is not None and bool(is_answered_right(place.item, study.asked(place.item.check_question), answer))
