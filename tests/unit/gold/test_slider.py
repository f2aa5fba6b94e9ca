"""A slider's gold equals scipy's figures item by item, and says nothing where there is nothing to say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.gold.slider import median_ranks, slider_gold, z_mean


def _crowd(seed: int, n_items: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    item = rng.permutation(np.concatenate([np.arange(n_items), np.arange(n_items), rng.integers(0, n_items, 220)]))
    return item, rng.integers(0, 12, 300), rng.integers(0, 101, 300).astype(float)


def test_slider_gold_equals_scipy_item_by_item() -> None:
    item, worker, value = _crowd(1)

    gold = slider_gold(item, worker, value, 40)

    for at in range(40):
        x = value[item == at]
        interval = stats.t.interval(0.95, len(x) - 1, loc=x.mean(), scale=stats.sem(x))
        assert gold.n[at] == len(x)
        assert gold.mean[at] == pytest.approx(x.mean(), abs=1e-12)
        assert gold.median[at] == np.median(x)
        assert gold.sd[at] == pytest.approx(x.std(ddof=1), abs=1e-12)
        assert (gold.ci_low[at], gold.ci_high[at]) == pytest.approx(interval, abs=1e-10)
        assert gold.trimmed_mean[at] == pytest.approx(stats.trim_mean(x, 0.2), abs=1e-12)


def test_z_mean_equals_scipy_within_workers() -> None:
    item, worker, value = _crowd(2)
    value[worker == 3] = 50

    z = z_mean(item, worker, value, 40)

    scored = np.full(len(value), np.nan)
    for w in set(worker.tolist()) - {3}:
        scored[worker == w] = stats.zscore(value[worker == w], ddof=1)
    expected = [np.nanmean(scored[item == at]) for at in range(40)]
    assert z == pytest.approx(expected, abs=1e-12)


def test_one_judgment_has_a_mean_and_no_spread() -> None:
    gold = slider_gold(np.array([1]), np.array([0]), np.array([70.0]), 3)

    assert gold.n.tolist() == [0, 1, 0]
    assert gold.mean[1] == gold.median[1] == gold.trimmed_mean[1] == 70
    assert np.isnan([gold.sd[1], gold.ci_low[1], gold.ci_high[1], gold.z_mean[1], gold.median_ci_low[1]]).all()
    assert np.isnan(gold.mean[[0, 2]]).all()


def test_no_judgment_at_all_gives_blanks() -> None:
    gold = slider_gold(np.array([], dtype=int), np.array([], dtype=int), np.array([]), 2)

    assert gold.n.tolist() == [0, 0]
    assert np.isnan([gold.mean, gold.median, gold.sd, gold.trimmed_mean, gold.z_mean]).all()


@pytest.mark.parametrize("n", range(1, 60))
def test_median_interval_is_the_narrowest_that_holds_95_per_cent(n: int) -> None:
    low, high = (int(rank[0]) for rank in median_ranks(np.array([n])))

    def coverage(rank: int) -> float:
        return float(1 - 2 * stats.binom.cdf(rank - 1, n, 0.5))

    if low == 0:
        assert coverage(1) < 0.95
    else:
        assert high == n + 1 - low
        assert coverage(low) >= 0.95 > coverage(low + 1)


@given(st.permutations(list(range(20))))
def test_order_of_rows_does_not_matter(order: list[int]) -> None:
    item, worker = np.arange(20) % 4, np.arange(20) % 5
    value = np.array([4.1, 4.2, 4.3, 0.1, 0.2, 0.3, 0.7, 9.9, 1.1, 3.3] * 2)

    first, second = (slider_gold(item[at], worker[at], value[at], 4) for at in (np.arange(20), np.array(order)))

    assert first.mean.tolist() == second.mean.tolist()
    assert first.trimmed_mean.tolist() == second.trimmed_mean.tolist()
    assert first.sd == pytest.approx(second.sd, abs=1e-13)
