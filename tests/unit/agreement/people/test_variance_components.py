"""Variance components against plain matrices, analysis of variance, statsmodels, and lme4 on public crowds."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Undefined
from agreement.people.variance_components import VarianceComponents, by_analysis_of_variance, variance_components


def crowd(seed: int = 2, items: int = 40, workers: int = 8, *, missing: float = 0.4) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    item, worker = (place.ravel() for place in np.indices((items, workers)))
    there = rng.random(len(item)) >= missing
    item, worker = item[there], worker[there]
    noise = 3 * rng.normal(size=len(item))
    return item, worker, 50 + 4 * rng.normal(size=items)[item] + 2 * rng.normal(size=workers)[worker] + noise


def found_of(item: np.ndarray, worker: np.ndarray, value: np.ndarray) -> VarianceComponents:
    found = variance_components(design_of(item, worker), value)
    assert isinstance(found, VarianceComponents)
    return found


def restricted_deviance(variances: np.ndarray, item: np.ndarray, worker: np.ndarray, value: np.ndarray) -> float:
    """-2 log of the restricted likelihood, from the whole covariance matrix."""
    of_item, of_worker, residual = variances
    V = residual * np.eye(len(value))
    V += of_item * (item[:, None] == item) + of_worker * (worker[:, None] == worker)
    inverse, ones = np.linalg.inv(V), np.ones(len(value))
    XVX = ones @ inverse @ ones
    rest = value - ones @ inverse @ value / XVX
    return float(np.linalg.slogdet(V)[1] + np.log(XVX) + rest @ inverse @ rest)


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_reml_has_no_better_neighbour_by_plain_matrices(seed: int) -> None:
    given = crowd(seed)
    found = found_of(*given)
    best = np.array([found.item, found.worker, found.residual])
    least = restricted_deviance(best, *given)

    again = optimize.minimize(  # type: ignore[call-overload]  # its stubs know no plain function
        lambda logs: restricted_deviance(np.exp(logs), *given),
        np.log(best * 1.3).tolist(),
        method="BFGS",
        tol=1e-8,
    )

    assert np.exp(again.x) == pytest.approx(best, rel=1e-5)
    assert least <= again.fun + 1e-9


def test_reml_is_that_of_statsmodels() -> None:
    """Its optimiser stops at three or four digits; ours has the smaller deviance."""
    import statsmodels.formula.api as smf

    item, worker, value = crowd()
    frame = pd.DataFrame({"y": value, "i": item, "w": worker, "all": 1})
    parts = {"i": "0 + C(i)", "w": "0 + C(w)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smf.mixedlm("y ~ 1", frame, groups="all", re_formula="0", vc_formula=parts).fit(reml=True, method="lbfgs")
    found = found_of(item, worker, value)

    assert [found.item, found.worker] == pytest.approx(fit.vcomp.tolist(), rel=5e-4)
    assert found.residual == pytest.approx(fit.scale, rel=5e-4)
    assert found.mean == pytest.approx(float(fit.fe_params.iloc[0]), rel=1e-6)
    theirs = np.array([*fit.vcomp, fit.scale])
    ours = np.array([found.item, found.worker, found.residual])
    assert restricted_deviance(ours, item, worker, value) <= restricted_deviance(theirs, item, worker, value) + 1e-12


def test_balanced_table_has_the_components_of_its_mean_squares() -> None:
    """Shrout and Fleiss (1979), table 3: BMS 11.24, JMS 32.49, EMS 1.02 of six targets by four judges."""
    rows = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]], dtype=float)
    worker, item = (place.ravel() for place in np.indices(rows.shape))
    found = found_of(item, worker, rows.ravel())
    ANOVA = by_analysis_of_variance(design_of(item, worker), rows.ravel())

    assert (found.item, found.worker, found.residual) == pytest.approx(ANOVA, rel=1e-9)
    assert found.residual + 4 * found.item == pytest.approx(11.24, abs=0.005)
    assert found.residual + 6 * found.worker == pytest.approx(32.49, abs=0.005)
    assert found.residual == pytest.approx(1.02, abs=0.005)


def test_analysis_of_variance_is_unbiased_where_cells_are_missing() -> None:
    found = []
    for seed in range(300):
        item, worker, value = crowd(seed, 20, 10)
        found.append(by_analysis_of_variance(design_of(item, worker), value))

    error = np.std(found, axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(np.mean(found, axis=0) - [16, 4, 9]) < 3.5 * error)


def test_generalisability_is_the_icc_of_a_balanced_table() -> None:
    """McGraw and Wong (1996): ICC(A,k) of other workers, ICC(C,k) of the same ones; here Shrout and Fleiss' table."""
    rows = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]], dtype=float)
    worker, item = (place.ravel() for place in np.indices(rows.shape))
    found = found_of(item, worker, rows.ravel())

    assert found.generalisability(1) == pytest.approx(0.29, abs=0.005)  # there ICC(2,1)
    assert found.generalisability(4) == pytest.approx(0.62, abs=0.005)  # ICC(2,4)
    assert found.generalisability(4, same_workers=True) == pytest.approx(0.91, abs=0.005)  # ICC(3,4)


def test_judgments_needed_reach_the_reliability_and_one_fewer_do_not() -> None:
    found = VarianceComponents(2.0, 1.0, 5.0, 0.0, 100, 10, 500, "REML")
    n = found.judgments_needed(0.85)

    assert n is not None
    assert found.generalisability(n) >= 0.85 > found.generalisability(n - 1)
    assert VarianceComponents(0.0, 1.0, 5.0, 0.0, 100, 10, 500, "REML").judgments_needed(0.5) is None


def test_items_that_do_not_differ_have_no_variance() -> None:
    rng = np.random.default_rng(5)
    item, worker = (place.ravel() for place in np.indices((30, 6)))
    value = rng.normal(size=len(item))
    value -= np.bincount(item, weights=value)[item] / 6

    assert found_of(item, worker, value).item == 0


@pytest.mark.parametrize("missing", [0.0, 0.5])
@pytest.mark.parametrize(("of_items", "of_workers"), [(1.0, 0.0), (1.0, 2.0), (0.0, 2.0)])
def test_judgments_without_noise_have_the_variances_of_what_made_them(
    missing: float, of_items: float, of_workers: float
) -> None:
    item, worker, _ = crowd(items=40, workers=6, missing=missing)
    rng = np.random.default_rng(8)
    a, b = of_items * rng.normal(size=40), of_workers * rng.normal(size=6)
    found = found_of(item, worker, 50 + a[item] + b[worker])
    a = a[np.unique(item)]

    assert (found.item, found.worker) == pytest.approx((np.var(a, ddof=1), np.var(b, ddof=1)), rel=1e-9)
    assert found.residual == 0
    assert found.mean == pytest.approx(50 + a.mean() + b.mean())


def test_larger_scale_changes_nothing_but_the_units() -> None:
    item, worker, value = crowd()
    plain, scaled = found_of(item, worker, value), found_of(item, worker, 1000 * value + 7)

    assert scaled.item == pytest.approx(1e6 * plain.item, rel=1e-9)
    assert scaled.worker == pytest.approx(1e6 * plain.worker, rel=1e-9)
    assert scaled.mean == pytest.approx(1000 * plain.mean + 7)


@pytest.mark.parametrize(
    ("item", "worker", "value", "why"),
    [
        ([0, 1, 2], [0, 0, 0], [1, 2, 3], "only one worker"),
        ([0, 0, 0], [0, 1, 2], [1, 2, 3], "only one item"),
        ([0, 0, 1, 1], [0, 1, 0, 1], [5, 5, 5, 5], "the same"),
        ([0, 1, 2], [0, 1, 2], [1, 2, 3], "too few judgments"),
        ([], [], [], "no judgments"),
    ],
)
def test_what_can_not_be_told_apart_is_said(item: list[int], worker: list[int], value: list[float], why: str) -> None:
    codes = (np.array(place, dtype=np.int64) for place in (item, worker))
    found = variance_components(design_of(*codes), np.array(value, dtype=float))

    assert isinstance(found, Undefined)
    assert why in found.why


# lme4 1.1-31 (Debian 12, R 4.2.2): lmer(y ~ 1 + (1 | item) + (1 | worker), REML, bobyqa with rhoend 1e-12): variances
# of items, workers and residual, and the mean. Its REML criterion is flat there: without rhoend it stops at 1e-5.

CROWDS = Path(__file__).parents[3] / "cases" / "crowds"
PUBLIC = Path("../shared/data")
LME4 = {
    CROWDS / "krippendorff-c": (1.36215644493, 0.0179944829478, 0.207238505453, 2.48559103265),
    CROWDS / "snow-wordsim": (10.6879690257, 1.28309087449, 3.75950190975, 5.44333333333),
    PUBLIC / "alt-test" / "numbers": (1.24296920724, 0.0330258044396, 0.552084362311, 3.04087902544),
    PUBLIC / "coda": (0.876405461299, 0.109186930707, 0.748199362181, 0.69547088298),
}


def public_crowd(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of CoDa the red slider of what was submitted."""
    if folder.name == "coda":
        rows = pd.read_csv(folder / "annotations.csv", low_memory=False)
        rows = rows[rows["included"].astype(str).eq("True") & rows["red"].notna()]
        rows = rows.rename(columns={"object_id": "item_id", "red": "value"}).drop_duplicates(["worker_id", "item_id"])
    else:
        rows = pd.read_csv(folder / "judgments.csv")
    rows = rows.sort_values("item_id", kind="stable")
    codes = [pd.factorize(rows[column])[0] for column in ("item_id", "worker_id")]
    return codes[0], codes[1], rows["value"].to_numpy(dtype=float)


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(folder, marks=[pytest.mark.needs_shared_data] if PUBLIC in folder.parents else [], id=folder.name)
        for folder in LME4
    ],
)
def test_public_crowds_have_the_components_and_the_coefficient_of_lme4(folder: Path) -> None:
    if not folder.is_dir():
        pytest.skip("the public crowds in ../shared/data are not here")
    found = found_of(*public_crowd(folder))
    item, worker, residual, mean = LME4[folder]

    assert (found.item, found.worker, found.residual) == pytest.approx((item, worker, residual), rel=3e-7)
    assert found.mean == pytest.approx(mean, rel=1e-9)
    assert found.generalisability(5) == pytest.approx(item / (item + (worker + residual) / 5), rel=1e-7)
    assert found.generalisability(5, same_workers=True) == pytest.approx(item / (item + residual / 5), rel=1e-7)
