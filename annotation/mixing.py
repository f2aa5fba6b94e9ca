"""The order of an assignment: its items shuffled, its checks spread evenly among them. Knows nothing of Django."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def generator(seed: int, purpose: str) -> random.Random:
    """A stream of its own for each purpose, so that drawing more for one changes no other."""
    return random.Random(f"{seed}:{purpose}")  # noqa: S311  an order, not a secret


def shuffled(things: Sequence[T], rng: random.Random) -> list[T]:
    drawn = list(things)
    rng.shuffle(drawn)
    return drawn


def mixed(targets: Sequence[T], checks: Sequence[T], rng: random.Random) -> list[T]:
    """The targets in their order with the checks among them: never first, never two in a row, evenly spread.

    The targets are cut into as many stretches as there are checks, and each check stands behind a random target of
    its own stretch. Where there are more checks than targets they can't all be apart, and the rest stand at the end.

    >>> mixed(["a", "b", "c", "d"], ["X", "Y"], generator(7, "checks"))
    ['a', 'b', 'X', 'c', 'd', 'Y']
    """
    apart = min(len(checks), len(targets))
    behind: dict[int, T] = {}
    for stretch in range(apart):
        start, stop = stretch * len(targets) // apart, (stretch + 1) * len(targets) // apart
        behind[rng.randrange(start, stop)] = checks[stretch]
    order: list[T] = []
    for index, target in enumerate(targets):
        order.append(target)
        if index in behind:
            order.append(behind[index])
    return [*order, *checks[apart:]]
