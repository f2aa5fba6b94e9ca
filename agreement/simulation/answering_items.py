"""A simulated person's answers to all that an item is asked, as its form sends them. Knows nothing of Django."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..kinds.answers import Answer, Circumstances
from ..kinds.data import form_fields_of
from ..kinds.kind import QuestionKind
from ..kinds.signs import NAMES
from .simulated_people import Person
from .world import KnownItem, World

FormFields: TypeAlias = list[tuple[str, str]]
Answered: TypeAlias = Mapping[int, Answer | None]  # by the number of the question


def is_always_shown(answers: Answered) -> bool:  # noqa: ARG001  conditions ask for them
    return True


@dataclass(frozen=True)
class PosedQuestion:
    """One question of a study. `prefix` begins its fields' names, "" where it is the only one; `is_shown` is told the
    answers to the earlier ones.
    """

    kind: QuestionKind
    world: World
    scale: tuple[float, float] | None = None
    number: int = 1
    prefix: str = ""
    is_shown: Callable[[Answered], bool] = is_always_shown
    is_required: bool = True
    offers_dont_know: bool = False
    asks_confidence: bool = False

    def is_answered_by(self, person: Person, item: KnownItem) -> tuple[Answer | None, FormFields]:
        """What the person says, None where they leave it empty, and the fields that say so."""
        if not self.is_required and person.leaves_empty():
            return None, []
        if self.offers_dont_know and person.doesnt_know():
            return Answer(no_answer="dont-know"), [(f"{self.prefix}dont_know", "1")]
        known = item if item.check_question == self.number else item.unknown
        answer = person.answer(self.kind, known, self.world, self.scale)
        fields = [
            (self.prefix + name, value)
            for name, values in form_fields_of(self.kind, answer).items()
            for value in values
        ]
        if self.asks_confidence:
            fields.append((f"{self.prefix}confidence", str(person.confidence())))
        return answer, fields


def item_fields(person: Person, questions: Sequence[PosedQuestion], item: KnownItem) -> FormFields:
    """The answers to the questions that are shown, in their order."""
    answers: dict[int, Answer | None] = {}
    sent: FormFields = []
    for question in questions:
        if question.is_shown(answers):
            answers[question.number], fields = question.is_answered_by(person, item)
            sent += fields
    return sent


def times_of(circumstances: Circumstances) -> FormFields:
    """What the page's script measures, as a form sends it."""
    names = ("response_ms", "first_touch_ms", "moves")
    return [(name, str(value)) for name in names if (value := getattr(circumstances, name)) is not None]


def signs_of(person: Person) -> FormFields:
    """What the page's script counts, as a form sends it."""
    return [(f"sign_{name}", str(person.vice.signs.get(name, 0))) for name in NAMES]


def form_data(form: FormFields) -> dict[str, list[str]]:
    """Each name with all its values, as the site receives a form."""
    received: dict[str, list[str]] = {}
    for name, value in form:
        received.setdefault(name, []).append(value)
    return received
