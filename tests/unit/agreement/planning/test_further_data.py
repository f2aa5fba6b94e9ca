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


def half_width(workers: float, items: float, *, s_items: float, s_workers: float, nu: float) -> float:
    """Of an interval with these parts of its standard error now, were there so many times as many of each."""
    t = stats.t.ppf(0.975, nu * workers)
    return float(t * np.sqrt(s_items**2 / items + s_workers**2 / workers))


@pytest.mark.parametrize("nu", [3.0, 12.0, 300.0])
def test_an_interval_is_narrow_enough_with_what_is_said_and_not_with_one_less(nu: float) -> None:
    s = {"s_items": 0.03, "s_workers": 0.1, "nu": nu}
    over_items = float(stats.norm.ppf(0.975) * s["s_items"])
    found = further_for_width(
        half_width(1, 1, **s), 0.1, over_items=over_items, items=200, judgments_per_item=5, workers=nu
    )
    assert found.judgments_per_item is not None
    assert found.items is not None
    k, n = found.judgments_per_item, found.items
    assert half_width((5 + k) / 5, 1, **s) <= 0.1 < half_width((5 + k - 1) / 5, 1, **s)
    larger, smaller = ((200 + more) / 200 for more in (n, n - 1))
    assert half_width(larger, larger, **s) <= 0.1 < half_width(smaller, smaller, **s)


def test_no_number_of_workers_narrows_what_items_alone_make_wide() -> None:
    found = further_for_width(0.3, 0.1, over_items=0.12, items=50, judgments_per_item=5, workers=20)
    assert found.judgments_per_item is None
    assert found.items is not None


def test_without_an_interval_over_items_only_a_larger_study_is_said() -> None:
    assert further_for_width(0.2, 0.1, over_items=None, items=10, judgments_per_item=3, workers=None) == Further(
        None, 30
    )


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
