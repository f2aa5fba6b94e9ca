"""The deadline as a clock time, the warning before it, and the word when it has passed."""

import datetime as dt
import re
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from tests.browser.people import begin, go_on, put, saved
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ends_in(**left: float) -> dt.datetime:
    at = timezone.now() + dt.timedelta(**left)
    Assignment.objects.update(expires_at=at)
    return at


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("2026-11-20T12:00:00+05:30", r"^12:40\sPM$"),
        ("2026-11-20T23:50:00+05:30", r"^Saturday, November 21 at 12:30\sAM$"),
    ],
    ids=["the same day", "after midnight"],
)
def test_deadline_is_in_the_persons_own_time(browser: Browser, live_server: Any, clock: str, said: str) -> None:
    context = browser.new_context(base_url=live_server.url, timezone_id="Asia/Kolkata", locale="en-GB")
    page = context.new_page()
    begin(page, a_study_of("slider"))
    page.clock.set_fixed_time(dt.datetime.fromisoformat(clock))
    ends_in(minutes=40, seconds=30)
    page.reload()
    expect(page.locator("[data-by] time")).to_have_text(re.compile(said))
    expect(page.locator("[data-warning]")).to_be_empty()
    context.close()


def test_warning_comes_five_minutes_before_and_is_read_out(page: Page) -> None:
    page.clock.install()
    begin(page, a_study_of("slider"))
    ends_in(minutes=40)
    page.reload()
    warning = page.get_by_role("status").filter(has_text="Less than five minutes are left")
    expect(warning).to_have_count(0)
    page.clock.fast_forward("36:00")
    expect(warning).to_be_visible()
    put(page, 0.3)
    saved(page)


def test_word_comes_when_the_time_has_passed_and_stays_on_the_next_question(page: Page) -> None:
    begin(page, a_study_of("slider"))
    ends_in(seconds=3)
    page.reload()
    over = page.get_by_role("status").filter(has_text="The time ended at")
    expect(over).to_be_visible()
    put(page, 0.3)
    go_on(page)
    expect(over).to_be_visible()


def test_last_page_after_the_deadline_lists_what_is_open(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.3)
    saved(page)
    ends_in(minutes=-5)
    page.goto(page.url.replace("/1/", "/finish/"))
    expect(page.get_by_text("The time ended at")).to_be_visible()
    expect(page.get_by_text("All your answers are saved")).to_have_count(0)
    page.get_by_role("link", name="Question 3").click()
    page.wait_for_url("**/3/#i3")


def test_last_page_finds_what_was_still_on_its_way(page: Page) -> None:
    """What the browser had kept arrives from there, and is no longer called open."""
    begin(page, a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}]))
    tab = page.context.new_page()
    tab.route("**/save/", lambda route: route.abort())
    tab.goto(page.url)
    put(tab, 0.3)
    tab.locator("[data-status=waiting]").wait_for()
    tab.close()
    page.goto(page.url.replace("/1/", "/finish/"))
    expect(page.get_by_text("All your answers are saved")).to_be_visible()
