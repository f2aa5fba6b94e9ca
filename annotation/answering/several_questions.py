"""An item that is asked several questions: which of them are shown, what each was answered, and when it is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from agreement.kinds.answers import Answer, Fields
from annotation.answering.kinds.form import Facts
from annotation.answering.offered import OfferedItem, offered_of
from annotation.models import Label, Study
from annotation.models.question import Question

# Fields of an item's form that are not of one question.
OF_THE_ITEM = ("could_not_see", "response_ms", "first_touch_ms", "moves", "input_kind")


@dataclass(frozen=True, slots=True)
class Condition:
    """Shown where the earlier question's answer has one of these labels, or lies in this range."""

    question: int
    labels: frozenset[str] = frozenset()
    low: float | None = None
    high: float | None = None

    def holds(self, answer: Answer | None) -> bool:
        """Never for what was not asked, not answered or not known."""
        if answer is None:
            return False
        if self.labels:
            return not self.labels.isdisjoint(answer.labels or [answer.label])
        number = answer.number
        return number is not None and (-inf if self.low is None else self.low) <= number <= (
            inf if self.high is None else self.high
        )


def condition_of(question: Question | None) -> Condition | None:
    if question is None or question.shown_if is None:
        return None
    labels = frozenset(question.shown_if_labels or ())
    return Condition(question.shown_if, labels, question.shown_if_low, question.shown_if_high)


@dataclass(frozen=True, slots=True)
class Asked:
    """One of an item's questions: the study as it asks it, with the limits of its answers."""

    study: Study
    facts: Facts
    condition: Condition | None = None

    @property
    def number(self) -> int:
        return self.study.asked_number

    @property
    def prefix(self) -> str:
        """What the names of its fields begin with, within the item's."""
        return f"q{self.number}-"

    def is_shown(self, answers: Mapping[int, Answer | None]) -> bool:
        """For the answers to the earlier questions that are shown."""
        return self.condition is None or self.condition.holds(answers.get(self.condition.question))

    def fields_in(self, fields: Fields) -> Fields:
        """Its own of an item's fields, with those that are about the item as a whole."""
        own = {name.removeprefix(self.prefix): value for name, value in fields.items() if name.startswith(self.prefix)}
        return {**{name: fields[name] for name in OF_THE_ITEM if name in fields}, **own}

    def has_an_answer_in(self, fields: Fields) -> bool:
        return any(
            value.strip()
            for name, values in self.fields_in(fields).items()
            if name not in OF_THE_ITEM
            for value in values
        )


def questions_asked(study: Study, item: OfferedItem, *, has_image: bool) -> list[Asked]:
    """A study's questions of this item in their order. Two statements."""
    labels: defaultdict[int, list[Label]] = defaultdict(list)
    for label in Label.objects.filter(study=study).order_by("question", "position"):
        labels[label.question].append(label)
    return [
        Asked(
            each,
            facts_of(each, labels[each.asked_number], item, has_image=has_image),
            condition_of(each.further_question),
        )
        for each in study.questions()
    ]


def facts_of(study: Study, labels: Sequence[Label], item: OfferedItem, *, has_image: bool) -> Facts:
    offered = offered_of(study, labels, item).labels
    return Facts(
        low=None if study.scale_low is None else float(study.scale_low),
        high=None if study.scale_high is None else float(study.scale_high),
        labels=tuple(label.value for label in offered),
        shown=tuple(label.display_text for label in offered),
        starts_in_middle=study.slider_start == Study.SliderStart.MIDDLE,
        has_image=has_image,
        exclusive=frozenset(label.value for label in offered if label.exclusive),
        fewest=study.fewest,
        most=study.most,
        has_own_labels=bool(offered) and not labels,
        offers_dont_know=study.offers_dont_know,
        asks_confidence=study.asks_confidence,
    )


def numbers_shown(asked: Sequence[Asked], answers: Mapping[int, Answer | None]) -> set[int]:
    """Which of an item's questions are shown for these answers; an answer to one that isn't counts for nothing."""
    standing: dict[int, Answer | None] = {}
    for one in asked:
        if one.is_shown(standing):
            standing[one.number] = answers.get(one.number)
    return set(standing)
