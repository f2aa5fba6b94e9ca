"""How many more judgments and items a claim needs, against intervals and tests computed with so many."""

import numpy as np
import pytest
from scipy import stats

from agreement.planning.further_data import (
    Further,
    further_for_lead,
    further_for_mean,
    further_for_width,
    items_for_share,
)
from agreement.planning.precision import Components, Z, places, simulated_studies


def test_an_interval_is_narrow_enough_with_what_is_said_and_not_with_one_less() -> None:
    half, over_items = 0.22, 0.06
    found = further_for_width(half, 0.1, over_items=over_items, items=200, judgments_per_item=5)
    assert found.judgments_per_item is not None
    assert found.items is not None

    def with_judgments(more: int) -> float:
        return float(np.sqrt(over_items**2 + (half**2 - over_items**2) * 5 / (5 + more)))

    def with_items(more: int) -> float:
        return float(half * np.sqrt(200 / (200 + more)))

    assert with_judgments(found.judgments_per_item) <= 0.1 < with_judgments(found.judgments_per_item - 1)
    assert with_items(found.items) <= 0.1 < with_items(found.items - 1)


def test_alpha_of_a_larger_study_is_as_precise_as_is_said() -> None:
    """Of simulated studies: their spread over studies as large as is said is that which was asked for."""
    components = Components(item=4.0, worker=0.5, residual=2.0, items=30, workers=8, judgments=240)

    def half(items: int) -> float:
        rng = np.random.default_rng(7)
        _, y = simulated_studies(components, 400, places(items, 8, 30, rng), rng)
        alphas = 1 - y.var(axis=2, ddof=1).mean(axis=1) / y.reshape(len(y), -1).var(axis=1, ddof=1)
        return float(Z * np.std(alphas, ddof=1))

    now = half(30)
    further = further_for_width(now, now / 2, over_items=None, items=30, judgments_per_item=8)
    assert further.items == 90
    assert half(30 + further.items) == pytest.approx(now / 2, rel=0.15)


def test_no_number_of_workers_narrows_what_items_alone_make_wide() -> None:
    found = further_for_width(0.3, 0.1, over_items=0.12, items=50, judgments_per_item=5)
    assert found.judgments_per_item is None
    assert found.items is not None


def test_without_an_interval_over_items_only_a_larger_study_is_said() -> None:
    assert further_for_width(0.2, 0.1, over_items=None, items=10, judgments_per_item=3) == Further(None, 30)


def test_lead_is_beyond_chance_by_the_score_test_with_what_is_said() -> None:
    n, first = np.array([10.0, 7, 30, 4]), np.array([6.0, 4, 17, 4])
    second = np.array([3.0, 2, 13, 0])
    further = further_for_lead(n, first, second)
    for n_i, a, b, more in zip(n, first, second, further, strict=True):
        for extra, is_beyond in ((more, True), (more - 1, False)):
            times = (n_i + extra) / n_i
            z = (a - b) * times / np.sqrt((a + b) * times)
            assert (z >= stats.norm.ppf(0.975) - 1e-6) == is_beyond or more == 0


def test_tied_labels_have_no_number() -> None:
    assert np.isnan(further_for_lead(np.array([4.0, 0]), np.array([2.0, 0]), np.array([2.0, 0]))).all()


def test_means_need_what_the_root_of_n_says() -> None:
    assert further_for_mean(np.array([4.0]), np.array([20.0]), 10.0, float("nan")).tolist() == [12.0]
    assert np.isnan(further_for_mean(np.array([2.0]), np.array([np.nan]), 10.0, float("nan"))).all()


def test_share_of_so_many_items_is_known_at_its_worst() -> None:
    n = items_for_share(0.2)
    assert 1.96 * np.sqrt(0.25 / n) <= 0.2 < 1.96 * np.sqrt(0.25 / (n - 1))
