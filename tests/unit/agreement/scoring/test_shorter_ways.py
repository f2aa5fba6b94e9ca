"""Shorter ways of scoring people and models: the same figures as judgment by judgment, or pair by pair."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

from agreement.arrays import Ints
from agreement.people import leave_one_out_numbers, leave_one_out_round
from agreement.people.leave_one_out_numbers import Steps
from agreement.people.leave_one_out_round import people_of
from agreement.people.matched_share import matched_shares
from agreement.people.person_metrics import OF_NUMBERS, OF_ONE_LABEL
from agreement.people.worker_pairs import Pairs, _shared_cells
from agreement.scoring.metric import Outputs
from agreement.scoring.metrics import figures_alone, measured_parts
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score_gold import Gold

ITEMS, WORKERS, LABELS = 40, 7, 3


def _crowd_with_a_lone_item(seed: int, *, repeats: bool = False) -> tuple[Ints, Ints]:
    """Items that four of seven people judged, but for one, which loses its second judge where worker 3 is left out."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(ITEMS), 4)
    worker = np.argsort(rng.random((ITEMS, WORKERS)), axis=1)[:, :4].ravel()
    item, worker = np.r_[item[4:], 0, 0], np.r_[worker[4:], 3, 5]
    return (np.r_[item, item[:20]], np.r_[worker, worker[:20]]) if repeats else (item, worker)


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("metric", ["spearman", "pearson"])
def test_several_probes_at_once_are_each_in_every_workers_place(metric: str, *, repeats: bool) -> None:
    rng = np.random.default_rng(3)
    item, worker = _crowd_with_a_lone_item(3, repeats=repeats)
    value = np.rint(rng.normal(50, 20, len(item)))
    correlation: Any = stats.spearmanr if metric == "spearman" else stats.pearsonr
    probes = [rng.normal(50, 20, ITEMS), np.rint(rng.normal(5, 2, ITEMS))]
    people = people_of(OF_NUMBERS, item, worker, value, ITEMS, 0, metric, "typical")
    keeps = [None, people.worker != 3, people.item % 7 != 2, rng.random(len(item)) < 0.8]

    for keep, whole_items in zip(keeps, (False, False, True, False), strict=True):
        _, *models = people.beside([people.in_their_place(probe) for probe in probes], keep, whole_items=whole_items)
        stays = np.ones(len(item), dtype=np.bool_) if keep is None else keep
        assert isinstance(people.answers, Steps)
        of = pd.DataFrame({"item": people.item, "worker": people.worker, "value": people.answers.steps})[stays]
        for probe, model in zip(probes, models, strict=True):
            for who in np.unique(of["worker"]):
                rest = of[of["worker"] != who].groupby("item")["value"].mean()
                mine = of[(of["worker"] == who) & of["item"].isin(rest.index)]
                x, y = probe[mine["item"]], rest[mine["item"]].round(12)
                expected = correlation(x, y).statistic
                assert model.values[who] == pytest.approx(expected, abs=1e-12)
                assert model.n_items[who] == len(mine)


@pytest.mark.parametrize("repeats", [False, True])
def test_several_probes_of_labels_meet_the_gold_of_the_others(*, repeats: bool) -> None:
    rng = np.random.default_rng(4)
    item, worker = _crowd_with_a_lone_item(4, repeats=repeats)
    code = rng.integers(0, LABELS, len(item))
    probes = [rng.dirichlet(np.ones(LABELS), ITEMS), np.eye(LABELS)[rng.integers(0, LABELS, ITEMS)]]
    people = people_of(OF_ONE_LABEL, item, worker, code, ITEMS, LABELS, "accuracy", "typical")

    for keep in (None, people.worker != 3, rng.random(len(item)) < 0.8):
        own, *models = people.beside(probes, keep)
        np.testing.assert_array_equal(own.values, people.round(keep).values)
        stays = np.ones(len(item), dtype=np.bool_) if keep is None else keep
        assert not isinstance(people.answers, Steps)
        of = pd.DataFrame(people.answers[stays]).assign(item=people.item[stays], worker=people.worker[stays])
        for probe, model in zip(probes, models, strict=True):
            for who in np.unique(of["worker"]):
                rest = of[of["worker"] != who].groupby("item")[list(range(LABELS))].sum()
                mine = of[(of["worker"] == who) & of["item"].isin(rest.index)]
                votes, p = rest.loc[mine["item"]].to_numpy(), probe[mine["item"]]
                gold, top = (rows == rows.max(axis=1, keepdims=True) for rows in (votes, p))
                right = (gold & top).sum(axis=1) / top.sum(axis=1) / gold.sum(axis=1)
                assert model.values[who] == pytest.approx(right.mean(), abs=1e-12)


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


def test_gold_of_the_others_is_made_once_for_all_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    item, worker = _crowd_with_a_lone_item(7)
    value = np.rint(rng.normal(50, 20, len(item)))
    made = []

    def others_mean(*args: Any, **options: Any) -> Any:
        made.append(1)
        return leave_one_out_numbers.others_mean(*args, **options)

    monkeypatch.setattr(leave_one_out_round, "others_mean", others_mean)
    times = []
    for number in (1, 6):
        probes = [rng.normal(50, 20, ITEMS) for _ in range(number)]
        matched_shares(OF_NUMBERS, item, worker, value, ITEMS, probes=probes, seed=1, processes=1)
        times.append(len(made))
        made.clear()
    assert times[0] == times[1] > 0


def test_figures_alone_are_those_with_intervals() -> None:
    rng = np.random.default_rng(8)
    gold = Gold("slider", np.array([str(one) for one in range(ITEMS)], dtype=object), numbers=rng.normal(50, 20, ITEMS))
    study = StudyItems("slider", gold.ids)
    for size in (0, 1, 2, ITEMS - 5):
        values = np.where(np.arange(ITEMS) < size, rng.normal(50, 20, ITEMS), np.nan)
        probe = Probe("p", "numbers", (Run({}, values),))
        outputs = Outputs(probe, probe.runs[0], gold, study.rows_of(gold.ids), np.isfinite(values), None)
        [measured] = measured_parts(outputs, [np.arange(ITEMS)])
        alone = figures_alone(outputs)
        assert list(alone) == list(measured)
        for name, metric in measured.items():
            assert alone[name] == pytest.approx(metric.theta, rel=1e-12, nan_ok=True)
