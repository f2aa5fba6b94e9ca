"""What a vice is: how somebody answers who doesn't do what is asked. Each is a class in `vices.py`. No Django."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from ..kinds.answers import Answer
    from ..kinds.registry import QuestionKind
    from .known import KnownItem
    from .simulated_people import Person
    from .world import World

# The logarithm of the milliseconds that an answer takes: three and a third seconds, one second.
READS, CLICKS = 8.1, 6.9


class Vice:
    """This one is none: the person looks at every question and answers as well as they can.

    `spoils` says whether the answers are worse than none, so that cleaning should find the person. `pace` is the mean
    logarithm of their milliseconds per answer.
    """

    name: ClassVar[str] = "careful"
    spoils: ClassVar[bool] = False
    pace: ClassVar[float] = READS

    def answer(
        self, person: Person, kind: QuestionKind, item: KnownItem, world: World, scale: tuple[float, float] | None
    ) -> Answer:
        """What such a person says; most vices only change whether the person looks, and where they click if not."""
        return person.by_kind(kind, item, world, scale)

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002  vices ask for them
        """Whether the person reads this question."""
        return True

    def clicks(self, person: Person) -> float:
        """Who doesn't look: how far along the scale, or down the labels, they click, from 0 to 1."""
        return person.rng.random()

    def stays(self, person: Person, questions: int) -> float:  # noqa: ARG002  vices ask for them
        """After how many of an assignment's questions the person leaves."""
        return math.inf


class Careless(Vice):
    """Never looks, and takes a second per answer."""

    spoils: ClassVar[bool] = True
    pace: ClassVar[float] = CLICKS

    def looks(self, person: Person, item: KnownItem) -> bool:  # noqa: ARG002
        return False


CAREFUL = Vice()
