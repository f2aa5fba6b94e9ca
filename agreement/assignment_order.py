"""The order of an assignment: its items shuffled, its checks anywhere among them. Knows nothing of Django."""

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
    """The targets and the checks, each in their order, the checks at positions drawn freely from all.

    Every choice of positions is as likely as any other, so that no position and no check found before tells a check.

    >>> mixed(["a", "b", "c", "d"], ["X", "Y"], generator(7, "checks"))
    ['a', 'b', 'c', 'X', 'd', 'Y']
    """
    size = len(targets) + len(checks)
    drawn = set(rng.sample(range(size), len(checks)))
    following_target, following_check = iter(targets), iter(checks)
    return [next(following_check if position in drawn else following_target) for position in range(size)]
