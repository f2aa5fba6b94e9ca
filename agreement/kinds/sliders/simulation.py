"""What simulated people answer on a slider for each label: furthest where the label fits best."""

from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer

FURTHEST = 0.95


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    ends, right = scale or (0, 100), world.right_labels(item)
    shares = world.shares(item)
    truths = dict(zip(world.labels, shares / shares.max() * FURTHEST, strict=True))
    bounds = item.bounds
    if bounds is None:
        return Answer(numbers={label: person.on_scale(truth, ends) for label, truth in truths.items()})
    # Bounds hold for the labels that a check expects, or for every one; the others stay below those.
    inside = {label: person.on_scale(world.position(item, ends), ends, bounds) for label in right or world.labels}
    return Answer(numbers={label: inside.get(label, ends[0]) for label in world.labels})
