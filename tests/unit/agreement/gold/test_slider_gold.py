"""A slider's gold equals scipy's figures item by item, and says nothing where there is nothing to say."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from agreement.files.numbers import Scale
from agreement.gold.slider_gold import median_ranks, slider_gold, z_mean


def _crowd(seed: int, n_items: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    item = rng.permutation(np.concatenate([np.arange(n_items), np.arange(n_items), rng.integers(0, n_items, 220)]))
    return item, rng.integers(0, 12, 300), rng.integers(0, 101, 300).astype(float)


def test_slider_gold_equals_scipy_item_by_item() -> None:
    item, worker, value = _crowd(1)

    gold = slider_gold(item, worker, value, 40)

    for at in range(40):
        x = value[item == at]
        assert gold.n[at] == len(x)
        assert gold.mean[at] == pytest.approx(x.mean(), abs=1e-12)
        assert gold.median[at] == np.median(x)
        assert gold.sd[at] == pytest.approx(x.std(ddof=1), abs=1e-12)
        assert gold.trimmed_mean[at] == pytest.approx(stats.trim_mean(x, 0.2), abs=1e-12)


def test_limits_are_the_roots_of_the_score_equation() -> None:
    item, worker, value = _crowd(3)
    value[item == 7] = 50
    value[item == 8] = 100
    scale = Scale(Decimal(-10), Decimal(100))
    of = [value[item == at] for at in range(40)]
    df, most = (
        np.array(each) for each in zip(*((len(x) - 1, (x.mean() + 10) * (100 - x.mean())) for x in of), strict=True)
    )
    var = np.array([x.var(ddof=1) for x in of])
    c_0 = np.sum(df * var) / np.sum(df * most)

    gold = slider_gold(item, worker, value, 40, scale)

    for at, x in enumerate(of):
        c = (4 * c_0 + df[at] * (var[at] / most[at] if most[at] else c_0)) / (df[at] + 4)
        t = stats.t.ppf(0.975, df[at] + 4)

        def beyond(m: float, c: float = c, t: float = t, x: np.ndarray = x) -> float:
            return float((x.mean() - m) ** 2 - t * t * c * (m + 10) * (100 - m) / len(x))

        blank = len(x) < 3
        low = np.nan if blank else optimize.brentq(beyond, -10, min(x.mean(), 100 - 1e-6), xtol=1e-12)
        high = np.nan if blank else 100 if x.mean() == 100 else optimize.brentq(beyond, x.mean(), 100, xtol=1e-12)
        assert (gold.ci_low[at], gold.ci_high[at]) == pytest.approx((low, high), abs=1e-9, nan_ok=True)


def test_limits_are_blank_below_three_judgments() -> None:
    gold = slider_gold(np.array([0, 1, 1, 2, 2, 2]), np.arange(6), np.array([5.0, 10, 30, 20, 60, 70]), 3)

    assert np.isnan(gold.ci_low).tolist() == [True, True, False]
    assert np.isnan(gold.ci_high).tolist() == [True, True, False]
    assert gold.sd[1] == pytest.approx(np.std([10, 30], ddof=1))


def test_three_equal_answers_have_the_width_that_the_study_gives_them() -> None:
    item = np.repeat(np.arange(4), 3)
    value = np.array([50.0, 50, 50, 0, 0, 0, 100, 100, 100, 20, 40, 60])

    gold = slider_gold(item, np.tile(np.arange(3), 4), value, 4)

    width = gold.ci_high - gold.ci_low
    assert (width > 5).all()
    assert gold.ci_low[1] == 0
    assert gold.ci_high[2] == 100
    assert width[1] == pytest.approx(width[2])


def test_a_study_without_any_difference_has_no_interval() -> None:
    gold = slider_gold(np.zeros(5, dtype=int), np.arange(5), np.full(5, 30.0), 1)

    assert np.isnan([gold.ci_low[0], gold.ci_high[0]]).all()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 100)), min_size=1, max_size=40))
def test_limits_never_leave_the_scale(rows: list[tuple[int, int]]) -> None:
    item, value = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)

    gold = slider_gold(item, np.arange(len(rows)), value, 6)

    there = np.isfinite(gold.ci_low)
    assert np.array_equal(there, np.isfinite(gold.ci_high))
    assert ((gold.ci_low[there] >= 0) & (gold.ci_high[there] <= 100)).all()
    assert ((gold.ci_low <= gold.mean + 1e-9) & (gold.mean <= gold.ci_high + 1e-9))[there].all()


@pytest.mark.parametrize("world", ["steps of a quarter, often all alike", "spread that differs between items"])
@pytest.mark.parametrize("n", [3, 5])
def test_limits_hold_the_mean_of_infinitely_many_answers(world: str, n: int) -> None:
    """The t interval holds it in 53 and 67 % of the first world (three answers, five), in 93 and 94 of the second."""
    rng = np.random.default_rng(5)
    held = []
    for _ in range(30):
        at, sd = rng.uniform(-0.2, 1.2, 100)[:, None], 0.12 * np.exp(0.7 * rng.normal(size=100))[:, None]

        def answers(count: int, at: np.ndarray = at, sd: np.ndarray = sd) -> np.ndarray:
            noise = rng.normal(size=(100, count))
            if world.startswith("steps"):
                return np.asarray(np.clip(np.round(4 * (at + 0.12 * noise)), 0, 4) * 25)
            return np.asarray(np.clip(100 * (at + sd * noise), 0, 100))

        gold = slider_gold(np.repeat(np.arange(100), n), np.tile(np.arange(n), 100), answers(n).reshape(-1), 100)
        truth = answers(2000).mean(axis=1)
        held.append(np.mean((gold.ci_low <= truth + 0.1) & (truth - 0.1 <= gold.ci_high)))

    assert 0.94 < np.mean(held) < 0.99


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


def _coverage(rank: int, n: int) -> float:
    return float(1 - 2 * stats.binom.cdf(rank - 1, n, 0.5))


def test_median_interval_is_the_narrowest_that_holds_95_per_cent(subtests: pytest.Subtests) -> None:
    for n in range(1, 60):
        with subtests.test(n=n):
            low, high = (int(rank[0]) for rank in median_ranks(np.array([n])))

            if low == 0:
                assert _coverage(1, n) < 0.95
            else:
                assert high == n + 1 - low
                assert _coverage(low, n) >= 0.95 > _coverage(low + 1, n)


@given(st.permutations(list(range(20))))
def test_order_of_rows_does_not_matter(order: list[int]) -> None:
    item, worker = np.arange(20) % 4, np.arange(20) % 5
    value = np.array([4.1, 4.2, 4.3, 0.1, 0.2, 0.3, 0.7, 9.9, 1.1, 3.3] * 2)

    first, second = (slider_gold(item[at], worker[at], value[at], 4) for at in (np.arange(20), np.array(order)))

    assert first.mean.tolist() == second.mean.tolist()
    assert first.trimmed_mean.tolist() == second.trimmed_mean.tolist()
    assert first.sd == pytest.approx(second.sd, abs=1e-13)
