"""A person's texts against the others', a model's in their place, and what both share: the same references."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.estimation.estimate import Estimate, Undefined
from agreement.people.leave_one_out import leave_one_out
from agreement.people.leave_one_out_own_words import TextPeople, text_people
from agreement.people.matched_share import shares_of
from agreement.people.person_metrics import OF_TEXTS
from agreement.report.people_and_models import PersonAgainstOthers
from agreement.scoring.caption_metrics import caption_figures, rows_against_all
from agreement.scoring.text_pairs import CIDER_D, ROWS, TextCorpus

ITEMS, WORKERS = 24, 6
WORDS = np.array(["a", "red", "dog", "cat", "sits", "runs", "by", "the", "house", "tree"])
MEAN, ROUGE_L = "mean_of_four_without_one", "rouge_l_coco_without_one"


def crowd(seed: int = 1, *, noise: float = 0.3) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """What each worker writes of each item, and a model's texts, both near to what is there."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(WORDS, (ITEMS, 7))

    def said(at: int) -> str:
        return " ".join(np.where(rng.random(7) < noise, rng.choice(WORDS, 7), truth[at]))

    item, worker = (part.reshape(-1) for part in np.indices((ITEMS, WORKERS)))
    return item, worker, np.array([said(int(at)) for at in item], dtype=object), [said(at) for at in range(ITEMS)]


def people(metric: str = MEAN) -> tuple[TextPeople, list[str]]:
    item, worker, texts, model = crowd()
    return text_people(OF_TEXTS, item, worker, texts, metric, models=model), model


def test_a_person_is_held_against_the_other_texts_of_each_item() -> None:
    writers, _ = people()
    item, worker, texts, _ = crowd()

    for who in range(WORKERS):
        mine = np.flatnonzero(worker == who)
        others = [[str(texts[at]) for at in np.flatnonzero((item == item[own]) & (worker != who))] for own in mine]
        own = [str(texts[at]) for at in mine]
        expected = rows_against_all(TextCorpus.of(own, others), own, others).sum(axis=0)
        found = writers.own.summed()[writers.worker == who].sum(axis=0)
        apart = np.arange(len(found)) != CIDER_D  # its weights are those of all texts
        assert found[apart] == pytest.approx(expected[apart], abs=1e-9)


def test_the_headline_is_pooled_over_all_texts_with_an_interval_over_items_and_workers() -> None:
    item, worker, texts, _ = crowd()

    done = leave_one_out(OF_TEXTS, item, worker, texts, ITEMS, rng=np.random.default_rng(1))

    writers, _ = people()
    rows = writers.own.summed().sum(axis=0)
    assert isinstance(done.pooled, Estimate)
    assert done.pooled.estimate == pytest.approx(caption_figures(rows[None], ITEMS)[0, 12])
    assert (done.pooled.n, done.pooled.over, done.n_others) == (ITEMS * WORKERS, "items and workers", WORKERS - 1)
    assert done.pooled.low is not None
    assert done.pooled.high is not None
    assert done.pooled.low < done.pooled.estimate < done.pooled.high
    mean, pooled = Estimate(1, None, None, 3, ""), Estimate(2, None, None, 3, "")
    reported = PersonAgainstOthers(metric="rouge_l", mean=mean, weighted=mean, pooled=pooled)
    assert reported.person == mean
    assert replace(reported, headline="pooled").person == pooled


def test_leaving_a_worker_out_takes_their_texts_from_everyones_references() -> None:
    writers, model = people(ROUGE_L)
    item, worker, texts, _ = crowd()
    stay = worker != 2
    fewer = text_people(OF_TEXTS, item[stay], worker[stay], texts[stay], ROUGE_L, models=model)

    for probe, its in ((None, None), (writers.in_their_place(model), fewer.in_their_place(model))):
        found, expected = writers.round(writers.worker != 2, probe), fewer.round(probe=its)
        assert found.values[[0, 1, 3, 4, 5]] == pytest.approx(expected.values[[0, 1, 3, 4, 5]], abs=1e-12)
        assert found.n_items.tolist() == [24, 24, 0, 24, 24, 24]
        assert found.pooled == pytest.approx(expected.pooled, abs=1e-12)


def test_leaving_whole_items_out_is_quicker_and_the_same() -> None:
    writers, _ = people(ROUGE_L)
    keep = writers.item != 3

    quick, slow = writers.round(keep, whole_items=True), writers.round(keep)

    assert quick.values == pytest.approx(slow.values, abs=1e-12)
    assert quick.n_items.tolist() == slow.n_items.tolist() == [23] * WORKERS


def test_a_model_in_a_persons_place_meets_the_same_references() -> None:
    """A model that copies one person scores as that person does, where it stands in that person's place."""
    item, worker, texts, _ = crowd()
    copied = texts[worker == 4].tolist()
    writers = text_people(OF_TEXTS, item, worker, texts, MEAN, models=copied)

    own, model = writers.round(), writers.round(probe=writers.in_their_place(copied))

    assert model.values[4] == pytest.approx(own.values[4], abs=1e-12)
    assert (model.values[:4] > own.values[:4]).all()  # elsewhere its own source is among the references


def test_a_matched_share_of_texts() -> None:
    item, worker, texts, model = crowd()
    writers = text_people(OF_TEXTS, item, worker, texts, MEAN, models=model)

    share = shares_of(writers, [writers.in_their_place(model)], seed=1)[0]

    assert isinstance(share.share, Estimate)
    assert share.share.estimate == pytest.approx(1.0, abs=0.25)
    assert share.share.low is not None
    assert (share.workers, share.chance) == (WORKERS, 0.0)


def test_one_worker_twice_on_an_item_is_no_reference_of_their_own() -> None:
    item, worker = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 1])
    texts = np.array(["a dog", "a dog", "a cat", "the house", "a tree"], dtype=object)
    writers = text_people(OF_TEXTS, item, worker, texts, ROUGE_L)

    rows = writers.own.summed()

    assert rows[:, ROWS].tolist() == [1] * 5
    assert np.flatnonzero(writers.own.groups.sizes == 2).tolist() == [3]  # worker 1 is held against both
    assert writers.n_others == pytest.approx(6 / 5)


def test_texts_that_nobody_else_wrote_of_have_a_reason() -> None:
    item, worker = np.array([0, 1]), np.array([0, 1])
    done = leave_one_out(OF_TEXTS, item, worker, np.array(["a", "b"], dtype=object), 2, rng=None)

    assert isinstance(done.pooled, Undefined)
    assert "no item has texts by two people" in done.pooled.why
    assert isinstance(done.mean, Undefined)


def test_few_texts_a_worker_still_have_a_pooled_figure() -> None:
    item, worker, texts, _ = crowd()
    few = item < 5

    done = leave_one_out(OF_TEXTS, item[few], worker[few], texts[few], ITEMS, rng=np.random.default_rng(1))

    assert isinstance(done.pooled, Estimate)
    assert isinstance(done.mean, Undefined)
    assert "fewer than 10" in done.mean.why


def test_a_metric_of_other_answers_is_refused() -> None:
    item, worker, texts, _ = crowd()
    with pytest.raises(KeyError, match="rouge_l_coco_without_one"):
        text_people(OF_TEXTS, item, worker, texts, "spearman")
