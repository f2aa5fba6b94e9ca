"""The order of an assignment: checks spread evenly, never first, never two in a row."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.mixing import generator, mixed, shuffled


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 2**31))
def test_mixed_keeps_everything_and_the_order_of_the_targets(targets: int, checks: int, seed: int) -> None:
    order = mixed([f"t{k}" for k in range(targets)], [f"c{k}" for k in range(checks)], generator(seed, "mix"))

    assert sorted(order) == sorted([f"t{k}" for k in range(targets)] + [f"c{k}" for k in range(checks)])
    assert [thing for thing in order if thing[0] == "t"] == [f"t{k}" for k in range(targets)]


@given(st.integers(1, 60), st.data(), st.integers(0, 2**31))
def test_checks_are_never_first_and_never_two_in_a_row(targets: int, data: st.DataObject, seed: int) -> None:
    checks = data.draw(st.integers(0, targets))

    order = mixed(["t"] * targets, ["c"] * checks, generator(seed, "mix"))

    assert order[0] == "t"
    assert "cc" not in "".join(order)


def test_checks_are_spread_evenly() -> None:
    order = mixed(["t"] * 40, ["c"] * 4, generator(1, "mix"))

    stretches = "".join(thing for thing in order).split("c")
    assert all(len(stretch) < 20 for stretch in stretches)


def test_the_same_seed_gives_the_same_order_and_another_another() -> None:
    things = list(range(30))

    assert shuffled(things, generator(5, "a")) == shuffled(things, generator(5, "a"))
    assert shuffled(things, generator(5, "a")) != shuffled(things, generator(6, "a"))
    assert shuffled(things, generator(5, "a")) != shuffled(things, generator(5, "b"))
