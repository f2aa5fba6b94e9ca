"""Sets of labels within their limits, and orders made by dragging: by mouse, by finger and by keys."""

import os
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from annotation.models import Judgment, Study
from tests.browser.people import a_phone, begin, go_on, saved, swipe
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("TOUCHSTONE_TEST_PICTURES")
NONE = {"value": "none", "display_text": "none of these", "exclusive": True}


def a_set(**limits: Any) -> Study:
    return a_study_of("choices", labels=["above", "below", "beside", NONE], **limits)


def keep_picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


def rows(page: Page) -> list[str]:
    return page.locator("[data-stage] [data-row] bdi").all_inner_texts()


def middle(page: Page, label: str) -> tuple[float, float]:
    """Of the handle of a row."""
    box = page.get_by_role("button", name=f"Drag {label},").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_label_that_stands_alone_takes_the_others_away(page: Page) -> None:
    begin(page, a_set())
    page.get_by_label("above").check()
    page.get_by_label("below").check()
    page.get_by_label("none of these").check()
    expect(page.get_by_label("above")).not_to_be_checked()
    expect(page.get_by_label("below")).not_to_be_checked()
    page.get_by_label("beside").check()
    expect(page.get_by_label("none of these")).not_to_be_checked()
    go_on(page)
    saved(page)
    assert Judgment.objects.current().get().labels == ["beside"]


def test_no_more_labels_can_be_ticked_than_an_answer_may_have(page: Page) -> None:
    begin(page, a_set(fewest=2, most=2))
    expect(page.get_by_text("Number of answers to choose: exactly 2.").first).to_be_visible()
    page.get_by_label("above").check()
    go_on(page)
    expect(page.locator("[data-stage] [data-problem]")).to_have_text("Number of answers to choose: exactly 2.")
    page.get_by_label("below").check()
    page.get_by_label("beside").click(force=True)  # which it calls disabled
    expect(page.get_by_label("beside")).not_to_be_checked()
    expect(page.get_by_label("beside")).to_have_attribute("aria-disabled", "true")
    keep_picture(page, "choices-full")
    assert not Axe().run(page, None, {"resultTypes": ["violations"]})["violations"]
    page.get_by_label("below").uncheck()
    page.get_by_label("beside").check()
    go_on(page)
    saved(page)
    assert Judgment.objects.current().get().labels == ["above", "beside"]


def test_one_that_stands_alone_is_enough_by_itself(page: Page) -> None:
    begin(page, a_set(fewest=2))
    page.get_by_label("none of these").check()
    saved(page)
    assert Judgment.objects.get().labels == ["none"]


def test_without_script_the_server_says_what_is_wrong(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360, java_script_enabled=False)
    begin(page, a_set(most=2))
    page.get_by_label("above").check()
    page.get_by_label("none of these").check()
    go_on(page)
    expect(page.locator("[data-problem]")).to_have_text("“none of these” can't be chosen together with other answers.")
    page.get_by_label("none of these").uncheck()
    page.get_by_label("below").check()
    page.get_by_label("beside").check()
    go_on(page)
    expect(page.locator("[data-problem]")).to_have_text("Number of answers to choose: at most 2.")
    keep_picture(page, "choices-without-script")
    assert not Judgment.objects.exists()
    page.context.close()


def test_an_order_is_made_by_dragging_with_the_mouse(page: Page) -> None:
    begin(page, a_study_of("ranking"))
    x, y = middle(page, "red")
    page.mouse.move(x, y)
    page.mouse.down()
    _, top = middle(page, "blue")
    page.mouse.move(x, top - 10, steps=12)
    keep_picture(page, "ranking-held")
    page.mouse.up()
    assert rows(page) == ["red", "blue", "green"]
    expect(page.locator("[data-announce]")).to_have_text("red: place 1 of 3")
    saved(page)
    judgment = Judgment.objects.get()
    assert (judgment.labels, judgment.input_kind, judgment.moves) == (["red", "blue", "green"], "mouse", 1)


@pytest.mark.parametrize("width", [360, 390])
def test_an_order_is_made_by_dragging_with_a_finger(browser: Browser, live_server: Any, width: int) -> None:
    page = a_phone(browser, live_server, width=width)
    begin(page, a_study_of("ranking", labels=["a long answer of several words", "blue", "red"]))
    keep_picture(page, f"ranking-{width}")
    x, y = middle(page, "a long answer of several words")
    _, end = middle(page, "red")
    swipe(page, (x, y), (0, (end + 10 - y) / 12), steps=12)
    assert rows(page) == ["blue", "red", "a long answer of several words"]
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.labels == ["blue", "red", "a long answer of several words"]
    assert judgment.input_kind == "touch"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_a_touch_that_moves_nothing_gives_no_answer(page: Page) -> None:
    begin(page, a_study_of("ranking"))
    page.mouse.move(*middle(page, "red"))
    page.mouse.down()
    page.mouse.up()
    go_on(page)
    expect(page.get_by_text("Please answer this question first.")).to_be_visible()
    assert not Judgment.objects.exists()


def test_an_order_is_made_by_arrow_keys_on_a_handle(page: Page) -> None:
    begin(page, a_study_of("ranking"))
    page.get_by_role("button", name="Drag red,").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    assert rows(page) == ["blue", "red", "green"]
    expect(page.get_by_role("button", name="Drag red,")).to_be_focused()
    assert not Axe().run(page, None, {"resultTypes": ["violations"]})["violations"]
    saved(page)
    assert Judgment.objects.current().get().labels == ["blue", "red", "green"]
