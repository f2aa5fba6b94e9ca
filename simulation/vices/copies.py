"""Copies what somebody says who took part before."""

from typing import ClassVar

from questions.answers import Answer
from questions.kind import QuestionKind
from simulation.known import KnownItem
from simulation.people import Person
from simulation.vice import READS, Careless
from simulation.world import World


class Copies(Careless):
    """Has one person's answers; to what that one wasn't asked, says what anybody said; clicks where nobody has yet."""

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


VICE = Copies()
