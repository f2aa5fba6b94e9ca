"""Tiers of models, equivalence and power, against plain computing."""

import numpy as np
import pytest
from scipy import stats

from agreement.scoring.comparison import equivalence_p, items_for, tiers_of
from agreement.scoring.jackknifed_metric import JackknifedMetric
from agreement.scoring.paired_tests import Gap, ProbeCovariances


def gaps(measured: dict[str, JackknifedMetric]) -> dict[tuple[str, str], Gap]:
    together, names = ProbeCovariances.of(measured), list(measured)
    pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
    return {(a, b): together.gap(measured[a], measured[b], a, b) for a, b in pairs}


def made(rng: np.random.Generator, *means: float, items: int = 200) -> dict[str, JackknifedMetric]:
    return {f"m{at}": JackknifedMetric.of_mean(mean + rng.normal(0, 0.2, items), "") for at, mean in enumerate(means)}


def test_a_model_is_below_the_tier_of_whoever_is_better() -> None:
    measured = made(np.random.default_rng(1), 0.9, 0.895, 0.7, 0.4)
    found = tiers_of({name: one.theta for name, one in measured.items()}, gaps(measured))
    assert dict(found.tier) == {"m0": 1, "m1": 1, "m2": 2, "m3": 3} or set(found.first) == {"m0", "m1"}
    assert set(found.first) == {"m0", "m1"}
    assert found.tier["m2"] == 2
    assert found.tier["m3"] == 3
    turned = tiers_of({name: one.theta for name, one in measured.items()}, gaps(measured), smaller_is_better=True)
    assert turned.first == ["m3"]


def test_equivalence_is_the_larger_of_two_one_sided_t_tests() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.5, 0.1, (2, 80))
    measured = {"a": JackknifedMetric.of_mean(a, ""), "b": JackknifedMetric.of_mean(b, "")}
    gap = gaps(measured)["a", "b"]
    theirs = max(
        stats.ttest_1samp(a - b, 0.03, alternative="less").pvalue,
        stats.ttest_1samp(a - b, -0.03, alternative="greater").pvalue,
    )
    assert equivalence_p(gap, 0.03) == pytest.approx(theirs, abs=1e-12)


def test_the_items_that_a_difference_takes_give_the_power_that_is_named() -> None:
    rng = np.random.default_rng(5)
    sd, difference = 0.3, 0.08
    needed = items_for(Gap(0.0, sd / np.sqrt(100), 99, 100, "items"), difference)
    assert needed is not None
    d = rng.normal(difference, sd, (20_000, int(np.ceil(needed))))
    found = stats.ttest_1samp(d, 0, axis=1).pvalue < 0.05
    assert np.mean(found) == pytest.approx(0.8, abs=0.02)


def test_what_workers_add_to_the_error_does_not_fall_with_the_items() -> None:
    both = Gap(0.0, 0.05, 60, 100, "items")
    alone = items_for(both, 0.2)
    with_workers = items_for(both, 0.2, over_items=0.03)
    assert alone is not None
    assert with_workers is not None
    rest, quantiles = 0.05**2 - 0.03**2, stats.t.ppf(0.975, 60) + stats.t.ppf(0.8, 60)
    assert with_workers == pytest.approx(100 * 0.03**2 / ((0.2 / quantiles) ** 2 - rest), rel=1e-9)
    assert items_for(both, 0.1, over_items=0.03) is None  # 0.04 of the workers' alone hides it


def test_models_without_a_standard_error_are_told_apart_by_nothing() -> None:
    measured = {name: JackknifedMetric.of_mean(np.full(20, 0.5), "") for name in "ab"}
    found = tiers_of({name: one.theta for name, one in measured.items()}, gaps(measured), margin=0.1)
    assert found.first == ["a", "b"]
    [pair] = found.pairs
    assert (pair.p, pair.p_equivalent, pair.detectable, pair.items_for_margin) == (None, None, None, None)
