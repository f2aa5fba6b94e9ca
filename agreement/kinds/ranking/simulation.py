"""In which order simulated people put the labels: they choose the first, then the first of those that remain.

Where the order is known they mostly keep to it: each time the next of it has four times the weight of the one after.
"""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer

WEIGHT = 4.0


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    known = world.right_labels(item) if person.is_looking else []
    order = known.copy() if item.is_check else []
    while remaining := [label for label in world.labels if label not in order]:
        if known and not item.is_check:
            rank = {label: place for place, label in enumerate(label for label in known if label in remaining)}
            weights = [WEIGHT ** -rank.get(label, len(rank)) for label in remaining]
            order.append(person.rng.choices(remaining, weights=weights)[0])
        else:
            order.append(person.label(KnownItem(item.fields), World(world.seed, remaining)))
    return Answer(labels=order)
