"""Paired tests: the textbook's where there is one, at their level under no difference, powerful as theory says."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from agreement.scoring.groups import Groups
from agreement.scoring.measured import Measured
from agreement.scoring.measures import number_measures
from agreement.scoring.pairs import differences, holm
from agreement.scoring.units import Units
from agreement.stats.estimate import Estimate, Undefined


def _accuracies(seed: int, n: int = 200, probes: int = 4) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    hard = rng.random(n)
    return {f"m{at}": (rng.random(n) < hard).astype(float) for at in range(probes)}


def test_the_paired_test_of_means_is_the_paired_t_test() -> None:
    credit = _accuracies(1)
    measured = {name: Measured.of_mean(values, "") for name, values in credit.items()}

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
    measured = {name: Measured.of_mean(values, "") for name, values in _accuracies(2).items()}
    best = max(measured, key=lambda name: measured[name].theta)

    found = differences("accuracy", measured)

    with_best = [one for one in found if best in (one.first, one.second)]
    assert len(with_best) == 3
    assert all((one.p_best is not None) == (one in with_best) for one in found)
    assert all(one.p_all is not None and one.p is not None and one.p_all >= one.p for one in found)


def test_probes_that_answer_alike_have_no_test() -> None:
    credit = _accuracies(3)["m0"]

    [one] = differences("accuracy", {"a": Measured.of_mean(credit, ""), "b": Measured.of_mean(credit, "")})

    assert isinstance(one.figure, Estimate)
    assert (one.figure.estimate, one.figure.low, one.p) == (0, None, None)
    assert "no test" in one.in_words


def test_an_undefined_score_leaves_the_others_tested() -> None:
    measured = {name: Measured.of_mean(values, "") for name, values in _accuracies(4, probes=2).items()}
    measured["flat"] = Measured.undefined("it never varies", 200)

    found = differences("accuracy", measured)

    assert [one.p is None for one in found] == [False, True, True]
    assert isinstance(found[1].figure, Undefined)
    assert found[1].in_words == "it never varies"


def test_a_difference_of_noise_is_called_undetectable() -> None:
    measured = {name: Measured.of_mean(values, "") for name, values in _accuracies(5, probes=2).items()}

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


@pytest.mark.parametrize("metric", ["spearman", "pearson", "kendall"])
def test_paired_tests_hold_their_level(metric: str) -> None:
    share = _rejections(metric, 0.0, 600)

    # five per cent, and 600 studies have a standard error of 0.9
    assert abs(share - 0.05) < 0.027


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


def test_leaving_terms_out_holds_the_level_where_pairs_share_terms() -> None:
    rng = np.random.default_rng(9)
    left, right = np.triu_indices(16, 1)
    units, n = Units("terms", np.stack([left, right])), len(left)
    rejected = {"terms": 0, "items": 0}
    for _ in range(300):
        gold = rng.normal(size=n)
        of_term = rng.normal(size=(2, 16))
        x = [gold + rng.normal(size=n) + of_term[k][left] + of_term[k][right] for k in range(2)]
        for how in rejected:
            measured = {str(k): _pearson(x[k], gold, units if how == "terms" else None) for k in range(2)}
            p = differences("pearson", measured)[0].p
            rejected[how] += p is not None and p < 0.05

    assert rejected["terms"] / 300 < 0.08


def _pearson(x: np.ndarray, gold: np.ndarray, units: Units | None) -> Measured:
    if units is None:
        return number_measures(Groups.one(len(x)), x, gold)["pearson"][0]
    without = units.without(
        lambda groups, items: np.array(
            [
                np.corrcoef(x[items[a:b]], gold[items[a:b]])[0, 1]
                for a, b in zip(groups.starts[:-1], groups.starts[1:], strict=True)
            ]
        )
    )
    return Measured(float(np.corrcoef(x, gold)[0, 1]), without, units.scale, "terms")
