"""Figures of a report that say a thing once: what wasn't cleaned, what ties, which way a metric points."""

from dataclasses import replace

import pandas as pd

from agreement.estimation.estimate import Estimate
from agreement.figures.headline import draw_models_and_people
from agreement.figures.of_agreement import draw_agreement_intervals
from agreement.figures.of_items import draw_items_by_agreement
from agreement.figures.of_models import draw_against_reference
from agreement.figures.of_workers import draw_people_and_judgments as people_and_judgments
from agreement.report.model_board import model_board
from agreement.report.people_and_models import AgainstReference, ProbeScore, stored_reference
from tests.reports import FIGURE, RULE, small_report, with_agreement


def test_agreement_that_cleaning_left_as_it_was_is_drawn_once_and_its_own_figure_first() -> None:
    part = {"first": "fleiss_kappa", "fleiss_kappa": FIGURE, "krippendorff_alpha": {"nominal": FIGURE}}
    same = draw_agreement_intervals(with_agreement(part).results.agreement)
    assert same is not None
    assert same.rows["judgments"].tolist() == ["kept", "kept"]
    assert same.rows["statistic"].tolist() == ["Fleiss' kappa", "Krippendorff's alpha, nominal"]
    cleaned = draw_agreement_intervals(
        with_agreement(part, {**part, "fleiss_kappa": {**FIGURE, "estimate": 0.5}}).results.agreement
    )
    assert cleaned is not None
    assert cleaned.rows["judgments"].tolist() == ["collected"] * 2 + ["kept"] * 2


def test_items_that_agree_as_much_as_those_drawn_are_counted() -> None:
    gold = pd.DataFrame(
        {"item_id": [f"i{at:02}" for at in range(50)], "label": "a", "n": 10, "entropy": [0.0] * 20 + [0.9] * 30}
    ).assign(**{"p:a": 0.5})
    figure = draw_items_by_agreement(gold, {"i00": "apple"})
    assert figure is not None
    assert len(figure.rows) == 30
    assert (
        "; 5 more agree as much as the last of the upper ones, 15 as little as the first of the lower."
        in figure.caption
    )


def test_items_of_one_judgment_are_left_out_and_no_end_is_spoken_of() -> None:
    rows = [("a", "x", 0.0, 4, 1.0, 0.0), ("b", "x", 0.8, 4, 0.75, 0.25), ("c", "y", 0.0, 1, 0.0, 1.0)]
    gold = pd.DataFrame(rows, columns=["item_id", "label", "entropy", "n", "p:x", "p:y"])
    figure = draw_items_by_agreement(gold, {"i00": "apple"})
    assert figure is not None
    assert figure.caption.endswith("above. 2 of 3 items; the others have fewer than two judgments.")


def test_the_model_with_the_smallest_error_stands_first() -> None:
    def scores(metric: str, values: tuple[float, float]) -> list[ProbeScore]:
        named = zip(("good", "bad"), values, strict=True)
        return [
            ProbeScore(
                metric=metric, probe=who, breakdown="", group="", figure=Estimate(it, it, it, 9, ""), chance=None
            )
            for who, it in named
        ]

    report = small_report(kind="slider")
    scored = replace(report.results, scores=(*scores("spearman", (0.9, 0.4)), *scores("rmse", (0.1, 0.7))))
    board = model_board(replace(report, questions=(replace(report.question, results=scored),)))
    figure = draw_models_and_people(board)
    assert figure is not None
    assert figure.rows.query("place == 1")["who"].tolist() == ["good", "good"]
    assert figure.specification["facet"]["sort"] == ["Spearman correlation", "RMSE"]


def test_one_group_of_references_is_no_figure() -> None:
    score = {"metric": "r_acc", "breakdown": "cardinality", **FIGURE, "chance": None}
    rows = [{**score, "group": group, "kind": "people", "name": "people, one by one"} for group in ("1", "2")]
    part = stored_reference({"items": 9, "source": "ref.csv", "scores": rows})
    assert isinstance(part, AgainstReference)
    assert draw_against_reference(replace(part, scores=part.scores[:1]), "r_acc", "cardinality") is None
    two = draw_against_reference(part, "r_acc", "cardinality")
    assert two is not None
    assert two.title == "R-Acc against the reference, by the number of its labels"


def test_a_rule_that_drops_answers_alone_fails_nobody() -> None:
    rule = {**RULE, "rule": "row disagreement: the lowest is dropped", "judgments": 15}
    figure = people_and_judgments(small_report(counts={"judgments_kept": 75}, cleaning={"by_rule": [rule]}))
    assert "dropped by row disagreement" in figure.rows["step"].tolist()
