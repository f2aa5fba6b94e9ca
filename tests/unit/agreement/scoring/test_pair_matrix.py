"""Items of two terms become a matrix, whose terms average linkage puts in order."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial import distance

from agreement.scoring.similarity_matrices import PairMatrix, cluster_terms, cosine_distances, in_order, pair_matrix


def a_matrix(n_terms: int, seed: int = 1) -> np.ndarray:
    values = np.random.default_rng(seed).uniform(0, 1, (n_terms, n_terms))
    found = (values + values.T) / 2
    np.fill_diagonal(found, 0.0)
    return found


def sides(pairs: Iterable[tuple[str, ...]]) -> tuple[list[str], list[str]]:
    left, right = zip(*pairs, strict=True)
    return list(left), list(right)


def matrix(left: Any, right: Any, values: Any, **more: float) -> PairMatrix:
    found = pair_matrix(left, right, np.array(values, dtype=np.float64), **more)
    assert found is not None
    return found


def test_both_directions_of_a_pair_are_averaged_and_a_term_with_itself_is_left_blank() -> None:
    found = matrix(["on", "by", "on", "by", "in"], ["by", "on", "on", "in", "on"], [2, 4, 99, 7, 8], most=100)

    assert found.terms == ("by", "in", "on")
    assert found.values == pytest.approx(np.array([[np.nan, 7, 3], [7, np.nan, 8], [3, 8, np.nan]]), nan_ok=True)
    assert (found.known, found.pairs) == (3, 3)


@given(seed=st.integers(0, 2**32 - 1))
def test_neither_the_order_of_the_items_nor_of_their_terms_changes_a_byte(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = list(combinations("abcdef", 2))
    values = rng.uniform(0, 100, len(pairs))
    shuffled = rng.permutation(len(pairs))
    turned = [pairs[at][:: int(rng.choice([1, -1]))] for at in shuffled]

    first = matrix(*sides(pairs), values).csv()

    assert matrix(*sides(turned), values[shuffled]).csv() == first


def test_a_matrix_has_terms_that_share_pairs() -> None:
    """Thirty pairs of sixty words are no matrix; half of all pairs are one."""
    left, right = ([f"{side}{at}" for at in range(30)] for side in "lr")
    assert pair_matrix(left, right, np.ones(30)) is None
    assert pair_matrix(["a"], ["b"], np.ones(1)) is None
    half = list(combinations("abcde", 2))[:5]
    assert pair_matrix(*sides(half), np.ones(5)) is not None
    assert pair_matrix(*sides(combinations("abcde", 2)), np.array([*[1.0] * 4, *[np.nan] * 6])) is None


def test_a_hundred_thousand_pairs_of_words_of_their_own_take_no_memory() -> None:
    left, right = ([f"{side}{at}" for at in range(100_000)] for side in "lr")
    assert pair_matrix(left, right, np.ones(100_000)) is None


def test_terms_without_any_value_are_left_out() -> None:
    pairs = list(combinations(["far from", "in", "on", "by"], 2))
    values = np.array([np.nan if "far from" in pair else 1.0 for pair in pairs])

    found = matrix(*sides(pairs), values)

    assert found.without_unknown_terms().terms == ("by", "in", "on")
    assert found.csv().splitlines()[2] == b"far from,,,,"


def test_formulas_in_terms_are_escaped() -> None:
    found = matrix(["=1", "=1", "a"], ["a", "b,c", "b,c"], [1.0, 2.0, 3.0])

    assert found.csv().decode().splitlines()[:2] == ["""term,'=1,a,"b,c\"""", "'=1,,1,2"]


@pytest.mark.parametrize("n_terms", [3, 4, 9, 20])
def test_the_tree_is_scipys_average_linkage_in_optimal_order(n_terms: int) -> None:
    distances = a_matrix(n_terms)
    condensed = distance.squareform(distances)
    expected = hierarchy.optimal_leaf_ordering(hierarchy.average(condensed), condensed)

    found = cluster_terms(distances)

    assert found is not None
    assert found.order.tolist() == hierarchy.leaves_list(expected).tolist()
    assert sorted(max(height for _, height in join) for join in found.joins) == pytest.approx(sorted(expected[:, 2]))
    assert len(found.joins) == n_terms - 1
    assert min(along for join in found.joins for along, _ in join) == 0.5
    assert max(along for join in found.joins for along, _ in join) <= n_terms - 0.5


def test_neighbours_of_the_order_are_nearer_than_those_of_any_other_order_of_the_tree() -> None:
    distances = a_matrix(6, seed=4)
    found = cluster_terms(distances)
    assert found is not None
    plain = hierarchy.leaves_list(hierarchy.average(distance.squareform(distances)))

    def length(order: np.ndarray) -> float:
        return float(distances[order[:-1], order[1:]].sum())

    assert length(found.order) <= length(plain)


def test_what_is_not_known_is_not_clustered() -> None:
    distances = a_matrix(4)
    distances[0, 1] = distances[1, 0] = np.nan

    assert cluster_terms(distances) is None
    assert cluster_terms(a_matrix(2)) is None
    assert in_order(["b", "a"], None) == ["a", "b"]


def test_cosine_distances_are_scipys() -> None:
    rows = np.random.default_rng(5).normal(size=(7, 4))

    assert cosine_distances(rows) == pytest.approx(distance.cdist(rows, rows, "cosine"), abs=1e-12)


def test_distances_of_people_are_1_less_similarity_on_their_scale() -> None:
    found = matrix(["a", "a", "b"], ["b", "c", "c"], [2.0, 4.0, 0.0], most=4.0, unit=4.0)

    assert found.distances().tolist() == [[0.0, 0.5, 0.0], [0.5, 0.0, 1.0], [0.0, 1.0, 0.0]]
