"""What a person does in a browser, for the tests that do it."""

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

from annotation.models import Judgment, Study
from tests.services.fixtures import LONG_ENOUGH_MS

_numbers = count(1)
THUMB_PX = 32  # --thumb of touchstone.css


def entry(study: Study, person: str | None = None) -> str:
    return f"/take/{study.slug}/?PROLIFIC_PID={person or f'browser{next(_numbers)}'}&STUDY_ID=st&SESSION_ID=s1"


def begin(page: Page, study: Study, person: str | None = None) -> None:
    """From the first page to the first question."""
    page.goto(entry(study, person))
    page.locator("main form button").click()
    page.locator("button[value=yes]").click()
    page.locator("main form button:not([value])").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))


def line(page: Page, index: int = 0) -> Locator:
    return page.locator("[data-stage] input[type=range]").nth(index)


def put(page: Page, share: float, index: int = 0) -> None:
    """Clicks so far along the line, seen from the left."""
    one = line(page, index)
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)


def slide_to_the_right(inside: FrameLocator) -> None:
    """Answers the slider of a page within a page, by the keyboard."""
    inside.locator(".has-script").wait_for()
    slider = inside.locator("[data-stage] input[type=range]").first
    slider.press("End")
    expect(slider).not_to_have_attribute("data-untouched", "")


def a_phone(browser: Browser, live_server: Any, *, width: int = 390, height: int = 844, **changes: Any) -> Page:
    """A tab on a phone, under a finger; close its context when done."""
    context = browser.new_context(
        base_url=live_server.url,
        has_touch=True,
        is_mobile=True,
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        **changes,
    )
    context.set_default_timeout(LONG_ENOUGH_MS)
    return context.new_page()


def tap(page: Page, share: float, index: int = 0) -> None:
    """Taps with a finger where the middle of the thumb would stand at this share of the way, seen from the left."""
    one = line(page, index)
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    assert box is not None
    page.touchscreen.tap(
        box["x"] + THUMB_PX / 2 + share * (box["width"] - THUMB_PX),
        box["y"] + box["height"] / 2,
    )


def swipe(page: Page, start: tuple[float, float], step: tuple[float, float], steps: int = 11) -> None:
    """Drags a finger over the page, in steps."""
    finger = page.context.new_cdp_session(page)
    x, y = start
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for taken in range(1, steps + 1):
        point = {"x": x + taken * step[0], "y": y + taken * step[1]}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def go_on(page: Page) -> None:
    page.locator("[data-stage] button[type=submit]").click()


def saved(page: Page) -> None:
    """Waits until the page says that the server has everything."""
    page.locator("[data-status=saved]").wait_for()


def number_shown(page: Page) -> str:
    return page.locator("[data-stage] .progress > p").inner_text()


def question_shown(page: Page) -> str:
    return page.locator("[data-stage] legend").first.inner_text()


def stored() -> list[float | None]:
    """The current answers, by position."""
    current = Judgment.objects.current().order_by("assigned_item__position")
    return list(current.values_list("number", flat=True))


def until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Waits for what happens on the server's side."""
    for _ in range(LONG_ENOUGH_MS // 50):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(what)


def another(context: BrowserContext, **changes: Any) -> Page:
    """A tab whose errors are expected: the network is cut in it, or the server refuses."""
    return context.new_page(**changes)
