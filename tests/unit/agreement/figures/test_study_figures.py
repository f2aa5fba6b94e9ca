"""The figures of the studies on cleaning and on sizes: drawn from small tables, each row where it belongs."""

import re
from pathlib import Path

import pandas as pd
import pytest

from agreement.figures import (
    accuracy_by_distance,
    accuracy_by_sentence,
    cleaning_study,
    queried_areas,
    size_threshold,
)
from agreement.figures.figure import Figure
from agreement.figures.rendering import render

CLEANING = pd.DataFrame(
    [
        ("similarity", "own-bounds", "random", 200, 0.94, 0.98, 94, 100, 2, 900),
        ("similarity", "own-bounds", "slip", 200, 0.63, 0.97, 63, 100, 2, 900),
        ("similarity", "nobody found", "random", 200, 0.0, float("nan"), 0, 100, 0, 900),
        ("similarity", "nobody found", "slip", 200, 0.11, 0.31, 11, 100, 25, 900),
    ],
    columns=["design", "rules", "vice", "studies", "recall", "precision", "found", "with_vice", "careful_excluded",
             "careful"],
)  # fmt: skip
NEAR = pd.DataFrame(
    [("FiLM", 0.0, 0.71, 0.6, 0.8), ("FiLM", 0.1, 0.93, 0.9, 0.96), ("SA", 0.0, 0.52, 0.45, 0.6)],
    columns=["who", "distance", "right", "low", "high"],
)
CROSSED = pd.DataFrame(
    [("FiLM", "big true", "circle", 0.83), ("FiLM", "big false", "square", 0.27), ("SA", "big true", "circle", 0.61)],
    columns=["who", "sentence", "shape", "accuracy"],
)
SHARES = pd.DataFrame([(0.1, 0.95, 40), (0.3, 0.45, 35), (0.9, 0.0, 20)], columns=["d", "big", "n"])
AREAS = pd.DataFrame([("big true", 40, 12), ("small true", 110, 9)], columns=["sentence", "r", "sentences"])


def figures() -> list[Figure]:
    return [
        cleaning_study.draw(CLEANING),
        accuracy_by_distance.draw(NEAR),
        accuracy_by_sentence.draw(CROSSED),
        size_threshold.draw(SHARES, k=0.29, sd=0.066, lapse=0.02),
        queried_areas.draw(AREAS),
    ]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    assert render(figures(), folder, formats=["svg"]) == []
    return folder


def words_of(folder: Path, name: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", (folder / f"{name}.svg").read_text())


def test_numbers_stand_in_their_cells(drawn: Path) -> None:
    cleaning, crossed = words_of(drawn, "cleaning-study"), words_of(drawn, "accuracy-by-sentence")

    assert {"own-bounds", "nobody found", "0.94", "0.63", "0.31"} <= set(cleaning)
    assert cleaning.count("0.00") == 1  # a precision of nobody is no zero
    assert {"0.83", "0.27", "0.61", "big false", "square"} <= set(crossed)


def test_rows_of_both_maps_are_in_one_order() -> None:
    """A precision that is missing must not move the rules behind it."""
    [study] = cleaning_study.draw(CLEANING).specification["vconcat"]

    domains = [
        each["layer"][0]["encoding"][axis]["scale"]["domain"] for axis in ("x", "y") for each in study["hconcat"]
    ]
    assert domains == [["random", "slip"]] * 2 + [["own-bounds", "nobody found"]] * 2


def test_models_and_sizes_are_named(drawn: Path) -> None:
    assert {"FiLM", "SA", "Accuracy"} <= set(words_of(drawn, "accuracy-by-distance"))
    assert "share of verdicts: big" in words_of(drawn, "size-threshold")
    assert {"big true", "small true", "40", "110"} <= set(words_of(drawn, "queried-areas"))


def test_the_fitted_curve_is_half_at_the_threshold() -> None:
    rows = size_threshold.draw(SHARES, k=0.3, sd=0.05, lapse=0.0).rows

    fitted = rows[rows["what"] == "fitted"]
    big = dict(zip(fitted["d"].round(2).tolist(), fitted["big"].tolist(), strict=True))
    assert big[0.3] == pytest.approx(0.5)
    assert len(rows[rows["what"] == "verdicts"]) == len(SHARES)
