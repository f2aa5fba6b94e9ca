"""Pairs of workers, held against numpy pair by pair."""

from itertools import combinations

import numpy as np
import pytest

from agreement.people.similar_workers import LEAST_ITEMS, MOST_IN_MATRIX, annotator_matrix


def a_gappy_crowd(seed: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    item, worker = np.nonzero(rng.random((30, 7)) < 0.4)
    return item, worker, rng


@pytest.mark.parametrize("labels", [1, 3])
def test_correlations_are_those_of_numpy_over_the_items_that_two_share(labels: int) -> None:
    item, worker, rng = a_gappy_crowd(3)
    values = rng.integers(0, 101, (len(item), labels)).astype(float)

    found = annotator_matrix(item, worker, values[:, 0] if labels == 1 else values, "correlation")

    answers = {(w, i): value for w, i, value in zip(worker, item, values, strict=True)}
    expected = {}
    for a, b in combinations(range(7), 2):
        both = [i for i in range(30) if (a, i) in answers and (b, i) in answers]
        if len(both) >= LEAST_ITEMS:
            x, y = (np.ravel([answers[who, i] for i in both]) for who in (a, b))
            expected[a, b] = (len(both), np.corrcoef(x, y)[0, 1])
    assert list(zip(found.a, found.b, strict=True)) == list(expected)
    assert found.shared.tolist() == [n for n, _ in expected.values()]
    np.testing.assert_allclose(found.agreement, [r for _, r in expected.values()], atol=1e-12)


def test_sets_are_compared_label_by_label() -> None:
    item, worker = np.tile(np.arange(5), 2), np.repeat([4, 9], 5)
    chosen = np.array([[1, 0]] * 5 + [[1, 1]] * 4 + [[1, 0]], dtype=bool)
    found = annotator_matrix(item, worker, chosen, "hits")
    assert (found.a.tolist(), found.b.tolist(), found.agreement.tolist()) == ([4], [9], [0.6])


def test_who_always_answers_the_same_has_no_correlation() -> None:
    item, worker = np.tile(np.arange(6), 2), np.repeat([0, 1], 6)
    value = np.r_[np.full(6, 50.0), np.arange(6.0)]
    assert len(annotator_matrix(item, worker, value, "correlation").a) == 0


def test_of_many_workers_those_with_most_judgments_are_compared() -> None:
    item = np.concatenate([np.arange(10 + w) for w in range(60)])
    worker = np.repeat(np.arange(60), 10 + np.arange(60))
    found = annotator_matrix(item, worker, np.random.default_rng(1).random(len(item)), "correlation")
    assert found.workers.tolist() == list(range(60 - MOST_IN_MATRIX, 60))
