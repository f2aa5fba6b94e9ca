"""In which order simulated people put the labels: they choose the first, then the first of those that remain."""

from collections.abc import Mapping
from typing import Any

from questions.answers import Answer
from simulation.people import Person, World


def answer(person: Person, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    order: list[str] = []
    while remaining := [label for label in world.labels if label not in order]:
        order.append(person.label(item, World(world.seed, remaining)))
    return Answer(labels=order)
