"""Lines under a finger: a tap answers wherever it falls, scrolling the page never does."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from annotation.models import AssignedItem, Judgment, Label
from tests.browser.people import a_phone, begin, go_on, line, saved, stored, swipe, tap
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHARES = (0, 0.25, 0.5, 0.75, 1)
FIVE = [{"item_id": thing, "fields": {"thing": thing}} for thing in ("fern", "brick", "raven", "chair", "cloud")]


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_tap_answers_wherever_it_falls(
    language: str,
    browser: Browser,
    live_server: Any,
    *,
    is_reversed: bool,
) -> None:
    study = a_study_of("slider", items=FIVE, language=language)
    page = a_phone(browser, live_server)
    begin(page, study)
    AssignedItem.objects.update(is_direction_reversed=is_reversed)
    page.reload()
    for share in SHARES:
        tap(page, share)
        saved(page)
        go_on(page)
    page.wait_for_url("**/finish/")
    runs_from_the_right = (language == "ar") != is_reversed
    assert stored() == pytest.approx([100 * (1 - share if runs_from_the_right else share) for share in SHARES], abs=1)
    assert Judgment.objects.count() == len(SHARES)
    assert set(Judgment.objects.values_list("input_kind", "moves")) == {("touch", 1)}
    page.context.close()


def test_tap_answers_on_each_of_several_lines(browser: Browser, live_server: Any) -> None:
    study = a_study_of("sliders")
    Label.objects.bulk_create(
        Label(study=study, value=value, display_text=value, position=position)
        for position, value in enumerate(("pink", "grey"), 4)
    )
    page = a_phone(browser, live_server)
    begin(page, study)
    for index, share in enumerate(SHARES):
        tap(page, share, index)
    saved(page)
    numbers = Judgment.objects.get().numbers
    assert numbers is not None
    assert [numbers[label] for label in ("blue", "green", "red", "pink", "grey")] == pytest.approx(
        [100 * share for share in SHARES], abs=1
    )
    page.context.close()


def test_second_tap_in_the_same_place_changes_nothing(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider")
    page = a_phone(browser, live_server)
    begin(page, study)
    tap(page, 0.5)
    saved(page)
    tap(page, 0.5)
    page.wait_for_timeout(800)
    assert set(stored()) == {50.0}
    page.context.close()


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_finger_that_moves_up_a_page_too_short_to_scroll_has_not_answered(
    share: float, browser: Browser, live_server: Any
) -> None:
    study = a_study_of("slider")
    page = a_phone(browser, live_server, height=2000)
    begin(page, study)
    box = line(page).bounding_box()
    assert box is not None
    swipe(page, (box["x"] + box["width"] * share, box["y"] + box["height"] / 2), (0, -6), steps=4)
    page.wait_for_timeout(800)
    assert page.evaluate("window.scrollY") == 0
    expect(line(page)).to_have_attribute("data-untouched", "")
    assert not Judgment.objects.exists()
    page.context.close()


def test_finger_that_scrolls_over_an_answered_line_leaves_it_as_it_was(browser: Browser, live_server: Any) -> None:
    study = a_study_of("sliders")
    page = a_phone(browser, live_server, height=400)
    begin(page, study)
    tap(page, 0.75, 1)
    before = line(page, 1).input_value()
    box = line(page, 1).bounding_box()
    assert box is not None
    swipe(page, (box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2), (0, -12))
    page.wait_for_timeout(800)
    expect(line(page, 1)).to_have_js_property("value", before)
    page.context.close()


def test_screen_readers_double_tap_after_a_scroll_counts(browser: Browser, live_server: Any) -> None:
    """A screen reader presses the line by itself: a click comes, and no pointer."""
    study = a_study_of("slider")
    page = a_phone(browser, live_server, height=400)
    begin(page, study)
    line(page).scroll_into_view_if_needed()
    box = line(page).bounding_box()
    assert box is not None
    swipe(page, (box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2), (0, 12))
    page.wait_for_timeout(500)
    expect(line(page)).to_have_attribute("data-untouched", "")
    line(page).evaluate("range => range.click()")
    saved(page)
    assert stored() == [50.0]
    page.context.close()
