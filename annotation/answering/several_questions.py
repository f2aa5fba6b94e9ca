"""An item that is asked several questions: which of them are shown, what each was answered, and when it is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Circumstances, Fields
from agreement.kinds.registry import KINDS
from annotation.answering.kinds.form import (
    SIMULATED,
    SKIP,
    SKIPPED,
    TAKEN_BACK,
    BadAnswer,
    Facts,
    last_value,
    passed_over,
    read_answer,
    read_input_kind,
)
from annotation.answering.offered import OfferedItem, offered_of
from annotation.models import Judgment, Label, Study
from annotation.models.question import FIRST, Question

# Fields of an item's form that are not of one question.
OF_THE_ITEM = ("could_not_see", SKIP, "response_ms", "first_touch_ms", "moves", "input_kind", "plays")
# Says that a question's fields are all that its answer has: where they are blank, it was shown and left empty.
ASKED = "asked"
NOT_ASKED, LEFT_EMPTY = Judgment.NoAnswer.NOT_ASKED, Judgment.NoAnswer.LEFT_EMPTY
# An answer may be changed so often. People change one a few times; a script that never stops would fill the disk, for
# every revision is kept.
MOST_REVISIONS = 50
# What comes from outside, in the order of the insert's values.
GIVEN = ("number", "label", "labels", "numbers", "properties", "text", "could_not_see", "no_answer")
WHERE_SHOWN = ("shown_position", "shown_order")
CIRCUMSTANCES = (
    "is_untouched_middle", "input_kind", "response_ms", "first_touch_ms", "moves", "confidence", "media_use",
)  # fmt: skip


class BadAnswers(BadAnswer):
    """Of an item's questions some have an answer that can't be taken: `problems` has them by the question's number."""

    def __init__(self, problems: Mapping[int, BadAnswer]) -> None:
        number = min(problems)
        super().__init__(f"{prefix_of(number)}{problems[number].field}", problems[number].sentence)
        self.problems = problems


def prefix_of(number: int) -> str:
    """What the names of a question's fields begin with, within its item's."""
    return f"q{number}-"


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
    """One of an item's questions: the study as it asks it, with its labels, and when it is shown."""

    study: Study
    labels: tuple[Label, ...] = ()  # the study's, in their order; what an item offers of them is in offered.py
    condition: Condition | None = None

    @property
    def number(self) -> int:
        return self.study.asked_number

    def facts_for(self, item: OfferedItem, of_item: Facts) -> Facts:
        """The limits of the answers to it, of this item."""
        study, offered = self.study, offered_of(self.study, self.labels, item).labels
        return Facts(
            low=None if study.scale_low is None else float(study.scale_low),
            high=None if study.scale_high is None else float(study.scale_high),
            labels=tuple(label.value for label in offered),
            shown=tuple(label.display_text for label in offered),
            starts_in_middle=study.slider_start == Study.SliderStart.MIDDLE,
            has_image=of_item.has_image,
            takes_notes=of_item.takes_notes,
            exclusive=frozenset(label.value for label in offered if label.exclusive),
            fewest=study.fewest,
            most=study.most,
            has_own_labels=bool(offered) and not self.labels,
            offers_dont_know=study.offers_dont_know,
            asks_confidence=study.asks_confidence,
            media=of_item.media,
        )

    def is_shown(self, answers: Mapping[int, Answer | None]) -> bool:
        """For the answers to the earlier questions that are shown."""
        return self.condition is None or self.condition.holds(answers.get(self.condition.question))

    def fields_in(self, fields: Fields) -> Fields:
        """Its own of an item's fields, with those that are about the item as a whole."""
        prefix = prefix_of(self.number)
        own = {name.removeprefix(prefix): value for name, value in fields.items() if name.startswith(prefix)}
        return {**{name: fields[name] for name in OF_THE_ITEM if name in fields}, **own}

    def has_an_answer_in(self, own: Fields) -> bool:
        """Where a slider that starts in the middle was passed over, that is one."""
        if self.study.slider_start == Study.SliderStart.MIDDLE and KINDS[self.study.kind].has_scale and ASKED in own:
            return True
        return any(
            value.strip() for name, values in own.items() if name not in (*OF_THE_ITEM, ASKED) for value in values
        )


def questions_asked(study: Study, *, is_only_one: bool = False) -> list[Asked]:
    """A study's questions in their order. Two statements, one where it is known that there is only one."""
    labels: defaultdict[int, list[Label]] = defaultdict(list)
    for label in Label.objects.filter(study=study).order_by("question", "position"):
        labels[label.question].append(label)
    return [
        Asked(each, tuple(labels[each.asked_number]), condition_of(each.further_question))
        for each in ([study.asked(FIRST)] if is_only_one else study.questions())
    ]


def numbers_shown(asked: Sequence[Asked], answers: Mapping[int, Answer | None]) -> set[int]:
    """Which of an item's questions are shown for these answers; an answer to one that isn't counts for nothing."""
    standing: dict[int, Answer | None] = {}
    for one in asked:
        if one.is_shown(standing):
            standing[one.number] = answers.get(one.number)
    return set(standing)


def standing_answer(row: Judgment | None) -> Answer | None:
    """The answer that a question has; nothing where it has none, or hadn't to have one."""
    if row is None or row.could_not_see or row.no_answer in {NOT_ASKED, LEFT_EMPTY, SKIPPED, TAKEN_BACK}:
        return None
    return Answer(**{name: getattr(row, name) for name in GIVEN})


@dataclass(slots=True)
class ItemAnswers:
    """What an item's form says: a row for each answer that is new, why others can't be taken, and whether no question
    lacks an answer any more.
    """

    rows: list[Judgment] = field(default_factory=list)
    problems: dict[int, BadAnswer] = field(default_factory=dict)
    is_done: bool = False


def read_item(
    asked: Sequence[Asked],
    facts: Mapping[int, Facts],
    current: Mapping[int, Judgment],
    fields: Fields,
    *,
    is_simulated: bool,
) -> ItemAnswers:
    without = Circumstances(input_kind=SIMULATED if is_simulated else read_input_kind(fields))

    def read(one: Asked) -> tuple[Answer, Circumstances]:
        return read_answer(one.study.kind, facts[one.number], one.fields_in(fields), is_simulated=is_simulated)

    passed = passed_over(fields) if facts[FIRST].takes_notes else ""
    if passed == SKIPPED or (last_value(fields, "could_not_see") and facts[FIRST].has_image):
        others = {one.number: (Answer(no_answer=NOT_ASKED), without) for one in asked[1:]}
        return ItemAnswers(_revisions(facts, current, {FIRST: read(asked[0]), **others}), is_done=True)
    answers: dict[int, Answer | None] = {}  # of the questions that are shown, as they stand now
    new: dict[int, tuple[Answer, Circumstances]] = {}
    problems: dict[int, BadAnswer] = {}
    for one in asked:
        if not one.is_shown(answers):
            continue
        own, answers[one.number] = one.fields_in(fields), standing_answer(current.get(one.number))
        if passed == TAKEN_BACK and one.number in current and not one.has_an_answer_in(own):
            answers[one.number], new[one.number] = None, (Answer(no_answer=TAKEN_BACK), without)
        elif one.has_an_answer_in(own) or (ASKED in own and one.study.is_required):
            try:
                new[one.number] = read(one)
                answers[one.number] = new[one.number][0]
            except BadAnswer as problem:
                problems[one.number] = problem
        elif ASKED in own and answers[one.number]:
            answers[one.number], new[one.number] = None, (Answer(no_answer=LEFT_EMPTY), without)
    is_done = passed != TAKEN_BACK and all(
        answers[one.number] or not (one.study.is_required or one.number in problems)
        for one in asked
        if one.number in answers
    )
    new |= {number: (why, without) for number, why in _without_answer(asked, answers, current, is_done=is_done)}
    return ItemAnswers(_revisions(facts, current, new), problems, is_done)


def _without_answer(
    asked: Sequence[Asked],
    answers: Mapping[int, Answer | None],
    current: Mapping[int, Judgment],
    *,
    is_done: bool,
) -> Iterator[tuple[int, Answer]]:
    """The questions that are not shown, where that is to be stored, and those that a done item leaves empty."""
    for one in asked:
        if one.number not in answers and (is_done or one.number in current):
            yield one.number, Answer(no_answer=NOT_ASKED)
        elif is_done and one.number in answers and answers[one.number] is None:
            yield one.number, Answer(no_answer=LEFT_EMPTY)


def _revisions(
    facts: Mapping[int, Facts], current: Mapping[int, Judgment], new: Mapping[int, tuple[Answer, Circumstances]]
) -> list[Judgment]:
    """A judgment for each of these answers that says something else than what is stored."""
    rows = []
    for number, (answer, circumstances) in new.items():
        values = {name: getattr(answer, name) for name in GIVEN}
        values |= {name: getattr(circumstances, name) for name in CIRCUMSTANCES}
        row = current.get(number)
        if row is not None and all(getattr(row, name) == values[name] for name in (*GIVEN, "confidence")):
            continue
        revision = 1 if row is None else row.revision + 1
        if revision > MOST_REVISIONS:
            raise changed_too_often()
        values |= dict(zip(WHERE_SHOWN, where_shown(facts[number], answer), strict=True))
        rows.append(Judgment(question=number, revision=revision, **values))
    return rows


def where_shown(facts: Facts, answer: Answer) -> list[Any]:
    """Where the label that was chosen stood among those offered, and an item's own labels in the order shown."""
    position = None if answer.label is None else facts.labels.index(answer.label) + 1
    return [position, list(facts.labels) if facts.has_own_labels and position else None]


def changed_too_often() -> BadAnswer:
    sentence = _(
        "You have changed this answer too often to change it again. Your last saved answer is kept: reload the"
        " page to see it."
    )
    return BadAnswer("revision", sentence)
