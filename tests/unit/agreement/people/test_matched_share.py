"""Matched share, workers against a reference, and the crowd as a model: each by the functions that score models."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement.estimation.estimate import Estimate, Undefined
from agreement.judgments.crowd import QuestionKind
from agreement.people.leave_one_out import against_reference, leave_one_out
from agreement.people.matched_share import matched_shares
from agreement.people.person_metrics import OF_LABEL_SETS, OF_NUMBERS, OF_ONE_LABEL
from agreement.people.reference_gold import gold_from_reference
from agreement.scoring.probe import StudyItems
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold, crowd_as_probe
from tests.by_kind import gold_from_table, gold_of, person_of

CASES = Path(__file__).parents[3] / "cases" / "crowds"


def _crowd(seed: int = 1, noise: float = 25) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(80), 6)
    worker = np.concatenate([rng.choice(24, 6, replace=False) for _ in range(80)])
    truth = rng.uniform(0, 100, 80)
    return item, worker, np.rint(truth[item] + rng.normal(0, noise, 480)), truth


def test_matched_share_holds_the_model_against_each_workers_own_gold() -> None:
    item, worker, value, truth = _crowd()
    model = truth + np.random.default_rng(2).normal(0, 10, 80)
    by_model, by_person = [], []
    for who in range(24):
        mine = np.flatnonzero(worker == who)
        gold = [round(np.mean(value[(item == item[j]) & (worker != who)]), 10) for j in mine]
        by_model.append(stats.spearmanr(model[item[mine]], gold).statistic)
        by_person.append(stats.spearmanr(value[mine], gold).statistic)

    done = matched_shares(OF_NUMBERS, item, worker, value, 80, probes=[model], seed=3, processes=1)[0]

    assert isinstance(done.share, Estimate)
    assert isinstance(done.person, Estimate)
    assert done.workers == 24
    assert done.person.estimate == pytest.approx(np.mean(by_person))
    assert done.share.estimate == pytest.approx(np.mean(by_model) / np.mean(by_person))
    assert done.share.low is not None
    assert done.share.high is not None
    assert 1 < done.share.low < done.share.estimate < done.share.high < 2


def test_matched_share_of_a_person_at_chance_is_undefined_in_words() -> None:
    item, worker, _, truth = _crowd()
    guesses = np.random.default_rng(5).integers(0, 101, 480).astype(float)

    done = matched_shares(OF_NUMBERS, item, worker, guesses, 80, probes=[truth], seed=3)[0]

    assert isinstance(done.share, Undefined)
    assert "a person's own score on the same items, -0.0356, isn't above chance, 0" in done.share.why


def test_matched_share_of_labels_takes_the_level_of_chance_off() -> None:
    rng = np.random.default_rng(7)
    item, worker, _, _ = _crowd()
    truth = rng.integers(0, 2, 80)
    code = np.where(rng.random(480) < 0.85, truth[item], 1 - truth[item]).astype(np.int32)
    perfect = np.eye(2)[truth]

    done = matched_shares(OF_ONE_LABEL, item, worker, code, 80, ("a", "b"), probes=[perfect], seed=7, processes=1)[0]
    person = leave_one_out(OF_ONE_LABEL, item, worker, code, 80, ("a", "b"), rng=None).mean

    assert isinstance(done.share, Estimate)
    assert isinstance(done.model, Estimate)
    assert isinstance(person, Estimate)
    assert 0.45 < done.chance < 0.65
    above = done.model.estimate - done.chance, person.estimate - done.chance
    assert done.share.estimate == pytest.approx(above[0] / above[1])


def _skewed() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eight good workers, 200 items, one label on 90 % of them."""
    rng = np.random.default_rng(11)
    item, worker = np.repeat(np.arange(200), 8), np.tile(np.arange(8), 200)
    truth = (np.arange(200) % 10 == 0).astype(np.int32)
    return item, worker, np.where(rng.random(1_600) < 0.02, 1 - truth[item], truth[item])


@pytest.mark.parametrize("kind", ["choice", "verify"])
def test_matched_share_of_the_majority_label_throughout_is_none(kind: QuestionKind) -> None:
    item, worker, code = _skewed()
    always = np.tile([1.0, 0.0], (200, 1))

    done = matched_shares(person_of(kind), item, worker, code, 200, ("neg", "pos"), probes=[always], seed=1)[0]

    assert isinstance(done.share, Estimate)
    assert isinstance(done.model, Estimate)
    assert done.model.estimate > 0.88
    assert done.chance == pytest.approx(done.model.estimate, abs=1e-12)
    assert done.share.estimate == pytest.approx(0, abs=1e-9)
    assert "what the best constant answer gets (neg)" in done.share.method


@pytest.mark.parametrize("metric", ["accuracy", "r_acc", "conf"])
@pytest.mark.parametrize("kind", ["choice", "choices"])
def test_level_of_chance_is_the_best_of_all_models_that_give_one_label(kind: QuestionKind, metric: str) -> None:
    rng = np.random.default_rng(12)
    item, worker, _, _ = _crowd()
    code = rng.choice(4, 480, p=[0.5, 0.3, 0.1, 0.1])
    answers = np.eye(4, dtype=bool)[code] | (rng.random((480, 4)) < 0.1) if kind == "choices" else code
    names = ("a", "b", "c", "d")

    models = []
    for label in range(4):
        always = np.tile(np.eye(4)[label], (80, 1))
        done = matched_shares(
            person_of(kind), item, worker, answers, 80, names, probes=[always], metric=metric, seed=7, least_items=5
        )[0]
        assert isinstance(done.model, Estimate)
        models.append(done.model.estimate)

    assert done.chance == pytest.approx(max(models), abs=1e-12)


def test_level_of_chance_of_macro_f1_is_that_of_the_best_constant_label() -> None:
    item, worker, code = _skewed()
    models = []
    for label in range(2):
        always = np.tile(np.eye(2)[label], (200, 1))
        done = matched_shares(OF_ONE_LABEL, item, worker, code, 200, ("a", "b"), probes=[always], metric="f1", seed=1)[
            0
        ]
        assert isinstance(done.model, Estimate)
        models.append(done.model.estimate)

    assert done.chance == pytest.approx(max(models), abs=1e-12)


def test_each_worker_is_a_probe_against_the_reference() -> None:
    item, worker, value, truth = _crowd()
    reference = truth.copy()
    reference[:5] = np.nan

    done = against_reference(OF_NUMBERS, item, worker, value, 80, reference=reference, rng=None, least_items=5)

    expected = []
    for who in range(24):
        mine = (worker == who) & (item >= 5)
        expected.append(stats.spearmanr(value[mine], reference[item[mine]]).statistic)
    assert done.values == pytest.approx(expected)
    assert done.n_others == 0


def test_workers_against_reference_sets_score_r_acc() -> None:
    item, worker = np.tile(np.arange(12), 2), np.repeat([0, 1], 12)
    chosen = np.zeros((24, 3), dtype=bool)
    chosen[:12, 0], chosen[12:, :2] = True, True
    reference = np.tile([[True, False, False]], (12, 1))

    done = against_reference(OF_LABEL_SETS, item, worker, chosen, 12, ("a", "b", "c"), reference=reference, rng=None)

    assert (done.metric, done.values.tolist()) == ("r_acc", [1.0, 0.5])


def test_snow_rte_crowd_as_a_model_gets_half_credit_for_ties() -> None:
    judgments = pd.read_csv(CASES / "snow-rte/judgments.csv")
    reference = pd.read_csv(CASES / "snow-rte/reference.csv")
    item, ids = pd.factorize(judgments["item_id"])
    worker, _ = pd.factorize(judgments["worker_id"])
    code = (judgments["value"] == "no").to_numpy().astype(np.int32)
    items = pd.DataFrame({"item_id": ids, "kind": "target"})
    table = gold_of("choice", item, worker, code, len(ids), ("yes", "no"), items=items)
    study = StudyItems("choice", table["item_id"].to_numpy(dtype=object), ("yes", "no"))
    known = gold_from_reference("choice", reference["item_id"].tolist(), reference["reference"].tolist(), ("yes", "no"))

    done = score_probe(crowd_as_probe(gold_from_table("choice", table, ("yes", "no")), study), known, study)

    figure = done.overall()["accuracy"].figure
    assert isinstance(figure, Estimate)
    assert round(figure.estimate, 4) == 0.8969
    assert table["tied"].sum() == 65


def test_snow_word_similarity_against_miller_and_charles() -> None:
    judgments = pd.read_csv(CASES / "snow-wordsim/judgments.csv")
    published = pd.read_csv(CASES / "snow-wordsim/miller-charles.csv")
    item, ids = pd.factorize(judgments["item_id"])
    worker, _ = pd.factorize(judgments["worker_id"])
    items = pd.DataFrame({"item_id": ids, "kind": "target"})
    table = gold_of("slider", item, worker, judgments["value"].to_numpy(dtype=float), len(ids), items=items)
    study = StudyItems("slider", table["item_id"].to_numpy(dtype=object))
    reference = Gold("slider", published["item_id"].to_numpy(dtype=object), numbers=published["score"].to_numpy())

    done = score_probe(crowd_as_probe(gold_from_table("slider", table), study), reference, study).overall()

    for metric, expected in (("pearson", 0.9519), ("spearman", 0.9458)):
        figure = done[metric].figure
        assert isinstance(figure, Estimate)
        assert round(figure.estimate, 4) == expected
