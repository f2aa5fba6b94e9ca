from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from agreement.cleaning.check_items import chance_of_more, check_cost, clicker_passes, uniform_pass
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import load_rules
from agreement.estimation.estimate import Undefined
from tests.unit.agreement.cleaning.crowds import Row, crowd_of

SPATIAL = load_rules("spatial-2019")
CHECKS = {"g1": "unrelated", "g2": "unrelated", "same": "self"}


def test_the_uniform_clicker_passes_as_often_as_statistics_md_says() -> None:
    crowd = crowd_of([("w", "a", 1)])
    unrelated, same = (uniform_pass(crowd, rule) for rule in SPATIAL.checks)

    assert (unrelated, same, unrelated * same) == pytest.approx((0.604, 0.109, 0.066), abs=5e-4)


def test_numeric_bounds_on_labels_have_no_uniform_clicker() -> None:
    labels = crowd_of([("w", "a", 0)], kind="choice", scale=None, labels=("yes", "no"))

    for rule in SPATIAL.checks:
        why = clicker_passes(labels, rule)
        assert isinstance(why, Undefined)
        assert "numeric bounds" in why.why
        assert clicker_passes(crowd_of([("w", "a", 1)]), rule) == uniform_pass(crowd_of([("w", "a", 1)]), rule)


def test_slips_are_a_sum_of_binomials() -> None:
    k = [np.array([2, 0, 5]), np.array([1, 3, 4])]

    found = chance_of_more(k, [0.05, 0.2], tolerated=1)

    for worker in range(3):
        a = stats.binom.pmf(np.arange(10), k[0][worker], 0.05)
        b = stats.binom.pmf(np.arange(10), k[1][worker], 0.2)
        assert found[worker] == pytest.approx(1 - np.convolve(a, b)[:2].sum())


def test_correlated_slips_fall_on_fewer_workers() -> None:
    k = [np.array([10])]
    independent, together = (chance_of_more(k, [0.05], 0, rho)[0] for rho in (0.0, 0.3))

    assert independent == pytest.approx(1 - 0.95**10)
    assert together == pytest.approx(stats.betabinom.sf(0, 10, 0.05 * 0.7 / 0.3, 0.95 * 0.7 / 0.3))
    assert together < independent


def test_the_cost_is_averaged_over_the_checks_that_workers_answered() -> None:
    rows: list[Row] = [("w", "g1", 0), ("w", "g2", 0), ("w", "same", 99), ("v", "g1", 0), ("u", "a", 5)]
    cost = check_cost(clean(crowd_of(rows, checks=CHECKS), SPATIAL), slip=0.1)

    assert cost is not None
    assert cost.honest_lost == pytest.approx(((1 - 0.9**3) + (1 - 0.9)) / 2)
    assert cost.uniform_clickers_kept == pytest.approx(((61 / 101) ** 2 * 11 / 101 + 61 / 101) / 2)


def test_without_checks_there_is_no_cost() -> None:
    assert check_cost(clean(crowd_of([("w", "a", 1)]), SPATIAL), slip=0.1) is None
