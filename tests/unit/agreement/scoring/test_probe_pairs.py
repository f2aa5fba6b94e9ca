"""Paired tests: the textbook's where there is one, at their level under no difference, powerful as theory says."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from agreement.estimation.estimate import Estimate, Undefined
from agreement.estimation.intervals import CORRELATION, SHARE
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import JackknifedMetric, Units, mean_over
from agreement.scoring.metrics.of_numbers import number_measures, number_measures_by_units
from agreement.scoring.paired_tests import Gap, differences, holm


def _accuracies(seed: int, n: int = 200, probes: int = 4) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    hard = rng.random(n)
    return {f"m{at}": (rng.random(n) < hard).astype(float) for at in range(probes)}


def test_the_paired_test_of_means_is_the_paired_t_test() -> None:
    credit = _accuracies(1)
    measured = {name: JackknifedMetric.of_mean(values, "") for name, values in credit.items()}

    found = differences("accuracy", measured)

    assert len(found) == 6
    for one in found:
        t = stats.ttest_rel(credit[one.first], credit[one.second])
        assert isinstance(one.figure, Estimate)
        assert one.p == pytest.approx(t.pvalue, abs=1e-12)
        assert (one.figure.low, one.figure.high) == pytest.approx(tuple(t.confidence_interval()), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_holm_equals_statsmodels(seed: int) -> None:
    p = np.random.default_rng(seed).random(30) ** 4
    p[::7] = np.nan

    there = np.isfinite(p)

    assert holm(p)[there] == pytest.approx(multipletests(p[there], method="holm")[1])
    assert np.isnan(holm(p)[~there]).all()


def test_the_best_is_held_against_each_other_and_nobody_else() -> None:
    measured = {name: JackknifedMetric.of_mean(values, "") for name, values in _accuracies(2).items()}
    best = max(measured, key=lambda name: measured[name].theta)

    found = differences("accuracy", measured)

    with_best = [one for one in found if best in (one.first, one.second)]
    assert len(with_best) == 3
    assert all((one.p_best is not None) == (one in with_best) for one in found)
    assert all(one.p_all is not None and one.p is not None and one.p_all >= one.p for one in found)


def test_probes_that_answer_alike_have_no_test() -> None:
    credit = _accuracies(3)["m0"]

    [one] = differences(
        "accuracy", {"a": JackknifedMetric.of_mean(credit, ""), "b": JackknifedMetric.of_mean(credit, "")}
    )

    assert isinstance(one.figure, Estimate)
    assert (one.figure.estimate, one.figure.low, one.p) == (0, None, None)
    assert "no test" in one.in_words


def test_an_undefined_score_leaves_the_others_tested() -> None:
    measured = {name: JackknifedMetric.of_mean(values, "") for name, values in _accuracies(4, probes=2).items()}
    measured["flat"] = JackknifedMetric.undefined("it never varies", 200)

    found = differences("accuracy", measured)

    assert [one.p is None for one in found] == [False, True, True]
    assert isinstance(found[1].figure, Undefined)
    assert found[1].in_words == "it never varies"


def test_a_difference_of_noise_is_called_undetectable() -> None:
    measured = {name: JackknifedMetric.of_mean(values, "") for name, values in _accuracies(5, probes=2).items()}

    assert differences("accuracy", measured)[0].in_words == "no detectable difference between m0 and m1"


def _rejections(metric: str, gap: float, studies: int, n: int = 120) -> float:
    rng = np.random.default_rng(6)
    one, rejected = Groups.one(n), 0
    for _ in range(studies):
        gold = rng.normal(size=n)
        noise = rng.normal(size=(2, n)) + 0.5 * rng.normal(size=n)
        better, worse = gold + noise[0], (1 - gap) * gold + noise[1]
        measured = {name: number_measures(one, x, gold)[metric][0] for name, x in (("a", better), ("b", worse))}
        p = differences(metric, measured)[0].p
        rejected += p is not None and p < 0.05
    return rejected / studies


def _standard_error_of_the_level(studies: int) -> float:
    return float(np.sqrt(0.05 * 0.95 / studies))


@pytest.mark.parametrize("metric", ["spearman", "pearson", "kendall"])
@pytest.mark.parametrize("studies", [150, pytest.param(600, marks=pytest.mark.prove)])
def test_paired_tests_hold_their_level(metric: str, studies: int) -> None:
    share = _rejections(metric, 0.0, studies)
    print(f"{share:.1%} of {studies} studies without a difference are rejected at 5 %")

    assert abs(share - 0.05) < 3 * _standard_error_of_the_level(studies)


def test_paired_tests_find_a_difference_as_often_as_theory_says() -> None:
    n, gap, rng = 120, 0.35, np.random.default_rng(8)
    gold = rng.normal(size=200_000)
    shared = 0.5 * rng.normal(size=200_000)
    a, b = gold + rng.normal(size=200_000) + shared, (1 - gap) * gold + rng.normal(size=200_000) + shared
    ra, rb, rab = (np.corrcoef(*pair)[0, 1] for pair in ((a, gold), (b, gold), (a, b)))
    # Dunn and Clark (1969): the covariance of two correlations that share a variable
    c = (rab - ra * rb / 2) * (1 - ra**2 - rb**2 - rab**2) + rab**3
    se = np.sqrt(((1 - ra**2) ** 2 + (1 - rb**2) ** 2 - 2 * c) / n)
    power = stats.norm.sf(1.96 - (ra - rb) / se)

    assert 0.3 < power < 0.9
    assert abs(_rejections("pearson", gap, 400) - power) < 0.07


PAIRS = np.stack(np.triu_indices(16, 1))


def _of_terms(
    rng: np.random.Generator, in_gold: float, in_probes: float, gap: float = 0.0
) -> dict[str, JackknifedMetric]:
    """Two probes of the pairs of 16 terms; each term adds its effect to gold and to the probes."""
    units, n = Units("terms", PAIRS), PAIRS.shape[1]
    effects = rng.normal(size=(3, 16))[:, PAIRS].sum(axis=1)
    gold = rng.normal(size=n) + in_gold * effects[0]
    x = [(1 - gap * k) * gold + rng.normal(size=n) + in_probes * effects[1 + k] for k in range(2)]
    return {name: number_measures_by_units(one, gold, units)["pearson"] for name, one in zip("ab", x, strict=True)}


@pytest.mark.parametrize(("in_gold", "in_probes"), [(0.0, 0.0), (0.0, 1.0), (1.0, 0.7)])
@pytest.mark.parametrize("studies", [100, pytest.param(400, marks=pytest.mark.prove)])
def test_leaving_terms_out_holds_the_level_where_pairs_share_terms(
    in_gold: float, in_probes: float, studies: int
) -> None:
    rng = np.random.default_rng(9)

    p = [differences("pearson", _of_terms(rng, in_gold, in_probes))[0].p for _ in range(studies)]
    share = float(np.mean(np.array(p, dtype=float) < 0.05))
    print(f"{share:.1%} of {studies} studies without a difference are rejected at 5 %")

    # with (T - 2) / (2T) the last finds 8.8 per cent of 400
    assert share < 0.05 + 2.56 * _standard_error_of_the_level(studies)


def test_leaving_terms_out_finds_a_difference_as_often_as_theory_says() -> None:
    rng = np.random.default_rng(10)

    studies = [_of_terms(rng, 1.0, 0.7, 0.6) for _ in range(400)]

    p = np.array([differences("pearson", study)[0].p for study in studies], dtype=float)

    z = np.arctanh([study["a"].theta for study in studies]) - np.arctanh([study["b"].theta for study in studies])
    t = stats.t.ppf(0.975, 15)
    power = stats.nct.sf(t, 15, z.mean() / z.std(ddof=1))
    assert 0.3 < power < 0.95
    assert abs(np.mean(p < 0.05) - power) < 0.1


def test_p_and_interval_of_correlations_agree() -> None:
    rng = np.random.default_rng(11)
    for _ in range(60):
        [one] = differences("pearson", _of_terms(rng, 1.0, 0.7, 0.4))
        assert isinstance(one.figure, Estimate)
        assert one.figure.low is not None
        assert one.figure.high is not None
        assert one.p is not None
        assert (one.p < 0.05) == (one.figure.low > 0 or one.figure.high < 0)


def test_correlations_are_tested_as_fisher_z() -> None:
    gold, first, second = np.random.default_rng(12).normal(size=(3, 25))
    x = {"a": gold + first, "b": gold + 2 * second}
    measured = {name: number_measures(Groups.one(25), one, gold)["pearson"][0] for name, one in x.items()}

    [found] = differences("pearson", measured)

    z = [[stats.pearsonr(np.delete(one, at), np.delete(gold, at)).statistic for at in range(25)] for one in x.values()]
    d = np.arctanh(z[0]) - np.arctanh(z[1])
    gap = np.arctanh(measured["a"].theta) - np.arctanh(measured["b"].theta)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(gap) / np.sqrt(24 * np.var(d)), 24))
    assert isinstance(found.figure, Estimate)
    assert found.figure.estimate == pytest.approx(measured["a"].theta - measured["b"].theta)


def test_a_few_clusters_that_carry_a_difference_leave_fewer_degrees_of_freedom() -> None:
    units = Units("clusters", np.repeat(np.arange(10), [30, *[2] * 9])[None])
    rng = np.random.default_rng(13)
    gold = rng.normal(size=48)
    measured = {name: number_measures_by_units(gold + rng.normal(size=48), gold, units)["rmse"] for name in ("a", "b")}

    [one] = differences("rmse", measured)

    d = measured["a"].without - measured["b"].without
    d -= d.mean()
    nu = np.sum(d**2) ** 2 / np.sum(d**4)
    df = min(9, 2 / (1 / nu - 1 / 10))
    assert df < 9
    se = np.sqrt(9 / 10 * np.sum(d**2))
    assert one.p == pytest.approx(2 * stats.t.sf(abs(measured["a"].theta - measured["b"].theta) / se, df))


def test_a_mean_over_two_of_twenty_items_has_one_degree_of_freedom() -> None:
    first, second = np.full(20, np.nan), np.full(20, np.nan)
    first[:2], second[:2] = (1.0, 0.5), (0.5, 0.25)
    measured = {"a": JackknifedMetric.of_mean(first, ""), "b": JackknifedMetric.of_mean(second, "")}

    [one] = differences("average_precision_at_2", measured)

    t = stats.ttest_rel(first[:2], second[:2])
    assert isinstance(one.figure, Estimate)
    assert one.figure.n == 2
    assert one.p == pytest.approx(t.pvalue, abs=1e-12)
    assert one.p == pytest.approx(0.2048, abs=1e-4)
    assert (one.figure.low, one.figure.high) == pytest.approx(tuple(t.confidence_interval()), abs=1e-12)


def test_probes_that_rest_on_different_items_have_the_fewer_degrees_of_freedom() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(20), rng.random(20)
    first[4:] = np.nan

    [one] = differences(
        "kendall_of_shares", {"a": JackknifedMetric.of_mean(first, ""), "b": JackknifedMetric.of_mean(second, "")}
    )

    assert isinstance(one.figure, Estimate)
    assert one.figure.method.endswith("t with 3 df")


def test_runs_that_rest_on_different_items_keep_each_its_own_variance() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random(20), rng.random(20)
    first[4:] = np.nan
    runs = [JackknifedMetric.of_mean(row, "") for row in (first, second)]

    whole = mean_over(runs)

    assert whole.deviations == pytest.approx((runs[0].deviations + runs[1].deviations) / 2)
    assert whole.df == 19


def test_limits_of_a_difference_of_accuracies_stay_within_its_range() -> None:
    """A probe that is nearly always right less one that nearly never is: plainly 0.9 +- 0.27."""
    right, wrong = np.r_[np.zeros(1), np.ones(9)], np.r_[np.zeros(10)]
    measured = {"a": JackknifedMetric.of_mean(right, ""), "b": JackknifedMetric.of_mean(wrong, "")}

    [plain] = differences("accuracy", measured)
    [one] = differences("accuracy", measured, within=SHARE)

    assert isinstance(plain.figure, Estimate)
    assert isinstance(one.figure, Estimate)
    assert plain.figure.high is not None
    assert plain.figure.high > 1
    half = plain.figure.high - 0.9
    limits = np.tanh(np.arctanh(0.9) + np.array([-1, 1]) * half / 0.19)
    assert (one.figure.low, one.figure.high) == pytest.approx(tuple(limits))
    assert "logit from -1 to 1, t with 9 df" in one.figure.method
    assert one.p == plain.p


def test_limits_of_a_difference_of_correlations_stay_within_its_range_and_agree_with_p() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        gold, noise = rng.normal(size=7), rng.normal(size=7)
        found = number_measures(Groups.one(7), gold + 0.2 * noise, gold)["pearson"]
        other = number_measures(Groups.one(7), noise - gold, gold)["pearson"]
        [one] = differences("pearson", {"a": found[0], "b": other[0]}, within=CORRELATION)
        assert isinstance(one.figure, Estimate)
        assert one.p is not None
        assert one.figure.low is not None
        assert one.figure.high is not None
        assert -2 < one.figure.low < one.figure.estimate < one.figure.high < 2
        assert (one.p < 0.05) == (one.figure.low > 0 or one.figure.high < 0)


def test_a_difference_at_the_end_of_its_range_has_no_interval_and_says_so() -> None:
    gap = Gap(theta=1.0, se=0.1, df=9, u=10, units="items")

    figure = gap.figure(SHARE)

    assert isinstance(figure, Estimate)
    assert (figure.low, figure.high) == (None, None)
    assert "no interval: the figure is at the end of its range" in figure.method
