"""Recognises checks, answers those, and clicks anywhere on everything else."""

from typing import ClassVar

from simulation.known import KnownItem
from simulation.people import Person
from simulation.vice import Vice


class PassesChecks(Vice):
    """Takes two seconds per answer: long enough to see whether it is a check."""

    name: ClassVar[str] = "passes-checks"
    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = 7.6

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return item.is_check


VICE = PassesChecks()
