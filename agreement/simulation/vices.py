"""The vices of simulated people, each a class: how somebody answers who doesn't do what is asked."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from ..assignment_order import generator
from ..kinds.answers import Answer
from ..kinds.kind import QuestionKind
from .simulated_people import READS, Careless, Person, Vice
from .world import KnownItem, World

READ = 0.5  # of the questions that somebody who hurries is asked
ANEW = 0.1  # of the answers differ from what the language model mostly says


class RandomClicks(Careless):
    """Clicks anywhere, without reading: every answer is drawn anew."""

    name: ClassVar[str] = "random"


class Middle(Careless):
    """Keeps to the middle of every scale, and to the middle label."""

    name: ClassVar[str] = "middle"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(0.5, 0.06)


class StraightLine(Careless):
    """Says the same to everything: one place of the scale, one label.

    The place is the person's own; on a scale the hand isn't quite steady.
    """

    name: ClassVar[str] = "straight-line"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(person.habit, 0.01)


class Speeder(Vice):
    """Hurries: reads every other question, and takes under half a second for each."""

    name: ClassVar[str] = "speeder"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 6.0

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return person.rng.random() < READ


class Slip(Vice):
    """Slips at one check, the first, and is careful otherwise: whose answers are lost if a rule tolerates nothing."""

    name: ClassVar[str] = "slip"

    def looks(self, person: Person, item: KnownItem) -> bool:
        return not (item.is_check and person.checks_met == 1)


class PassesChecks(Vice):
    """Recognises checks, answers those, and clicks anywhere on everything else.

    Takes two seconds per answer: long enough to see whether it is a check.
    """

    name: ClassVar[str] = "passes-checks"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 7.6

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return item.is_check


class Copies(Careless):
    """Copies what somebody says who took part before.

    Has one person's answers; to what that one wasn't asked, says what anybody said; clicks where nobody has yet.
    """

    name: ClassVar[str] = "copies"
    pace: ClassVar[float] = READS

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        others = [number for number in world.said if number != person.number]
        if others:
            source = others[int(person.habit * len(others))] if person.copied is None else person.copied
            person.copied = source
            for number in (source, *others):
                if item.name in world.said[number]:
                    return world.said[number][item.name]
        return person.by_kind(kind, item, world, scale)


class DropsOut(Vice):
    """Careful, and gone before the assignment is done.

    Leaves after a fifth to four fifths of the questions, and hands nothing in.
    """

    name: ClassVar[str] = "drops-out"

    def stays(self, person: Person, questions: int) -> float:
        return max(1, int(person.rng.uniform(0.2, 0.8) * questions))


class LanguageModel(Vice):
    """Has a language model answer: as right as a careful person, and all of them say the same.

    The answer to an item is one careful person's, drawn once for all of them: their errors don't average out.
    """

    name: ClassVar[str] = "language-model"
    spoils: ClassVar[bool] = True

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        purpose = f"language model, {item.name}"
        if person.rng.random() < ANEW:
            purpose = f"{purpose}, {person.rng.random()}"
        return Person(generator(world.seed, purpose), slip=0).by_kind(kind, item, world, scale)


ALL = (
    Copies(), DropsOut(), LanguageModel(), Middle(), PassesChecks(), RandomClicks(), Slip(), Speeder(), StraightLine(),
)  # fmt: skip
VICES: Mapping[str, Vice] = MappingProxyType({vice.name: vice for vice in ALL})
