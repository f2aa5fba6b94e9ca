"""Careful, and gone before the assignment is done."""

from typing import ClassVar

from simulation.people import Person
from simulation.vice import Vice


class DropsOut(Vice):
    """Leaves after a fifth to four fifths of the questions, and hands nothing in."""

    name: ClassVar[str] = "drops-out"

    def stays(self, person: Person, questions: int) -> float:
        return max(1, int(person.rng.uniform(0.2, 0.8) * questions))


VICE = DropsOut()
