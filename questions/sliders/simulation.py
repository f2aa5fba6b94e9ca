"""What simulated people answer on a slider for each label."""

from collections.abc import Mapping
from typing import Any

from questions.answers import Answer
from simulation.people import Person, World


def answer(person: Person, item: Mapping[str, Any], world: World, scale: tuple[float, float] | None) -> Answer:
    shares = world.shares(item)
    top = max(shares)
    return Answer(
        numbers={
            label: person.number(share / top * 0.95, scale or (0, 100))
            for label, share in zip(world.labels, shares, strict=True)
        }
    )
