"""Tests of labels where groups of raters differ: their level, what their intervals hold, and their power."""

import pytest
from scipy import stats

from agreement.scoring.metrics import title_of
from tools.benchmarks.subgroups_of_labels import POWER, WORLDS, World, shares_of

SEED = 2026
MOST, LEAST_HELD, LEAST_POWER = 0.09, 0.9, 0.8


def upper_limit(share: float, studies: int) -> float:
    """Clopper and Pearson's, 95 % two-sided."""
    rejected = round(share * studies)
    return float(stats.beta.ppf(0.975, rejected + 1, studies - rejected))


def in_words(world: World) -> str:
    right = "" if world.right is None else f", right {world.right[0]} {world.right[1]}"
    return f"{world.words}, apart {world.apart}{right}"


@pytest.mark.parametrize("world", [World(8), World(10, 5), World(8, kind="sets"), World(8, kind="lists")], ids=in_words)
def test_equal_models_are_seldom_told_apart_where_groups_differ(world: World) -> None:
    """Of 100 studies over 60 are rejected over items alone."""
    found = shares_of(world, 60, SEED)

    assert found.items_alone > 0.5
    assert found.tested < 0.17
    assert found.held > 0.85


def test_what_is_tested_over_workers_too_finds_nearly_as_much_as_accuracy_over_items() -> None:
    found = shares_of(POWER[1], 60, SEED)

    assert found.tested >= LEAST_POWER * found.items_alone > 0.4


@pytest.mark.prove
@pytest.mark.parametrize("world", WORLDS, ids=in_words)
def test_tests_of_labels_hold_their_level_where_groups_of_raters_differ(world: World) -> None:
    studies = 1_000
    found = shares_of(world, studies, SEED)
    limit = upper_limit(found.tested, studies)
    beside = f"{found.items_alone:.1%} by {title_of(world.beside)} over items alone"
    print(
        f"of {studies} studies of equal models {found.tested:.1%} are rejected (95 % limit {limit:.1%}), {beside};"
        f" {found.held:.1%} of intervals hold the score's mean"
    )

    assert limit < MOST
    assert found.held >= LEAST_HELD


@pytest.mark.prove
@pytest.mark.parametrize("world", POWER, ids=in_words)
def test_tests_of_labels_find_nearly_as_much_as_accuracy_over_items(world: World) -> None:
    found = shares_of(world, 1_000, SEED)
    beside = f"by {title_of(world.beside)} over items in {found.items_alone:.1%}"
    print(f"a difference is found in {found.tested:.1%} of studies, {beside}")

    assert found.tested >= LEAST_POWER * found.items_alone
