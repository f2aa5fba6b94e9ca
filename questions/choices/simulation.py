"""Which labels simulated people choose: one or two."""

from collections.abc import Mapping
from typing import Any

from questions.answers import Answer
from simulation.people import Person, World


def answer(person: Person, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:  # noqa: ARG001
    return Answer(labels=sorted({person.label(item, world), person.label(item, world)}))
