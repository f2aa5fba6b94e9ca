"""What must not matter doesn't: the order of rows, the names of labels, the unit of a score."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.estimation.estimate import Estimate
from agreement.judgments.crowd import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.people.leave_one_out import LeaveOneOut, leave_one_out
from agreement.people.leave_one_out_own_words import text_people
from agreement.people.leave_one_out_round import people_of
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold
from tests.by_kind import person_of

# A person lists and a model ranks: test_listed_properties.py has what must not matter there.
METRICS = {
    kind: person.metrics for kind in KINDS if (person := statistics_of(kind).person) is not None and not person.of_lists
}
ITEMS, WORKERS, LABELS = 14, 5, ("a", "b", "c", "d")
SEEDS = st.integers(0, 10_000)


def _crowd(kind: QuestionKind, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    worker, item = (part.reshape(-1) for part in np.indices((WORKERS, ITEMS)))
    n = len(item)
    answers: dict[str, Any] = {
        "slider": lambda: rng.integers(0, 1001, n) / 10,
        "choice": lambda: rng.integers(0, 4, n),
        "verify": lambda: rng.integers(0, 4, n),
        "choices": lambda: rng.random((n, 4)) < 0.5,
        "ranking": lambda: np.argsort(rng.random((n, 4)), axis=1) + 1,
        "sliders": lambda: rng.integers(0, 6, (n, 4)).astype(float) + np.eye(4)[rng.integers(0, 4, n)],
        "text": lambda: np.array([" ".join(LABELS[at] for at in row) for row in rng.integers(0, 4, (n, 6))], object),
    }
    return item, worker, answers[kind]()


def _figures(done: LeaveOneOut) -> list[float]:
    return [one.estimate for one in (done.mean, done.weighted, done.pooled) if isinstance(one, Estimate)]


def _one(kind: QuestionKind, item: np.ndarray, worker: np.ndarray, answers: np.ndarray, metric: str) -> list[float]:
    return _figures(leave_one_out(person_of(kind), item, worker, answers, ITEMS, LABELS, rng=None, metric=metric))


EVERY = pytest.mark.parametrize(("kind", "metric"), [(kind, metric) for kind in METRICS for metric in METRICS[kind]])


@EVERY
@settings(max_examples=8)
@given(seed=SEEDS)
def test_order_of_rows_does_not_matter(kind: QuestionKind, metric: str, seed: int) -> None:
    item, worker, answers = _crowd(kind, seed)
    order = np.random.default_rng(seed + 1).permutation(len(item))

    first, second = (
        _one(kind, item, worker, answers, metric),
        _one(kind, item[order], worker[order], answers[order], metric),
    )

    assert first == pytest.approx(second, abs=1e-12)


@EVERY
@settings(max_examples=8)
@given(seed=SEEDS)
def test_names_of_labels_items_and_workers_do_not_matter(kind: QuestionKind, metric: str, seed: int) -> None:
    item, worker, answers = _crowd(kind, seed)
    rng = np.random.default_rng(seed + 2)
    new_item, new_worker, new_label = rng.permutation(ITEMS), rng.permutation(WORKERS), rng.permutation(4)
    if kind == "slider":
        turned = answers
    elif kind == "text":
        words = str.maketrans(dict(zip(LABELS, (f"w{at} " for at in new_label), strict=True)))
        turned = np.array([text.translate(words) for text in answers], dtype=object)
    else:
        turned = new_label[answers] if answers.ndim == 1 else answers[:, new_label]

    first = _one(kind, item, worker, answers, metric)
    second = _one(kind, new_item[item], new_worker[worker], turned, metric)

    assert first == pytest.approx(second, abs=1e-12)


@EVERY
def test_a_person_scored_alone_is_the_model_scored_on_their_items(kind: QuestionKind, metric: str) -> None:
    """The model in a person's place: with that person's own answers as outputs the two scores are one."""
    item, worker, answers = _crowd(kind, 3)
    mine = np.flatnonzero(worker == 2)
    if kind == "text":
        writers = text_people(person_of(kind), item, worker, answers, metric)
        texts = writers.in_their_place(answers[mine][np.argsort(item[mine])].tolist())
        assert writers.round(probe=texts).values[2] == pytest.approx(writers.round().values[2], abs=1e-12)
        return
    people = people_of(person_of(kind), item, worker, answers, ITEMS, 4, metric, "typical")
    outputs = answers[mine].astype(float)
    if kind in ("choice", "verify"):
        outputs = np.eye(4)[answers[mine]]
    elif kind == "ranking":
        outputs = 4 - outputs  # the first place is the highest score
    elif kind != "slider":
        outputs = outputs / np.maximum(outputs.sum(axis=1, keepdims=True), 1e-9)

    own, model = people.beside([people.in_their_place(outputs[np.argsort(item[mine])])])

    if kind != "choices":
        assert model.values[2] == pytest.approx(own.values[2], abs=1e-12)
    else:  # an empty set of labels is no answer for a person, and a wrong one for a model
        assert model.n_items.tolist() == own.n_items.tolist()


@pytest.mark.parametrize(("kind", "metric"), [(k, m) for k in ("choice", "choices") for m in METRICS[k]])
def test_scoring_each_case_once_is_scoring_each_judgment(
    kind: QuestionKind, metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    item, worker, answers = _crowd(kind, 4)
    kept = np.random.default_rng(5).random(len(item)) < 0.9
    crowd = (item[kept], worker[kept], answers[kept])
    by_case = leave_one_out(person_of(kind), *crowd, ITEMS, LABELS, rng=np.random.default_rng(6), metric=metric)

    monkeypatch.setattr("agreement.people.leave_one_out_gold.MOST_CASES", 0)
    assert (
        leave_one_out(person_of(kind), *crowd, ITEMS, LABELS, rng=None, metric=metric).values.tolist()
        == by_case.values.tolist()
    )
    monkeypatch.setattr("agreement.people.leave_one_out_gold.MOST_DIGITS", 0)
    by_judgment = leave_one_out(person_of(kind), *crowd, ITEMS, LABELS, rng=np.random.default_rng(6), metric=metric)

    assert by_case.values == pytest.approx(by_judgment.values, abs=1e-12)
    assert by_case.left_out == by_judgment.left_out
    for first, second in ((by_case.mean, by_judgment.mean), (by_case.pooled, by_judgment.pooled)):
        assert isinstance(first, Estimate)
        assert isinstance(second, Estimate)
        assert (first.estimate, first.low, first.high) == pytest.approx((second.estimate, second.low, second.high))


@settings(max_examples=20)
@given(seed=SEEDS, factor=st.floats(0.01, 100), shift=st.floats(-100, 100))
def test_the_unit_of_a_score_does_not_matter(seed: int, factor: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    ids = np.arange(20).astype(str).astype(object)
    gold = Gold("slider", ids, numbers=rng.normal(size=20))
    x = rng.normal(size=20)
    study = StudyItems("slider", ids)

    first, second = (
        score_probe(Probe("m", "numbers", (Run({}, values),)), gold, study).overall()
        for values in (x, x * factor + shift)
    )

    for metric in ("spearman", "pearson", "kendall", "rmse_calibrated"):
        score, again = first[metric], second[metric].figure
        assert isinstance(score.figure, Estimate)
        assert isinstance(again, Estimate)
        assert again.estimate == pytest.approx(score.figure.estimate, rel=1e-6, abs=1e-6)
