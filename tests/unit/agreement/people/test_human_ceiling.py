"""Upper bound, noise ceiling and pairs of workers against their definitions worked with numpy and scipy."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement.estimation.estimate import Estimate, Undefined
from agreement.estimation.intervals import CORRELATION, Deletions, two_way
from agreement.people.human_ceiling import _without_each_worker, noise_ceiling, upper_bound, upper_bound_of
from agreement.people.icc import consistency
from agreement.people.leave_one_out import leave_one_out
from agreement.people.person_metrics import OF_NUMBERS
from agreement.people.raw_statistic import RawStatistic
from agreement.people.worker_pairs import pairwise
from agreement.scoring.correlation import pearson


def _complete(n_workers: int = 6, n_items: int = 25) -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.rint(rng.normal(50, 20, n_items) + rng.normal(0, 15, (n_workers, n_items)))


def _flat(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    worker, item = np.indices(table.shape)
    return item.reshape(-1), worker.reshape(-1), table.reshape(-1)


def test_upper_bound_is_the_root_of_the_reliability_and_its_limits() -> None:
    bound = upper_bound(Estimate(0.81, 0.64, 0.9025, 100, "two-way"))

    assert isinstance(bound, Estimate)
    assert (bound.estimate, bound.low, bound.high) == pytest.approx((0.9, 0.8, 0.95))


def test_upper_bound_of_no_reliability_is_undefined_in_words() -> None:
    assert isinstance(upper_bound(Undefined("there is one rater an item")), Undefined)
    below = upper_bound(Estimate(-0.02, None, None, 3, ""))
    assert isinstance(below, Undefined)
    assert "-0.0200 isn't above 0" in below.why


def _biased(n_workers: int = 6, n_items: int = 60) -> np.ndarray:
    """Workers of large constant bias and little noise."""
    rng = np.random.default_rng(1)
    truth, bias = rng.normal(0, 1, n_items), rng.normal(0, 2, n_workers)
    return np.asarray(50 + 8 * (truth + bias[:, None] + 0.3 * rng.normal(size=(n_workers, n_items))))


def _icc_c_k(x: np.ndarray, k: int) -> float:
    """ICC(C,k) of a table of items by workers, from the mean squares of its two-way analysis of variance."""
    n, left = x.shape
    rows, columns = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    msr = left * np.sum((rows - x.mean()) ** 2) / (n - 1)
    mse = np.sum((x - rows - columns + x.mean()) ** 2) / ((n - 1) * (left - 1))
    single = (msr - mse) / (msr + (left - 1) * mse)
    return float(k * single / (1 + (k - 1) * single))


def test_upper_bound_of_a_complete_crowd_lets_constant_biases_cancel() -> None:
    table = _biased()

    bound = upper_bound_of(*_flat(table), Estimate(0.66, None, None, 60, "split-half"))
    noise = noise_ceiling(*_flat(table), 60)
    person = leave_one_out(OF_NUMBERS, *_flat(table), 60, metric="pearson", rng=None).mean

    assert isinstance(bound, Estimate)
    assert isinstance(noise.lower, Estimate)
    assert isinstance(person, Estimate)
    assert bound.estimate == pytest.approx(np.sqrt(_icc_c_k(table.T, 6)), abs=1e-12)
    assert bound.low is not None
    assert bound.high is not None
    assert person.estimate < bound.low < bound.estimate < bound.high <= 1
    assert noise.lower.estimate < bound.low
    assert bound.over == "items and workers"
    assert "ICC(C,k)" in bound.method
    assert "approximation" not in bound.method


def test_deletions_of_consistency_are_those_of_smaller_tables_at_the_same_k() -> None:
    x = _biased(5, 20).T

    made = consistency(x, 20)

    assert isinstance(made, RawStatistic)
    assert made.deletions.item == pytest.approx([_icc_c_k(np.delete(x, i, axis=0), 5) for i in range(20)], abs=1e-12)
    assert made.deletions.worker == pytest.approx([_icc_c_k(np.delete(x, w, axis=1), 5) for w in range(5)], abs=1e-12)


def test_upper_bound_of_a_nearly_complete_crowd_is_of_the_items_that_all_judged() -> None:
    table = _biased()
    item, worker, value = _flat(table)
    kept = ~((item < 3) & (worker == item))

    bound = upper_bound_of(item[kept], worker[kept], value[kept], Undefined("unused"))

    assert isinstance(bound, Estimate)
    assert bound.estimate == pytest.approx(np.sqrt(_icc_c_k(table[:, 3:].T, 6)), abs=1e-12)
    assert "the 57 of 60 items that all judged" in bound.method


def test_upper_bound_of_an_incomplete_crowd_is_called_an_approximation() -> None:
    item, worker, value = _flat(_biased())
    kept = (item + worker) % 3 > 0

    bound = upper_bound_of(item[kept], worker[kept], value[kept], Estimate(0.64, 0.49, 0.81, 60, "split-half"))

    assert isinstance(bound, Estimate)
    assert (bound.estimate, bound.low, bound.high) == pytest.approx((0.8, 0.7, 0.9))
    assert "an approximation: workers' constant biases count as noise" in bound.method


def test_upper_bound_of_two_workers_is_for_these_workers() -> None:
    bound = upper_bound_of(*_flat(_biased(2)), Undefined("unused"))

    assert isinstance(bound, Estimate)
    assert bound.low is not None
    assert bound.over == "items"


def test_upper_bound_of_several_sliders_is_of_the_mean_over_labels() -> None:
    first, second = _biased(), _complete(6, 60)
    item, worker, _ = _flat(first)
    values = np.column_stack([first.reshape(-1), second.reshape(-1)])

    bound = upper_bound_of(item, worker, values, Undefined("unused"), ("a", "b"))

    assert isinstance(bound, Estimate)
    assert bound.estimate == pytest.approx(np.sqrt((_icc_c_k(first.T, 6) + _icc_c_k(second.T, 6)) / 2), abs=1e-12)
    assert bound.low is not None


def test_noise_ceiling_is_the_mean_correlation_of_z_scores() -> None:
    table = _complete()
    z = stats.zscore(table, axis=1, ddof=1)
    lower = [stats.pearsonr(z[w], np.delete(z, w, axis=0).mean(axis=0)).statistic for w in range(6)]
    upper = [stats.pearsonr(z[w], z.mean(axis=0)).statistic for w in range(6)]

    ceiling = noise_ceiling(*_flat(table), 25)

    assert isinstance(ceiling.lower, Estimate)
    assert isinstance(ceiling.upper, Estimate)
    assert ceiling.lower.estimate == pytest.approx(np.mean(lower), abs=1e-12)
    assert ceiling.upper.estimate == pytest.approx(np.mean(upper), abs=1e-12)
    assert ceiling.lower.low is not None
    assert ceiling.lower.low < ceiling.lower.estimate < ceiling.upper.estimate


def test_noise_ceiling_of_an_incomplete_crowd_is_no_bound() -> None:
    item, worker, value = _flat(_complete())

    ceiling = noise_ceiling(item[1:], worker[1:], value[1:], 25)

    assert isinstance(ceiling.lower, Undefined)
    assert isinstance(ceiling.upper, Estimate)
    assert "inclusive agreement, not a bound" in ceiling.upper.method


def test_noise_ceiling_of_workers_who_never_vary_is_undefined() -> None:
    ceiling = noise_ceiling(*_flat(np.full((4, 12), 50.0)), 12)

    assert isinstance(ceiling.lower, Undefined)
    assert "0 of 4 workers" in ceiling.lower.why


def test_pairwise_is_the_mean_over_pairs_that_share_enough() -> None:
    rng = np.random.default_rng(4)
    item, worker, value = _flat(_complete(9, 40))
    kept = rng.random(len(item)) < 0.5
    item, worker, value = item[kept], worker[kept], value[kept]
    value[worker == 8] = 3
    tables = {w: dict(zip(item[worker == w], value[worker == w], strict=True)) for w in range(9)}
    expected = []
    for a, b in combinations(range(8), 2):
        shared = sorted(set(tables[a]) & set(tables[b]))
        if len(shared) >= 10:
            expected.append(stats.pearsonr([tables[a][i] for i in shared], [tables[b][i] for i in shared]).statistic)

    figure = pairwise(item, worker, value, 40, rng=np.random.default_rng(1))

    assert isinstance(figure, Estimate)
    assert figure.n == len(expected)
    assert figure.estimate == pytest.approx(np.mean(expected), abs=1e-12)
    assert figure.low is not None
    assert figure.high is not None
    assert -1 < figure.low < figure.estimate < figure.high < 1
    assert figure.over == "items and workers"


def _mean_r(x: np.ndarray) -> float:
    """Of [W, N] answers, NaN where there is none; pairs that share two items or more count."""
    found = []
    for a, b in combinations(x, 2):
        shared = np.isfinite(a) & np.isfinite(b)
        if shared.sum() >= 2:
            found.append(stats.pearsonr(a[shared], b[shared]).statistic)
    return float(np.mean(found))


def test_pairwise_interval_is_the_two_way_jackknife_with_everything_correlated_again() -> None:
    x = _complete(6, 30)
    x[np.random.default_rng(7).random(x.shape) < 0.2] = np.nan
    item, worker, value = _flat(x)
    here = np.isfinite(value)
    without_item = np.array([_mean_r(np.delete(x, i, axis=1)) for i in range(30)])
    without_worker = np.array([_mean_r(np.delete(x, w, axis=0)) for w in range(6)])
    without_judgment = []
    for w, i in zip(*np.nonzero(np.isfinite(x)), strict=True):
        left = x.copy()
        left[w, i] = np.nan
        without_judgment.append(_mean_r(left))
    wanted = two_way(
        _mean_r(x), Deletions(without_item, without_worker, np.array(without_judgment)), within=CORRELATION
    )

    figure = pairwise(item[here], worker[here], value[here], 30, rng=np.random.default_rng(1))

    assert isinstance(figure, Estimate)
    assert (figure.low, figure.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert "two-way jackknife over items and workers, Fisher's z" in figure.method


def test_pairwise_of_two_workers_has_an_interval_over_items_for_them() -> None:
    x = _complete(2, 30)
    without_item = np.array([_mean_r(np.delete(x, i, axis=1)) for i in range(30)])
    wanted = two_way(_mean_r(x), Deletions(without_item, np.zeros(2), without_item), within=CORRELATION)

    figure = pairwise(*_flat(x), 30, rng=np.random.default_rng(1))

    assert isinstance(figure, Estimate)
    assert figure.over == "items"
    assert (figure.low, figure.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert "for these workers" in figure.method


def test_pairwise_keeps_the_r_of_a_pair_that_one_item_less_would_leave_constant() -> None:
    x = np.zeros((4, 12))
    x[:, 3] = (1.0, 2.0, 1.0, 3.0)

    figure = pairwise(*_flat(x), 12, rng=np.random.default_rng(1))

    assert isinstance(figure, Estimate)
    assert figure.estimate == 1.0
    assert "no interval" in figure.method


def test_pairwise_of_very_many_pairs_leaves_items_out_of_some_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = _flat(_complete(20, 40))
    whole = pairwise(*crowd, 40, rng=np.random.default_rng(1))
    monkeypatch.setattr("agreement.people.worker_pairs.MOST_CELLS", 4_000)

    some = pairwise(*crowd, 40, rng=np.random.default_rng(1))

    assert isinstance(whole, Estimate)
    assert isinstance(some, Estimate)
    assert some.method.endswith("items and judgments left out of 100 pairs drawn at random")
    assert some.estimate == whole.estimate
    assert some.low == pytest.approx(whole.low, abs=0.05)


@pytest.mark.parametrize(("cells", "few"), [(1, 1_000_000), (1, 0), (1 << 20, 0)])
def test_pairwise_in_blocks_and_by_whole_tables_is_the_same(
    monkeypatch: pytest.MonkeyPatch, cells: int, few: int
) -> None:
    crowd = _flat(_complete(9, 40))
    whole = pairwise(*crowd, 40, rng=np.random.default_rng(1))
    assert isinstance(whole, Estimate)

    monkeypatch.setattr("agreement.people.worker_pairs.CELLS", cells)
    monkeypatch.setattr("agreement.people.worker_pairs.FEW", few)

    parts = pairwise(*crowd, 40, rng=np.random.default_rng(1))
    assert isinstance(parts, Estimate)
    assert (parts.n, parts.method) == (whole.n, whole.method)
    expected = [whole.estimate, whole.low, whole.high]
    assert [parts.estimate, parts.low, parts.high] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [0, 1, 9])
def test_pairwise_without_shared_items_is_undefined_in_words(n: int) -> None:
    figure = pairwise(
        np.tile(np.arange(n), 2), np.repeat([0, 1], n), np.arange(2.0 * n), max(n, 1), rng=np.random.default_rng(1)
    )

    assert isinstance(figure, Undefined)
    assert f"the most that two share is {n}" in figure.why


@pytest.mark.parametrize("which", ["with the worker in it", "without"])
def test_leaving_a_worker_out_of_the_noise_ceiling_equals_correlating_the_others(which: str) -> None:
    rng = np.random.default_rng(7)
    z = rng.normal(size=(6, 25)) + rng.normal(size=25)
    z = stats.zscore(z, axis=1, ddof=1)

    inclusive = which != "without"
    found = _without_each_worker(z, inclusive=inclusive)

    for a in range(6):
        part = np.delete(z, a, axis=0)
        golds = [part.sum(axis=0) - (0 if inclusive else row) for row in part]
        expected = np.mean([stats.pearsonr(row, gold).statistic for row, gold in zip(part, golds, strict=True)])
        assert found[a] == pytest.approx(expected, abs=1e-12)


def test_the_noise_ceiling_of_many_items_takes_a_few_passes_over_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving out each of 80,000 items once meant 80,000 passes over all judgments, two minutes."""
    passes = []
    whole = pearson

    def counted(*given: Any) -> Any:
        passes.append(given)
        return whole(*given)

    monkeypatch.setattr("agreement.people.human_ceiling.pearson", counted)
    item, worker = np.repeat(np.arange(2_000), 3), np.tile(np.arange(3), 2_000)
    value = np.random.default_rng(8).normal(size=2_000)[item] + np.random.default_rng(9).normal(size=6_000)

    found = noise_ceiling(item, worker, value, 2_000)

    assert isinstance(found.lower, Estimate)
    assert found.lower.low is not None
    assert len(passes) == 2
