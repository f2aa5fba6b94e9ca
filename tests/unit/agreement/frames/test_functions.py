"""One figure each, and the same that a report of the same answers has."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import touchstone_annotation as touchstone
from agreement.estimation.estimate import Estimate, Undefined
from touchstone_annotation import Analysis, Refused, UndefinedFigure, analyse

rng = np.random.default_rng(5)
NUMBERS = pd.DataFrame(
    [
        (f"w{w}", f"i{i:02}", round(float(np.clip(i * 4 + rng.normal(0, 9), 0, 100)), 1))
        for w in range(6)
        for i in range(24)
    ],
    columns=["worker_id", "item_id", "value"],
)
LABELS = NUMBERS.assign(value=np.where(NUMBERS["value"] > 45 + rng.normal(0, 12, len(NUMBERS)), "large", "small"))
PAIR = LABELS[LABELS["worker_id"].isin(["w0", "w1"])]


@pytest.fixture(scope="module")
def of_numbers() -> Analysis:
    return analyse(NUMBERS, kind="slider", scale=(0, 100), replicates=0)


@pytest.fixture(scope="module")
def of_labels() -> Analysis:
    return analyse(LABELS, kind="choice", replicates=0)


def same(figure: Estimate, reported: dict[str, Any]) -> None:
    expected = [reported[name] for name in ("estimate", "low", "high", "n")]
    assert [figure.estimate, figure.low, figure.high, figure.n] == expected


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_alpha_of_numbers_is_the_reports(of_numbers: Analysis, level: Any) -> None:
    same(touchstone.alpha(NUMBERS, level), of_numbers.report["agreement"]["cleaned"]["krippendorff_alpha"][level])


@pytest.mark.parametrize("name", ["icc1", "icc1k", "split_half"])
def test_reliabilities_are_the_reports(of_numbers: Analysis, name: str) -> None:
    made = touchstone.split_half(NUMBERS) if name == "split_half" else touchstone.icc(NUMBERS, average=name == "icc1k")

    same(made, of_numbers.report["agreement"]["cleaned"][name])


def test_ceilings_are_the_reports(of_numbers: Analysis) -> None:
    ceilings, reported = touchstone.ceilings(NUMBERS), of_numbers.report["ceiling"]

    for figure, name in ((ceilings.upper_bound, "upper_bound"), (ceilings.noise_lower, "noise_lower")):
        assert isinstance(figure, Estimate)
        same(figure, reported[name])
    assert isinstance(ceilings.leave_one_out, Estimate)
    same(ceilings.leave_one_out, reported["leave_one_out"]["mean"])


def test_kappa_and_nominal_alpha_are_the_reports(of_labels: Analysis) -> None:
    reported = of_labels.report["agreement"]["cleaned"]

    same(touchstone.fleiss_kappa(LABELS), reported["fleiss_kappa"])
    same(touchstone.alpha(LABELS, "nominal"), reported["krippendorff_alpha"]["nominal"])
    same(touchstone.leave_one_out(LABELS), of_labels.report["ceiling"]["leave_one_out"]["mean"])


def test_cohens_kappa_is_the_reports() -> None:
    same(
        touchstone.cohen_kappa(PAIR),
        analyse(PAIR, kind="choice", replicates=0).report["agreement"]["cleaned"]["cohen_kappa"],
    )


def test_gold_is_the_releases(of_labels: Analysis) -> None:
    gold = touchstone.gold_table(LABELS)
    common = [name for name in gold.columns if name in of_labels.gold.columns]

    assert len(common) > 4
    pd.testing.assert_frame_equal(gold[common], of_labels.gold[common])


def test_an_array_is_items_by_workers() -> None:
    table = NUMBERS.pivot_table(index="item_id", columns="worker_id", values="value").to_numpy()

    assert touchstone.alpha(table) == touchstone.alpha(NUMBERS)


def test_what_has_no_figure_says_why() -> None:
    with pytest.raises(UndefinedFigure, match="same"):
        touchstone.alpha([[1, 1], [1, 1]])
    with pytest.raises(UndefinedFigure, match="compares two workers"):
        touchstone.cohen_kappa([["a"], ["b"]])
    assert isinstance(touchstone.ceilings([[1, 1], [1, 1]]).upper_bound, Undefined)


def test_what_is_refused_is_worded_as_arguments() -> None:
    with pytest.raises(Refused, match=r"frame.dropna") as refused:
        touchstone.alpha(NUMBERS.assign(value=NUMBERS["value"].where(NUMBERS.index != 3)))

    assert refused.value.parts[-1].where.startswith("frame, row 3")
    with pytest.raises(Refused, match="the column item_id is missing"):
        touchstone.fleiss_kappa(LABELS.drop(columns="item_id"))


def test_models_are_compared_by_peoples_gold() -> None:
    names = sorted(NUMBERS["item_id"].unique())
    good = pd.DataFrame({"item_id": names, "score": range(0, 96, 4)})
    poor = good.assign(score=[item * 7 % 30 for item in range(24)])

    compared = touchstone.compare_models(NUMBERS, {"good": good, "poor": poor})
    tested = touchstone.alternative_annotator_test(NUMBERS, good, least_items=20)

    assert {"metric", "first", "second", "estimate", "low", "high", "n", "method", "p"} <= set(compared.columns)
    assert compared["in_words"].str.startswith("good is above poor").any()
    assert tested.annotators["worker_id"].tolist() == [f"w{w}" for w in range(6)]
    assert tested.is_passed
    with pytest.raises(UndefinedFigure, match="no annotator has 30 items"):
        touchstone.alternative_annotator_test(NUMBERS, good)
    with pytest.raises(Refused, match="elsewhere"):
        touchstone.compare_models(NUMBERS, {"bad": good.assign(item_id="elsewhere")})
