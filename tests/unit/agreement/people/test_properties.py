"""What must not matter doesn't, and what must be 1 is 1."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agreement.estimation.design import design_of
from tests.unit.agreement.people.crowds import alpha_of, crowds, iccs_of, kappa_of

Crowd = tuple[np.ndarray, np.ndarray, np.ndarray]


def figures(item: np.ndarray, worker: np.ndarray, value: np.ndarray) -> np.ndarray:
    design = design_of(item, worker)
    alphas = [alpha_of(design, value, level) for level in ("nominal", "ordinal", "interval", "ratio")]
    return np.array([kappa_of(design, value.astype(int), 40), *alphas, *iccs_of(design, value)])


@settings(deadline=None)
@given(crowd=crowds(), seed=st.integers(0, 1000))
def test_order_of_rows_does_not_matter(crowd: Crowd, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(crowd[0]))

    np.testing.assert_allclose(figures(*(column[order] for column in crowd)), figures(*crowd), atol=1e-10)


@settings(deadline=None)
@given(crowd=crowds(), seed=st.integers(0, 1000))
def test_names_of_items_workers_and_labels_do_not_matter(crowd: Crowd, seed: int) -> None:
    item, worker, value = crowd
    rng = np.random.default_rng(seed)
    labels = rng.choice(40, 5, replace=False)[value.astype(int)].astype(float)

    renamed = figures(rng.permutation(7)[item] * 1_000_003, rng.permutation(5)[worker] * 2**33, value)
    relabelled = figures(item, worker, labels)

    np.testing.assert_allclose(renamed, figures(*crowd), atol=1e-10)
    np.testing.assert_allclose(relabelled[:2], figures(*crowd)[:2], atol=1e-10)


@settings(deadline=None)
@given(crowd=crowds())
def test_every_item_twice_leaves_kappa(crowd: Crowd) -> None:
    item, worker, value = crowd

    twice = np.r_[item, item + 7], np.r_[worker, worker], np.r_[value, value]

    assert figures(*twice)[0] == pytest.approx(figures(*crowd)[0], abs=1e-12, nan_ok=True)


def test_every_item_twice_moves_alpha_by_one_in_n() -> None:
    rng = np.random.default_rng(2)
    item, worker = (place.ravel() for place in np.indices((200, 5)))
    value = rng.integers(0, 5, len(item)).astype(float)

    once = figures(item, worker, value)
    twice = figures(np.r_[item, item + 200], np.r_[worker, worker], np.r_[value, value])

    assert np.all(np.abs(twice[1:] - once[1:]) < 2 / 200)
    assert np.all(np.abs(twice[1:] - once[1:]) > 0)


@settings(deadline=None)
@given(values=st.lists(st.integers(0, 30), min_size=2, max_size=8), workers=st.integers(2, 6))
def test_perfect_agreement_is_one(values: list[int], workers: int) -> None:
    assume(len(set(values)) > 1)
    item = np.repeat(np.arange(len(values)), workers)
    worker = np.tile(np.arange(workers), len(values))

    np.testing.assert_allclose(figures(item, worker, np.array(values, dtype=float)[item]), 1.0, atol=1e-9)


@settings(deadline=None)
@given(crowd=crowds(), shift=st.sampled_from([0.0, 1e9, -1e6]), unit=st.sampled_from([1.0, 1e-150, 1e12, 0.1]))
def test_origin_and_unit_do_not_matter_to_interval_alpha_and_icc(crowd: Crowd, shift: float, unit: float) -> None:
    item, worker, value = crowd
    moved = value * unit if unit < 1e-6 else (value + shift) * unit
    design = design_of(item, worker)

    assert alpha_of(design, moved, "interval") == pytest.approx(
        alpha_of(design, value, "interval"), abs=1e-5, nan_ok=True
    )
    assert iccs_of(design, moved)[0] == pytest.approx(iccs_of(design, value)[0], abs=1e-5, nan_ok=True)


def test_unused_labels_do_not_matter() -> None:
    item, worker = np.repeat([0, 1, 2], 3), np.tile([0, 1, 2], 3)
    code = np.array([0, 0, 1, 1, 1, 1, 0, 1, 0])

    assert kappa_of(design_of(item, worker), code, 2) == kappa_of(design_of(item, worker), code * 500, 1000)


def test_kappa_counts_an_item_with_one_judgment_among_the_shares_only() -> None:
    item, worker = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0])
    code = np.array([0, 0, 0, 1, 1])

    found = kappa_of(design_of(item, worker), code, 2)

    P, p = 1 / 2, (1 + 1 / 2 + 0) / 3
    P_e = p**2 + (1 - p) ** 2
    assert found == pytest.approx((P - P_e) / (1 - P_e), abs=1e-12)
