"""A text that is too long, or that the server does not take, is kept; its writer hears which question it is."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from annotation.models import Judgment, Participation
from tests.browser.people import another, begin, go_on, number_shown, saved
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TOO_LONG = "is green\n" + "x" * 260
ONE = [{"item_id": "one", "fields": {"thing": "fern"}}]


def writing(page: Page) -> Any:
    return page.locator("[data-stage] textarea").first


def refuse_once(page: Page) -> None:
    """The server takes the first answer for a bad one, whatever it is; no server of ours cuts the page's own rule."""
    left = [True]

    def reply(route: Route) -> None:
        if left:
            left.pop()
            route.fulfill(status=422, json={"saved": False, "sentence": "This can't be kept.", "field": "text"})
        else:
            route.continue_()

    page.route("**/save/", reply)


def test_list_with_a_long_line_stays_on_its_page_with_what_was_typed(page: Page) -> None:
    begin(page, a_study_of("list"))
    writing(page).fill(TOO_LONG)
    go_on(page)
    expect(page.get_by_text("Line 2 has 260 characters. Please write at most 200 per line.")).to_be_visible()
    expect(writing(page)).to_be_focused()
    expect(writing(page)).to_have_value(TOO_LONG)
    expect(writing(page)).to_have_attribute("aria-invalid", "true")
    expect(writing(page)).to_have_accessible_description(re.compile("Line 2 has 260 characters"))
    assert number_shown(page) == "1 of 3"
    page.reload()
    expect(writing(page)).to_have_value(TOO_LONG)
    writing(page).fill("is green")
    go_on(page)
    saved(page)
    assert Judgment.objects.get().properties == ["is green"]


def test_limit_is_said_and_counted_beforehand(page: Page) -> None:
    begin(page, a_study_of("list"))
    expect(writing(page)).to_have_accessible_description("At most 200 characters per line, and at most 100 lines.")
    writing(page).press_sequentially("is green\nred")
    expect(page.locator("[data-stage] [data-count]")).to_have_text("Line 2: 3 of 200 characters")
    writing(page).fill(TOO_LONG)
    expect(page.locator("[data-stage] [data-count]")).to_have_attribute("data-over", "")


def test_text_is_counted_as_the_server_counts_it(page: Page) -> None:
    begin(page, a_study_of("text"))
    writing(page).fill("🌿" * 4_999 + "\n\n")
    expect(page.locator("[data-stage] [data-count]")).to_have_text("4999 of 5000 characters")
    writing(page).fill("🌿" * 5_001)
    go_on(page)
    expect(page.get_by_text("Please write at most 5000 characters.")).to_be_visible()
    writing(page).fill("🌿" * 5_000)
    go_on(page)
    saved(page)
    assert Judgment.objects.get().text == "🌿" * 5_000


def test_answer_refused_later_is_named_kept_and_led_back_to(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("text"))
    refuse_once(page)
    writing(page).fill("A fern.")
    go_on(page)
    link = page.get_by_role("link", name="Question 1: This can't be kept.")
    expect(link).to_be_visible()
    assert number_shown(page) == "2 of 3"
    writing(page).fill("A brick.")
    go_on(page)
    expect(page.locator("[data-status=refused]")).to_be_visible()
    expect(link).to_be_visible()  # it is not covered by the next answer's "Saved"
    link.click()
    expect(writing(page)).to_have_value("A fern.")
    expect(writing(page)).to_be_focused()
    writing(page).fill("A green fern.")
    go_on(page)
    saved(page)
    assert set(Judgment.objects.values_list("text", flat=True)) == {"A brick.", "A green fern."}


def test_refused_answer_survives_a_reload(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("text"))
    address = page.url
    refuse_once(page)
    writing(page).fill("A fern.")
    go_on(page)
    page.locator("[data-status=refused]").wait_for()
    page.goto(address)
    expect(writing(page)).to_have_value("A fern.")
    expect(page.get_by_text("This can't be kept.")).to_be_visible()
    assert not Judgment.objects.exists()


def test_refused_last_answer_does_not_lead_to_the_end(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("text", items=ONE))
    refuse_once(page)
    writing(page).fill("A fern.")
    go_on(page)
    expect(writing(page)).to_be_focused()
    expect(page.get_by_text("This can't be kept.").first).to_be_visible()
    assert "/finish/" not in page.url


def test_last_page_does_not_call_saved_what_was_refused(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("text", items=ONE))
    address = page.url
    writing(page).fill("A fern.")
    go_on(page)
    page.wait_for_url("**/finish/")
    expect(page.get_by_text("All your answers are saved.")).to_be_visible()
    page.goto(address)
    refuse_once(page)
    writing(page).fill("Another.")
    go_on(page)
    expect(page.get_by_text("This can't be kept.").first).to_be_visible()
    page.goto(address.replace("/1/", "/finish/"))
    expect(page.get_by_text("All your answers are saved.")).to_be_hidden()
    expect(page.get_by_text("Some of your answers could not be saved")).to_be_visible()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("link", name="Question 1: This can't be kept.")).to_be_focused()
    assert Participation.objects.get().status == Participation.Status.WORKING
    page.get_by_role("link", name="Question 1").click()
    expect(writing(page)).to_have_value("Another.")


def test_without_script_the_text_stays_and_the_question_is_named(browser: Browser, live_server: Any) -> None:
    study = a_study_of("list", items_per_page=3)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    begin(page, study)
    expect(page.get_by_text("At most 200 characters per line").first).to_be_visible()
    for index, text in enumerate(("is green", TOO_LONG, "is black")):
        page.locator("main textarea").nth(index).fill(text)
    go_on(page)
    expect(page.get_by_role("link", name="Question 2: Line 2 has 260 characters.")).to_be_visible()
    expect(page.locator("main textarea").nth(1)).to_have_value(TOO_LONG)
    expect(page.locator("main textarea").nth(1)).to_have_accessible_description(re.compile("Line 2 has 260"))
    assert Judgment.objects.count() == 2
    context.close()
