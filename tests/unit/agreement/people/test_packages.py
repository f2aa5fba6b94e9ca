"""Random gappy crowds give the figures of independent packages, and of the same data with one thing left out."""

from collections.abc import Callable, Iterator
from unittest import mock

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from agreement.estimation.design import Design, design_of
from agreement.estimation.intervals import Deletions
from agreement.people import alpha, icc, ordinal_alpha, raw_statistic
from agreement.people import chance_corrected as kappa
from agreement.people.agreement_report import Level
from agreement.people.alpha import Ratio
from agreement.people.ordinal_alpha import ordinal_alpha_of, ordinal_alpha_weighted, ordinal_alpha_without
from tests.unit.agreement.people.crowds import alpha_of, crowds, defined, iccs_of, kappa_of

Crowd = tuple[np.ndarray, np.ndarray, np.ndarray]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


@pytest.mark.parametrize("level", LEVELS)
@settings(deadline=None)
@given(crowd=crowds(repeats=True))
def test_alpha_is_that_of_the_krippendorff_package(level: Level, crowd: Crowd) -> None:
    item, worker, value = crowd
    ours = alpha_of(design_of(item, worker), value, level)
    assume(not np.isnan(ours))
    domain, code = np.unique(value, return_inverse=True)
    counts = np.zeros((item.max() + 1, len(domain)), dtype=int)
    np.add.at(counts, (item, code), 1)

    theirs = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)

    assert ours == pytest.approx(theirs, abs=1e-9)


def test_kappa_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        ratings = rng.integers(0, 4, (rng.integers(2, 40), rng.integers(2, 8)))
        item, worker = (place.ravel() for place in np.indices(ratings.shape))

        ours = kappa_of(design_of(item, worker), ratings.ravel(), 4)

        assert ours == pytest.approx(fleiss_kappa(aggregate_raters(ratings, n_cat=4)[0]), abs=1e-12)


def without_each(crowd: Crowd, statistic: Callable[[Design, np.ndarray], float]) -> Iterator[tuple[str, np.ndarray]]:
    """The statistic computed anew without each item, worker and judgment."""
    item, worker, value = crowd
    for name, member in (("item", item), ("worker", worker), ("judgment", np.arange(len(item)))):
        kept = [member != out for out in np.unique(member)]
        yield name, np.array([statistic(design_of(item[k], worker[k]), value[k]) if k.any() else np.nan for k in kept])


def assert_same(left: Deletions, crowd: Crowd, statistic: Callable[[Design, np.ndarray], float]) -> None:
    for name, expected in without_each(crowd, statistic):
        np.testing.assert_allclose(getattr(left, name), expected, atol=1e-9, rtol=1e-9, err_msg=name)


@settings(deadline=None)
@given(crowd=crowds(repeats=True))
def test_kappa_deletions_are_recomputations(crowd: Crowd) -> None:
    item, worker, value = crowd
    tally = defined(kappa.tally(design_of(item, worker), value.astype(int), 5))

    assert_same(kappa.deletions(tally), crowd, lambda design, kept: kappa_of(design, kept, 5))


def stepped_up(one: float, k: float) -> float:
    """ICC(1,k) keeps its k, whatever is left out."""
    return k * one / (1 + (k - 1) * one) if 1 + (k - 1) * one > 1e-9 else float("nan")


@settings(deadline=None)
@given(crowd=crowds(repeats=True))
def test_icc_deletions_are_recomputations(crowd: Crowd) -> None:
    item, worker, value = crowd
    design = design_of(item, worker)
    both = defined(icc.icc(design, value))

    one, averaged = raw_statistic.deletions(both.moments, design, raw_statistic.centre_values(value))

    assert_same(one, crowd, lambda design, kept: iccs_of(design, kept)[0])
    assert_same(averaged, crowd, lambda design, kept: stepped_up(iccs_of(design, kept)[0], both.k0))


@pytest.mark.parametrize("level", ["nominal", "interval", "ratio"])
@settings(deadline=None)
@given(crowd=crowds(repeats=True))
def test_alpha_deletions_are_recomputations(level: Level, crowd: Crowd) -> None:
    item, worker, value = crowd
    paired = np.bincount(item)[item] >= 2
    item, worker, value = crowd = item[paired], worker[paired], value[paired]
    data = defined(alpha.pairable(design_of(item, worker), value))

    left = alpha.deletions(data, defined(alpha.distance(data, level)))

    assert_same(left, crowd, lambda design, kept: alpha_of(design, kept, level))


@settings(deadline=None)
@given(crowd=crowds())
def test_ordinal_alpha_of_part_ranks_that_part_again(crowd: Crowd) -> None:
    item, worker, value = crowd
    data = defined(alpha.pairable(design_of(item, worker), value))
    kept = np.arange(data.design.judgments) % 3 != 0

    ours = ordinal_alpha_of(data.design, data.code, len(data.domain), kept)

    expected = alpha_of(data.design.only(kept), data.value[kept], "ordinal")
    assert ours == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(values=st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_average_ranks_are_those_of_scipy(values: list[int]) -> None:
    given_ = np.array(values, dtype=float)

    assert ordinal_alpha.average_ranks(given_).tolist() == stats.rankdata(given_).tolist()


@pytest.mark.parametrize("places", [ordinal_alpha.PLACES, 7])
@settings(deadline=None)
@given(crowd=crowds(), groups=st.integers(1, 5))
def test_ordinal_alpha_without_a_group_ranks_the_others_again(crowd: Crowd, groups: int, places: int) -> None:
    item, worker, value = crowd
    data = defined(alpha.pairable(design_of(item, worker), value))
    design, values = data.design, len(data.domain)
    group = np.arange(design.judgments) * 7 % groups

    with mock.patch.object(ordinal_alpha, "PLACES", places):
        ours = ordinal_alpha_without(design, data.code, values, group, groups)

    expected = [ordinal_alpha_of(design, data.code, values, group != out) for out in range(groups)]
    assert ours == pytest.approx(expected, abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(crowd=crowds())
def test_ordinal_alpha_of_a_replicate_counts_an_item_as_often_as_it_is_drawn(crowd: Crowd) -> None:
    item, worker, value = crowd
    data = defined(alpha.pairable(design_of(item, worker), value))
    times = np.arange(data.design.items) % 3
    copies = [np.flatnonzero(times > copy) for copy in range(2)]
    drawn = [(np.isin(data.design.item, which), copy) for copy, which in enumerate(copies)]

    ours = ordinal_alpha_weighted(data.design, data.code, len(data.domain), times.astype(float))

    again = np.concatenate([data.design.item[kept] + copy * data.design.items for kept, copy in drawn])
    workers = np.concatenate([data.design.worker[kept] for kept, _ in drawn])
    values = np.concatenate([data.value[kept] for kept, _ in drawn])
    expected = alpha_of(design_of(again, workers), values, "ordinal")
    assert ours == pytest.approx(expected, abs=1e-9, nan_ok=True)


@settings(max_examples=30, deadline=None)
@given(crowd=crowds(repeats=True))
def test_ratio_distances_by_pairs_and_by_tables_are_the_same(crowd: Crowd) -> None:
    item, worker, value = crowd
    data = defined(alpha.pairable(design_of(item, worker), value))
    delta = alpha.distance(data, "ratio")
    assert isinstance(delta, Ratio)

    by_pairs = delta._by_pairs(data.design, np.unique(data.design.n))

    np.testing.assert_allclose(delta._by_tables(data.design), by_pairs, atol=1e-12)
