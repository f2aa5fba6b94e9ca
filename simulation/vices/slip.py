"""Slips at one check, the first, and is careful otherwise: whose answers are lost if a rule tolerates nothing."""

from typing import ClassVar

from simulation.known import KnownItem
from simulation.people import Person
from simulation.vice import Vice


class Slip(Vice):
    name: ClassVar[str] = "slip"

    def looks(self, person: Person, item: KnownItem) -> bool:
        return not (item.is_check and person.checks_met == 1)


VICE = Slip()
