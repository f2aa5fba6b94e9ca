from itertools import product

import numpy as np
import pytest
from scipy import stats

from agreement.estimation.design import design_of
from agreement.estimation.intervals import (
    AMOUNT,
    ANY,
    CORRELATION,
    RELIABILITY,
    SHARE,
    Deletions,
    Range,
    effective_workers,
    groups,
    two_way,
    variance,
)
from agreement.people import chance_corrected as kappa


def test_jackknife_variance_of_a_mean_is_the_variance_of_the_mean() -> None:
    x = np.random.default_rng(0).normal(size=40)
    left_out = (x.sum() - x) / 39

    assert variance(left_out) == pytest.approx(x.var(ddof=1) / 40)


def test_two_way_interval_is_the_formula() -> None:
    rng = np.random.default_rng(1)
    item, worker, judgment = rng.normal(0, 0.01, 50), rng.normal(0, 0.02, 9), rng.normal(0, 0.001, 450)
    worker[0] = 0.2

    found = two_way(0.4, Deletions(item, worker, judgment))

    d = worker - worker.mean()
    nu = (3.16 - 2.77 / np.sqrt(9)) * np.sum(d**2) ** 2 / np.sum(d**4)
    v_i, v_w, v_j = ((len(x) - 1) / len(x) * np.sum((x - x.mean()) ** 2) for x in (item, worker, judgment))
    v = max(v_i + v_w - v_j, v_i, v_w)
    df = v**2 / (v_i**2 / 49 + (v_w - v_j) * v_w / nu)
    assert found.nu_w == pytest.approx(nu)
    assert found.df == pytest.approx(df)
    assert found.low == pytest.approx(0.4 - stats.t.ppf(0.975, df) * np.sqrt(v))


def test_effective_workers_of_normal_deviations_are_about_all_of_them() -> None:
    rng = np.random.default_rng(2)
    found = [effective_workers(rng.normal(size=30)) or 0.0 for _ in range(400)]

    assert 22 < np.mean(found) < 29  # W - 1 at most; without Johnson and Rust's factor 10


def test_variance_never_falls_below_that_of_items_or_of_workers() -> None:
    item, worker = np.array([0.1, -0.1, 0.1, -0.1]), np.array([0.2, -0.2, 0.2])
    judgment = np.tile([0.5, -0.5], 6)

    found = two_way(0.0, Deletions(item, worker, judgment))

    assert found.variance == pytest.approx(max(variance(item), variance(worker)))


def test_limits_stay_within_the_range_on_either_side(subtests: pytest.Subtests) -> None:
    for within, half in product(
        [SHARE, CORRELATION, RELIABILITY, AMOUNT, Range(-0.25, 1.0), Range(0.0, 100.0)], [0.01, 0.3, 5.0, 1000.0]
    ):
        with subtests.test(within=within, half=half):
            low, high = within.limits(0.9, half) or (np.nan, np.nan)

            assert within.low <= low < 0.9 < high <= within.high
            assert np.isfinite([low, high]).all()


def test_narrow_intervals_are_the_plain_ones() -> None:
    for within in (SHARE, CORRELATION, RELIABILITY, AMOUNT, ANY, Range(-0.25, 1.0)):
        assert within.limits(0.4, 1e-6) == pytest.approx((0.4 - 1e-6, 0.4 + 1e-6), abs=1e-11)


def test_the_scale_of_correlations_is_fishers_z_and_that_of_reliabilities_twice_it() -> None:
    r, half = 0.6, 0.2
    z = np.arctanh(r) + np.array([-1, 1]) * half / (1 - r * r)
    R = 2 * r / (1 + r)  # of two halves; dR/dr = 2 / (1 + r)^2

    assert CORRELATION.limits(r, half) == pytest.approx(np.tanh(z))
    assert RELIABILITY.limits(R, half * 2 / (1 + r) ** 2) == pytest.approx(2 * np.tanh(z) / (1 + np.tanh(z)))


def test_the_scale_of_an_intraclass_correlation_is_log_f() -> None:
    k, F, half = 4, 3.0, 0.15
    icc = (F - 1) / (F + k - 1)
    slope = (F + k - 1) ** 2 / (k * F)  # d log F / d icc
    limits = F * np.exp(np.array([-1, 1]) * half * slope)

    assert Range(-1 / (k - 1), 1.0).limits(icc, half) == pytest.approx((limits - 1) / (limits + k - 1))


def test_there_are_no_limits_at_the_end_of_a_range() -> None:
    left_out = Deletions(np.array([0.9, 1.0, 1.0]), np.array([0.9, 1.0, 1.0]), np.array([0.9, 1.0, 1.0]))

    estimate = two_way(1.0, left_out, within=SHARE)

    assert (estimate.low, estimate.high) == (None, None)
    assert "at the end of its range" in estimate.method


def test_two_workers_have_an_interval_over_items() -> None:
    rng = np.random.default_rng(3)
    item = rng.normal(0.5, 0.01, 30)

    found = two_way(0.5, Deletions(item, np.array([np.nan, np.nan]), rng.normal(0.5, 0.01, 60)))

    half = stats.t.ppf(0.975, 29) * np.sqrt(variance(item))
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))
    assert found.over == "items"
    assert "for these workers" in found.method


def test_items_that_do_not_count_add_no_degrees_of_freedom() -> None:
    item = np.concatenate([np.random.default_rng(4).normal(0, 0.1, 3), np.zeros(17)])

    found = two_way(0.0, Deletions(item, np.array([0.0, 0.0]), item), n_items=3)

    assert found.df == 2


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
    estimate = two_way(0.5, Deletions(np.array(item), np.array(worker), np.array([0.5, 0.5])))

    assert (estimate.low, estimate.high) == (None, None)
    assert said in estimate.method


def test_few_effective_workers_are_said() -> None:
    one_moves_it_all = np.array([0.3, 0.0, 0.0, 0.001, 0.0, 0.0])

    estimate = two_way(0.2, Deletions(np.linspace(0.19, 0.21, 30), one_moves_it_all, np.linspace(0, 0.1, 60)))

    assert "nu_W < 4" in estimate.method
    nu = effective_workers(one_moves_it_all)
    assert nu is not None
    assert nu < 4


def test_groups_are_of_equal_size() -> None:
    member = groups(103, np.random.default_rng(0))

    assert sorted(np.bincount(member)) == [5] * 17 + [6] * 3
    assert len(np.unique(groups(7, np.random.default_rng(0)))) == 7


def test_lower_limit_of_a_reliability_is_cut_and_says_so() -> None:
    item, worker = np.array([0.9, -3.0, 0.5]), np.array([0.2, 0.9, -2.0])

    found = two_way(0.6, Deletions(item, worker, np.tile(item, 3)), within=RELIABILITY)

    assert found.low == -1.0
    assert "cut at -1 below" in found.method
    assert "cut" not in two_way(0.6, Deletions(item / 50, worker / 50, item / 50), within=RELIABILITY).method


def test_deletions_of_judgments_that_are_alike_are_those_of_each_by_itself() -> None:
    """Of two labels by twelve people, the judgments of an item with one label are left out together."""
    item, worker = (place.ravel() for place in np.indices((15, 12)))
    rng = np.random.default_rng(13)
    code = (rng.random(180) < rng.random(15)[item]).astype(np.int8)
    tally = kappa.tally(design_of(item, worker), code, 2)
    assert isinstance(tally, kappa.Tally)

    found = kappa.deletions(tally).judgment

    for j in range(0, 180, 7):
        left = kappa.tally(design_of(np.delete(item, j), np.delete(worker, j)), np.delete(code, j), 2)
        assert isinstance(left, kappa.Tally)
        assert found[j] == pytest.approx(kappa.kappa(left), abs=1e-12)


def test_limits_of_an_error_that_leave_its_scale_are_words() -> None:
    """Three workers on an amount: t with 2 df or fewer times a large error would give hundreds of thousands."""
    deletions = Deletions(np.linspace(20, 36, 12), np.array([10.0, 28.0, 46.0]), np.linspace(27.9, 28.1, 36))

    found = two_way(28.0, deletions, within=AMOUNT)

    assert found.low is None
    assert found.high is None
    assert "its limits would leave the scale" in found.method
