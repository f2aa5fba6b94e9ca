import numpy as np
import pytest
from scipy import stats

from agreement.stats.jackknife import Deletions, effective_workers, groups, two_way, variance, with_interval


def test_jackknife_variance_of_a_mean_is_the_variance_of_the_mean() -> None:
    x = np.random.default_rng(0).normal(size=40)
    left_out = (x.sum() - x) / 39

    assert variance(left_out) == pytest.approx(x.var(ddof=1) / 40)


def test_two_way_interval_is_the_formula() -> None:
    rng = np.random.default_rng(1)
    item, worker, judgment = rng.normal(0, 0.01, 50), rng.normal(0, 0.02, 9), rng.normal(0, 0.001, 450)

    found = two_way(0.4, Deletions(item, worker, judgment))

    d = worker - worker.mean()
    nu = np.sum(d**2) ** 2 / np.sum(d**4)
    v_i, v_w, v_j = ((len(x) - 1) / len(x) * np.sum((x - x.mean()) ** 2) for x in (item, worker, judgment))
    v = max(v_i + v_w - v_j, v_i, v_w)
    assert found.nu_w == pytest.approx(nu)
    assert found.df == pytest.approx(min(49, nu))
    assert found.low == pytest.approx(0.4 - stats.t.ppf(0.975, min(49, nu)) * np.sqrt(v))


def test_variance_never_falls_below_that_of_items_or_of_workers() -> None:
    item, worker = np.array([0.1, -0.1, 0.1, -0.1]), np.array([0.2, -0.2, 0.2])
    judgment = np.tile([0.5, -0.5], 6)

    found = two_way(0.0, Deletions(item, worker, judgment))

    assert found.variance == pytest.approx(max(variance(item), variance(worker)))


def test_upper_limit_is_cut_at_the_most_the_statistic_can_be() -> None:
    left_out = Deletions(np.array([0.5, 1.0, 0.9]), np.array([0.6, 0.9, 1.0]), np.array([0.8, 0.8, 0.9, 0.9]))

    assert two_way(0.9, left_out).high == 1.0
    assert two_way(0.9, left_out, at_most=float("inf")).high != 1.0


@pytest.mark.parametrize(
    ("item", "worker", "said"),
    [
        ([0.5], [0.1, 0.2], "only one item"),
        ([0.5, 0.4], [0.1], "only one worker"),
        ([0.5, np.nan], [0.1, 0.2], "undefined when one item is left out (1 of 2 items)"),
        ([0.5, 0.5], [0.5, 0.5], "gives the same figure"),
    ],
)
def test_interval_that_cannot_be_had_says_why(item: list[float], worker: list[float], said: str) -> None:
    estimate = with_interval(0.5, Deletions(np.array(item), np.array(worker), np.array([0.5, 0.5])), n=2)

    assert (estimate.low, estimate.high) == (None, None)
    assert said in estimate.method


def test_few_effective_workers_are_said() -> None:
    one_moves_it_all = np.array([0.3, 0.0, 0.0, 0.001, 0.0, 0.0])

    estimate = with_interval(
        0.2, Deletions(np.linspace(0.19, 0.21, 30), one_moves_it_all, np.linspace(0, 0.1, 60)), n=30
    )

    assert "nu_W < 4" in estimate.method
    nu = effective_workers(one_moves_it_all)
    assert nu is not None
    assert nu < 4


def test_groups_are_of_equal_size() -> None:
    member = groups(103, np.random.default_rng(0))

    assert sorted(np.bincount(member)) == [5] * 17 + [6] * 3
    assert len(np.unique(groups(7, np.random.default_rng(0)))) == 7
