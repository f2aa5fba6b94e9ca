"""n and the degrees of freedom of a score are those of the items that count, not of all that were given."""

import numpy as np
import pytest
from scipy import stats

from agreement.arrays import Floats, Ints
from agreement.estimation.estimate import Estimate
from agreement.people.reference_gold import gold_from_reference
from agreement.scoring.groups import Groups
from agreement.scoring.jackknifed_metric import Units
from agreement.scoring.metrics.of_labels import label_measures, label_measures_by_units
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold, LabelGold

LABELS = ("a", "b", "c")


def _shares(code: Ints) -> Floats:
    return np.asarray(np.eye(3)[code])


def test_average_precision_counts_the_items_with_a_property_named_often_enough() -> None:
    ids = np.array([f"i{at}" for at in range(20)], dtype=object)
    named: tuple[dict[str, int], ...] = ({"red": 2}, {"red": 2}, *({"red": 1} for _ in range(18)))
    gold = Gold("list", ids, properties=named)
    scores = np.tile([1.0, 0.5], (20, 1))
    scores[1] = [0.5, 1.0]
    probe = Probe("m", "ranking", (Run({}, scores),), vocabulary=("red", "blue"))

    found = score_probe(probe, gold, StudyItems("list", ids)).overall()

    twice, once = found["average_precision_at_2"], found.get("average_precision_at_30")
    assert isinstance(twice.figure, Estimate)
    assert (twice.n, twice.figure.n, twice.figure.estimate) == (2, 2, 0.75)
    assert "jackknife over 2 items" in twice.figure.method
    assert once is not None
    assert not isinstance(once.figure, Estimate)


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "precision_macro", "recall_macro"])
def test_labels_against_a_reference_count_the_items_that_have_one(metric: str) -> None:
    rng = np.random.default_rng(1)
    ids = [f"i{at}" for at in range(60)]
    truth = rng.integers(0, 3, 60)
    references = [LABELS[at] if i % 3 == 0 else "" for i, at in enumerate(truth)]
    answers = np.where(rng.random(60) < 0.7, truth, rng.integers(0, 3, 60))
    probe = Probe("m", "labels", (Run({}, _shares(answers)),))
    study = StudyItems("choice", np.array(ids, dtype=object), LABELS)
    some = [at for at in range(60) if at % 3 == 0]

    whole = score_probe(probe, gold_from_reference("choice", ids, references, LABELS), study, breakdowns=())
    there = gold_from_reference("choice", [ids[at] for at in some], [references[at] for at in some], LABELS)
    alone = score_probe(probe, there, study, breakdowns=())

    ours, theirs = whole.overall()[metric].figure, alone.overall()[metric].figure
    assert isinstance(ours, Estimate)
    assert isinstance(theirs, Estimate)
    assert (ours.n, ours.estimate) == (20, theirs.estimate)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_correlations_of_shares_count_the_items_whose_rows_vary() -> None:
    rng = np.random.default_rng(2)
    p, shares = rng.dirichlet([1, 1, 1], 30), rng.dirichlet([1, 1, 1], 30)
    p[5:] = 1 / 3
    gold = LabelGold(shares, shares > 0.2, shares == shares.max(axis=1, keepdims=True))

    [tau] = label_measures(Groups.one(30), p, gold, "typical")["kendall_of_shares"]

    credit = [stats.kendalltau(a, b).statistic for a, b in zip(p[:5], shares[:5], strict=True)]
    assert (tau.n, tau.df) == (5, 4)
    assert np.sqrt(tau.variance) == pytest.approx(stats.sem(credit))


def test_clusters_without_an_item_that_counts_are_none() -> None:
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(10), 3)
    sets = np.eye(3, dtype=bool)[rng.integers(0, 3, 30)]
    sets[15:] = False
    p = _shares(rng.integers(0, 3, 30))
    whole = label_measures_by_units(p, LabelGold(None, sets, sets), "typical", Units("clusters", clusters[None]))
    half = LabelGold(None, sets[:15], sets[:15])
    alone = label_measures_by_units(p[:15], half, "typical", Units("clusters", clusters[None, :15]))

    for name in ("accuracy", "f1_macro"):
        assert (whole[name].n, whole[name].size) == (15, 5)
        assert whole[name].df == pytest.approx(alone[name].df)
        assert whole[name].variance == pytest.approx(alone[name].variance)
