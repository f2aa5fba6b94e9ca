"""Distributions of models and of people: each score by its definition, its deletions, and what sampling allows."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import log_loss

from agreement.people.people_distributions import agreement_of_items, people_of_counts, reachable_scores
from agreement.scoring.distribution_metrics import (
    brier,
    calibration_error,
    calibration_error_by_units,
    cross_entropy,
    entropy_correlation,
    entropy_correlation_by_units,
    total_variation,
)
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import JackknifedMetric, Units
from agreement.scoring.metrics.of_labels import label_measures, label_measures_by_units
from agreement.scoring.score_gold import LabelGold

RNG = np.random.default_rng(1)


def made(items: int = 40, labels: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A model's probabilities, counts of people's answers, and the shares."""
    q = RNG.dirichlet(np.ones(labels), items)
    counts = RNG.multinomial(8, q).astype(float)
    return 0.7 * q + 0.3 * RNG.dirichlet(np.ones(labels), items), counts, counts / 8


def test_cross_entropy_is_the_log_loss_over_peoples_answers() -> None:
    p, counts, q = made()
    label = np.concatenate([np.repeat(np.arange(3), row.astype(int)) for row in counts])
    theirs = log_loss(label, np.repeat(p, 8, axis=0), labels=range(3))
    assert cross_entropy(p, q).mean() == pytest.approx(theirs, abs=1e-12)


def test_brier_is_the_mean_squared_error_of_each_answer_and_total_variation_half_the_distance() -> None:
    p, counts, q = made()
    answers = [np.repeat(np.eye(3), row.astype(int), axis=0) for row in counts]
    theirs = np.mean([((p[at] - each) ** 2).sum(axis=1).mean() for at, each in enumerate(answers)])
    assert brier(p, q).mean() == pytest.approx(theirs, abs=1e-12)
    assert total_variation(p, q) == pytest.approx(np.abs(p - q).sum(axis=1) / 2, abs=1e-12)


def test_the_correlation_of_entropies_is_that_of_scipy_and_its_deletions_are_those_of_leaving_items_out() -> None:
    p, _, q = made()
    x, y = stats.entropy(p, axis=1), stats.entropy(q, axis=1)
    [found] = entropy_correlation(Groups.one(40), p, q)
    assert found.theta == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-9)
    left = [stats.pearsonr(np.delete(x, at), np.delete(y, at))[0] for at in range(40)]
    assert found.without == pytest.approx(left, abs=1e-9)


def ece(p: np.ndarray, q: np.ndarray) -> float:
    """By tenths, label by label."""
    bins = np.minimum((p * 10).astype(int), 9).reshape(-1)
    gaps = [abs(p.reshape(-1)[bins == b].sum() - q.reshape(-1)[bins == b].sum()) for b in range(10)]
    return float(sum(gaps)) / p.size


def test_the_calibration_error_is_that_of_its_tenths_and_its_deletions_those_of_leaving_items_out() -> None:
    p, _, q = made()
    [found] = calibration_error(Groups.one(40), p, q)
    assert found.theta == pytest.approx(ece(p, q), abs=1e-12)
    left = [ece(np.delete(p, at, axis=0), np.delete(q, at, axis=0)) for at in range(40)]
    assert found.without == pytest.approx(left, abs=1e-12)


def test_units_of_one_item_are_items_and_units_of_several_leave_all_of_theirs_out() -> None:
    p, _, q = made()
    alone = Units("clusters", np.arange(40)[None, :])
    shared = Units("clusters", (np.arange(40) // 4)[None, :])
    for by_units, in_groups in (
        (entropy_correlation_by_units, entropy_correlation),
        (calibration_error_by_units, calibration_error),
    ):
        [item] = in_groups(Groups.one(40), p, q)
        same = by_units(p, q, alone)
        assert same.theta == pytest.approx(item.theta, abs=1e-12)
        assert same.without == pytest.approx(item.without, abs=1e-9)
        left = in_groups(Groups.one(36), p[4:], q[4:])[0].theta
        assert by_units(p, q, shared).without[0] == pytest.approx(left, abs=1e-9)


def gold_of(shares: np.ndarray) -> LabelGold:
    top = shares == shares.max(axis=1, keepdims=True)
    return LabelGold(shares, top, top, has_one_label=True)


def test_a_cross_entropy_that_is_infinite_is_undefined_in_words_and_a_missing_item_is_left_out() -> None:
    p, _, q = made()
    q[0], p[0] = [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]
    found: JackknifedMetric = label_measures(Groups.one(40), p, gold_of(q), "typical")["cross_entropy_of_shares"][0]
    by_units = label_measures_by_units(p, gold_of(q), "typical", Units("clusters", np.arange(40)[None, :]))
    for one in (found, by_units["cross_entropy_of_shares"]):
        assert not one.is_defined
        assert "infinite" in one.why
    p[0] = np.nan
    again = label_measures(Groups.one(40), p, gold_of(q), "typical")["cross_entropy_of_shares"][0]
    assert again.n == 39
    assert again.theta == pytest.approx(cross_entropy(p[1:], q[1:]).mean(), abs=1e-12)


def test_probability_on_labels_that_the_study_has_not_is_far_from_people() -> None:
    q = np.array([[0.5, 0.5]])
    p = np.array([[0.0, 0.0, 1.0]])
    assert (total_variation(p, q)[0], brier(p, q)[0]) == (1.0, 2.0)


# What people's answers say of the distribution behind them.


def test_concentration_follows_from_kappa() -> None:
    rng = np.random.default_rng(2)
    counts = rng.multinomial(12, rng.dirichlet(2 * np.array([0.5, 0.3, 0.2]), 20_000)).astype(float)
    assert people_of_counts(counts).c == pytest.approx(2, rel=0.03)


def mean_of(of: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[np.ndarray, np.ndarray], float]:
    return lambda p, shares: float(np.mean(of(p, shares)))


def test_what_sampling_allows_is_what_the_true_distributions_reach() -> None:
    rng = np.random.default_rng(3)
    q = rng.dirichlet(2 * np.array([0.5, 0.3, 0.2]), 3_000)
    counts = rng.multinomial(6, q).astype(float)
    scores = [mean_of(of) for of in (total_variation, brier, cross_entropy)]
    actual = [score(q, counts / 6) for score in scores]
    claimed = [one.mean for one in reachable_scores(people_of_counts(counts), None, scores, rng)]
    assert claimed == pytest.approx(actual, rel=0.03)


def test_limits_of_an_items_agreement_hold_the_truth_and_a_clear_majority_holds() -> None:
    rng = np.random.default_rng(4)
    q = rng.dirichlet(2 * np.array([0.5, 0.3, 0.2]), 2_000)
    counts = rng.multinomial(8, q).astype(float)
    found = agreement_of_items(people_of_counts(counts), rng)
    actual = np.sum(q * q, axis=1)
    assert np.mean((found.low <= actual) & (actual <= found.high)) == pytest.approx(0.95, abs=0.02)
    right = q[np.arange(2_000), counts.argmax(axis=1)] == q.max(axis=1)
    clear = counts.max(axis=1) == np.sort(counts, axis=1)[:, -2]
    assert np.mean(found.majority_holds[~clear]) == pytest.approx(right[~clear].mean(), abs=0.02)


def test_people_who_all_agree_and_people_who_guess_have_an_end_of_the_range() -> None:
    agreed = np.tile([5.0, 0.0], (30, 1))
    agreed[:15] = [0.0, 5.0]
    assert people_of_counts(agreed).c == pytest.approx(0.02)
    assert people_of_counts(np.tile([5.0, 5.0], (30, 1))).c == 1e4
