"""The figures of the study on sizes: drawn from small tables, each row where it belongs."""

import re
from pathlib import Path

import pandas as pd
import pytest

from agreement.figures.figure import Figure
from agreement.figures.rendering import render
from studies.figures.sizes import (
    draw_accuracy_by_distance,
    draw_accuracy_by_sentence,
    draw_areas,
    draw_threshold,
)

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
        draw_accuracy_by_distance(NEAR),
        draw_accuracy_by_sentence(CROSSED),
        draw_threshold(SHARES, k=0.29, sd=0.066, lapse=0.02),
        draw_areas(AREAS),
    ]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    assert render(figures(), folder, formats=["svg"]) == []
    return folder


def words_of(folder: Path, name: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", (folder / f"{name}.svg").read_text())


def test_numbers_stand_in_their_cells(drawn: Path) -> None:
    assert {"0.83", "0.27", "0.61", "big false", "square"} <= set(words_of(drawn, "accuracy-by-sentence"))


def test_models_and_sizes_are_named(drawn: Path) -> None:
    assert {"FiLM", "SA", "Accuracy"} <= set(words_of(drawn, "accuracy-by-distance"))
    assert "share of verdicts: big" in words_of(drawn, "size-threshold")
    assert {"big true", "small true", "40", "110"} <= set(words_of(drawn, "queried-areas"))


def test_the_fitted_curve_is_half_at_the_threshold() -> None:
    rows = draw_threshold(SHARES, k=0.3, sd=0.05, lapse=0.0).rows

    fitted = rows[rows["what"] == "fitted"]
    big = dict(zip(fitted["d"].round(2).tolist(), fitted["big"].tolist(), strict=True))
    assert big[0.3] == pytest.approx(0.5)
    assert len(rows[rows["what"] == "verdicts"]) == len(SHARES)
