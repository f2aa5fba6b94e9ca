"""The slider, under a mouse, a finger, a keyboard and a screen reader."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import AssignedItem, Judgment
from tests.browser.people import begin, go_on, line, number_shown, put, saved, stored, swipe
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_no_thumb_is_there_until_the_line_is_touched(page: Page) -> None:
    begin(page, a_study_of("slider"))
    expect(line(page)).to_have_attribute("data-untouched", "")
    put(page, 0.7)
    expect(line(page)).not_to_have_attribute("data-untouched", "")


def test_untouched_line_keeps_the_person_here_and_says_why(page: Page) -> None:
    begin(page, a_study_of("slider"))
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_be_visible()
    expect(line(page)).to_be_focused()
    assert number_shown(page) == "1 of 3"
    assert not Judgment.objects.exists()


def test_mouse_answers_and_says_saved_only_when_it_is(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.7)
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.number is not None
    assert 68 <= judgment.number <= 72
    assert (judgment.input_kind, judgment.moves) == ("mouse", 1)
    assert judgment.first_touch_ms is not None
    assert judgment.response_ms is not None
    assert 0 < judgment.first_touch_ms <= judgment.response_ms < 60_000


def test_touching_it_exactly_where_it_lies_counts(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.5)
    saved(page)
    assert stored() == [50.0]


@pytest.mark.parametrize(
    ("keys", "number"),
    [(["ArrowRight"], 51), (["ArrowLeft"], 49), (["Home"], 0), (["End"], 100), (["PageUp"], 60), (["PageDown"], 40),
     ([" "], 50), (["End", "ArrowLeft", "ArrowLeft"], 98)],
)  # fmt: skip
def test_keyboard_alone_answers(page: Page, keys: list[str], number: float) -> None:
    begin(page, a_study_of("slider"))
    line(page).focus()
    for key in keys:
        page.keyboard.press(key)
    saved(page)
    judgment = Judgment.objects.current().get()
    assert (judgment.number, judgment.input_kind) == (number, "keyboard")


def test_keyboard_alone_walks_the_whole_assignment(page: Page) -> None:
    begin(page, a_study_of("slider"))
    for _question in range(3):
        page.keyboard.press("Tab") if _question else line(page).focus()
        expect(line(page)).to_be_focused()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
    page.wait_for_url("**/finish/")
    assert stored() == [100.0] * 3


def test_finger_answers_and_is_told_apart(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider")
    context = browser.new_context(
        base_url=live_server.url,
        has_touch=True,
        is_mobile=True,
        viewport={"width": 390, "height": 844},
    )
    page = context.new_page()
    begin(page, study)
    box = line(page).bounding_box()
    assert box is not None
    assert box["height"] >= 44
    page.touchscreen.tap(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2)
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.input_kind == "touch"
    assert judgment.number is not None
    assert 20 <= judgment.number <= 30
    context.close()


def test_finger_that_only_scrolls_the_page_has_not_answered(browser: Browser, live_server: Any) -> None:
    study = a_study_of("sliders")
    context = browser.new_context(
        base_url=live_server.url, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 400}
    )
    page = context.new_page()
    begin(page, study)
    box = line(page, 1).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2
    finger = context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 12):
        point = {"x": x + step % 2, "y": y - step * 12}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(800)
    assert page.evaluate("window.scrollY") > 0
    expect(line(page, 1)).to_have_attribute("data-untouched", "")
    expect(line(page, 1)).to_have_js_property("value", "50")
    context.close()


def test_finger_drags(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider")
    context = browser.new_context(
        base_url=live_server.url, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    begin(page, study)
    box = line(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2
    swipe(page, (x, y), step=(15, 0))
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.number is not None
    assert 70 < judgment.number < 85
    assert (judgment.input_kind, judgment.moves) == ("touch", 1)
    context.close()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_finger_moves_the_thumb_where_the_browser_itself_would_not(
    language: str, browser: Browser, live_server: Any
) -> None:
    """Safari on phones lets only the thumb be dragged; without its own handling of touches, so does this browser."""
    study = a_study_of("slider", language=language)
    context = browser.new_context(
        base_url=live_server.url, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    begin(page, study)
    line(page).evaluate("range => range.addEventListener('touchstart', event => event.preventDefault())")
    box = line(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2
    swipe(page, (x, y), step=(15, 0))
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.number is not None
    assert 70 < (judgment.number if language == "en" else 100 - judgment.number) < 85
    context.close()


def test_reversed_line_has_its_low_end_on_the_right(page: Page) -> None:
    study = a_study_of("slider")
    begin(page, study)
    AssignedItem.objects.update(is_direction_reversed=True)
    page.reload()
    low, high = page.locator(".ends bdi").nth(0).bounding_box(), page.locator(".ends bdi").nth(1).bounding_box()
    assert low is not None
    assert high is not None
    assert low["x"] > high["x"]
    put(page, 0.9)  # near the left-to-right end, which is "dissimilar" now
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.number is not None
    assert judgment.number < 15
    assert judgment.is_direction_reversed


def test_screen_reader_hears_question_and_value_in_words(page: Page) -> None:
    begin(page, a_study_of("slider"))
    expect(line(page)).to_have_accessible_name(re.compile(r"What of a \w+\?"))
    expect(line(page)).to_have_attribute("aria-valuetext", "not answered yet")
    line(page).focus()
    page.keyboard.press("End")
    expect(line(page)).to_have_attribute("aria-valuetext", "100 of 100 from dissimilar to similar")


def test_no_number_is_shown_unless_the_study_wants_it(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.7)
    assert "7" not in page.locator("[data-stage] .scale").inner_text()


def test_number_is_shown_where_the_study_wants_it(page: Page) -> None:
    begin(page, a_study_of("slider", slider_shows_number=True))
    line(page).focus()
    page.keyboard.press("End")
    expect(page.locator("output")).to_have_text("100")


def test_untouched_middle_counts_where_the_study_starts_there(page: Page) -> None:
    begin(page, a_study_of("slider", slider_start="middle"))
    go_on(page)
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.number, judgment.is_untouched_middle) == (50.0, True)


def test_slider_starts_afresh_on_the_next_question(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.9)
    go_on(page)
    assert number_shown(page) == "2 of 3"
    expect(line(page)).to_have_attribute("data-untouched", "")
    expect(line(page)).to_have_js_property("value", "50")


def test_sliders_are_an_answer_when_each_line_is_touched(page: Page) -> None:
    begin(page, a_study_of("sliders"))
    put(page, 0.1, 0)
    put(page, 0.2, 1)
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_be_visible()
    assert not Judgment.objects.exists()
    put(page, 0.9, 2)
    saved(page)
    numbers = Judgment.objects.get().numbers
    assert numbers is not None
    assert sorted(numbers) == ["blue", "green", "red"]
    assert numbers["red"] > 80
    assert numbers["green"] < 30
