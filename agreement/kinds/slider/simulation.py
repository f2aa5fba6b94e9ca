"""What simulated people answer on a slider."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    ends = scale or (0, 100)
    return Answer(number=person.on_scale(world.position(item, ends), ends, item.bounds))
