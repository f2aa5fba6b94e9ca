"""Keeps to the middle of every scale, and to the middle label."""

from typing import ClassVar

from simulation.people import Person
from simulation.vice import Careless


class Middle(Careless):
    name: ClassVar[str] = "middle"

    def clicks(self, person: Person) -> float:
        return person.rng.gauss(0.5, 0.06)


VICE = Middle()
