"""Shorter ways of scoring people and models: the same figures as judgment by judgment, or pair by pair."""

import numpy as np
import pytest
from scipy import sparse

from agreement.scoring.leave_one_out_gold import EncodedAnswers, others_shares
from agreement.scoring.leave_one_out_round import people_of
from agreement.scoring.worker_pairs import Pairs, _shared_cells
from questions.kind import QuestionKind
from questions.statistics import statistics_of

ITEMS, WORKERS, LABELS = 40, 7, 3


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize(("kind", "metric"), [("slider", "spearman"), ("slider", "pearson"), ("choice", "accuracy")])
def test_beside_is_the_round_of_each(kind: QuestionKind, metric: str, repeats: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(ITEMS), 4)
    worker = np.argsort(rng.random((ITEMS, WORKERS)), axis=1)[:, :4].ravel()
    if repeats:
        item, worker = np.r_[item, item[:20]], np.r_[worker, worker[:20]]
    answers = rng.integers(0, LABELS, len(item)) if kind == "choice" else np.rint(rng.normal(50, 20, len(item)))
    probe = rng.dirichlet(np.ones(LABELS), ITEMS) if kind == "choice" else rng.normal(50, 20, ITEMS)
    person = statistics_of(kind).person
    assert person is not None
    name = metric if metric in person.metrics else person.default
    people = people_of(person, item, worker, answers, ITEMS, LABELS, name, "typical")
    for keep in (None, rng.random(len(item)) < 0.8):
        own, model = people.beside(probe, keep)
        np.testing.assert_array_equal(own.values, people.round(keep).values)
        np.testing.assert_array_equal(model.values, people.round(keep, probe).values)


def test_cases_of_a_model_are_its_judgments() -> None:
    rng = np.random.default_rng(4)
    item = np.repeat(np.arange(ITEMS), 4)
    worker = np.argsort(rng.random((ITEMS, WORKERS)), axis=1)[:, :4].ravel()
    order = np.argsort(worker, kind="stable")
    item, worker = item[order], worker[order]
    weights, probe = np.eye(LABELS)[rng.integers(0, LABELS, len(item))], rng.dirichlet(np.ones(LABELS), ITEMS)
    written = EncodedAnswers.of(item, weights)
    assert written is not None
    cases = written.shares(worker, item, WORKERS, ITEMS, probe)
    plain = others_shares(worker, item, weights, WORKERS, ITEMS, repeats=False)
    assert len(cases.person) < len(item)
    np.testing.assert_array_equal(cases.at(cases.person), probe[plain.item])
    np.testing.assert_array_equal(cases.at(cases.others), plain.others)


def test_shared_cells_of_pairs_are_those_of_both() -> None:
    rng = np.random.default_rng(5)
    answered = rng.random((8, 30)) < np.linspace(0.9, 0.2, 8)[:, None]  # some far busier than others
    x = sparse.csr_array(np.where(answered, rng.normal(size=answered.shape), 0.0))
    a, b = np.triu_indices(8, k=1)
    a, b = np.r_[a[:9], b[9:]], np.r_[b[:9], a[9:]]
    pairs = Pairs(a, b, (answered[a] & answered[b]).sum(axis=1), np.zeros(len(a)))
    mine, theirs = _shared_cells(x, pairs)
    shared = [np.flatnonzero(answered[one] & answered[other]) for one, other in zip(a, b, strict=True)]
    for cells, who in ((mine, a), (theirs, b)):
        np.testing.assert_array_equal(x.indices[cells], np.concatenate(shared))
        np.testing.assert_array_equal(np.searchsorted(x.indptr, cells, side="right") - 1, np.repeat(who, pairs.m))
