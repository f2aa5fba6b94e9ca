"""Each index against its definition, computed worker by worker in the plainest way."""

from __future__ import annotations

from itertools import groupby, permutations

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import mahalanobis as scipy_mahalanobis
from sklearn.metrics import cohen_kappa_score

from agreement.arrays import Floats, Ints
from agreement.screening.indices import Judged, indices_of, mahalanobis, own_indices
from agreement.screening.own_answers import (
    Sequence,
    Stretch,
    even_odd,
    log_probability,
    longest_pattern,
    longest_runs,
    own_spread,
    strongest_echo,
)
from agreement.screening.with_others import Answers, labels_with_others, numbers_with_others
from tests.unit.agreement.screening.worlds import Design, judged, labels, numbers

DESIGN = Design(workers=9, items=30, each=24)


@pytest.fixture
def crowd() -> tuple[Ints, Floats]:
    return numbers(DESIGN, np.random.default_rng(3), world="unlike")


def beside_others(of: Judged, who: int) -> Floats:
    """[n, 2] a worker's numbers in the order given, and the means of two or more others."""
    worker, item, value = of.rows.worker, of.rows.item, of.value
    pairs = []
    for own in np.flatnonzero(worker == who):
        rest = value[(item == item[own]) & (worker != who)]
        if len(rest) >= 2:
            pairs.append((float(value[own]), float(rest.mean())))
    return np.array(pairs)


def r_of(pairs: Floats) -> float:
    return float(stats.pearsonr(pairs[:, 0], pairs[:, 1])[0])


def test_the_longest_run_is_that_of_careless() -> None:
    """longstring: `max(rle(x)$lengths)`."""
    rng = np.random.default_rng(1)
    worker, code = np.repeat(np.arange(50), 30), rng.integers(0, 3, 1500)

    found = longest_runs(Sequence(worker, code, 51))

    for who in range(50):
        runs = [len(list(group)) for _, group in groupby(code[worker == who])]
        assert found.length[who] == max(runs)
        of_run = code[found.start[who] : found.start[who] + found.length[who]]
        assert len(set(of_run.tolist())) == 1
    assert found.length[50] == 0


def test_the_published_example_of_a_longest_run_and_a_spread() -> None:
    """The answers of the vignette of `careless`: longstring 5, and irv is R's sd()."""
    answers = np.array([1, 1, 2, 3, 3, 3, 3, 3, 4, 5])

    assert longest_runs(Sequence(np.zeros(10, dtype=int), answers, 1)).length.tolist() == [5]
    assert own_spread(np.zeros(10, dtype=int), answers.astype(float), 1)[0] == pytest.approx(1.2292725943057183)


def test_own_spread_is_the_standard_deviation_and_nothing_where_all_are_equal(crowd: tuple[Ints, Floats]) -> None:
    of = judged(*crowd)
    worker = np.append(of.rows.worker, [9] * 7)
    value = np.append(of.value, [0.1 + 0.2] * 7)

    found = own_spread(worker, value, 10)

    assert found[:9] == pytest.approx([np.std(of.value[of.rows.worker == who], ddof=1) for who in range(9)])
    assert found[9] == 0.0


@pytest.mark.parametrize(
    ("answers", "stretch"),
    [
        ([1, 2, 1, 2, 1, 2, 3], (0, 6, 2)),
        ([9, 1, 1, 2, 1, 1, 2, 1, 1, 2], (1, 9, 3)),
        ([1, 2, 3, 4, 1, 2, 3, 4], (0, 8, 4)),
        ([5, 5, 5, 5, 5, 5], (0, 0, 0)),
        ([1, 2, 3, 4, 5, 6], (0, 0, 0)),
    ],
)
def test_patterns_of_two_to_four_answers(answers: list[int], stretch: tuple[int, int, int]) -> None:
    found = longest_pattern(Sequence(np.zeros(len(answers), dtype=int), np.array(answers), 1))

    assert (int(found.length[0]), int(found.period[0])) == stretch[1:]
    assert not stretch[1] or int(found.start[0]) == stretch[0]


def test_a_pattern_clicked_by_hand_echoes_and_a_drift_does_not() -> None:
    rng = np.random.default_rng(0)
    by_hand = np.where(np.arange(40) % 3 == 0, 90, 20) + rng.normal(0, 3, 40)
    drift = np.arange(40) + rng.normal(0, 1, 40)
    value = np.concatenate([by_hand, drift, rng.uniform(0, 100, 40)])

    found = strongest_echo(np.repeat([0, 1, 2], 40), value, 3)

    assert found[0] > 0.8
    assert np.isnan(found[1])
    assert found[2] < 0.5


def test_person_total_correlations_are_those_with_the_mean_of_the_others(crowd: tuple[Ints, Floats]) -> None:
    of = judged(*crowd)

    found = numbers_with_others(of.parts, of.value).with_others

    for who in range(DESIGN.workers):
        pairs = beside_others(of, who)
        assert found.n[who] == len(pairs)
        assert found.agreement[who] == pytest.approx(r_of(pairs))
        assert found.above_chance[who] == pytest.approx(r_of(pairs) * np.sqrt(len(pairs) - 1))


def test_a_change_is_where_fishers_z_of_both_parts_differs_most(crowd: tuple[Ints, Floats]) -> None:
    of = judged(*crowd)
    found = numbers_with_others(of.parts, of.value).find_change()

    for who in range(DESIGN.workers):
        pairs, best = beside_others(of, who), (0.0, 0, 0.0, 0.0)
        n, least = len(pairs), max(8, int(np.ceil(len(pairs) / 4)))
        for k in range(least, n - least + 1):
            before, behind = r_of(pairs[:k]), r_of(pairs[k:])
            z = abs(np.arctanh(before) - np.arctanh(behind)) / np.sqrt(1 / (k - 3) + 1 / (n - k - 3))
            best = max(best, (float(z), k, before, behind))
        assert (found.z[who], found.after[who], found.before[who], found.behind[who]) == pytest.approx(best)


def test_kappa_of_a_worker_who_shares_all_items_with_one_of_two_equal_others_is_cohens() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 3, (2, 200))
    second = np.where(rng.random(200) < 0.6, first, second)
    code = np.concatenate([first, second, second])
    answers = Answers(np.repeat(np.arange(3), 200), np.tile(np.arange(200), 3), 3, 200, np.ones(3, dtype=bool))

    found = labels_with_others(answers, code, 3).with_others

    assert found.agreement[0] == pytest.approx(cohen_kappa_score(first, second))


def test_chance_is_over_all_orders_of_a_workers_answers() -> None:
    """Of six answers all 720 orders: the standard deviation of the sum of agreements is that of them all."""
    rng = np.random.default_rng(2)
    item, worker = np.tile(np.arange(6), 5), np.repeat(np.arange(5), 6)
    code = rng.integers(0, 3, 30)
    share = np.array([[(code[6:][item[6:] == i] == label).mean() for label in range(3)] for i in range(6)])
    sums = [sum(share[i, label] for i, label in enumerate(order)) for order in permutations(code[:6].tolist())]

    found = labels_with_others(Answers(worker, item, 5, 6, np.ones(5, dtype=bool)), code, 3).with_others

    observed = sum(share[i, label] for i, label in enumerate(code[:6]))
    assert found.plain[0] == pytest.approx(observed / 6)
    assert found.above_chance[0] == pytest.approx((observed - np.mean(sums)) / np.std(sums))


def test_a_constant_worker_is_no_better_than_chance_exactly() -> None:
    item, code, _ = labels(DESIGN, np.random.default_rng(1), 3)
    code[4] = 2
    of = judged(item, code.astype(np.float64), 3)

    found = labels_with_others(of.parts, code.ravel(), 3).with_others

    assert found.agreement[4] == pytest.approx(0, abs=1e-12)
    assert np.isnan(found.above_chance[4])


def test_halves_are_the_even_and_odd_answers_by_groups_of_items(crowd: tuple[Ints, Floats]) -> None:
    of = judged(*crowd)

    found = even_odd(of.parts.worker, numbers_with_others(of.parts, of.value))

    for who in range(DESIGN.workers):
        pairs = beside_others(of, who)
        n, halves = len(pairs), []
        for group in np.array_split(
            np.argsort(pairs[:, 1], kind="stable"), [-(-k * n // (n // 4)) for k in range(1, n // 4)]
        ):
            even, odd = group[group % 2 == 0], group[group % 2 == 1]
            if len(even) and len(odd):
                halves.append((pairs[even, 0].mean(), pairs[odd, 0].mean()))
        assert found[who] == pytest.approx(r_of(np.array(halves)))


def test_the_distance_is_mahalanobis_squared() -> None:
    x = np.random.default_rng(4).normal(size=(30, 3)) @ np.array([[1, 0.5, 0], [0, 2, 0], [0, 0, 1]])
    x[3, 1] = np.nan
    rest = np.delete(x, 3, axis=0)
    inverse = np.linalg.inv(np.cov(rest.T))

    found = mahalanobis(x)

    assert np.isnan(found[3])
    assert np.delete(found, 3) == pytest.approx(
        [scipy_mahalanobis(row, rest.mean(axis=0), inverse) ** 2 for row in rest]
    )


def test_a_run_is_as_probable_as_the_others_answers_make_it() -> None:
    item, worker = np.tile(np.arange(10), 4), np.repeat(np.arange(4), 10)
    code = np.zeros(40, dtype=np.int64)
    code[10] = 1
    answers = Answers(worker, item, 4, 10, np.ones(4, dtype=bool))
    run = longest_runs(Sequence(worker, code, 4))

    found = log_probability(answers, code, run, np.zeros(4, dtype=np.int64), np.array([True, False, False, False]))

    usual = (29 + 1) / (30 + 2)  # of the others' 30 answers 29 are this label, and there are two
    assert found.tolist() == pytest.approx([np.log((2 + usual) / 4) + 9 * np.log((3 + usual) / 4), 0, 0, 0])
    pattern = Stretch(np.zeros(4, dtype=np.int64), np.full(4, 4), np.full(4, 2))
    asked = log_probability(answers, code, pattern, np.full(4, 2), np.array([True, False, False, False]))
    assert asked[0] == pytest.approx(2 * np.log((3 + usual) / 4))


def test_long_items_take_long_whoever_judges_them() -> None:
    rng = np.random.default_rng(6)
    item, value = numbers(DESIGN, rng)
    of_item, of_worker = rng.normal(0, 1.5, DESIGN.items), rng.normal(0, 0.2, DESIGN.workers)
    of = judged(item, value)
    log_ms = 8 + of_item[of.rows.item] + of_worker[of.rows.worker] + rng.normal(0, 0.01, len(of.value))
    of = Judged(of.rows, of.code, of.parts, of.value, 0, log_ms, 100.0)

    found = own_indices(of)

    assert np.corrcoef(found.pace, of_worker)[0, 1] > 0.97
    assert np.corrcoef(found.pace, of_worker)[0, 1] > np.corrcoef(found.log_time, of_worker)[0, 1]


def test_answers_of_the_same_worker_to_an_item_are_never_held_against_each_other() -> None:
    item, worker = np.array([0, 0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 2, 0, 1, 2])
    order = np.argsort(worker, kind="stable")
    item, worker = item[order], worker[order]
    own = np.unique(worker * 2 + item, return_inverse=True)[1]
    answers = Answers(worker, item, 3, 2, np.ones(3, dtype=bool), own)

    assert answers.sum_of_others(np.ones(7)).tolist() == [2, 2, 2, 3, 2, 3, 2]


def test_z_values_of_a_crowd_in_which_all_are_alike_are_small() -> None:
    item, value = numbers(DESIGN, np.random.default_rng(8))
    of = judged(item, value)

    found = indices_of(of, own_indices(of), np.ones(9, dtype=bool))

    assert set(found.z) == {"agreement", "plain", "spread", "longest_run", "halves", "log_time", "distance"}
    assert np.nanmax(np.abs(found.z["agreement"])) < 3
    assert np.isnan(found.z["log_time"]).all()
