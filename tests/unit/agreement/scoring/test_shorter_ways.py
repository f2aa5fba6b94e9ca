"""Shorter ways of scoring people and models: the same figures as judgment by judgment, or pair by pair."""

import numpy as np
import pytest
from scipy import sparse

from agreement.kinds.kind import QuestionKind
from agreement.kinds.statistics import statistics_of
from agreement.people import leave_one_out_numbers
from agreement.people.leave_one_out_gold import EncodedAnswers, others_shares
from agreement.people.leave_one_out_round import people_of
from agreement.people.person_metrics import OF_NUMBERS
from agreement.people.worker_pairs import Pairs, _shared_cells

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


@pytest.mark.parametrize("constant", [False, True])
def test_rounds_worker_by_worker_are_those_of_all_at_once(monkeypatch: pytest.MonkeyPatch, *, constant: bool) -> None:
    rng = np.random.default_rng(6)
    place = rng.permutation(60 * 8)[:430]
    item, worker = (place // 8).astype(np.int32), (place % 8).astype(np.int32)
    value = np.rint(rng.uniform(0, 5, 60)[item] + rng.normal(size=430))
    value[(worker == 2) & constant] = 3.0
    people = people_of(OF_NUMBERS, item, worker, value, 60, 0, "spearman", "typical")
    keeps = [people.worker != 3, people.item % 7 != 2, rng.random(430) < 0.9]

    for keep, whole_items in zip(keeps, (False, True, False), strict=True):
        monkeypatch.setattr(leave_one_out_numbers, "LARGE", 1_000)
        all_at_once = people.round(keep, whole_items=whole_items)
        monkeypatch.setattr(leave_one_out_numbers, "LARGE", 1)
        monkeypatch.setattr(leave_one_out_numbers, "MOST_CELLS", 1_000)
        assert people._totals is not None
        assert people._totals.spearman(keep) is not None
        by_worker = people.round(keep, whole_items=whole_items)
        assert by_worker.n_items.tolist() == all_at_once.n_items.tolist()
        np.testing.assert_allclose(by_worker.values, all_at_once.values, rtol=0, atol=1e-14)
        assert by_worker.pooled == pytest.approx(all_at_once.pooled, abs=1e-14)
