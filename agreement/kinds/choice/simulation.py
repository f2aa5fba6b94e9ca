"""Which label simulated people choose."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    return Answer(label=person.label(item, world))
