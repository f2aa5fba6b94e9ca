"""Figures as files: the same bytes twice, described, without a network, and honest about letters without a font."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from agreement.figures import rendering
from agreement.figures.figure import MOST_NAMED_MARKS, Figure
from agreement.figures.rendering import NotDrawn, render, rows_as_csv
from tests.services.drawing import IN_A_PROCESS_OF_ITS_OWN

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _drawn_as_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by the process that all other tests share."""
    monkeypatch.setattr(rendering, "_in_a_process", IN_A_PROCESS_OF_ITS_OWN)


def bars(rows: pd.DataFrame, **other: object) -> Figure:
    encoding = {
        "x": {"field": "word", "type": "nominal"},
        "y": {"field": "n", "type": "quantitative"},
    }
    words = {"title": "Judgments per word", "caption": "n = 2 words.", "description": 'Words & counts, "a" <highest>.'}
    return Figure(name="bars", rows=rows, specification={"mark": "bar", "encoding": encoding, **other}, **words)


ROWS = pd.DataFrame({"word": ["=a", "b"], "n": [2, 1]})


def test_every_format_has_the_same_bytes_twice(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert render([bars(ROWS)], tmp_path / folder) == []
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert names == {"bars.svg", "bars.png", "bars.pdf", "bars.vl.json", "bars.csv"}
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name

    svg = ET.fromstring((tmp_path / "one" / "bars.svg").read_text())  # noqa: S314 - our own
    assert (svg.get("role"), svg.get("aria-label")) == ("img", 'Words & counts, "a" <highest>.')
    assert {"=a", "b"} <= {text.text for text in svg.iter(f"{SVG}text")}
    with Image.open(tmp_path / "one" / "bars.png") as picture:
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=1)
        assert picture.width == pytest.approx(float(svg.attrib["width"]) * 300 / 72, abs=2)
    assert (tmp_path / "one" / "bars.csv").read_text() == "word,n\n'=a,2\nb,1\n"
    assert json.loads((tmp_path / "one" / "bars.vl.json").read_text())["data"]["values"][1] == {"word": "b", "n": 1}


def test_missing_numbers_are_null_in_the_specification_and_blank_in_the_file() -> None:
    rows = pd.DataFrame({"word": ["a", "b", None], "n": [np.nan, np.inf, 3.0]})
    assert [row["n"] for row in bars(rows).whole_specification()["data"]["values"]] == [None, None, 3.0]
    assert rows_as_csv(rows) == b"word,n\na,\nb,inf\n,3.0\n"


def test_marks_of_large_figures_are_not_named_one_by_one(tmp_path: Path) -> None:
    many = pd.DataFrame({"word": [f"w{k}" for k in range(MOST_NAMED_MARKS + 1)], "n": 1})
    for rows, named in ((ROWS, len(ROWS)), (many, 0)):
        render([bars(rows)], tmp_path, formats=["svg"])
        assert (tmp_path / "bars.svg").read_text().count('aria-roledescription="bar"') == named


def test_letters_without_a_font_are_said_with_the_package_that_has_them(tmp_path: Path) -> None:
    rows = pd.DataFrame({"word": ["a", "\U00013000"], "n": [2, 1]})  # an Egyptian hieroglyph
    [warning] = render([bars(rows)], tmp_path, formats=["svg"])
    assert warning == "Figure bars: no font of this machine has the letters of '\U00013000'. Install fonts-noto-core."


def test_nothing_is_fetched_from_elsewhere(tmp_path: Path) -> None:
    elsewhere = {"layer": [{"data": {"url": "http://127.0.0.1:9/rows.csv"}, "mark": "point"}]}
    figure = Figure("elsewhere", "Elsewhere", "", "", ROWS, elsewhere)
    with pytest.raises(NotDrawn, match=r"127\.0\.0\.1"):
        render([figure], tmp_path, formats=["svg"])


def test_drawing_that_takes_too_long_is_ended_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "SECONDS_PER_FIGURE", 0.01)
    with pytest.raises(NotDrawn, match=r"\(--no-report leaves them out\): bars: not drawn within 0 s"):
        render([bars(ROWS)], tmp_path, formats=["svg"])
