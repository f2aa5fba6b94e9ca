"""What to do, read again beside a question: in place, so that nothing is lost by looking."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import begin, go_on, number_shown, put, saved, stored
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_reading_instructions_keeps_an_answer_and_stays_open_over_pages(page: Page) -> None:
    begin(page, a_study_of("slider", instructions="Mind the **scale**."))
    put(page, 0.75)
    saved(page)
    page.locator(".instructions summary").click()
    expect(page.locator(".instructions strong")).to_be_visible()
    go_on(page)
    page.wait_for_function("document.querySelector('[data-stage] form').dataset.number === '2'")
    assert number_shown(page) == "2 of 3"
    expect(page.locator(".instructions strong")).to_be_visible()
    assert stored()[0] == pytest.approx(75, abs=2)


def test_reading_instructions_keeps_what_is_being_typed(page: Page) -> None:
    begin(page, a_study_of("text", instructions="Write a sentence."))
    page.locator("[data-stage] textarea").fill("Half a sen")
    page.locator(".instructions summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".instructions .prose")).to_be_visible()
    assert page.locator("[data-stage] textarea").input_value() == "Half a sen"
