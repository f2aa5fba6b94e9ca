"""A probe scored against gold: coverage, breakdowns, templates, and the constant answers of ViPhy."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement.errors import Refused
from agreement.estimation.estimate import Estimate, Undefined
from agreement.estimation.intervals import AMOUNT
from agreement.people.reference_gold import gold_from_reference
from agreement.scoring.comparison import compare_all
from agreement.scoring.jackknifed_metric import JackknifedMetric
from agreement.scoring.label_metrics import average_precision, expected_by_chance
from agreement.scoring.probe import Probe, Run, StudyItems
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold, LabelGold
from tests.by_kind import gold_from_table, gold_of

VIPHY = Path("../shared/data/viphy")
COLOURS = ("black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "white", "yellow")
IDS = np.array([f"i{at:02d}" for at in range(40)], dtype=object)
STUDY = StudyItems("slider", np.array([*IDS, "check"], dtype=object))


def _numbers(seed: int = 1) -> tuple[Gold, np.ndarray]:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=40)
    scene = np.where(np.arange(40) < 15, "kitchen", "garden").astype(object)
    return Gold("slider", IDS, numbers=gold, fields={"scene": scene}), rng.normal(size=41)


def _probe(values: np.ndarray, name: str = "model") -> Probe:
    return Probe(name, "numbers", (Run({}, values),))


def test_correlations_and_their_breakdowns_equal_scipy() -> None:
    gold, x = _numbers()

    done = score_probe(_probe(x), gold, STUDY)

    assert gold.numbers is not None
    at = {(score.metric, score.group): score.figure for score in done.scores}
    for name, part in (("", slice(None)), ("kitchen", slice(0, 15)), ("garden", slice(15, 40))):
        figure = at["spearman", name]
        assert isinstance(figure, Estimate)
        assert figure.estimate == pytest.approx(stats.spearmanr(x[:40][part], gold.numbers[part]).statistic)
        assert figure.low is not None
        assert figure.high is not None
        assert -1 <= figure.low < figure.estimate < figure.high <= 1
    assert (done.coverage.gold, done.coverage.covered, done.coverage.beyond) == (40, 40, ("check",))


def test_an_uncovered_item_leaves_a_correlation_unranked() -> None:
    gold, x = _numbers()
    part = x.copy()
    part[[3, 7]] = np.nan
    full, partial = score_probe(_probe(x, "full"), gold, STUDY), score_probe(_probe(part, "part"), gold, STUDY)

    assert gold.numbers is not None
    rest = np.delete(np.arange(40), [3, 7])
    figure = partial.overall()["spearman"].figure
    assert isinstance(figure, Estimate)
    assert figure.estimate == pytest.approx(stats.spearmanr(x[rest], gold.numbers[rest]).statistic)
    assert partial.coverage.missing == ("i03", "i07")
    assert [one.ranks("spearman") for one in (partial, full)] == [False, True]
    [pair] = compare_all([_probe(x, "full"), _probe(part, "part")], [full, partial], gold, STUDY, ["spearman"])
    assert isinstance(pair.figure, Estimate)
    assert (pair.figure.estimate, pair.figure.n) == (0.0, 38)


def test_an_uncovered_item_is_wrong_for_accuracy() -> None:
    gold = gold_from_reference("choices", ["a", "b"], ["red", "blue"], ("red", "blue"))
    study = StudyItems("choices", np.array(["a", "b"], dtype=object), ("red", "blue"))

    done = score_probe(Probe("m", "labels", (Run({}, np.array([[1.0, 0], [np.nan, np.nan]])),)), gold, study)

    figure = done.overall()["r_acc"].figure
    assert isinstance(figure, Estimate)
    assert figure.estimate == 0.5
    assert done.ranks("r_acc")
    assert done.overall()["r_acc"].chance == 0.5


def test_templates_give_a_mean_an_sd_and_a_maximum() -> None:
    gold = gold_from_reference("choices", ["a", "b"], ["red", "blue"], ("red", "blue"))
    study = StudyItems("choices", np.array(["a", "b"], dtype=object), ("red", "blue"))
    right, wrong = np.array([[1.0, 0], [0, 1]]), np.array([[1.0, 0], [1, 0]])
    runs = tuple(Run({"template": str(at)}, values) for at, values in enumerate((right, wrong, wrong)))

    done = score_probe(Probe("m", "labels", runs), gold, study)

    accuracies = [1, 0.5, 0.5]
    mean, sd = done.overall()["accuracy"].figure, done.overall()["accuracy_sd"].figure
    assert isinstance(mean, Estimate)
    assert isinstance(sd, Estimate)
    assert mean.estimate == pytest.approx(np.mean(accuracies))
    assert sd.estimate == pytest.approx(np.std(accuracies, ddof=1))
    assert "mean over 3 templates or runs" in mean.method
    most = done.overall()["accuracy_max"].figure
    assert isinstance(most, Estimate)
    assert (most.estimate, most.method) == (1.0, "maximum of accuracy over 3 templates or runs")


def test_settings_are_scored_apart() -> None:
    gold, x = _numbers()
    runs = (Run({"shots": "0"}, x), Run({"shots": "4"}, -x))

    done = score_probe(Probe("m", "numbers", runs), gold, STUDY, breakdowns=())

    by_group = {score.group: score.figure for score in done.scores if score.metric == "spearman"}
    zero, four = by_group["shots=0"], by_group["shots=4"]
    assert isinstance(zero, Estimate)
    assert isinstance(four, Estimate)
    assert zero.estimate == pytest.approx(-four.estimate)


def test_gold_that_shares_terms_leaves_terms_out() -> None:
    left, right = np.triu_indices(9, 1)
    n = len(left)
    ids = np.arange(n).astype(str).astype(object)
    fields = {"left": left.astype(str).astype(object), "right": right.astype(str).astype(object)}
    gold = Gold("slider", ids, numbers=np.random.default_rng(1).normal(size=n), fields=fields)

    done = score_probe(_probe(np.random.default_rng(2).normal(size=n)), gold, StudyItems("slider", ids))

    figure = done.overall()["spearman"].figure
    assert isinstance(figure, Estimate)
    assert "jackknife over 9 terms" in figure.method


def test_terms_none_of_whose_items_is_covered_are_undefined_in_words() -> None:
    ids = np.arange(12).astype(str).astype(object)
    left, right = (np.array([f"{side}{at % 3}" for at in range(12)], dtype=object) for side in "lr")
    scene = np.where(np.arange(12) < 6, "kitchen", "garden").astype(object)
    gold = Gold("slider", ids, numbers=np.arange(12.0) ** 2, fields={"left": left, "right": right, "scene": scene})
    garden = np.where(np.arange(12) < 6, np.nan, np.arange(12.0))

    done = score_probe(_probe(garden), gold, StudyItems("slider", ids))

    figures = {score.group: score.figure for score in done.scores if score.metric == "pearson"}
    assert isinstance(figures["kitchen"], Undefined)
    assert isinstance(figures["garden"], Estimate)
    assert figures["garden"].estimate == pytest.approx(stats.pearsonr(np.arange(6, 12), np.arange(6, 12) ** 2)[0])


def test_a_constant_probe_is_undefined_in_words() -> None:
    gold, _ = _numbers()

    figure = score_probe(_probe(np.ones(41)), gold, STUDY).overall()["spearman"].figure

    assert isinstance(figure, Undefined)
    assert "never varies" in figure.why


def test_a_probe_of_another_shape_is_refused() -> None:
    gold, _ = _numbers()

    with pytest.raises(Refused, match="model gives texts; gold of kind slider takes numbers"):
        score_probe(Probe("model", "texts", ()), gold, STUDY)


def test_gold_comes_back_from_its_table() -> None:
    items = pd.DataFrame(
        {"item_id": ["a", "b", "c"], "kind": "target", "left": "", "right": "", "scene": ["x", "y", "z"]}
    )
    item, worker = np.array([0, 0, 1]), np.array([0, 1, 0])

    slider = gold_from_table("slider", gold_of("slider", item, worker, np.array([1.0, 3, 5]), 3, items=items))
    choice = gold_of("choice", item, worker, np.array([0, 1, 1], dtype=np.int32), 3, ("p", "q"), items=items)
    labels = gold_from_table("choice", choice, ("p", "q"))

    assert slider.numbers is not None
    assert slider.numbers.tolist() == [2, 5]
    assert slider.fields["scene"].tolist() == ["x", "y"]
    assert labels.by_label is not None
    assert labels.by_label.majority.tolist() == [[True, True], [False, True]]
    assert set(labels.fields) == {"scene", "left", "right"}


def test_templates_that_cover_different_items_are_measured_on_those_that_all_cover() -> None:
    gold, x = _numbers()
    other = np.random.default_rng(3).normal(size=41)
    first, second = x.copy(), other.copy()
    first[3], second[7] = np.nan, np.nan
    runs = (Run({"template": "a"}, first), Run({"template": "b"}, second))

    done = score_probe(Probe("m", "numbers", runs), gold, STUDY, breakdowns=())

    assert gold.numbers is not None
    rest = np.delete(np.arange(40), [3, 7])
    figure = done.overall()["spearman"].figure
    assert isinstance(figure, Estimate)
    expected = [stats.spearmanr(values[rest], gold.numbers[rest]).statistic for values in (x, other)]
    assert figure.estimate == pytest.approx(np.mean(expected))
    assert (figure.n, done.coverage.covered) == (38, 38)


def test_partial_label_probes_are_compared_on_the_items_that_both_cover() -> None:
    rng = np.random.default_rng(5)
    shares, p, q = rng.dirichlet(np.ones(4), (3, 40))
    q[:4] = np.nan
    labels = ("a", "b", "c", "d")
    table = LabelGold(shares, shares > 0.2, shares == shares.max(axis=1, keepdims=True))
    gold, study = Gold("choice", IDS, labels, by_label=table), StudyItems("choice", IDS, labels)
    probes = [Probe(name, "labels", (Run({}, values),)) for name, values in (("p", p), ("q", q))]

    [pair] = compare_all(probes, [score_probe(one, gold, study) for one in probes], gold, study, ["kendall_of_shares"])

    tau = [[stats.kendalltau(a, b).statistic for a, b in zip(side[4:], shares[4:], strict=True)] for side in (p, q)]
    assert isinstance(pair.figure, Estimate)
    assert pair.figure.estimate == pytest.approx(np.mean(tau[0]) - np.mean(tau[1]))
    assert pair.p == pytest.approx(stats.ttest_rel(tau[0], tau[1]).pvalue)


def test_average_precision_has_its_level_of_chance() -> None:
    rng = np.random.default_rng(6)
    gold = np.zeros((1, 30), dtype=bool)
    gold[0, :4] = True

    shuffled = average_precision(rng.random((20_000, 30)), np.repeat(gold, 20_000, axis=0)).mean()

    assert expected_by_chance(gold)[0] == pytest.approx(shuffled, abs=0.003)


@pytest.mark.needs_shared_data
@pytest.mark.skipif(not VIPHY.is_dir(), reason="the public crowds in ../shared/data are not here")
@pytest.mark.parametrize(
    ("task", "labels", "answer", "expected"),
    [
        ("color", COLOURS, "white", 0.5595),
        ("spatial", ("above", "similar level", "below"), "below", 0.5099),
        ("size", ("larger", "smaller"), "larger", 0.4981),
    ],
)
def test_constant_answers_on_viphy(task: str, labels: tuple[str, ...], answer: str, expected: float) -> None:
    released = pd.read_csv(VIPHY / f"{task}-test.csv", dtype=str, keep_default_na=False)
    ids = released["item_id"].to_numpy(dtype=object)
    gold = gold_from_reference("choices", ids.tolist(), released["reference"].tolist(), labels)
    constant = np.zeros((len(ids), len(labels)))
    constant[:, labels.index(answer)] = 1

    done = score_probe(Probe(answer, "labels", (Run({}, constant),)), gold, StudyItems("choices", ids, labels))

    figure = done.overall()["r_acc"].figure
    assert isinstance(figure, Estimate)
    assert round(figure.estimate, 4) == expected


def test_an_error_from_three_items_has_no_limits_beyond_its_scale() -> None:
    errors = JackknifedMetric(30.0, np.array([5.0, 28.0, 44.0]))

    figure = errors.figure(3, "RMSE", AMOUNT)

    assert isinstance(figure, Estimate)
    assert figure.high is None
    assert "its limits would leave the scale" in figure.method
