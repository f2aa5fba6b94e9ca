"""What else must go when a person withdraws: rooms that keep copies of answers register here how they erase them."""

from collections.abc import Callable
from typing import TypeAlias

from annotation.models import Participation

Erase: TypeAlias = Callable[[Participation], None]

_ERASERS: list[Erase] = []


def also_erases(erase: Erase) -> Erase:
    """Registers a function that is called inside every withdrawal's transaction; it may be called twice."""
    _ERASERS.append(erase)
    return erase


def erase_copies(participation: Participation) -> None:
    for erase in _ERASERS:
        erase(participation)
