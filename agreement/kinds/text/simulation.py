"""What simulated people write: what the check or the reference says, else a sentence of one property."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer
from ..list.simulation import properties


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    if person.is_looking and item.right:
        return Answer(text=person.rng.choice(item.right))
    return Answer(text=f"It {properties(person, item, world)[0]}.")
