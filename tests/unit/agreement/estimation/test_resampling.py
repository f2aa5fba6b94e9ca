import tracemalloc

import numpy as np
import pytest
from scipy import stats

from agreement.estimation import resampling
from agreement.estimation.estimate import stream
from agreement.estimation.resampling import bca, item_weights, percentile, product, totals, totals_of_many


def test_percentile_limits_are_quantiles() -> None:
    replicates = np.linspace(0, 1, 1001)

    found = percentile(0.5, replicates, n=10)

    assert (found.low, found.high) == pytest.approx((0.025, 0.975))
    assert "1,001 replicates" in found.method


def test_bca_is_that_of_scipy() -> None:
    x = np.random.default_rng(3).gamma(2, size=60)
    expected = stats.bootstrap((x,), np.mean, n_resamples=20_000, rng=np.random.default_rng(4)).confidence_interval
    weights = np.concatenate(list(item_weights(60, 20_000, np.random.default_rng(5))))

    found = bca(float(x.mean()), weights @ x / 60, (x.sum() - x) / 59, n=60)

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_undefined_replicates_are_counted_and_too_many_leave_no_interval() -> None:
    replicates = np.r_[np.linspace(0, 1, 60), np.full(40, np.nan)]

    assert "undefined in 40 of them" in percentile(0.5, replicates, n=5).method
    assert percentile(0.5, np.r_[replicates, np.full(30, np.nan)], n=5).low is None


def test_replicates_without_spread_give_no_interval() -> None:
    found = percentile(1.0, np.ones(100), n=5)

    assert found.low is None
    assert "every replicate gives the same figure" in found.method


def test_totals_of_few_kinds_of_row_are_distributed_as_those_of_items_drawn_one_by_one() -> None:
    kind = np.repeat(np.arange(4), [400, 300, 200, 100])
    rows = np.column_stack([np.eye(4)[kind], np.ones(1000)])

    by_kind = totals(rows, 4000, np.random.default_rng(0), kind)
    by_item = totals(rows, 4000, np.random.default_rng(1))

    assert np.all(by_kind[:, 4] == 1000)
    np.testing.assert_allclose(by_kind.mean(axis=0), by_item.mean(axis=0), atol=1.5)
    np.testing.assert_allclose(by_kind.std(axis=0), by_item.std(axis=0), rtol=0.06, atol=1e-9)


def test_weights_are_the_same_for_every_statistic_of_one_stream() -> None:
    one = np.concatenate(list(item_weights(50, 20, stream(7, "items"))))
    other = np.concatenate(list(item_weights(50, 20, stream(7, "items"))))

    np.testing.assert_array_equal(one, other)
    assert np.all(one.sum(axis=1) == 50)


def test_streams_differ_by_name_and_by_seed() -> None:
    drawn = {(seed, name): stream(seed, name).random() for seed in (-1, 0, 1, 2**40) for name in ("a", "b")}

    assert len(set(drawn.values())) == 8


def test_many_items_are_drawn_by_stretches_as_if_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = np.concatenate(list(item_weights(50, 20_000, np.random.default_rng(0))))
    monkeypatch.setattr(resampling, "STRETCH", 16)

    by_stretches = np.concatenate(list(item_weights(50, 20_000, np.random.default_rng(1))))

    assert np.all(by_stretches.sum(axis=1) == 50)
    np.testing.assert_allclose(by_stretches.mean(axis=0), 1, atol=0.04)
    np.testing.assert_allclose(np.cov(by_stretches.T), np.cov(at_once.T), atol=0.06)


def test_replicates_of_many_blocks_are_those_of_their_columns_together() -> None:
    """Of 40 labels an item gets a few: the sums are of the places that differ, and the same to rounding."""
    rng = np.random.default_rng(5)
    parts = [np.where(rng.random((300, 5)) < 0.03, rng.random((300, 5)), 1.0) for _ in range(40)]

    ours = totals_of_many(parts, 50, np.random.default_rng(1))
    theirs = totals(np.hstack(parts), 50, np.random.default_rng(1))

    assert ours == pytest.approx(theirs, abs=1e-9)


def test_products_of_many_columns_take_no_more_memory_than_their_answer() -> None:
    """In pieces of one item each, 100 replicates of 1,600 columns over 10,000 items once took 13 GB."""
    weights, rows = np.ones((100, 2_000)), np.ones((2_000, 1_600))

    tracemalloc.start()
    found = product(weights, rows)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (found == 2_000).all()
    assert most < 20 * found.nbytes
