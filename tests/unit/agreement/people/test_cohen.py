"""Cohen's kappa against scikit-learn, plain and weighted, of two workers and of pairs of more."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.people.cohen import Weights, cohen_kappa
from tests.by_kind import agreement_of

RNG = np.random.default_rng(3)
THEIRS = {"plain": None, "linear": "linear", "quadratic": "quadratic"}


def crowd(workers: int, items: int = 40, missing: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth = RNG.integers(0, 5, items)
    item, worker = np.repeat(np.arange(items), workers), np.tile(np.arange(workers), items)
    code = np.clip(truth[item] + RNG.integers(-1, 2, len(item)), 0, 4)
    there = RNG.random(len(item)) >= missing
    return item[there], worker[there], code[there]


@pytest.mark.parametrize("weights", ["plain", "linear", "quadratic"])
@pytest.mark.parametrize(("workers", "missing"), [(2, 0.0), (4, 0.0), (5, 0.3)])
def test_the_mean_over_pairs_is_that_of_scikit_learn(workers: int, missing: float, weights: Weights) -> None:
    item, worker, code = crowd(workers, missing=missing)

    found = cohen_kappa(design_of(item, worker), code, 5, weights)

    given = {(i, w): c for i, w, c in zip(item.tolist(), worker.tolist(), code.tolist(), strict=True)}
    theirs = []
    for a, b in combinations(range(workers), 2):
        both = [i for i in range(40) if (i, a) in given and (i, b) in given]
        sides = [[given[i, w] for i in both] for w in (a, b)]
        theirs.append(cohen_kappa_score(*sides, labels=range(5), weights=THEIRS[weights]))
    assert isinstance(found, Estimate)
    assert found.estimate == pytest.approx(np.mean(theirs), abs=1e-12)
    assert found.over == "items"
    assert ("mean over" in found.method) == (workers > 2)


def test_the_interval_is_the_jackknife_over_items() -> None:
    item, worker, code = crowd(3, items=25)
    whole = cohen_kappa(design_of(item, worker), code, 5, "linear")
    without = []
    for left in range(25):
        keep = item != left
        part = cohen_kappa(design_of(item[keep], worker[keep]), code[keep], 5, "linear")
        assert isinstance(part, Estimate)
        without.append(part.estimate)
    assert isinstance(whole, Estimate)
    assert whole.low is not None
    assert whole.high is not None
    se = np.sqrt(24 / 25 * np.sum((np.array(without) - np.mean(without)) ** 2))
    half = 2.0638985616 * se / (1 - whole.estimate**2)
    assert (whole.low, whole.high) == pytest.approx(np.tanh(np.arctanh(whole.estimate) + np.array([-half, half])))


def test_two_annotators_have_it_and_three_have_the_weighted_ones_if_labels_are_ordered() -> None:
    labels = ("a", "b", "c", "d", "e")
    two, three = crowd(2), crowd(3)

    assert agreement_of("choice", *two, labels=labels, replicates=0).cohen_kappa is not None
    plain = agreement_of("choice", *three, labels=labels, replicates=0)
    ordered = agreement_of("choice", *three, labels=labels, replicates=0, ordered=True)

    assert plain.cohen_kappa is None
    assert plain.weighted_kappa == {}
    assert list(ordered.weighted_kappa) == ["linear", "quadratic"]
    assert {one.statistic for one in ordered.double_entry.comparisons} == {
        "fleiss_kappa",
        "krippendorff_alpha.nominal",
        "krippendorff_alpha.ordinal",
    }


def test_one_and_the_same_label_and_no_shared_items_are_said() -> None:
    item, worker = np.repeat(np.arange(12), 2), np.tile([0, 1], 12)
    for code, who, said in (
        (np.zeros(24, dtype=int), worker, "one and the same label"),
        (np.arange(24) % 3, np.repeat([0, 1, 2], 8), "no two workers share"),
    ):
        found = cohen_kappa(
            design_of(item, who) if said.startswith("one") else design_of(np.arange(24), who), code, 3, "plain"
        )
        assert isinstance(found, Undefined)
        assert said in found.why
