"""Names of metrics in a study's setup: what computes them registers here how it tells a name that it doesn't know."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Check: TypeAlias = Callable[[Sequence[str]], Sequence[str]]

_CHECKS: list[Check] = []


def checks_metrics(check: Check) -> Check:
    """Registers a function that gives a sentence for each name that nothing is called by."""
    _CHECKS.append(check)
    return check


def wrong_metrics(names: Sequence[str]) -> list[str]:
    return [sentence for check in _CHECKS for sentence in check(names)]
