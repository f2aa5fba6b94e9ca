from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.rule_set import parse_rules
from agreement.cleaning.rules.disagreement import agreement_with_others
from agreement.cleaning.rules.row_disagreement import kendall_tau_b
from agreement.errors import Refused
from agreement.judgments.crowd import Crowd
from tests.unit.agreement.cleaning.crowds import Row, crowd_of


def cleaned(crowd: Crowd, rule: str) -> Cleaning:
    return clean(crowd, parse_rules(f'name = "test"\n[[rule]]\n{rule}'))


def kept(cleaning: Cleaning) -> str:
    return "".join(cleaning.crowd.workers[cleaning.worker_kept])


def grid(workers: str, items: int, seed: int = 1) -> list[Row]:
    """Workers who agree: an item's place on the scale and a little noise."""
    rng = np.random.default_rng(seed)

    def answer(i: int) -> float:
        return float(np.clip(round(100 * i / items + rng.normal(0, 8)), 0, 100))

    return [(w, f"i{i:02}", answer(i)) for w in workers for i in range(items)]


def test_a_median_time_under_the_floor_fails() -> None:
    rows = [(w, f"i{i}", 50.0) for w in "ab" for i in range(3)]
    crowd = crowd_of(rows, response_ms=[100, 499, 9000, 100, 500, 9000])

    cleaning = cleaned(crowd, 'kind = "too-fast"\nfloor_ms = 500')

    assert kept(cleaning) == "b"
    assert str(cleaning.evidence(0)[0]) == "median response time in ms 499 (at least 500 ms)"
    assert cleaning.selects_on_outcome


def test_a_time_far_below_the_workers_median_fails() -> None:
    times = [2000, 2100, 1900, 2050, 1950, 2000, 2020, 1980, 2010, 1990, 2000, 2000, 20]
    rows = [(chr(97 + w), "i", 50.0) for w in range(len(times))]

    assert "m" not in kept(cleaned(crowd_of(rows, response_ms=times), 'kind = "too-fast"\nsd_below = 3'))


def test_workers_without_times_get_no_verdict() -> None:
    cleaning = cleaned(crowd_of([("a", "i", 50)]), 'kind = "too-fast"\nfloor_ms = 500')

    assert cleaning.verdicts[0].of(0) == "not applicable"
    assert kept(cleaning) == "a"


def test_answers_that_hardly_vary_fail() -> None:
    rows: list[Row] = [("flat", f"i{i}", 50.0 + i % 2) for i in range(6)] + [("x", f"i{i}", 15.0 * i) for i in range(6)]

    cleaning = cleaned(crowd_of(rows), 'kind = "straight-lining"\nsd_below = 5')

    assert cleaning.crowd.workers[cleaning.worker_kept].tolist() == ["x"]


def test_the_longest_run_goes_by_time_and_otherwise_by_file_order() -> None:
    rows: list[Row] = [("a", f"i{i}", value) for i, value in enumerate([1.0, 1.0, 2.0, 1.0, 1.0])]
    times = [f"2024-01-01T00:00:0{second}" for second in (0, 1, 9, 2, 3)]

    assert kept(cleaned(crowd_of(rows), 'kind = "straight-lining"\nlongest_run = 3')) == "a"
    by_time = cleaned(crowd_of(rows, submitted_at=times), 'kind = "straight-lining"\nlongest_run = 3')
    assert kept(by_time) == ""
    assert "equal answers in a row: 4 (at most 3)" in str(by_time.evidence(0)[0])


def test_repeats_too_far_apart_fail() -> None:
    rows: list[Row] = [("a", "q", 50), ("a", "q", 71), ("b", "q", 50), ("b", "q", 70), ("c", "q", 5)]

    cleaning = cleaned(crowd_of(rows, repeats="keep"), 'kind = "self-consistency"\nmax_difference = 20')

    assert kept(cleaning) == "bc"
    assert cleaning.verdicts[0].of(2) == "not applicable"
    assert str(cleaning.evidence(0)[0]) == "q: 50, then 71 (at most 20 apart)"


def test_a_check_item_may_repeat_another() -> None:
    rows: list[Row] = [("a", "q", 0.1), ("a", "q-again", 0.3), ("b", "q", 0.1), ("b", "q-again", 0.31)]
    crowd = crowd_of(
        rows, scale="0:1", checks={"q-again": "repeat"}, fields={"q-again": {"repeats": "q"}, "q": {"repeats": ""}}
    )

    assert kept(cleaned(crowd, 'kind = "self-consistency"\nmax_difference = 20')) == "a"


def test_a_worker_against_all_others_fails() -> None:
    rows = grid("abcd", 20) + [("e", f"i{i:02}", 100.0 - 5 * i) for i in range(20)]

    cleaning = cleaned(crowd_of(rows), 'kind = "disagreement"\ncorrelation_below = 0.4')

    assert kept(cleaning) == "abcd"


def test_agreement_with_others_is_pearson_with_their_mean() -> None:
    rows = grid("abc", 15)
    crowd = crowd_of(rows)
    values = np.array([row[2] for row in rows]).reshape(3, 15)

    figures = agreement_with_others(crowd, crowd.on_target)

    expected = [np.corrcoef(values[w], np.delete(values, w, axis=0).mean(axis=0))[0, 1] for w in range(3)]
    assert figures.tolist() == pytest.approx(expected)


def test_agreement_under_keep_leaves_out_all_of_a_workers_answers() -> None:
    rows = grid("abc", 12)
    crowd = crowd_of([*rows, *grid("a", 12, seed=9)], repeats="keep")
    values = np.array([row[2] for row in rows]).reshape(3, 12)

    figure = agreement_with_others(crowd, crowd.on_target)[0]

    mine = np.array([*values[0], *(row[2] for row in grid("a", 12, seed=9))])
    assert figure == pytest.approx(np.corrcoef(mine, np.tile(values[1:].mean(axis=0), 2))[0, 1])


def test_labels_agree_with_the_majority_of_the_others_and_ties_are_shared() -> None:
    answers = {"a": [0] * 10, "b": [0] * 5 + [1] * 5, "c": [0] * 10}
    rows: list[Row] = [(w, f"i{i}", answer) for w, given in answers.items() for i, answer in enumerate(given)]
    crowd = crowd_of(rows, kind="choice", scale=None, labels=("no", "yes"))

    # On the last five items a's others are b and c, who tie: half right each.
    assert agreement_with_others(crowd, crowd.on_target).tolist() == [0.75, 0.5, 0.75]
    assert kept(cleaned(crowd, 'kind = "disagreement"\naccuracy_below = 0.6')) == "ac"


def test_fewer_than_ten_shared_items_give_no_verdict() -> None:
    cleaning = cleaned(crowd_of(grid("ab", 9)), 'kind = "disagreement"\ncorrelation_below = 1')

    assert cleaning.verdicts[0].outcome.tolist() == [0, 0]


def test_a_rule_for_numbers_is_refused_for_labels_and_the_reverse() -> None:
    labelled = crowd_of([("a", "i", 0)], kind="choice", scale=None, labels=("no", "yes"))
    for crowd, rule in (
        (labelled, 'kind = "disagreement"\ncorrelation_below = 0.4'),
        (crowd_of([("a", "i", 0)]), 'kind = "disagreement"\naccuracy_below = 0.4'),
        (labelled, 'kind = "straight-lining"\nsd_below = 5'),
        (labelled, 'kind = "row-disagreement"\nkendall_below = 0'),
    ):
        with pytest.raises(Refused):
            cleaned(crowd, rule)


def test_tau_b_is_scipys() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 5, (40, 7)).astype(float), rng.integers(0, 4, (40, 7)).astype(float)

    expected = [stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)]
    assert kendall_tau_b(x, y).tolist() == pytest.approx(expected, nan_ok=True)


def test_the_lowest_answer_falls_again_and_again_while_it_is_below() -> None:
    rows: list[Row] = [(w, "i", [5.0, 3.0, 1.0, 0.0]) for w in "abc"] + [(w, "i", [0.0, 1.0, 3.0, 5.0]) for w in "xy"]
    crowd = crowd_of(rows, kind="sliders", scale="0:5", labels=("p", "q", "r", "s"))

    cleaning = cleaned(crowd, 'kind = "row-disagreement"\nkendall_below = 0')

    assert cleaning.kept.tolist() == [True, True, True, False, False]
    assert kept(cleaning) == "abcxy"
    codes, reasons = cleaning.judgment_reasons()
    assert reasons[codes[3]].startswith("row disagreement")


def test_labels_under_keep_leave_out_all_of_a_workers_answers() -> None:
    rows: list[Row] = [
        (w, f"i{i}", answer) for i in range(10) for w, answer in (("a", 0), ("a", 0), ("a", 1), ("b", 1))
    ]
    crowd = crowd_of(rows, kind="choice", scale=None, labels=("no", "yes"), repeats="keep")

    # Against b alone, who always says yes, a third of a's answers is right; b faces a majority of no.
    assert agreement_with_others(crowd, crowd.on_target).tolist() == pytest.approx([1 / 3, 0])


def test_only_kept_judgments_stand_for_the_others() -> None:
    rows: list[Row] = [
        (w, f"i{i}", answer) for i in range(10) for w, answer in (("a", 0), ("b", 0), ("c", 1), ("d", 1))
    ]
    crowd = crowd_of(rows, kind="choice", scale=None, labels=("no", "yes"))
    kept_ones = np.array([w in "abc" for w, _, _ in rows])

    assert agreement_with_others(crowd, crowd.on_target, others=kept_ones).tolist() == [0.5, 0.5, 0, 0]
