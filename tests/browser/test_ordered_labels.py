"""Labels that are the points of a scale: one row where every point can be read, else one column; never in between."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.models import Judgment, Study
from tests.browser.people import a_phone, begin, go_on, saved
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LEAST_PX = 56
AGREEMENT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
PICTURES = os.environ.get("TOUCHSTONE_TEST_PICTURES")


def a_scale(*labels: str, **changes: Any) -> Study:
    """A study whose labels are ordered, with names at both ends."""
    given = {"ordered": True, "low_label": "not at all", "high_label": "completely", **changes}
    return a_study_of("choice", labels=labels, question="How fluent is “{thing}”?", **given)


def keep_picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


def points(page: Page) -> Locator:
    return page.locator("[data-stage] .point")


def lies_in_one_row(page: Page) -> bool:
    """Whether the points stand side by side; refuses anything between a row and a column, and what isn't seen."""
    boxes = [point.bounding_box() for point in points(page).all()]
    width = page.evaluate("document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for box in boxes:
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert box["width"] >= LEAST_PX - 0.5
        assert box["height"] >= 48
    tops = {round(box["y"]) for box in boxes if box}
    starts = {round(box["x"]) for box in boxes if box}
    assert len(tops) == 1 or len(starts) == 1
    return len(tops) == 1


@pytest.mark.parametrize("count", range(2, 13))
def test_a_scale_of_numbers_is_one_row_where_it_fits(browser: Browser, live_server: Any, count: int) -> None:
    study = a_scale(*map(str, range(count)))
    rows = {}
    for width in (360, 390, 768, 1280):
        page = a_phone(browser, live_server, width=width)
        begin(page, study)
        rows[width] = lies_in_one_row(page)
        keep_picture(page, f"numbers-{count}-{width}")
        page.context.close()

    assert rows == {360: count <= 5, 390: count <= 5, 768: count <= 11, 1280: count <= 11}


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_words_are_never_cut_to_fit_a_row(browser: Browser, live_server: Any, width: int) -> None:
    page = a_phone(browser, live_server, width=width)
    begin(page, a_scale(*AGREEMENT, shows_points=True))

    assert lies_in_one_row(page) == (width >= 768)
    expect(points(page).nth(1).locator("b")).to_have_text("2")
    keep_picture(page, f"words-{width}")
    page.context.close()


def test_the_value_is_stored_whatever_its_key(page: Page) -> None:
    """A point's value, its key and its number are three things: 10 is never stored as 0, nor 0 as 1."""
    begin(page, a_scale(*map(str, range(11))))
    page.keyboard.press("0")
    go_on(page)
    page.get_by_label("10", exact=True).check()
    go_on(page)
    page.keyboard.press("9")
    go_on(page)
    page.wait_for_url("**/finish/")

    answers = Judgment.objects.order_by("assigned_item__position").values_list("label", "shown_position")
    assert list(answers) == [("0", 1), ("10", 11), ("9", 10)]


def test_a_scale_from_one_to_ten_has_a_key_for_ten(page: Page) -> None:
    begin(page, a_scale(*map(str, range(1, 11))))
    page.keyboard.press("0")
    saved(page)
    assert Judgment.objects.get().label == "10"


def test_a_reversed_scale_stores_the_same_values(page: Page) -> None:
    begin(page, a_scale("1", "2", "3", scale_direction="counterbalanced"))
    texts = points(page).all_inner_texts()
    is_reversed = [text.strip() for text in texts] == ["3", "2", "1"]
    first = page.locator("[data-stage] .low")
    expect(first).to_have_text("completely" if is_reversed else "not at all")
    points(page).first.click()
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.label, judgment.shown_position) == ("3" if is_reversed else "1", 1)
    assert judgment.is_direction_reversed == is_reversed


def test_without_script_the_points_are_the_same(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360, java_script_enabled=False)
    begin(page, a_scale(*AGREEMENT))

    assert not lies_in_one_row(page)
    page.get_by_label("neutral").check()
    page.locator("main form button").last.click()
    assert Judgment.objects.get().label == "neutral"
    page.context.close()
