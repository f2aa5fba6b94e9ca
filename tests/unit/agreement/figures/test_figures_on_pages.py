"""What a page is given of a figure: a specification without a ground, rows with links, and a table of them."""

import math
from typing import Any

import pandas as pd
import pytest
from django.template import Context, Template

from agreement.figures.figure import MOST_TABLE_ROWS, Figure, page_specification, table_of
from agreement.figures.rendering import rows_as_csv

POINTS = {
    "mark": "point",
    "encoding": {
        "x": {"field": "seconds", "type": "quantitative"},
        "y": {"field": "agreement", "type": "quantitative"},
    },
    "width": 420,
}


def figure(rows: pd.DataFrame | None = None, specification: Any = POINTS) -> Figure:
    if rows is None:
        rows = pd.DataFrame(
            {
                "worker": ["w1", "</script><b>"],
                "seconds": [1234.5, math.nan],
                "agreement": [0.123456, 1.0],
                "link": ["/people/1/", "//elsewhere.example"],
            }
        )
    return Figure("workers", "Workers", "Two workers.", "Two workers as points.", rows, specification)


def test_links_are_on_the_page_and_in_no_file() -> None:
    drawn = figure()
    assert "link" not in drawn.whole_specification()["data"]["values"][0]
    assert b"link" not in rows_as_csv(drawn.data())
    assert page_specification(drawn)["specification"]["data"]["values"][0]["link"] == "/people/1/"
    assert "/people/1/" not in drawn.texts()


def test_a_table_has_numbers_that_people_read_and_leads_only_within_the_site() -> None:
    table = table_of(figure())
    assert table.columns == [("worker", False), ("seconds", True), ("agreement", True)]
    assert table.rows[0].cells == [("w1", False), ("1,234", True), ("0.1235", True)]
    assert table.rows[1].cells[1] == ("–", True)
    assert [row.link for row in table.rows] == ["/people/1/", ""]


def test_a_long_table_is_cut_and_says_so() -> None:
    many = pd.DataFrame({"worker": [f"w{k}" for k in range(MOST_TABLE_ROWS + 1)], "seconds": 1.0, "agreement": 1.0})
    page = Template("{% load desk %}{% figure figure %}").render(Context({"figure": figure(many)}))
    assert page.count("<tr>") == MOST_TABLE_ROWS + 1  # with the head
    assert f"The first {MOST_TABLE_ROWS} of {MOST_TABLE_ROWS + 1} rows." in page


@pytest.mark.parametrize(
    ("specification", "width"),
    [
        (POINTS, "container"),
        ({"layer": [POINTS], "width": 420}, "container"),
        ({"mark": "rect", "encoding": {"x": {"type": "nominal"}}, "width": 420}, 420),
        ({"hconcat": [POINTS], "width": 420}, 420),
        ({**POINTS, "width": {"step": 20}}, {"step": 20}),
    ],
)
def test_a_drawing_is_as_wide_as_its_place_where_its_axis_is_of_numbers(
    specification: dict[str, object], width: object
) -> None:
    assert page_specification(figure(specification=specification))["specification"]["width"] == width


def test_the_tag_writes_title_drawing_words_and_numbers() -> None:
    page = Template("{% load desk %}{% figure figure %}").render(Context({"figure": figure()}))
    assert '<div class="t-plot-drawing" role="img" aria-label="Two workers as points."' in page
    assert '<a class="t-link" href="/people/1/">w1</a>' in page
    assert '<details class="t-plot-table" open>' in page
    assert "</script><b>" not in page
    drawn = Template('{% load desk %}{% figure figure drawn="/it.svg" %}').render(Context({"figure": figure()}))
    assert '<noscript><img class="t-plot-picture" src="/it.svg"' in drawn
    assert '<details class="t-plot-table">' in drawn
