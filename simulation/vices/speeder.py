"""Hurries: reads every other question, and takes under half a second for each."""

from typing import ClassVar

from simulation.known import KnownItem
from simulation.people import Person
from simulation.vice import Vice

READ = 0.5  # of the questions


class Speeder(Vice):
    name: ClassVar[str] = "speeder"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 6.0

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return person.rng.random() < READ


VICE = Speeder()
