"""Kind `ranking`: its figures beside published and independent ones, its files and its form."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.utils import translation
from scipy import stats

from agreement.cleaning.check_items import uniform_pass
from agreement.cleaning.rule import CountedJudgments
from agreement.cleaning.rules.check import Check
from agreement.cleaning.rules.disagreement import Disagreement, agreement_with_others
from agreement.cleaning.rules.row_disagreement import RowDisagreement
from agreement.cleaning.rules.straight_lining import StraightLining
from agreement.errors import Refused
from agreement.estimation.design import design_of
from agreement.judgments.crowd import Crowd
from agreement.judgments.judgments_file import read_judgments
from agreement.kinds.answers import Answer, Offered, ShownLabel
from agreement.kinds.data import data_of, wrong_right_answer
from agreement.kinds.ranking.concordance import (
    OF_ORDERS,
    Columns,
    FromMean,
    Pairwise,
    by_item,
    centred_places,
    kendall_distance,
    kendall_w,
    mean_over_items,
    signs_of_pairs,
)
from agreement.people.leave_one_out import leave_one_out
from agreement.people.matched_share import matched_shares
from agreement.scoring.probe import StudyItems
from agreement.scoring.probe_file import read_probe
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold, crowd_as_probe
from annotation.answering.kinds.form import BadAnswer, Facts, form_of
from tests.by_kind import agreement_of, gold_from_table, gold_of
from tests.reports import as_dict
from tests.unit.agreement.cleaning.crowds import crowd_of

CASES = Path(__file__).parents[3] / "cases" / "rankings"
LABELS = ("blue", "green", "red", "white")
MEASURES = ((centred_places, kendall_w), (signs_of_pairs, kendall_distance))
measures = pytest.mark.parametrize(("columns", "figure"), MEASURES, ids=["W", "distance"])


def orders(n_items: int, n_workers: int, *, k: int = 4, share: float = 1.0, seed: int = 0) -> tuple[Any, Any, Any]:
    """Item, worker and places of a crowd that agrees somewhat, with `share` of its judgments there."""
    rng = np.random.default_rng(seed)
    item, worker = np.repeat(np.arange(n_items), n_workers), np.tile(np.arange(n_workers), n_items)
    truth = rng.normal(size=(n_items, k))
    places = np.argsort(np.argsort(truth[item] + rng.normal(size=(len(item), k)), axis=1), axis=1) + 1
    there = rng.random(len(item)) < share
    return item[there].astype(np.int32), worker[there].astype(np.int32), places[there].astype(np.int32)


def crowd(item: Any, worker: Any, places: Any, **changes: Any) -> Crowd:
    rows = [(f"w{w:02}", f"i{i:03}", row) for i, w, row in zip(item, worker, places.tolist(), strict=True)]
    made = crowd_of(rows, kind="ranking", scale=None, labels=LABELS[: places.shape[1]], **changes)
    made.answers.flags.writeable = False  # type: ignore[union-attr]
    return made


# Agreement


def test_w_is_the_published_one() -> None:
    case = json.loads((CASES / "siegel-1956.json").read_text())
    places = np.array(case["places"])
    w = by_item(np.zeros(3, dtype=np.int64), places, 1)[0]
    assert w == pytest.approx(12 * case["s"] / (3**2 * (6**3 - 6)), abs=1e-12)
    assert round(w, 2) == case["w"]


def test_w_of_each_item_is_that_of_friedmans_test() -> None:
    item, _, places = orders(40, 7, share=0.8)
    for at, w in enumerate(by_item(item, places, 40)):
        rows = places[item == at]
        assert w == pytest.approx(stats.friedmanchisquare(*rows.T).statistic / (len(rows) * 3), abs=1e-9)


def directly(figure: FromMean, item: Any, places: Any, kept: Any) -> float:
    """The mean over items of the figure, pair by pair with scipy; W with the number of orders that the item has."""
    found = []
    for one in np.unique(item):
        mine = places[kept & (item == one)]
        if len(mine) > 1:
            correlate: Any = stats.spearmanr if figure is kendall_w else stats.kendalltau
            q = np.mean([correlate(a, b).statistic for a, b in combinations(mine, 2)])
            found.append(figure(np.array([q]), np.array([np.sum(item == one)]))[0])
    return float(np.mean(found))


@measures
def test_means_and_their_deletions_are_those_recomputed_by_scipy(columns: Columns, figure: FromMean) -> None:
    item, worker, places = orders(12, 5, share=0.7, seed=3)
    whole = design_of(item, worker)
    several = (whole.n >= 2)[whole.item]
    design = whole.only(several)
    theta, left, each = mean_over_items(Pairwise.of(design, places[several], columns), figure)
    assert theta == pytest.approx(directly(figure, item, places, several), abs=1e-10)
    assert len(each) == design.items
    for at, code in enumerate(design.item_codes):
        assert left.item[at] == pytest.approx(directly(figure, item, places, item != code), abs=1e-10)
    for at, code in enumerate(design.worker_codes):
        assert left.worker[at] == pytest.approx(directly(figure, item, places, worker != code), abs=1e-10)
    for at, judgment in enumerate(np.flatnonzero(several)):
        without = np.arange(len(item)) != judgment
        assert left.judgment[at] == pytest.approx(directly(figure, item, places, without), abs=1e-10)


@measures
def test_a_worker_who_judged_an_item_twice_leaves_with_both_answers(columns: Columns, figure: FromMean) -> None:
    item, worker, places = orders(6, 4, seed=5)
    item, worker = np.append(item, item[:3]), np.append(worker, worker[:3])
    places = np.concatenate([places, places[3:6]])
    design = design_of(item, worker)
    assert design.repeated == 3
    _, left, _ = mean_over_items(Pairwise.of(design, places, columns), figure)
    for code in range(4):
        assert left.worker[code] == pytest.approx(directly(figure, item, places, worker != code), abs=1e-10)


def test_report_has_both_figures_with_intervals_over_items_and_workers_and_says_why_it_has_no_others() -> None:
    item, worker, places = orders(30, 6)
    report = as_dict(agreement_of("ranking", item, worker, places, labels=LABELS, replicates=200))
    for name in ("kendall_w", "kendall_distance"):
        figure = report[name]
        assert 0 < figure["low"] < figure["estimate"] < figure["high"] < 1
        assert (figure["n"], figure["over"]) == (30, "items and workers")
        assert figure["item_percentile"]["low"] < figure["estimate"] < figure["item_percentile"]["high"]
        assert "estimate" in figure["without_busiest_worker"]
    assert report["first"] == "kendall_w"
    assert report["kendall_w"]["notes"] == ["orders at random have a W of 0.167 on average and a distance of 0.5"]
    assert "order" in report["fleiss_kappa"]["undefined"]
    assert all("undefined" in report[name] for name in ("icc1", "icc1k", "split_half"))


@pytest.mark.parametrize(("same", "w", "distance"), [(True, 1.0, 0.0), (False, 0.0, 1.0)])
def test_figures_at_the_ends_of_their_range_have_no_interval(same: bool, w: float, distance: float) -> None:  # noqa: FBT001
    item, worker = np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)
    places = np.array([[1, 2, 3], [1, 2, 3] if same else [3, 2, 1]] * 5)
    report = as_dict(agreement_of("ranking", item, worker, places, labels=LABELS[:3], replicates=20))
    assert (report["kendall_w"]["estimate"], report["kendall_distance"]["estimate"]) == (w, distance)
    assert report["kendall_w"]["low"] is None
    assert "no interval" in report["kendall_w"]["method"]


def test_orders_of_which_no_item_has_two_are_undefined_in_words() -> None:
    report = as_dict(agreement_of("ranking", np.arange(3), np.arange(3), np.array([[1, 2]] * 3), labels=("a", "b")))
    assert report["kendall_w"] == {"undefined": "no item was put in order by two people"}
    assert report["kendall_distance"] == report["kendall_w"]


@measures
def test_intervals_hold_the_truth_where_workers_differ_in_care(columns: Columns, figure: FromMean) -> None:
    """Sixty studies of 40 items by 12 people, some of them ten times as careful as others."""
    rng, truth_of_all = np.random.default_rng(11), expected(figure)
    held = 0
    for _ in range(60):
        noise = rng.uniform(0.3, 3, 12)
        truth = rng.normal(size=(40, 4))
        places = (
            np.argsort(np.argsort(truth[:, None] + noise[:, None] * rng.normal(size=(40, 12, 4)), axis=2), axis=2) + 1
        )
        item, worker = np.repeat(np.arange(40), 12), np.tile(np.arange(12), 40)
        report = agreement_of("ranking", item, worker, places.reshape(-1, 4), labels=LABELS, replicates=0)
        found = as_dict(report)["kendall_w" if figure is kendall_w else "kendall_distance"]
        held += found["low"] <= truth_of_all <= found["high"]
    assert held >= 51  # 95 % of 60 are 57, and fewer than 51 have a chance below 1 in 1,000


def expected(figure: FromMean) -> float:
    """Of infinitely many such items and workers."""
    rng = np.random.default_rng(12)
    truth, noise = rng.normal(size=(40_000, 1, 4)), rng.uniform(0.3, 3, (40_000, 2, 1))
    a, b = np.argsort(np.argsort(truth + noise * rng.normal(size=(40_000, 2, 4)), axis=2), axis=2).transpose(1, 0, 2)
    columns = centred_places if figure is kendall_w else signs_of_pairs
    products = sum(x * y for x, y in zip(columns(a + 1), columns(b + 1), strict=True))
    q = np.mean(products) / sum(z[0] ** 2 for z in columns(a + 1))
    return float(figure(np.array([q]), np.array([12.0]))[0])


# Gold, people and models


def test_gold_has_a_line_for_each_item_and_label_from_the_first_mean_rank_to_the_last() -> None:
    item, worker = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 0])
    places = np.array([[1, 2, 3], [2, 1, 3], [3, 1, 2], [3, 2, 1]])
    items = pd.DataFrame({"item_id": ["x", "y", "z", "c"], "kind": ["target"] * 3 + ["check"], "scene": list("stuv")})
    table = gold_of("ranking", item, worker, places, 4, ("blue", "green", "red"), items=items)
    assert list(table.columns) == ["item_id", "label", "mean_rank", "n", "scene", "kendall_w"]
    assert table["item_id"].tolist() == ["x"] * 3 + ["y"] * 3 + ["z"] * 3
    assert table["label"].tolist() == ["green", "blue", "red", "red", "green", "blue", "blue", "green", "red"]
    assert table["mean_rank"][:6].round(4).tolist() == [1.3333, 2.0, 2.6667, 1.0, 2.0, 3.0]
    assert table["mean_rank"][6:].isna().all()
    assert table["n"].tolist() == [3] * 3 + [1] * 3 + [0] * 3
    assert table["kendall_w"][:3].round(4).tolist() == [0.4444] * 3
    assert table["kendall_w"][3:].isna().all()
    gold = gold_from_table("ranking", table, ("blue", "green", "red"))
    assert gold.order is not None
    assert gold.ids.tolist() == ["x", "y"]
    assert gold.order.round(4).tolist() == [[-2.0, -1.3333, -2.6667], [-3.0, -2.0, -1.0]]
    assert list(gold.fields) == ["scene"]


def test_labels_of_equal_mean_rank_stand_in_the_order_of_the_labels() -> None:
    table = gold_of("ranking", np.zeros(2, int), np.arange(2), np.array([[2, 1], [1, 2]]), 1, ("red", "blue"))
    assert table["label"].tolist() == ["red", "blue"]


@pytest.mark.parametrize("metric", ["kendall", "spearman"])
def test_a_person_is_scored_by_scipys_correlation_with_the_mean_ranks_of_the_others(metric: str) -> None:
    item, worker, places = orders(14, 4, seed=7)
    found = leave_one_out(OF_ORDERS, item, worker, places, 14, LABELS, rng=None, metric=metric)
    correlate: Any = stats.kendalltau if metric == "kendall" else stats.spearmanr
    for who, value in zip(found.workers, found.values, strict=True):
        by_hand = []
        for one in range(14):
            others = places[(item == one) & (worker != who)].mean(axis=0).round(9)
            mine = places[(item == one) & (worker == who)][0]
            by_hand.append(correlate(mine, others).statistic)
        assert value == pytest.approx(np.nanmean(by_hand), abs=1e-9)


def probe_file(path: Path, scores: Any, ids: list[str]) -> Path:
    lines = [
        f"{one},{label},{score}"
        for one, row in zip(ids, scores, strict=True)
        for label, score in zip(LABELS, row, strict=True)
        if not np.isnan(score)
    ]
    path.write_text("\n".join(["item_id,candidate,score", *lines]) + "\n")
    return path


def test_a_models_scores_are_correlated_with_mean_ranks_item_by_item(tmp_path: Path) -> None:
    item, worker, places = orders(20, 5, seed=9)
    ids = [str(number) for number in range(20)]
    items = pd.DataFrame({"item_id": ids, "kind": "target"})
    gold = gold_from_table("ranking", gold_of("ranking", item, worker, places, 20, LABELS, items=items), LABELS)
    scores = np.random.default_rng(1).normal(size=(20, 4)).round(3)
    study = StudyItems("ranking", np.array(ids, dtype=object), LABELS)
    probe = read_probe(probe_file(tmp_path / "p.csv", scores, ids), study)
    found = score_probe(probe, gold, study).overall()
    mean = np.array([places[item == one].mean(axis=0) for one in range(20)]).round(9)
    for name, correlate in (("kendall_of_orders", stats.kendalltau), ("spearman_of_orders", stats.spearmanr)):
        by_hand = [correlate(-mean[int(one)], scores[int(one)]).statistic for one in gold.ids]
        assert found[name].figure.estimate == pytest.approx(np.nanmean(by_hand), abs=1e-9)  # type: ignore[union-attr]
        assert found[name].chance == 0.0
    assert set(found) == {"rho_with_people", "kendall_of_orders", "spearman_of_orders"}
    share = matched_shares(OF_ORDERS, item, worker, places, 20, LABELS, probes=[probe.runs[0].by_order], seed=2)[0]
    assert share.workers == 5


def test_a_candidate_that_a_model_leaves_out_comes_last(tmp_path: Path) -> None:
    gold = Gold("ranking", np.array(["a"], dtype=object), LABELS, order=np.array([[-1.0, -2.0, -3.0, -4.0]]))
    study = StudyItems("ranking", np.array(["a"], dtype=object), LABELS)
    probe = read_probe(probe_file(tmp_path / "p.csv", [[3, 2, 1, np.nan]], ["a"]), study)
    assert score_probe(probe, gold, study).overall()["kendall_of_orders"].figure.estimate == 1.0  # type: ignore[union-attr]


def test_the_crowd_as_a_model_of_itself_has_its_order() -> None:
    study = StudyItems("ranking", np.array(["a", "b"], dtype=object), LABELS)
    gold = Gold("ranking", np.array(["b"], dtype=object), LABELS, order=np.array([[-1.0, -2.0, -3.0, -4.0]]))
    assert score_probe(crowd_as_probe(gold, study), gold, study).overall()["kendall_of_orders"].figure.estimate == 1.0  # type: ignore[union-attr]


# Cleaning


def judged(crowd: Crowd) -> CountedJudgments:
    return CountedJudgments(crowd, np.ones(crowd.n_judgments, dtype=np.bool_), np.ones(crowd.n_workers, dtype=np.bool_))


def test_a_check_wants_its_labels_first_and_in_order() -> None:
    places = np.array([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4]])
    checked = crowd([0, 0, 0], [0, 1, 2], places, checks={"i000": "known"})
    failures = {
        expected: Check(check="known", expected=expected).judge(judged(checked)).failures.tolist()
        for expected in ("blue", "blue|green", "blue|green|red|white")
    }
    assert failures == {"blue": [0, 1, 0], "blue|green": [0, 1, 1], "blue|green|red|white": [0, 1, 1]}
    verdicts = Check(check="known", expected="blue|green").judge(judged(checked))
    assert verdicts.evidence[1][0].answer == "green|blue|red|white"
    assert verdicts.evidence[1][0].bound == "expected blue, then green"
    assert uniform_pass(checked, Check(check="known", expected="blue|green")) == pytest.approx(1 / 12)


@pytest.mark.parametrize("expected", ["blue|blue", "blue||red", "blue|pink"])
def test_right_answer_that_is_no_order_is_refused(expected: str) -> None:
    assert [column for column, _ in wrong_right_answer("ranking", LABELS, expected)] == ["expected"]


def test_rules_that_look_at_orders_find_who_answers_the_other_way_round() -> None:
    item, worker, places = orders(15, 5, seed=2)
    places[worker == 4] = 5 - places[worker == 4]
    given = crowd(item, worker, places)
    everything = np.ones(given.n_judgments, dtype=np.bool_)
    r = agreement_with_others(given, everything)
    assert r[4] < 0 < r[:4].min()
    failed = Disagreement(correlation_below=Decimal(0)).judge(judged(given))
    assert failed.outcome.tolist().count(failed.outcome[4]) == 1
    with pytest.raises(Refused, match="no labels to be right about"):
        Disagreement(accuracy_below=Decimal(0)).judge(judged(given))
    dropped = RowDisagreement(kendall_below=Decimal(0)).dropped(given, everything)
    assert given.worker[dropped].tolist().count(4) > dropped.sum() / 2


def test_the_same_order_again_and_again_is_a_straight_line() -> None:
    item, worker, places = orders(6, 2, seed=4)
    places[worker == 1] = [1, 2, 3, 4]
    given = crowd(item, worker, places)
    found = StraightLining(longest_run=5).judge(judged(given))
    assert found.failures.tolist()[0] == 0
    assert found.outcome[0] != found.outcome[1]


# Files


def a_file(path: Path, values: list[str]) -> Path:
    lines = [f"w{number},fern,{value}" for number, value in enumerate(values)]
    path.write_text("\n".join(["worker_id,item_id,value", *lines]) + "\n")
    return path


def test_orders_are_told_from_sets_by_their_order(tmp_path: Path) -> None:
    assert read_judgments(a_file(tmp_path / "a.csv", ["red|blue", "blue|red"])).kind == "ranking"
    assert read_judgments(a_file(tmp_path / "b.csv", ["red|blue", "red"])).kind == "choices"
    assert read_judgments(a_file(tmp_path / "c.csv", ["blue|red", "blue|red"])).kind == "choices"


def test_every_order_that_lacks_a_label_or_has_another_is_named(tmp_path: Path) -> None:
    path = a_file(tmp_path / "j.csv", ["red|blue|green", "red|blue", "red|red|blue", "red|blue|pink", "green|blue|red"])
    with pytest.raises(Refused) as refusal:
        read_judgments(path, kind="ranking", labels=("blue", "green", "red"))
    assert [reason for reason in refusal.value.reasons if "row 2" in reason or "row 6" in reason] == []
    for row in (3, 4, 5):
        assert any(f"row {row}, column value" in reason for reason in refusal.value.reasons)


@pytest.mark.parametrize("values", [["red", "red"], ["|".join("abcdefgh")] * 2])
def test_a_ranking_is_of_two_to_seven_labels(values: list[str], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="a ranking has 2 to 7"):
        read_judgments(a_file(tmp_path / "j.csv", values), kind="ranking")


def test_a_stored_order_without_a_label_of_the_study_is_refused_in_words() -> None:
    given = np.empty(1, dtype=object)
    given[0] = ["red", "blue"]
    with pytest.raises(Refused, match="do not put all of the study's labels"):
        data_of("ranking").from_database(given, ("blue", "green", "red"))


# The form

FACTS = Facts(labels=("rot", "blau"), shown=("Red", "Blue"))


def read(**places: str) -> Answer:
    with translation.override("en"):
        return form_of("ranking").read({f"place:{label}": [place] for label, place in places.items()}, FACTS)


def test_form_gives_the_labels_in_order() -> None:
    assert read(rot="2", blau="1") == Answer(labels=["blau", "rot"])


def test_two_labels_in_one_place_are_both_named_as_people_read_them() -> None:
    with pytest.raises(BadAnswer, match="“Red” and “Blue” both have place 2") as refused:
        read(rot="2", blau="2")
    assert refused.value.field == "place:blau"


@pytest.mark.parametrize("place", ["", "0", "3", "x", "１"])
def test_a_label_without_a_place_of_those_offered_is_asked_for(place: str) -> None:
    with pytest.raises(BadAnswer, match="give each answer a place"):
        read(rot="1", blau=place)


def test_form_shown_again_keeps_what_was_typed_and_marks_what_is_wrong() -> None:
    labels = Offered(tuple(ShownLabel(name, name.title(), "") for name in ("red", "blue", "green")))
    order: Any = form_of("ranking").show(labels, {"place:red": ["2"], "place:blue": ["2"], "place:green": ["1"]})
    assert [(row.label, row.place, row.is_wrong) for row in order.rows] == [
        ("Red", "2", True),
        ("Blue", "2", True),
        ("Green", "1", False),
    ]
    whole: Any = form_of("ranking").show(labels, {"place:red": ["3"], "place:blue": ["2"], "place:green": ["1"]})
    assert [row.label for row in whole.rows] == ["Green", "Blue", "Red"]
    assert whole.is_answered
