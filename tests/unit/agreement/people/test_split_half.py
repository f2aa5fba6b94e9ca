import numpy as np
import pytest
from scipy import stats

from agreement.estimation.design import design_of
from agreement.people import raw_statistic
from agreement.people.split_half import ENOUGH, FEWEST, SPLITS, ExpectedSplitHalf, SplitHalf, horst, split_half
from tests.unit.agreement.people.crowds import defined


def crowd(items: int, n: int, *, noise: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    item, worker = (place.ravel() for place in np.indices((items, n)))
    return item, worker, rng.normal(size=items)[item] + noise * rng.normal(size=len(item))


def test_horst_is_spearman_brown_for_halves() -> None:
    r = np.array([-0.5, 0.0, 0.3, 0.9, 1.0])

    np.testing.assert_allclose(horst(r, 0.5), 2 * r / (1 + r), atol=1e-12)


@pytest.mark.parametrize("p", [1 / 3, 2 / 5, 3 / 7])
def test_horst_inverts_the_correlation_of_unequal_parts(p: float) -> None:
    true_variance, error_variance = 1.0, 0.7  # the whole has reliability 1 / 1.7
    parts = [true_variance + error_variance / share for share in (p, 1 - p)]
    r = true_variance / np.sqrt(parts[0] * parts[1])

    assert horst(np.array(r), p) == pytest.approx(1 / 1.7)


@pytest.mark.parametrize("n", [3, 5, 10])
def test_reliability_of_simulated_judgments_is_theirs(n: int) -> None:
    item, worker, value = crowd(4000, n)

    found = defined(split_half(design_of(item, worker), value, np.random.default_rng(1)))

    assert found.pearson == pytest.approx(n / (n + 1), abs=0.02)


def test_expected_split_is_the_median_of_many() -> None:
    item, worker, value = crowd(400, 5)
    design, x = design_of(item, worker), raw_statistic.centre_values(value)
    expected = ExpectedSplitHalf.of(design.n, x * x)

    (closed,) = expected.values(raw_statistic.item_rows(expected, design, x).sum(axis=1))

    found = defined(split_half(design, value, np.random.default_rng(2)))
    assert closed == pytest.approx(found.pearson, abs=0.004)


def test_expected_split_is_the_mean_over_all_splits_of_the_products() -> None:
    """Three judgments, so that the halves can be listed: each judgment alone against the other two."""
    statistic = ExpectedSplitHalf(1.0, 3.0)
    x = np.array([1.0, 4.0, 7.5])

    rows = statistic.rows(np.array([3.0]), np.array([x.sum()]), np.array([np.sum(x * x)]))[:, 0]

    alone, rest = x, np.array([(x.sum() - each) / 2 for each in x])
    assert rows[2] == pytest.approx(np.mean(alone * rest))
    assert rows[3] == pytest.approx((np.mean(alone**2) + np.mean(rest**2)) / 2)


def test_splitting_stops_when_the_median_holds_still() -> None:
    still = defined(split_half(design_of(*crowd(20_000, 4)[:2]), crowd(20_000, 4)[2], np.random.default_rng(3)))
    restless = defined(split_half(design_of(*crowd(12, 4)[:2]), crowd(12, 4)[2], np.random.default_rng(3)))

    assert FEWEST <= still.splits < 50
    assert still.error < 0.0005
    assert restless.splits == SPLITS
    assert restless.error > 0.0005


@pytest.mark.parametrize(("items", "n"), [(3, 2), (12, 4), (60, 3), (400, 5), (9_000, 2)])
@pytest.mark.parametrize("step", [0.001, 1.0])
def test_splits_at_once_give_the_digits_of_one_after_the_other(items: int, n: int, step: float) -> None:
    item, worker, value = crowd(items, n, seed=items)
    kept = np.random.default_rng(items).random(len(item)) < 0.9
    item, worker, value = np.unique(item[kept], return_inverse=True)[1], worker[kept], np.round(value[kept] / step)
    design = design_of(item, worker)

    found = split_half(design, value, np.random.default_rng(5), splits=200)

    assert found == one_after_the_other(item, value, np.random.default_rng(5), splits=200)


def one_after_the_other(item: np.ndarray, value: np.ndarray, rng: np.random.Generator, splits: int) -> SplitHalf:
    several = np.bincount(item)[item] >= 2
    x = raw_statistic.centre_values(value[several])
    _, item, n = np.unique(item[several], return_inverse=True, return_counts=True)
    start = np.cumsum(n) - n
    small, total, share = n // 2, np.add.reduceat(x, start), float(np.mean(n // 2 / n))
    r: list[float] = []
    rho: list[float] = []
    error = float("inf")
    while len(r) < splits and error >= ENOUGH:
        shuffled = x[np.argsort(item + rng.random(len(x)))]
        size = np.where(rng.random(len(n)) < 0.5, small, n - small)
        first = np.add.reduceat(shuffled * (np.arange(len(x)) - start[item] < size[item]), start)
        a, b = first / size, (total - first) / (n - size)
        r.append(correlation(a, b))
        rho.append(correlation(stats.rankdata(a), stats.rankdata(b)))
        R = horst(np.array(r), share)
        R = R[np.isfinite(R)]
        if len(R) >= FEWEST:
            spread = float(R.std(ddof=1)) * (1 + 2 / np.sqrt(2 * (len(R) - 1)))
            error = float(np.sqrt(np.pi / 2) * spread / np.sqrt(len(R)))
    pearson, spearman = (float(horst(np.array(np.nanmedian(each)), share)) for each in (r, rho))
    return SplitHalf(pearson, spearman, len(r), error, share)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    below = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / below if below else float("nan")


def test_expected_split_half_left_out_is_recomputation() -> None:
    rng = np.random.default_rng(4)
    kept = rng.random(60) < 0.8
    item, worker, value = (column[kept] for column in crowd(12, 5, seed=4))
    x = raw_statistic.centre_values(value)
    design = design_of(item, worker)
    statistic = ExpectedSplitHalf.of(design.n, x * x)

    (left,) = raw_statistic.deletions(statistic, design, x)

    for found, member in ((left.item, item), (left.worker, worker), (left.judgment, np.arange(len(item)))):
        for figure, out in zip(found, np.unique(member), strict=True):
            k = member != out
            totals = raw_statistic.item_rows(statistic, design_of(item[k], worker[k]), x[k]).sum(axis=1)
            assert figure == pytest.approx(float(statistic.values(totals)[0]), abs=1e-9)


def test_reliability_without_a_worker_is_still_that_of_as_many_judgments() -> None:
    """In a large crowd of exchangeable workers, half of whom leave, the figure would fall if it were not."""
    item, worker, value = crowd(5000, 6)
    design, x = design_of(item, worker), raw_statistic.centre_values(value)
    whole = ExpectedSplitHalf.of(design.n, x * x)
    kept = worker < 3

    part = raw_statistic.item_rows(whole, design.only(kept), x[kept]).sum(axis=1)

    assert float(whole.values(part)[0]) == pytest.approx(6 / 7, abs=0.02)
