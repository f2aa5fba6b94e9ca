"""Percent agreement, Brennan-Prediger, AC1 and AC2 against irrCAC, and their deletions against computing again."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Figure, Undefined
from agreement.estimation.intervals import CORRELATION, RELIABILITY, Deletions, t_quantile, two_way
from agreement.people.chance_corrected import NAMES, Weights, chance_corrected
from agreement.people.cohen import concordance, kappas_of_pairs, pair_kappa

CASES = json.loads((Path(__file__).parents[3] / "cases" / "coefficients" / "irrcac-coefficients.json").read_text())


def judged(ratings: list[list[Any]]) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Items, workers, codes, and how many categories there are."""
    table = np.array(ratings, dtype=np.float64)
    item, worker = np.nonzero(~np.isnan(table))
    values, code = np.unique(table[item, worker], return_inverse=True)
    return item, worker, code, len(values)


@pytest.mark.parametrize("table", CASES["tables"], ids=lambda table: table["name"])
@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_the_coefficients_are_those_of_irrcac(table: dict[str, Any], weights: Weights) -> None:
    item, worker, code, labels = judged(table["ratings"])
    found = chance_corrected(design_of(item, worker), code, labels, weights)
    for name in NAMES:
        figure = found[name]
        assert isinstance(figure, Estimate)
        assert figure.estimate == pytest.approx(table["values"][weights][name], abs=1e-9)


def test_the_interval_is_that_of_leaving_out_each_item_worker_and_judgment() -> None:
    item, worker, code, labels = judged(CASES["tables"][1]["ratings"])

    def estimate(keep: np.ndarray) -> float:
        figure = chance_corrected(design_of(item[keep], worker[keep]), code[keep], labels, "linear")["gwet"]
        assert isinstance(figure, Estimate)
        return figure.estimate

    everything = np.ones(len(item), dtype=bool)
    left = Deletions(
        np.array([estimate(item != i) for i in np.unique(item)]),
        np.array([estimate(worker != w) for w in np.unique(worker)]),
        np.array([estimate(np.arange(len(item)) != j) for j in range(len(item))]),
    )
    figure = chance_corrected(design_of(item, worker), code, labels, "linear")["gwet"]
    assert isinstance(figure, Estimate)
    n = int(np.sum(np.bincount(item) >= 2))
    again = two_way(estimate(everything), left, within=RELIABILITY, n_items=n)
    assert figure.low == pytest.approx(again.low, abs=1e-9)
    assert figure.high == pytest.approx(again.high, abs=1e-9)


@pytest.mark.parametrize(
    ("item", "worker", "code", "labels", "why"),
    [
        ([0, 1, 2], [0, 0, 0], [0, 1, 0], 2, "there is one worker"),
        ([0, 1, 2], [0, 1, 2], [0, 1, 0], 2, "no item has two judgments"),
        ([0, 0], [0, 1], [0, 0], 1, "there is one label"),
        ([0, 0, 0], [0, 0, 1], [0, 1, 1], 2, "repeated answers"),
    ],
)
def test_what_can_not_be_measured_is_said(
    item: list[int], worker: list[int], code: list[int], labels: int, why: str
) -> None:
    found = chance_corrected(design_of(np.array(item), np.array(worker)), np.array(code), labels)
    for figure in found.values():
        assert isinstance(figure, Undefined)
        assert why in figure.why


# Pairs of workers.


def test_a_pair_has_the_kappa_of_scikit_learn_and_concordance_is_its_quadratic_one() -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 5, 60)
    y = np.clip(x + rng.integers(-1, 2, 60), 0, 4)
    for weights, theirs in (("plain", None), ("linear", "linear"), ("quadratic", "quadratic")):
        found = pair_kappa(x, y, 5, weights)  # type: ignore[arg-type]
        assert isinstance(found, Estimate)
        assert found.estimate == pytest.approx(cohen_kappa_score(x, y, weights=theirs), abs=1e-12)
    lin = concordance(x, y)
    assert isinstance(lin, Estimate)
    assert lin.estimate == pytest.approx(cohen_kappa_score(x, y, weights="quadratic"), abs=1e-12)


def test_deletions_of_a_pair_are_those_of_leaving_items_out() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 3, (2, 25))
    y = np.where(rng.random(25) < 0.6, x, y)

    def kappa(keep: np.ndarray) -> Figure:
        return pair_kappa(x[keep], y[keep], 3, "linear")

    def lin(keep: np.ndarray) -> Figure:
        return concordance(x[keep], y[keep])

    for of in (kappa, lin):
        figure, each = of(np.ones(25, dtype=bool)), [of(np.arange(25) != at) for at in range(25)]
        left = np.array([one.estimate for one in each if isinstance(one, Estimate)])
        assert isinstance(figure, Estimate)
        assert figure.low is not None
        assert figure.high is not None
        variance = 24 / 25 * np.sum((left - left.mean()) ** 2)
        limits = CORRELATION.limits(figure.estimate, t_quantile(0.975, 24) * float(np.sqrt(variance)))
        assert limits is not None
        assert (figure.low, figure.high) == pytest.approx(limits, abs=1e-12)


def test_pairs_that_share_fewer_than_ten_items_are_no_pairs() -> None:
    item = np.concatenate([np.arange(12), np.arange(12), np.arange(9)])
    worker = np.repeat([5, 7, 9], [12, 12, 9])
    code = np.concatenate([np.arange(12) % 2, np.arange(12) % 2, np.arange(9) % 2])
    [pair] = kappas_of_pairs(design_of(item, worker), code, 2, "plain")
    assert (pair.first, pair.second, pair.shared) == (5, 7, 12)
