"""The order of an assignment: checks at positions that say nothing, not even to who has found one of them."""

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agreement.assignment_order import generator, mixed, shuffled

DRAWS = 20_000


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 2**31))
def test_mixed_keeps_everything_and_both_orders(targets: int, checks: int, seed: int) -> None:
    order = mixed([f"t{k}" for k in range(targets)], [f"c{k}" for k in range(checks)], generator(seed, "mix"))

    assert [thing for thing in order if thing[0] == "t"] == [f"t{k}" for k in range(targets)]
    assert [thing for thing in order if thing[0] == "c"] == [f"c{k}" for k in range(checks)]


def positions_drawn(targets: int, checks: int) -> list[tuple[int, ...]]:
    """Where the checks stand in each of many orders, each of a seed of its own as participations have them."""
    orders = (mixed("t" * targets, "c" * checks, generator(seed, "mix 1")) for seed in range(DRAWS))
    return [tuple(at for at, thing in enumerate(order) if thing == "c") for order in orders]


def chi_squared(counts: Counter[Any], expected: float, cells: int) -> float:
    return sum((found - expected) ** 2 / expected for found in [*counts.values(), *[0] * (cells - len(counts))])


def test_every_position_is_as_likely_a_checks_as_any_other() -> None:
    drawn = Counter(at for positions in positions_drawn(10, 2) for at in positions)

    # Under uniform positions this is chi-squared of 11 degrees, shrunk a little: above 31.3 once in a thousand.
    assert chi_squared(drawn, DRAWS * 2 / 12, 12) < 31.3


def test_every_pair_of_positions_is_as_likely_as_any_other() -> None:
    """So a check that was found says nothing of where the other is: beside it, in its half or elsewhere."""
    drawn = Counter(positions_drawn(10, 2))

    assert set(drawn) == set(combinations(range(12), 2))
    assert chi_squared(drawn, DRAWS / 66, 66) < 106.0  # 65 degrees: above that once in a thousand


def test_checks_alone_and_targets_alone_are_orders_too() -> None:
    assert mixed([], ["c", "d"], generator(1, "mix")) == ["c", "d"]
    assert mixed(["t"], [], generator(1, "mix")) == ["t"]


def test_the_same_seed_gives_the_same_order_and_another_another() -> None:
    things = list(range(30))

    assert shuffled(things, generator(5, "a")) == shuffled(things, generator(5, "a"))
    assert shuffled(things, generator(5, "a")) != shuffled(things, generator(6, "a"))
    assert shuffled(things, generator(5, "a")) != shuffled(things, generator(5, "b"))
