"""Which properties simulated people name: most of those that are right, and some of their own."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer

NAMED = 0.7  # how often a careful person names a property that the reference has


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    return Answer(properties=properties(person, item, world))


def properties(person: Person, item: KnownItem, world: World) -> list[str]:
    """In alphabetical order."""
    pool, right = world.common_properties, item.right
    if not person.is_looking:
        return [person.one_of(pool)]
    if item.is_check and right:
        return sorted(right)
    first = int(world.similarity(item) * len(pool))
    near = [pool[(first + int(person.rng.expovariate(0.4))) % len(pool)] for _ in range(1 if right else 4)]
    return sorted({*near, *(each for each in right if person.rng.random() < NAMED)})
