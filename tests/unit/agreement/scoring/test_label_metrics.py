"""Label and ranking metrics equal scikit-learn's and their definitions; deletions equal scoring the rest."""

from decimal import Decimal

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn.linear_model import LinearRegression
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    mean_absolute_error,
    precision_score,
    recall_score,
    root_mean_squared_error,
)
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from agreement.estimation.estimate import Estimate
from agreement.estimation.intervals import AMOUNT
from agreement.files.numbers import Scale
from agreement.gold.label_gold import typical
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import Units
from agreement.scoring.label_metrics import average_precision, kendall_rows, mean_reciprocal_rank, spearman_rows
from agreement.scoring.metrics.of_labels import label_measures, label_measures_by_units
from agreement.scoring.metrics.of_numbers import number_measures, number_measures_by_units
from agreement.scoring.score_gold import LabelGold


def _labels(n: int = 40, size: int = 5) -> tuple[np.ndarray, LabelGold]:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.full(size, 0.5), n)
    p = rng.dirichlet(np.full(size, 0.5), n)
    p[:3] = 1 / size
    p[3] = np.nan
    sets = typical(shares)
    return p, LabelGold(shares, sets, shares == shares.max(axis=1, keepdims=True))


def test_label_metrics_equal_their_definitions() -> None:
    p, gold = _labels()
    predicted = typical(np.nan_to_num(p))

    found = {name: of[0].theta for name, of in label_measures(Groups.one(40), p, gold, "typical").items()}

    right = [gold.sets[i][p[i] == p[i].max()].mean() if i != 3 else 0 for i in range(40)]
    assert found["r_acc"] == pytest.approx(np.mean(right))
    assert found["conf"] == pytest.approx(np.nansum(p * gold.sets) / 40)
    for name, score in (("f1", f1_score), ("precision", precision_score), ("recall", recall_score)):
        assert found[f"{name}_macro"] == pytest.approx(score(gold.sets, predicted, average="macro", zero_division=0))
    rows = [i for i in range(40) if i != 3]
    assert gold.shares is not None
    js = [jensenshannon(p[i], gold.shares[i]) ** 2 for i in rows]
    tau = [stats.kendalltau(p[i], gold.shares[i]).statistic for i in rows if i > 3]
    rho = [stats.spearmanr(p[i], gold.shares[i]).statistic for i in rows if i > 3]
    assert found["jensen_shannon_of_shares"] == pytest.approx(np.mean(js))
    assert found["kendall_of_shares"] == pytest.approx(np.mean(tau))
    assert found["spearman_of_shares"] == pytest.approx(np.mean(rho))


@pytest.mark.parametrize("given_as", ["shares", "labels"])
def test_f1_of_one_label_is_that_of_labels_as_in_scikit_learn(given_as: str) -> None:
    """A label of .8 and one of .2 are two of a set, and one label is the first of them."""
    rng = np.random.default_rng(2)
    truth, said = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    shares = 0.55 * np.eye(3)[truth] + 0.15
    p = 0.4 * np.eye(3)[said] + 0.2 if given_as == "shares" else np.eye(3)[said]
    gold = LabelGold(shares, typical(shares), shares == shares.max(axis=1, keepdims=True), has_one_label=True)

    found = {name: of[0] for name, of in label_measures(Groups.one(60), p, gold, "typical").items()}

    given = {"average": "macro", "labels": [0, 1, 2], "zero_division": 0}
    for name, score in (("f1", f1_score), ("precision", precision_score), ("recall", recall_score)):
        assert found[f"{name}_macro"].theta == pytest.approx(score(truth, said, **given)), name
        assert found[f"{name}_macro"].note == "of labels"
        for at in (0, 7, 31):
            rest = np.arange(60) != at
            assert found[f"{name}_macro"].without[at] == pytest.approx(score(truth[rest], said[rest], **given))


def test_labels_that_tie_for_gold_are_half_of_it_each() -> None:
    shares = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    gold = LabelGold(shares, shares > 0, shares == shares.max(axis=1, keepdims=True), has_one_label=True)

    found = {
        name: of[0].theta for name, of in label_measures(Groups.one(2), np.eye(3)[[1, 0]], gold, "typical").items()
    }

    a, b = 2 / (2 + 0.5), 1 / (1 + 0.5)  # hits 1 and 1/2; a misses 1/2 of the tie, b is 1/2 beside it
    assert found["f1_macro"] == pytest.approx((a + b) / 3)
    assert found["accuracy"] == 0.75


def test_shares_that_rounding_has_parted_are_tied() -> None:
    p, gold = np.array([[0.1, 0.2, 0.7]]), np.array([[0.3, 0.1 + 0.2, 0.4]])
    assert gold[0, 0] != gold[0, 1]

    tied = [0.3, 0.3, 0.4]
    assert kendall_rows(p, gold)[0] == pytest.approx(stats.kendalltau(p[0], tied)[0], abs=1e-12)
    assert spearman_rows(p, gold)[0] == pytest.approx(stats.spearmanr(p[0], tied)[0], abs=1e-12)


def test_deletions_equal_scoring_the_rest() -> None:
    p, gold = _labels()
    x, y = np.random.default_rng(2).normal(size=(2, 30)).round(1)

    by_label = label_measures(Groups.one(40), p, gold, "typical")
    by_number = number_measures(Groups.one(30), x, y)

    for at in (0, 3, 17):
        rest = np.delete(np.arange(40), at)
        again = label_measures(Groups.one(39), p[rest], gold.take(rest), "typical")
        for name, of in by_label.items():
            assert of[0].without[at] == pytest.approx(again[name][0].theta, abs=1e-12) or at == 3, name
        rest = np.delete(np.arange(30), at)
        numbers = number_measures(Groups.one(29), x[rest], y[rest])
        for name in ("spearman", "pearson", "kendall"):
            assert by_number[name][0].without[at] == pytest.approx(numbers[name][0].theta, abs=1e-12)


def test_groups_equal_each_group_alone() -> None:
    p, gold = _labels()
    groups = Groups(np.array([0, 10, 15, 40]))

    found = label_measures(groups, p, gold, "typical")

    for at, part in enumerate((slice(0, 10), slice(10, 15), slice(15, 40))):
        rows = np.arange(40)[part]
        alone = label_measures(Groups.one(len(rows)), p[rows], gold.take(rows), "typical")
        for name, of in found.items():
            assert of[at].theta == pytest.approx(alone[name][0].theta, abs=1e-12)
            assert of[at].without == pytest.approx(alone[name][0].without, abs=1e-12)


def test_leaving_terms_out_equals_scoring_the_pairs_without_them() -> None:
    rng = np.random.default_rng(3)
    left, right = np.triu_indices(8, 1)
    x, y = rng.normal(size=(2, len(left)))
    units = Units("terms", np.stack([left, right]))

    found = number_measures_by_units(x, y, units)

    for term in range(8):
        rest = (left != term) & (right != term)
        assert found["spearman"].without[term] == pytest.approx(stats.spearmanr(x[rest], y[rest]).statistic)
        assert found["kendall"].without[term] == pytest.approx(stats.kendalltau(x[rest], y[rest]).statistic)


@pytest.mark.parametrize("effect", [0.0, 2.0])
def test_the_variance_over_terms_counts_the_noise_of_a_pair_once(effect: float) -> None:
    rng = np.random.default_rng(5)
    left, right = np.triu_indices(9, 1)
    of_term = effect * rng.normal(size=9)
    y = rng.normal(size=36)
    x = y + rng.normal(size=36) + of_term[left] + of_term[right]

    one = number_measures_by_units(x, y, Units("terms", np.stack([left, right])))["pearson"]

    r_term = [
        np.corrcoef(x[rest], y[rest])[0, 1] for term in range(9) if (rest := (left != term) & (right != term)).any()
    ]
    r_pair = [np.corrcoef(np.delete(x, at), np.delete(y, at))[0, 1] for at in range(36)]
    over_terms, over_pairs = 8 * np.var(r_term), 35 * np.var(r_pair)
    assert one.variance == pytest.approx(max(over_terms - 7 / 9 * over_pairs, 7 / 16 * over_terms))


def test_an_interval_of_a_correlation_is_that_of_its_fisher_z() -> None:
    x, y = np.random.default_rng(6).normal(size=(2, 15))

    one = number_measures(Groups.one(15), x, y + 2 * x)["pearson"][0]

    z = np.arctanh([stats.pearsonr(np.delete(x, at), np.delete(y + 2 * x, at)).statistic for at in range(15)])
    half = stats.t.ppf(0.975, 14) * np.sqrt(14 * np.var(z))
    figure = one.figure(15, "pearson")
    assert isinstance(figure, Estimate)
    assert (figure.low, figure.high) == pytest.approx(
        tuple(np.tanh([np.arctanh(one.theta) - half, np.arctanh(one.theta) + half]))
    )


def test_a_correlation_of_one_keeps_its_own_scale() -> None:
    x = np.arange(12.0)

    rank = number_measures(Groups.one(12), x, x**3)["spearman"][0]

    assert rank.on_z is None
    figure = rank.figure(12, "spearman")
    assert isinstance(figure, Estimate)
    assert (figure.estimate, figure.low) == (1.0, None)


def test_leaving_clusters_out_equals_scoring_the_others() -> None:
    p, gold = _labels()
    cluster = np.arange(40) % 6

    found = label_measures_by_units(p, gold, "typical", Units("clusters", cluster[None]))

    for at in range(6):
        rest = np.flatnonzero(cluster != at)
        alone = label_measures(Groups.one(len(rest)), p[rest], gold.take(rest), "typical")
        for name, one in found.items():
            assert one.without[at] == pytest.approx(alone[name][0].theta, abs=1e-12), name


def test_plain_errors_equal_scikit_learn() -> None:
    x, y = np.random.default_rng(5).normal(size=(2, 25))

    measured = number_measures(Groups.one(25), x, y)

    for name, error in (("rmse", root_mean_squared_error), ("mae", mean_absolute_error)):
        assert measured[name][0].theta == pytest.approx(error(y, x), abs=1e-12)
        for at in range(25):
            alone = error(np.delete(y, at), np.delete(x, at))
            assert measured[name][0].without[at] == pytest.approx(alone, abs=1e-12)


def test_a_model_that_is_35_points_too_high_everywhere_has_a_large_error() -> None:
    gold = np.linspace(10, 60, 40)

    measured = number_measures(Groups.one(40), gold + 35, gold)

    assert measured["rmse"][0].theta == pytest.approx(35)
    assert measured["mae"][0].theta == pytest.approx(35)
    assert measured["rmse_calibrated"][0].theta == pytest.approx(0, abs=1e-9)


def test_limits_of_an_error_end_at_the_width_of_the_scale() -> None:
    gold, x = np.array([10.0, 20.0, 90.0]), np.array([12.0, 95.0, 88.0])
    scale = Scale(Decimal(0), Decimal(100))

    figure, off = (
        number_measures(Groups.one(3), answers, gold, scale)["rmse"][0].figure(3, "rmse", AMOUNT)
        for answers in (x, x * 2)
    )

    assert isinstance(figure, Estimate)
    assert figure.high == 100
    assert figure.method.endswith("logarithm, cut at 100 above, gold as released")
    assert isinstance(off, Estimate)
    assert off.method.startswith("rmse; some outputs are off the scale 0:100")
    assert off.high is None or off.high > 100


def test_calibrated_rmse_predicts_each_item_from_the_line_of_the_others() -> None:
    x, noise = np.random.default_rng(4).normal(size=(2, 25))
    y = 3 * x + noise

    rmse = number_measures(Groups.one(25), x, y)["rmse_calibrated"][0]

    held_out = cross_val_predict(LinearRegression(), x[:, None], y, cv=LeaveOneOut())
    assert rmse.theta == pytest.approx(np.sqrt(np.mean((y - held_out) ** 2)), abs=1e-12)


def test_calibrated_rmse_of_a_falling_score_is_that_of_the_others_mean() -> None:
    x = np.arange(20.0)

    rmse = number_measures(Groups.one(20), x, -x)["rmse_calibrated"][0]

    others = (x.sum() - x) / 19
    assert rmse.theta == pytest.approx(np.sqrt(np.mean((x - others) ** 2)))


@pytest.mark.parametrize("distinct", [2, 5, 1000])
def test_average_precision_equals_scikit_learn(distinct: int) -> None:
    rng = np.random.default_rng(distinct)
    scores = rng.integers(0, distinct, (30, 60)) / 10
    gold = rng.random((30, 60)) < 0.1
    gold[0] = False

    ours = average_precision(scores, gold)

    assert np.isnan(ours[0])
    expected = [average_precision_score(gold[row], scores[row]) for row in range(1, 30) if gold[row].any()]
    assert ours[np.isfinite(ours)] == pytest.approx(expected, abs=1e-12)


def test_mean_reciprocal_rank_equals_its_definition_by_loops() -> None:
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 6, (20, 12)).astype(float)
    scores[rng.random((20, 12)) < 0.2] = np.nan
    named = rng.integers(0, 4, (20, 12)).astype(float)
    named[0] = 0

    ours = mean_reciprocal_rank(scores, named)

    assert np.isnan(ours[0])
    for row in range(1, 20):
        known = [-1.0 if np.isnan(score) else score for score in scores[row]]
        earned = []
        for column, score in enumerate(known):
            above, tied = sum(other > score for other in known), known.count(score)
            places = [1 / place for place in range(above + 1, above + tied + 1)]
            earned += [np.mean(places)] * int(named[row, column])
        assert ours[row] == pytest.approx(np.mean(earned), abs=1e-12)


def test_absent_candidates_are_last_and_tied() -> None:
    scores = np.array([[0.9, np.nan, np.nan, 0.1]])

    assert average_precision(scores, np.array([[False, True, False, False]]))[0] == 0.25
    assert average_precision(scores, np.array([[True, True, False, False]]))[0] == pytest.approx(0.5 + 0.5 * 0.5)


def test_constant_predictions_are_undefined_in_words() -> None:
    for name, of in number_measures(Groups.one(5), np.ones(5), np.arange(5.0)).items():
        if name not in {"rmse", "mae", "rmse_calibrated"}:
            assert "never varies" in of[0].why
