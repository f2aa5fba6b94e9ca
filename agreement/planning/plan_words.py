"""A plan in a sentence: what it takes, or why it can't be reached and what would help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

from ..files.numbers import counted
from .alt_test_plan import items_for
from .components import Components
from .precision import Goal, Point, first_within

BY_FORMULA = {
    Goal.GOLD: "normal approximation of one item's mean",
    Goal.RELIABILITY: "the generalisability coefficient of one item's mean",
    Goal.ALT_TEST: "the power of a t test for each person",
}
WANTED = {
    Goal.ALPHA: "alpha within ±{}",
    Goal.GOLD: "each item's gold within ±{}",
    Goal.MODELS: "telling two models apart that differ by {}",
    Goal.RELIABILITY: "gold with a reliability of {}",
    Goal.ALT_TEST: "an alternative annotator test with epsilon {}",
}
WHAT_HELPS = {
    Goal.ALPHA: "More items make it more precise.",
    Goal.GOLD: "More people would; or ask for less precision.",
    Goal.MODELS: "More items make smaller differences visible.",
    Goal.RELIABILITY: "More people would; or ask for less.",
    Goal.ALT_TEST: "More items per person would.",
}


def said_plan(
    goal: Goal,
    target: float,
    size: Mapping[str, int],
    most: int | None,
    components: Components,
    points: Sequence[Point],
    price: Callable[[int], str],
) -> str:
    """`size` are the items and the items per worker, `most` the people that there are at most; `price` says after a
    comma what so many cost, or nothing.
    """
    best = first_within(points, target, most, goal)
    wanted = WANTED[goal].format(f"{target:.12g}")
    if best is None:
        said = _out_of_reach(goal, wanted, size["items"], most, points)
    else:
        said = (
            f"For {wanted}: {best.judgments_per_item} judgments per item,"
            f" {counted(best.workers, 'person', 'people')}{price(best.workers)}."
            f" {'The formula' if goal in BY_FORMULA else 'The simulation'} reaches {best.precision:.3g}."
        )
    if goal != Goal.ALT_TEST:
        return said
    point = best or points[0]
    needed = items_for(components.ties, point.judgments_per_item, point.workers, target)
    return (
        f"{said} With {point.judgments_per_item} judgments per item and {point.workers:,} people the test takes"
        f" {needed:,} items of each person, for a model that answers as one more person would."
    )


def said_exclusions(excluded: int, people: int, needed: int | None, price: Callable[[int], str]) -> str:
    """What exclusions so far mean for the people whom the plan needs; nothing where nobody is excluded.

    >>> said_exclusions(8, 66, 33, lambda people: "")
    '8 of 66 people so far are excluded. The plan needs 33 who remain: if as many are excluded again, ask 38.'
    """
    if not excluded:
        return ""
    said = f"{excluded:,} of {people:,} people so far {'is' if excluded == 1 else 'are'} excluded."
    if needed is None or excluded >= people:
        return said
    ask = ceil(needed * people / (people - excluded))
    return f"{said} The plan needs {needed:,} who remain: if as many are excluded again, ask {ask:,}{price(ask)}."


def _out_of_reach(goal: Goal, wanted: str, items: int, most: int | None, points: Sequence[Point]) -> str:
    within = [point for point in points if most is None or point.workers <= most]
    if not within:
        return (
            f"{most:,} people can't even give two judgments to each of {items:,} items: that takes"
            f" {points[0].workers:,}. Ask fewer items, or more of each person."
        )
    last = within[-1]
    limit = f"{most:,} people" if most is not None and len(within) < len(points) else "60 judgments per item"
    return (
        f"{wanted[:1].upper()}{wanted[1:]} can't be reached with {limit}: {last.judgments_per_item} judgments per item"
        f" reach {last.precision:.3g}. {WHAT_HELPS[goal]}"
    )
