"""Simulated people choose true or false as they choose any other label; on sizes each by a threshold of their own."""

from ...people.size_adjectives import BIG, K_MEAN, K_SD
from ...simulation.simulated_people import Person
from ...simulation.world import KnownItem, World
from ..answers import Answer
from ..choice.simulation import answer as choose

TRUE, FALSE = "true", "false"


def answer(person: Person, item: KnownItem, world: World, scale: tuple[float, float] | None) -> Answer:
    is_true = None if item.is_check or not person.is_looking else _true_by_size(person, item)
    if is_true is None or not {TRUE, FALSE} <= set(world.labels):
        return choose(person, item, world, scale)
    return Answer(label=TRUE if is_true else FALSE)


def _true_by_size(person: Person, item: KnownItem) -> bool | None:
    """Big is what is above max - k (max - min), each person having a k of their own.

    By the columns that make_scenes writes; None where they are missing, and of the biggest and the smallest, for
    which there is no threshold.
    """
    area, most, least = (item.number(name) for name in ("area", "set_max", "set_min"))
    says = item.fields.get("says", "")
    if area is None or most is None or least is None or not says or str(item.fields.get("task", "")).startswith("SUP"):
        return None
    k = K_MEAN + K_SD * person.trait("threshold of size")
    is_big = area > int(most - k * (most - least))
    return is_big if says == BIG else not is_big
