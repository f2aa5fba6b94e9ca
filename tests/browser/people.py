"""What a person does in a browser, for the tests that do it."""

import re
from collections.abc import Callable
from itertools import count
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page

from annotation.models import Judgment, Study

_numbers = count(1)
LONG_ENOUGH_MS = 10_000


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


def go_on(page: Page) -> None:
    page.locator("[data-stage] button[type=submit]").click()


def saved(page: Page) -> None:
    """Waits until the page says that the server has everything."""
    page.locator("[data-status=saved]").wait_for()


def number_shown(page: Page) -> str:
    return page.locator("[data-stage] .progress p").inner_text()


def question_shown(page: Page) -> str:
    return page.locator("[data-stage] legend").first.inner_text()


def stored() -> list[float | None]:
    """The current answers, by position."""
    current = Judgment.objects.current().order_by("assigned_item__position")
    return list(current.values_list("number", flat=True))


def until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Waits for what happens on the server's side."""
    for _ in range(100):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(what)


def another(context: BrowserContext, **changes: Any) -> Page:
    """A tab whose errors are expected: the network is cut in it, or the server refuses."""
    return context.new_page(**changes)
