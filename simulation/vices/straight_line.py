"""Says the same to everything: one place of the scale, one label."""

from typing import ClassVar

from simulation.people import Person
from simulation.vice import Careless


class StraightLine(Careless):
    """The place is the person's own; on a scale the hand isn't quite steady."""

    name: ClassVar[str] = "straight-line"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(person.habit, 0.01)


VICE = StraightLine()
