"""Agreement against the chance of each item's own labels: Brennan and Prediger's where all items have as many."""

import numpy as np
import pytest

from agreement.estimation.design import Design, design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.people.chance_corrected import chance_corrected
from agreement.people.own_label_agreement import own_label_kappa
from agreement.people.raw_statistic import RawStatistic, report_statistic


def a_crowd(seed: int, *, k: int | None = None) -> tuple[Design, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    sizes = np.full(30, k) if k else rng.integers(2, 6, 30)
    item, worker = (each.reshape(-1) for each in np.meshgrid(np.arange(30), np.arange(8), indexing="ij"))
    there = rng.random(len(item)) < 0.7
    item, worker = item[there], worker[there]
    right = rng.integers(0, sizes)
    codes = np.where(rng.random(len(item)) < 0.6, right[item], rng.integers(0, sizes[item]))
    return design_of(item, worker), codes, sizes.astype(np.float64), (item, worker)


def kappa_of(design: Design, codes: np.ndarray, sizes: np.ndarray) -> RawStatistic:
    kappa = own_label_kappa(design, codes, sizes)
    assert not isinstance(kappa, Undefined)
    return kappa


@pytest.mark.parametrize("seed", range(5))
def test_it_is_brennan_and_predigers_where_all_items_have_as_many_labels(seed: int) -> None:
    design, codes, sizes, _ = a_crowd(seed, k=4)
    other = chance_corrected(design, codes, 4)["brennan_prediger"]
    ours = report_statistic(kappa_of(design, codes, sizes)).headline
    assert isinstance(other, Estimate)
    assert isinstance(ours, Estimate)
    assert ours.estimate == pytest.approx(other.estimate, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_out_is_the_figure_of_what_is_left(seed: int) -> None:
    design, codes, sizes, (item, worker) = a_crowd(seed)
    left = kappa_of(design, codes, sizes).deletions

    def without(gone: np.ndarray) -> float:
        items, ranks = np.unique(item[~gone], return_inverse=True)
        return kappa_of(design_of(ranks, worker[~gone]), codes[~gone], sizes[items]).theta

    for who in range(3):
        assert left.worker[who] == pytest.approx(without(worker == who), abs=1e-12)
    for one in range(3):
        assert left.item[one] == pytest.approx(without(item == one), abs=1e-12)
        assert left.judgment[one] == pytest.approx(without(np.arange(len(item)) == one), abs=1e-12)


def test_people_who_choose_at_random_agree_by_chance_alone() -> None:
    rng = np.random.default_rng(4)
    item, worker = np.repeat(np.arange(4_000), 5), np.tile(np.arange(5), 4_000)
    sizes = rng.integers(2, 7, 4_000)
    kappa = kappa_of(design_of(item, worker), rng.integers(0, sizes[item]), sizes.astype(np.float64))
    assert abs(kappa.theta) < 0.02


def test_nothing_to_compare_is_said_in_words() -> None:
    alone = own_label_kappa(design_of(np.arange(3), np.zeros(3, dtype=int)), np.zeros(3, dtype=int), np.full(3, 2.0))
    assert alone == Undefined("no item has two or more judgments: there is nothing to compare")
