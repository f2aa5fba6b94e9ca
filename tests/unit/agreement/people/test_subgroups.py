"""Agreement within and between subgroups: the formulas by plain loops, and what they can't say."""

from itertools import combinations, product

import numpy as np
import pytest

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Estimate, Undefined
from agreement.people.subgroups import GroupedJudgments, subgroups
from tests.by_kind import agreement_of


def crowd(n_labels: int, rng: np.random.Generator) -> GroupedJudgments:
    item, worker = np.repeat(np.arange(30), 8), np.tile(np.arange(8), 30)
    there = rng.random(240) < 0.8
    item, worker = item[there], worker[there]
    truth = rng.integers(0, 4, 30)
    answer = np.where(rng.random(len(item)) < 0.6, truth[item], rng.integers(0, 4, len(item))).astype(float)
    return GroupedJudgments(item, worker, worker % 2, answer, 30, 2, n_labels)


def by_loops(data: GroupedJudgments, g: int, h: int) -> float:
    """1 - D_o / D_e, pair by pair."""
    apart = (lambda x, y: float(x != y)) if data.n_labels else (lambda x, y: (x - y) ** 2)
    per_item, sides = [], []
    for i in range(data.n_items):
        a = data.answer[(data.item == i) & (data.group == g)].tolist()
        b = data.answer[(data.item == i) & (data.group == h)].tolist()
        pairs = list(combinations(a, 2)) if g == h else list(product(a, b))
        if pairs:
            per_item.append(np.mean([apart(x, y) for x, y in pairs]))
            sides.append((a, b))
    expected = [np.mean([apart(x, y) for x, y in product(a, b)]) for (a, _), (_, b) in product(sides, sides)]
    return float(1 - np.mean(per_item) / np.mean(expected))


@pytest.mark.parametrize("n_labels", [0, 4])
def test_agreement_within_and_between_is_that_of_plain_loops(n_labels: int) -> None:
    rng = np.random.default_rng(9)
    data = crowd(n_labels, rng)
    found = subgroups(data, rng=rng, processes=1)
    [pair] = found.pairs
    for figure, (g, h) in ((found.within[0], (0, 0)), (found.within[1], (1, 1)), (pair.between, (0, 1))):
        assert isinstance(figure, Estimate)
        assert figure.estimate == pytest.approx(by_loops(data, g, h), abs=1e-9)
        assert figure.low is not None
        assert figure.over == "items and workers"
    assert isinstance(pair.lower_by, Estimate)
    means = (by_loops(data, 0, 0) + by_loops(data, 1, 1)) / 2
    assert pair.lower_by.estimate == pytest.approx(means - by_loops(data, 0, 1), abs=1e-9)


def test_groups_that_value_different_things_agree_less_between_than_within() -> None:
    rng = np.random.default_rng(10)
    item, worker = np.repeat(np.arange(80), 12), np.tile(np.arange(12), 80)
    of_group = rng.integers(0, 3, (2, 80))
    answer = np.where(rng.random(960) < 0.8, of_group[worker % 2, item], rng.integers(0, 3, 960)).astype(float)
    found = subgroups(GroupedJudgments(item, worker, worker % 2, answer, 80, 2, 3), rng=rng, processes=1)
    [pair] = found.pairs
    assert isinstance(pair.lower_by, Estimate)
    assert pair.lower_by.low is not None
    assert pair.lower_by.low > 0.2
    assert pair.p is not None
    assert pair.p < 0.01
    mixed = GroupedJudgments(item, worker, worker // 6, answer, 80, 2, 3)  # three of each in either group
    [alike] = subgroups(mixed, rng=rng, processes=1).pairs
    assert alike.p is not None
    assert alike.p > 0.05


def test_groups_without_an_item_in_common_have_nothing_between() -> None:
    rng = np.random.default_rng(11)
    item = np.repeat(np.arange(20), 6)
    worker = np.tile(np.arange(6), 20) + 6 * (item % 2)
    data = GroupedJudgments(item, worker, item % 2, rng.integers(0, 2, 120).astype(float), 20, 2, 2)
    [pair] = subgroups(data, rng=rng, processes=1).pairs
    assert isinstance(pair.between, Undefined)
    assert isinstance(pair.lower_by, Undefined)
    assert isinstance(pair.gold, Undefined)
    assert pair.items == 0


@pytest.mark.parametrize("n_labels", [3, 0])
def test_gold_of_two_groups_is_compared_item_by_item(n_labels: int) -> None:
    rng = np.random.default_rng(13)
    table = rng.integers(0, 3, (60, 10))
    item, worker = (place.ravel() for place in np.indices(table.shape))
    [pair] = subgroups(
        GroupedJudgments(item, worker, worker // 5, table.ravel().astype(float), 60, 2, n_labels), rng=rng, processes=1
    ).pairs
    assert isinstance(pair.gold, Estimate)
    first, second = table[:, :5], table[:, 5:]
    if n_labels:
        leads = [
            [{k for k in range(3) if (row == k).sum() == np.bincount(row).max()} for row in half]
            for half in (first, second)
        ]
        each = [len(a & b) / max(len(a), len(b)) for a, b in zip(*leads, strict=True)]
    else:
        each = (first.mean(axis=1) - second.mean(axis=1)).tolist()
    assert pair.gold.estimate == pytest.approx(np.mean(each), abs=1e-12)
    assert pair.gold.over == "items and workers"
    assert pair.gold.low is not None
    assert pair.gold.high is not None
    assert pair.gold.low < pair.gold.estimate < pair.gold.high
    assert pair.items == 60


def test_agreement_within_is_fleiss_kappa_where_all_have_two_judgments() -> None:
    rng = np.random.default_rng(12)
    item, worker = np.repeat(np.arange(40), 4), np.tile(np.arange(4), 40)
    answer = rng.integers(0, 3, 160)
    assert design_of(item, worker).items == 40
    found = subgroups(
        GroupedJudgments(item, worker, np.zeros(160, int), answer.astype(float), 40, 1, 3), rng=rng, processes=1
    )
    theirs = agreement_of("choice", item, worker, answer, labels=("a", "b", "c"))
    headline = theirs.fleiss_kappa.statistic.headline
    assert isinstance(found.within[0], Estimate)
    assert isinstance(headline, Estimate)
    assert found.within[0].estimate == pytest.approx(headline.estimate, abs=1e-12)
