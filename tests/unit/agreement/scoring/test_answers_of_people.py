"""Means over people's answers without each worker and each judgment, against plain loops that make everything again."""

import numpy as np
import pytest
from scipy import stats

from agreement.arrays import Floats
from agreement.scoring import distribution_metrics, label_metrics
from agreement.scoring.answers_of_people import AnswersOfPeople, means_of_answers
from agreement.scoring.metrics.of_labels import BRIER, PEOPLE
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score_gold import Gold, LabelGold

L = 3


def crowd(seed: int, *, items: int = 12, judgments: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Some items have one judgment, some workers judge an item twice."""
    rng = np.random.default_rng(seed)
    item = np.concatenate([np.arange(items), rng.integers(0, items, judgments - items)])
    return item, rng.integers(0, 6, judgments), rng.integers(0, L, judgments)


def mean_by_loops(item: np.ndarray, earned: Floats) -> float:
    return float(np.mean([np.mean(earned[item == one]) for one in np.unique(item)]))


@pytest.mark.parametrize("seed", range(5))
def test_deletions_are_those_of_plain_loops(seed: int) -> None:
    item, worker, answer = crowd(seed)
    people = AnswersOfPeople.of(item, worker, answer, 12, np.random.default_rng(0))
    p = np.random.default_rng(seed).dirichlet(np.ones(L), 12)
    earned = people.earned(*label_metrics.of_named_answer(p))

    assert earned == pytest.approx((answer == p.argmax(axis=1)[item]).astype(float))
    left = people.left_out(earned)
    assert left.worker == pytest.approx(
        [mean_by_loops(item[worker != w], earned[worker != w]) for w in np.unique(worker)]
    )
    stays = ~np.eye(len(item), dtype=np.bool_)
    assert left.judgment == pytest.approx([mean_by_loops(item[keep], earned[keep]) for keep in stays])
    assert left.is_mean


def test_items_that_the_model_does_not_cover_count_nowhere_in_a_distance() -> None:
    item, worker, answer = crowd(7)
    people = AnswersOfPeople.of(item, worker, answer, 12, np.random.default_rng(0))
    p = np.random.default_rng(7).dirichlet(np.ones(L), 12)
    p[[3, 5]] = np.nan
    earned = people.earned(*distribution_metrics.brier_of_answer(p))
    there = ~np.isin(item, [3, 5])

    left = people.left_out(earned)
    for at, w in enumerate(np.unique(worker)):
        keep = there & (worker != w)
        assert left.worker[at] == pytest.approx(mean_by_loops(item[keep], earned[keep]))
    assert len(left.judgment) == there.sum()


@pytest.mark.parametrize("has_sets", [False, True])
def test_what_answers_earn_is_what_their_shares_earn(has_sets: bool) -> None:  # noqa: FBT001
    """The mean over an item's judgments is the metric of the item's shares, of labels, of sets and of numbers."""
    rng = np.random.default_rng(4)
    item, worker, _ = crowd(4)
    weights = (rng.random((len(item), L)) < 0.6).astype(float) if has_sets else rng.random((len(item), L))
    people = AnswersOfPeople.of(item, worker, weights, 12, rng, has_sets=has_sets)
    own = weights if has_sets else weights / weights.sum(axis=1, keepdims=True)
    shares = np.array([own[item == one].mean(axis=0) for one in range(12)])
    p = rng.dirichlet(np.ones(L), 12)
    for metric in (PEOPLE, BRIER):
        if not people.has_mean(metric):
            assert has_sets
            continue
        assert metric.of_answer is not None
        earned = people.earned(*metric.of_answer(p))
        means = [earned[item == one].mean() for one in range(12)]
        assert means == pytest.approx(metric.credit(p, shares).tolist())


def test_every_model_has_the_metrics_that_its_outputs_allow() -> None:
    item, worker, answer = crowd(1)
    ids = np.array([f"i{at}" for at in range(12)], dtype=object)
    shares = np.array([np.bincount(answer[item == one], minlength=L) for one in range(12)], dtype=float)
    shares /= shares.sum(axis=1, keepdims=True)
    top = shares == shares.max(axis=1, keepdims=True)
    gold = Gold("choice", ids, ("a", "b", "c"), by_label=LabelGold(shares, top, top, has_one_label=True))
    people = AnswersOfPeople.of(item, worker, answer, 12, np.random.default_rng(0))
    p = np.random.default_rng(1).dirichlet(np.ones(L), 12)
    named = Probe("named", "labels", (Run({}, np.eye(L)[p.argmax(axis=1)], has_probabilities=False),))
    sure = Probe("sure", "labels", (Run({}, p), Run({}, p[:, ::-1])))

    found = means_of_answers([named, sure], gold, StudyItems("choice", ids, ("a", "b", "c")), people)

    assert list(found["named"]) == ["people_who_agree"]
    assert list(found["sure"]) == ["people_who_agree", "cross_entropy_of_shares", "brier_of_shares"]
    both = [people.left_out(people.earned(*label_metrics.of_named_answer(one))).worker for one in (p, p[:, ::-1])]
    assert found["sure"]["people_who_agree"].worker == pytest.approx(np.mean(both, axis=0))


def test_an_order_earns_its_mean_correlation_with_each_persons_order() -> None:
    rng = np.random.default_rng(2)
    item, worker = (place.ravel() for place in np.indices((12, 5)))
    places: Floats = rng.random((len(item), 4)).argsort(axis=1).argsort(axis=1).astype(np.float64) + 1
    mean = np.array([places[item == one].mean(axis=0) for one in range(12)])
    ids = np.array([f"i{at}" for at in range(12)], dtype=object)
    scores = rng.normal(size=(12, 4)).round(1)
    probe = Probe("m", "labels", (Run({}, scores),))
    people = AnswersOfPeople.of(item, worker, places, 12, rng, has_sets=True)
    found = means_of_answers(
        [probe], Gold("ranking", ids, tuple("abcd"), order=-mean), StudyItems("ranking", ids), people
    )

    rho = np.array([stats.spearmanr(scores[i], -places[at])[0] for at, i in enumerate(item)])
    assert label_metrics.rho_with_people(scores, -mean).mean() == pytest.approx(rho.mean())
    without = [mean_by_loops(item[worker != w], rho[worker != w]) for w in range(5)]
    assert found["m"]["rho_with_people"].worker == pytest.approx(without)


def test_many_judgments_are_left_out_in_groups_with_the_same_variance() -> None:
    rng = np.random.default_rng(3)
    item, worker = (place.ravel() for place in np.indices((3_000, 80)))
    answer = rng.integers(0, L, len(item))
    people = AnswersOfPeople.of(item, worker, answer, 3_000, rng)
    earned = people.earned(*label_metrics.of_named_answer(rng.dirichlet(np.ones(L), 3_000)))
    judgment = people.left_out(earned).judgment

    assert len(judgment) == 1_000
    residual = earned - np.bincount(item, weights=earned)[item] / 80
    exact = np.sum((residual / 79 / 3_000) ** 2)
    assert np.sum((judgment - judgment.mean()) ** 2) == pytest.approx(exact, rel=0.15)
