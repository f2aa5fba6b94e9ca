"""Correlations equal scipy's with all kinds of ties, by group, and with each pair left out."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.scoring.correlation import CORRELATIONS, Side, compare
from agreement.scoring.groups import Codes, Groups, centred_ranks, ranks_within

SCIPY: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "spearman": lambda x, y: float(stats.spearmanr(x, y).statistic),
    "pearson": lambda x, y: float(stats.pearsonr(x, y).statistic),
    "kendall": lambda x, y: float(stats.kendalltau(x, y).statistic),
}
NAMES = pytest.mark.parametrize("name", list(SCIPY))


def _pairs(seed: int, n: int, distinct: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, distinct, n) / 7
    return x, x + rng.integers(0, distinct, n) / 3


@NAMES
@pytest.mark.parametrize(("n", "distinct"), [(3, 5), (30, 3), (200, 1000), (1000, 40)])
def test_correlation_equals_scipy(name: str, n: int, distinct: int) -> None:
    x, y = _pairs(n, n, distinct)

    ours = CORRELATIONS[name][0](Groups.one(n), x, y)[0]

    assert ours == pytest.approx(SCIPY[name](x, y), abs=1e-12)


@NAMES
def test_groups_are_scored_apart(name: str) -> None:
    sizes = [5, 0, 1, 12, 300]
    groups = Groups(np.concatenate([[0], np.cumsum(sizes)]))
    x, y = _pairs(5, sum(sizes), 9)

    ours = CORRELATIONS[name][0](groups, x, y)

    for at, size in enumerate(sizes):
        part = slice(groups.starts[at], groups.starts[at + 1])
        if size < 2:
            assert np.isnan(ours[at])
        else:
            assert ours[at] == pytest.approx(SCIPY[name](x[part], y[part]), abs=1e-12)


@NAMES
@pytest.mark.parametrize(("n", "distinct"), [(3, 9), (12, 3), (60, 4), (60, 1000)])
def test_leaving_each_pair_out_equals_scipy_on_the_rest(name: str, n: int, distinct: int) -> None:
    x, y = _pairs(n + 1, n, distinct)

    without = CORRELATIONS[name][1](Groups.one(n), x, y)

    for at in range(n):
        left_x, left_y = np.delete(x, at), np.delete(y, at)
        if np.ptp(left_x) == 0 or np.ptp(left_y) == 0:
            assert np.isnan(without[at])
        else:
            assert without[at] == pytest.approx(SCIPY[name](left_x, left_y), abs=1e-11)


@NAMES
def test_leaving_out_by_group_equals_each_group_alone(name: str) -> None:
    sizes = [5, 0, 1, 12, 40]
    groups = Groups(np.concatenate([[0], np.cumsum(sizes)]))
    x, y = _pairs(5, sum(sizes), 9)

    without = CORRELATIONS[name][1](groups, x, y)

    for at, size in enumerate(sizes):
        part = slice(groups.starts[at], groups.starts[at + 1])
        alone = CORRELATIONS[name][1](Groups.one(size), x[part], y[part])
        assert without[part] == pytest.approx(alone, abs=1e-12, nan_ok=True)


@NAMES
@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 + 0.1])
def test_a_constant_side_is_undefined(name: str, value: float) -> None:
    x, y = np.full(7, value), np.arange(7.0)

    metric, without = CORRELATIONS[name]

    assert np.isnan(metric(Groups.one(7), x, y)).all()
    assert np.isnan(metric(Groups.one(7), y, x)).all()
    assert np.isnan(without(Groups.one(7), x, y)).all()


@NAMES
def test_one_pair_alone_is_undefined(name: str) -> None:
    metric, without = CORRELATIONS[name]

    assert np.isnan(metric(Groups.one(1), np.ones(1), np.ones(1))).all()
    assert np.isnan(without(Groups.one(1), np.ones(1), np.ones(1))).all()
    assert len(metric(Groups.one(0), np.ones(0), np.ones(0))) == 1


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=40))
def test_comparisons_equal_counting_all_pairs(points: list[tuple[int, int, int]]) -> None:
    points.sort(key=lambda point: point[2])
    x, y, group = (np.array([point[at] for point in points], dtype=float) for at in range(3))
    groups = Groups.of_sorted(group.astype(np.int64), 4)

    pairs = compare(groups, Side.of(groups, x), Side.of(groups, y))

    dx, dy = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    together = (group[:, None] == group) & ~np.eye(len(x), dtype=bool)
    assert pairs.concordance.tolist() == np.sum(dx * dy * together, axis=1).tolist()
    assert pairs.both.tolist() == np.sum((dx + 1) / 2 * (dy + 1) / 2 * together, axis=1).tolist()


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.7, 5.0])), min_size=1, max_size=40))
def test_both_ways_of_ranking_equal_scipy(rows: list[tuple[int, float]]) -> None:
    rows.sort(key=lambda row: row[0])
    codes, values = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    groups = Groups.of_sorted(codes, 4)

    expected = np.concatenate([stats.rankdata(values[codes == code]) for code in range(4)])

    assert ranks_within(groups, values).tolist() == expected.tolist()
    sparse = Codes((values * 10).round().astype(np.int64), 10**9)
    centred = centred_ranks(groups, sparse) + groups.spread((groups.sizes + 1) / 2)
    assert centred.tolist() == expected.tolist()
