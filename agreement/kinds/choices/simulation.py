"""Which labels simulated people choose: those that are right, now and then one less or one more; else one or two."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer

SEEN, ADDED = 0.9, 0.02  # how often a careful person ticks a label that the reference has, and one that it hasn't


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    right = world.right_labels(item)
    if not (person.is_looking and right):
        return Answer(labels=sorted({person.label(item, world), person.label(item, world)}))
    if item.is_check:
        return Answer(labels=sorted(right))
    ticked = [label for label in world.labels if person.rng.random() < (SEEN if label in right else ADDED)]
    return Answer(labels=sorted(ticked or right[:1]))
