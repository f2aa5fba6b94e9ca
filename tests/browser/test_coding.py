"""The page on which researchers code properties: by hand, by keyboard, without script, on a phone and at a desk."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.models import Study
from annotation.releases.models import PropertyCode
from tests.browser.test_admin import DESK, PHONE, found_on, sign_in
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ITEMS = [{"item_id": name, "fields": {"concept": name}} for name in ("fox", "vase", "fern")]
SAID = {
    "ann": ["is furry", "has a bushy tail", "is red"],
    "ben": ["is hairy", "is red", "lives in woods"],
    "kim": ["is furry", "is clever", "a very long property that somebody wrote down with a good many words in it"],
}


def a_coded_study() -> Study:
    study = a_study_of("list", ITEMS, judgments_per_item=3, owner=a_researcher())
    for name, given in SAID.items():
        answers(came(study, name), "properties", {"fox": given})
    return study


def address(study: Study) -> str:
    return reverse("agreement:coding", args=[study.uuid])


def test_spellings_are_merged_with_the_keyboard_and_enter_in_a_field_saves_and_merges_nothing(page: Page) -> None:
    study = a_coded_study()
    sign_in(page, study)
    page.goto(address(study))
    for spelling in ("is furry", "is hairy"):
        page.get_by_role("group", name=spelling).get_by_label("Merge").focus()
        page.keyboard.press("Space")
    page.get_by_label("Merge those that are ticked into").fill("has fur")
    page.get_by_role("button", name="Merge").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 spellings were coded (coding 1).")).to_be_visible()
    red = page.get_by_role("group", name="is red")
    red.get_by_label("Merge").check()
    red.get_by_label("Type").select_option("visual perceptual")
    red.get_by_label("Feature").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 spelling was coded (coding 2).")).to_be_visible()
    rows = PropertyCode.objects.of_study(study).in_force()
    assert {name: row.code.name for name, row in rows.items()} == {
        "is furry": "has fur",
        "is hairy": "has fur",
        "is red": "is red",
    }


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_and_nothing_hangs_out(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    study = a_coded_study()
    context = browser.new_context(
        base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    sign_in(page, study)
    problems: list[str] = []
    for path in (address(study), f"{address(study)}?q=nothing", f"{address(study)}import/"):
        page.goto(path)
        problems += found_on(page)
    context.close()
    assert problems == []


def test_without_script_the_page_does_the_same(browser: Browser, live_server: Any) -> None:
    study = a_coded_study()
    with_script = browser.new_context(base_url=live_server.url)
    sign_in(with_script.new_page(), study)
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=with_script.storage_state()
    )
    page = context.new_page()
    page.goto(address(study))
    page.get_by_role("group", name="is clever").get_by_label("Leave out").check()
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("1 spelling was coded (coding 1).")).to_be_visible()
    context.close()
    with_script.close()
    assert PropertyCode.objects.get().is_left_out
