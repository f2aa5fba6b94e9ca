"""Labels of an item's own on a phone: each person sees them in an order of their own, and the value is stored."""

import os
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from annotation.models import Judgment, Study
from tests.browser.people import a_phone, begin, go_on, saved
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("TOUCHSTONE_TEST_PICTURES")
CAPTIONS = {
    "short": "A dog runs across a field.",
    "long": "A brown dog with a red ball in its mouth runs across a field of long grass towards a house.",
    "none": "There is nothing to be seen.",
}


def a_caption_study() -> Study:
    fields = {"thing": "picture", "options": "|".join(CAPTIONS), "option_texts": "|".join(CAPTIONS.values())}
    return a_study_of("choice", labels=[], items=[{"item_id": "one", "fields": fields}])


def offers(page: Page) -> list[str]:
    return page.locator("[data-stage] .offer span").all_inner_texts()


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_a_caption_is_chosen_and_its_value_stored(browser: Browser, live_server: Any, width: int) -> None:
    page = a_phone(browser, live_server, width=width)
    begin(page, a_caption_study())
    shown = offers(page)
    assert sorted(shown) == sorted(CAPTIONS.values())
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"own-labels-{width}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not Axe().run(page, None, {"resultTypes": ["violations"]})["violations"]
    page.get_by_label(CAPTIONS["long"]).check()
    saved(page)
    judgment = Judgment.objects.get()
    assert judgment.label == "long"
    assert judgment.shown_position == shown.index(CAPTIONS["long"]) + 1
    assert [CAPTIONS[value] for value in judgment.shown_order or ()] == shown
    page.reload()
    assert offers(page) == shown
    expect(page.get_by_label(CAPTIONS["long"])).to_be_checked()
    page.context.close()


def test_without_script_the_order_is_the_same(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, width=360, java_script_enabled=False)
    begin(page, a_caption_study())
    shown = page.locator(".offer span").all_inner_texts()
    page.locator(".offer").first.click()
    go_on(page)
    judgment = Judgment.objects.get()
    assert [CAPTIONS[value] for value in judgment.shown_order or ()] == shown
    assert judgment.shown_position == 1
    page.context.close()
