"""Drift along the assignment beside a regression with dummies, in simulated crowds, and as a report has it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

from agreement.errors import Refused
from agreement.estimation.estimate import Estimate, Undefined
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd
from agreement.on_request import requested_analyses
from agreement.on_request.drift import OrderedAnswers, change_along, distance_from_others
from tests.unit.agreement.analysis.test_every_further_analysis import crowd, part_of, timed

Array = np.ndarray[Any, np.dtype[Any]]


def a_crowd(
    rng: np.random.Generator, items: int, workers: int, each: int, drift: float = 0.0, growing: float = 0.0
) -> tuple[OrderedAnswers, Array]:
    """Numbers of people who had items in an order of their own; noise of sd 1, which grows along the assignment."""
    item = np.concatenate([rng.permutation(items)[:each] for _ in range(workers)])
    worker, position = np.repeat(np.arange(workers), each), np.tile(np.arange(each) / (each - 1), workers)
    noise = rng.normal(0, 1, len(item)) * rng.uniform(0.5, 1.5, workers)[worker] * (1 + growing * position)
    number = rng.normal(0, 1, items)[item] + rng.normal(0, 0.5, workers)[worker] + drift * position + noise
    return OrderedAnswers(item, worker, worker, position), number


def test_slope_is_that_of_a_regression_with_a_dummy_for_each_item_and_assignment() -> None:
    answers, y = a_crowd(np.random.default_rng(1), items=15, workers=8, each=10, drift=0.5)
    dummies = [np.eye(codes.max() + 1)[codes] for codes in (answers.item, answers.worker)]
    X = np.column_stack([answers.position, dummies[0], dummies[1][:, 1:]])
    whole = sm.OLS(y, X).fit(cov_type="cluster", cov_kwds={"groups": answers.worker})
    made = change_along(answers, y, "slope")
    assert isinstance(made.figure, Estimate)
    assert made.figure.estimate == pytest.approx(whole.params[0], abs=1e-6)
    assert made.figure.low is not None
    assert (made.figure.estimate - made.figure.low) / 2.3646 == pytest.approx(whole.bse[0], rel=0.25)  # t, 7 df


def test_distance_is_that_of_plain_loops() -> None:
    rng = np.random.default_rng(2)
    item, worker, y = rng.integers(0, 6, 40), rng.integers(0, 7, 40), rng.integers(0, 3, 40)  # some answer twice
    for n_labels in (0, 3):
        made = distance_from_others(item, worker, y.astype(float), n_labels)
        for j in range(40):
            others = y[(item == item[j]) & (worker != worker[j])]
            if len(others) < 2:
                assert np.isnan(made[j])
            else:
                expected = np.mean(others != y[j]) if n_labels else abs(y[j] - others.mean())
                assert made[j] == pytest.approx(expected, abs=1e-12)


def found(answers: OrderedAnswers, y: Array) -> tuple[bool, bool]:
    """Whether a change of the answers, and one of the distance from others, is found at 5 %."""
    distance = distance_from_others(answers.item, answers.worker, y, 0)
    few = np.isfinite(distance)
    both = change_along(answers, y, ""), change_along(answers.take(few), distance[few], "")
    return both[0].p is not None and both[0].p < 0.05, both[1].p is not None and both[1].p < 0.05


@pytest.mark.slow
def test_false_alarms_are_near_5_per_cent_and_planted_drift_is_found() -> None:
    rng = np.random.default_rng(3)
    for items, workers, each in ((40, 6, 40), (100, 30, 15)):
        none = np.mean([found(*a_crowd(rng, items, workers, each)) for _ in range(400)], axis=0)
        assert np.all(none <= 0.085)
        assert np.all(none >= 0.02)
    planted = np.mean([found(*a_crowd(rng, 100, 30, 15, drift=0.8, growing=1.0)) for _ in range(100)], axis=0)
    assert np.all(planted >= 0.7)


def test_intervals_hold_the_planted_drift() -> None:
    rng = np.random.default_rng(4)
    figures = [change_along(*a_crowd(rng, 40, 8, 20, drift=0.5), "").figure for _ in range(100)]
    ends = np.array([(one.low, one.high) for one in figures if isinstance(one, Estimate)], dtype=float)
    assert np.mean((ends[:, 0] <= 0.5) & (ends[:, 1] >= 0.5)) >= 0.9


def by_position(kind: str, change: float) -> Crowd:
    """Of `timed`, numbers that rise along the assignment, or labels of which "no" becomes rarer."""
    given = timed(crowd() if kind == "choice" else crowd(kind, ordered=False, scale=PER_CENT))
    minute = np.argsort(np.argsort(given.extras["submitted_at"]))
    position = np.empty(given.n_judgments)
    for worker in range(given.n_workers):
        own = np.flatnonzero(given.worker == worker)
        position[own] = np.argsort(np.argsort(minute[own])) / (len(own) - 1)
    answers: Any = np.array(given.answers)
    if kind == "choice":
        turned = np.random.default_rng(8).random(len(position)) < change * position
        return replace(given, answers=np.where(turned, 2, answers).astype(np.int32))
    return replace(given, answers=np.clip(answers * 0.5 + change * position, 0, 100))


def test_a_drift_of_numbers_is_found_and_told() -> None:
    part = part_of(by_position("slider", 20), "drift")
    answer, distance = part["tables"][0]["rows"]
    assert answer["change"]["low"] < 20 < answer["change"]["high"]
    assert answer["p"] < 0.001
    assert distance["p"] > 0.01
    assert any(said.startswith("Answer changes by +") for said in part["says"])
    rising = [part["tables"][1]["rows"][0][f"part_{at}"] for at in range(5)]
    assert rising == sorted(rising)


def test_a_drift_of_labels_is_told_by_label_after_holm() -> None:
    part = part_of(by_position("choice", 0.7), "drift")
    rows = {row["outcome"]: row for row in part["tables"][0]["rows"]}
    assert set(rows) == {"Share of no", "Share of maybe", "Share of yes", "Disagreement with the others"}
    assert rows["Share of yes"]["change"]["low"] > 0.2
    assert "yes (p < .05 after Holm's correction)" in " ".join(part["says"])
    two = by_position("choice", 0.7)
    kept = two.take(np.asarray(two.answers) != 1)
    assert [row["outcome"] for row in part_of(kept, "drift")["tables"][0]["rows"]][:-1] == ["Share of yes"]


def test_nothing_planted_nothing_is_found() -> None:
    said = " ".join(part_of(by_position("slider", 0), "drift")["says"])
    assert "Answer: no change is found" in said
    assert "told by the time" in said


def test_assignments_begin_anew_and_rows_tell_the_order_if_somebody_says_so() -> None:
    given = crowd("slider", ordered=False, scale=PER_CENT)
    rng = np.random.default_rng(9)
    rows = np.argsort(rng.random(given.n_judgments))
    shuffled = given.take(np.ones(given.n_judgments, dtype=bool))
    shuffled = replace(
        shuffled, item=given.item[rows], worker=given.worker[rows], answers=np.asarray(given.answers)[rows]
    )
    assert "drift:rows" in part_of(shuffled, "drift")["undefined"]
    whole = part_of(shuffled, "drift:rows")
    assert "told by the rows of the file" in whole["says"][0]
    halves = shuffled.extras.assign(assignment_id=np.where(np.arange(given.n_judgments) < 240, "1", "2"))
    assert part_of(replace(shuffled, extras=halves), "drift:rows")["tables"] != whole["tables"]
    with pytest.raises(Refused, match="is not rows"):
        requested_analyses(["drift:columns"])


def test_bad_input_gives_words() -> None:
    given = crowd("slider", ordered=False, scale=PER_CENT)
    assert "nearly the same order" in part_of(given, "drift:rows")["undefined"]
    timed_crowd = timed(given)
    assert "3 workers" in part_of(timed_crowd.take(timed_crowd.worker < 2), "drift")["undefined"]
    alone = part_of(timed_crowd.take(timed_crowd.item % 12 == timed_crowd.worker), "drift")
    assert "no item has two judgments" in alone["undefined"]
    same = replace(timed_crowd, answers=np.full(timed_crowd.n_judgments, 50.0))
    assert "all answers are the same" in part_of(same, "drift")["undefined"]
    two_each = timed_crowd.take((timed_crowd.worker - timed_crowd.item) % 12 < 2)
    figures = part_of(two_each, "drift")["tables"][0]["rows"]
    assert "no item was judged by three people" in figures[1]["change"]["undefined"]
    once = OrderedAnswers(np.zeros(4, int), np.arange(4), np.arange(4), np.zeros(4))
    assert change_along(once, np.arange(4.0), "").figure == Undefined("nobody gave two answers")
