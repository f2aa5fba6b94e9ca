"""What simulated people write: a sentence of one property."""

from collections.abc import Mapping
from typing import Any

from questions.answers import Answer
from simulation.people import Person, World


def answer(person: Person, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    return Answer(text=f"It {person.properties(item, world)[0]}.")
