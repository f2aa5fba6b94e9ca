"""The figure of the study on cleaning, drawn from a small table: each row where it belongs."""

import re
from pathlib import Path

import pandas as pd

from agreement.figures.rendering import render
from tools.benchmarks.cleaning_study_figure import draw

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


def test_numbers_stand_in_their_cells(tmp_path: Path) -> None:
    assert render([draw(CLEANING)], tmp_path, formats=["svg"]) == []
    words = re.findall(r">([^<>]+)</text>", (tmp_path / "cleaning-study.svg").read_text())

    assert {"own-bounds", "nobody found", "0.94", "0.63", "0.31"} <= set(words)
    assert words.count("0.00") == 1  # a precision of nobody is no zero


def test_rows_of_both_maps_are_in_one_order() -> None:
    """A precision that is missing must not move the rules behind it."""
    [study] = draw(CLEANING).specification["vconcat"]

    domains = [
        each["layer"][0]["encoding"][axis]["scale"]["domain"] for axis in ("x", "y") for each in study["hconcat"]
    ]
    assert domains == [["random", "slip"]] * 2 + [["own-bounds", "nobody found"]] * 2
