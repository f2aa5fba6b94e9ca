"""Dawid-Skene and MACE equal plain loops over their published formulas, and beat the majority on Snow's RTE."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agreement.gold.annotator_models import Consensus, dawid_skene, mace
from tests.by_kind import consensus_of, gold_of

RTE = Path(__file__).parents[3] / "cases" / "crowds" / "snow-rte"
Model = Callable[[np.ndarray, np.ndarray, np.ndarray, int, int], Consensus]


def _votes(seed: int, n_items: int = 60, n_workers: int = 8, size: int = 3) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, size, n_items)
    skill = rng.uniform(0.3, 0.95, n_workers)
    item = np.repeat(np.arange(n_items), 5)
    worker = np.concatenate([rng.choice(n_workers, 5, replace=False) for _ in range(n_items)])
    label = np.where(rng.random(len(item)) < skill[worker], truth[item], rng.integers(0, size, len(item)))
    order = rng.permutation(len(item))
    return item[order], worker[order], label[order]


def _dawid_skene_by_loops(votes: list[tuple[int, int, int]], sizes: tuple[int, int, int], rounds: int) -> np.ndarray:
    n_items, n_workers, size = sizes
    p = np.zeros((n_items, size))
    for i, _, k in votes:
        p[i, k] += 1
    p /= p.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        theta = np.zeros((n_workers, size, size))
        for i, w, k in votes:
            theta[w, :, k] += p[i]
        theta /= theta.sum(axis=2, keepdims=True)
        prior = p.mean(axis=0)
        p = np.tile(prior, (n_items, 1))
        for i, w, k in votes:
            p[i] *= theta[w, :, k]
        p /= p.sum(axis=1, keepdims=True)
    return p


def test_dawid_skene_equals_plain_loops() -> None:
    item, worker, label = _votes(1)

    done = dawid_skene(item, worker, label, 60, 3)

    votes = list(zip(item.tolist(), worker.tolist(), label.tolist(), strict=True))
    assert done.p == pytest.approx(_dawid_skene_by_loops(votes, (60, 8, 3), done.rounds), abs=1e-9)


def test_mace_equals_plain_loops() -> None:
    item, worker, label = _votes(2)
    votes = list(zip(item.tolist(), worker.tolist(), label.tolist(), strict=True))

    done = mace(item, worker, label, 60, 3)

    knows = np.full(8, 0.5)
    xi = np.full((8, 3), 0.01 / 3)
    for _, w, k in votes:
        xi[w, k] += 1
    xi /= xi.sum(axis=1, keepdims=True)
    for _ in range(done.rounds):
        p = np.ones((60, 3))
        for i, w, k in votes:
            for truth in range(3):
                p[i, truth] *= knows[w] * (k == truth) + (1 - knows[w]) * xi[w, k]
        p /= p.sum(axis=1, keepdims=True)
        known, guessed, total = np.full(8, 0.01 / 3), np.full((8, 3), 0.01 / 3), np.full(8, 0.02 / 3)
        for i, w, k in votes:
            share = p[i, k] * knows[w] / (knows[w] + (1 - knows[w]) * xi[w, k])
            known[w] += share
            guessed[w, k] += 1 - share
            total[w] += 1
        knows, xi = known / total, guessed / guessed.sum(axis=1, keepdims=True)
    assert done.p == pytest.approx(p, abs=1e-9)
    assert done.accuracy == pytest.approx(knows + (1 - knows) / 3, abs=1e-9)


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_items_and_workers_without_votes_have_no_figure(model: Model) -> None:
    done = model(np.array([2]), np.array([1]), np.array([0]), 3, 2)

    assert np.isnan(done.p[:2]).all()
    assert done.p[2].argmax() == 0
    assert np.isnan(done.accuracy[0])


def test_models_stand_beside_the_majority() -> None:
    item, worker, label = _votes(3)
    beside = consensus_of("choice", item, worker, label, 60, ("a", "b", "c"))

    gold = gold_of("choice", item, worker, label, 60, ("a", "b", "c"), beside=beside)

    assert list(gold.columns[-4:]) == ["dawid_skene", "dawid_skene_p", "mace", "mace_p"]
    assert consensus_of("slider", item, worker, label, 60, ()) == {}


@pytest.mark.parametrize(("model", "expected"), [(dawid_skene, 0.9275), (mace, 0.92875)])
def test_snow_rte_accuracy(model: Model, expected: float) -> None:
    judgments, reference = pd.read_csv(RTE / "judgments.csv"), pd.read_csv(RTE / "reference.csv")
    item, ids = pd.factorize(judgments["item_id"])
    worker, _ = pd.factorize(judgments["worker_id"])
    yes = reference.set_index("item_id")["reference"].loc[ids] == "yes"

    done = model(item, worker, (judgments["value"] == "yes").to_numpy().astype(int), len(ids), 2)

    assert ((done.p[:, 1] > 0.5) == yes.to_numpy()).mean() == pytest.approx(expected, abs=1e-12)


def test_dawid_skene_of_many_labels_is_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many labels only the confusions that there are are held; where workers met each label often, that is all."""
    rng = np.random.default_rng(6)
    item = np.repeat(np.arange(800), 8)
    worker = np.concatenate([rng.choice(12, 8, replace=False) for _ in range(800)])
    label = np.where(rng.random(6_400) < 0.8, rng.integers(0, 40, 800)[item], rng.integers(0, 40, 6_400))

    ours = dawid_skene(item, worker, label, 800, 40)
    monkeypatch.setattr("agreement.gold.annotator_models.MANY_LABELS", 1_000)
    theirs = dawid_skene(item, worker, label, 800, 40)

    assert ours.rounds == theirs.rounds
    assert ours.p == pytest.approx(theirs.p, abs=1e-9)
    assert ours.accuracy == pytest.approx(theirs.accuracy, abs=1e-9)
    assert ours.log_likelihood == pytest.approx(theirs.log_likelihood, abs=1e-6)


def test_memory_of_the_models_grows_with_the_votes_and_not_with_labels_squared() -> None:
    """1,000 workers and 200 labels have 40 million confusions, 320 MB; 20,000 votes fill few of them."""
    rng = np.random.default_rng(7)
    item = np.repeat(np.arange(2_000), 10)
    worker = (np.arange(20_000) * 7) % 1_000
    label = np.where(rng.random(20_000) < 0.7, rng.integers(0, 200, 2_000)[item], rng.integers(0, 200, 20_000))

    tracemalloc.start()
    for model in (dawid_skene, mace):
        model(item, worker, label, 2_000, 200)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 100_000_000
