"""What simulated people answer on a slider."""

from collections.abc import Mapping
from typing import Any

from questions.answers import Answer
from simulation.people import Person, World


def answer(person: Person, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:
    return Answer(number=person.number(world.similarity(item), scale or (0, 100)))
