"""A qualification round in a browser, on a phone, with script and without."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Judgment, Participation, Study
from tests.browser.people import a_phone, begin, entry, go_on, saved
from tests.browser.test_access import look
from tests.integration.annotation.answering.views.test_qualification import (
    FEEDBACK,
    ITEMS,
    RIGHT,
    WRONG,
    a_study_with_qualification,
    qualification,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def answer_round(page: Page, answers: dict[str, str]) -> None:
    for number in (1, 2, 3):
        expect(page.locator("[data-stage] .progress p").first).to_have_text(f"Qualification {number} of 3")
        thing = page.locator("[data-stage] .question").inner_text().removeprefix("What of a ").removesuffix("?")
        page.locator("[data-stage]").get_by_label(answers[thing]).check()
        go_on(page)
    expect(page.get_by_role("heading", name="You have answered the qualification questions")).to_be_visible()
    page.get_by_role("button", name="Submit").click()


@pytest.mark.parametrize("has_script", [True, False])
def test_people_pass_or_fail_on_a_phone(browser: Browser, live_server: Any, *, has_script: bool) -> None:
    study = a_study_with_qualification()
    page = a_phone(browser, live_server, java_script_enabled=has_script)

    begin(page, study, "passes")
    answer_round(page, RIGHT)
    expect(page.locator("[data-stage] .progress p").first).to_have_text("1 of 2")

    begin(page, study, "fails")
    answer_round(page, WRONG)
    expect(page.get_by_role("heading", name="Thank you for trying")).to_be_visible()
    expect(page.get_by_role("link", name="Go back to Prolific")).to_have_attribute("href", ends_with("cc=NOTQ789"))
    page.go_back()
    page.goto(entry(study, "fails"))
    page.locator("main form button").click()
    expect(page.get_by_role("link", name="Go back to Prolific")).to_have_attribute("href", ends_with("cc=NOTQ789"))
    assert sorted(Participation.objects.values_list("status", flat=True)) == ["failed-qualification", "working"]
    page.context.close()


def ends_with(text: str) -> Any:
    return re.compile(f"{re.escape(text)}$")


def a_study_with_feedback() -> Study:
    items = [qualification("rose", **FEEDBACK), *ITEMS[3:]]
    return a_study_with_qualification(items=items, qualification_pass_mark=1, qualification_feedback=True)


def test_first_answer_is_final_once_next_is_pressed(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server)
    begin(page, a_study_with_feedback())
    look(page)
    page.get_by_label("blue").check()
    page.get_by_label("green").check()
    page.wait_for_timeout(800)  # longer than an answer that isn't final would wait
    assert not Judgment.objects.exists()

    go_on(page)

    expect(page.get_by_text("It is red.")).to_be_visible()
    saved(page)
    expect(page.get_by_label("red")).to_be_disabled()
    look(page)
    assert list(Judgment.objects.values_list("label", flat=True)) == ["green"]
    page.reload()
    expect(page.get_by_text("It is red.")).to_be_visible()
    expect(page.get_by_label("red")).to_be_disabled()
    go_on(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you for trying")).to_be_visible()
    look(page)
    page.context.close()


def test_first_answer_is_final_without_script(browser: Browser, live_server: Any) -> None:
    page = a_phone(browser, live_server, java_script_enabled=False)
    begin(page, a_study_with_feedback())
    page.get_by_label("red").check()
    go_on(page)
    expect(page.get_by_text("Well seen.")).to_be_visible()
    expect(page.get_by_label("blue")).to_be_disabled()
    go_on(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("[data-stage] .progress p").first).to_have_text("1 of 2")
    page.context.close()
