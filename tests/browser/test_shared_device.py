"""Several people use one device: nobody is shown what another has finished, and nobody's words stay behind."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.entry.links import make_open_link
from annotation.models import Participation
from annotation.people.leaving import withdraw
from tests.browser.people import another, begin, go_on, saved, until
from tests.integration.annotation.answering.views.people import a_study_of, links_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OFFER = "Somebody has already started this study on this device."
ONE = [{"item_id": "one", "fields": {"thing": "fern"}}]


def an_open_link(kind: str = "text", **changes: Any) -> str:
    study = a_study_of(kind, platform="direct", items=ONE, **changes)
    return f"/join/{make_open_link(study=study, capacity=None).token}/"


def begin_by(page: Page, link: str) -> None:
    page.goto(link)
    page.locator("main form button").click()
    page.locator("button[value=yes]").click()
    page.locator("main form button:not([value])").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))


def hand_in(page: Page, text: str = "A fern.") -> None:
    page.locator("[data-stage] textarea").fill(text)
    go_on(page)
    page.wait_for_url("**/finish/")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/done/")


KEPT = "Object.keys(localStorage).filter(key => key.startsWith('touchstone.'))"


def nothing_kept(page: Page) -> None:
    """Nothing of us is left in this browser, as soon as the page's script has run."""
    until(page, lambda: page.evaluate(KEPT) == [], "this browser still keeps something")


def no_offer(page: Page, link: str) -> None:
    page.goto(link)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text(OFFER)).to_be_hidden()


def test_finished_persons_page_is_not_offered_to_the_next(page: Page) -> None:
    link = an_open_link()
    begin_by(page, link)
    hand_in(page)
    nothing_kept(page)
    no_offer(page, link)


def test_page_of_one_who_has_withdrawn_is_not_offered(page: Page) -> None:
    link = an_open_link()
    begin_by(page, link)
    page.locator("[data-stage] textarea").press_sequentially("My secret")
    page.goto(links_of(Participation.objects.get())["withdrawal"])
    page.get_by_role("button", name="Erase my answers").click()
    expect(page.get_by_text("You have withdrawn")).to_be_visible()
    nothing_kept(page)
    no_offer(page, link)


def test_page_of_one_who_finished_elsewhere_is_not_offered(page: Page) -> None:
    link = an_open_link()
    begin_by(page, link)
    page.locator("[data-stage] textarea").press_sequentially("My secret")
    withdraw(participation=Participation.objects.get())
    no_offer(page, link)
    nothing_kept(page)


def test_not_me_lets_go_of_the_offer_and_of_drafts(page: Page) -> None:
    link = an_open_link()
    begin_by(page, link)
    page.locator("[data-stage] textarea").press_sequentially("My secret")
    page.goto(link)
    page.get_by_role("button", name="That was not me").click()
    expect(page.get_by_text(OFFER)).to_be_hidden()
    nothing_kept(page)
    no_offer(page, link)


def test_site_that_is_out_of_order_forgets_nobody(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    link = an_open_link()
    begin_by(page, link)
    page.route("**/p/**", lambda route: route.fulfill(status=503, body="later"))
    no_offer(page, link)
    page.unroute("**/p/**")
    page.goto(link)
    page.get_by_text("That was me").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))


def test_text_left_in_a_part_that_has_ended_goes_with_it(page: Page) -> None:
    study = a_study_of("text", items_per_assignment=1, assignments_per_worker=2)
    begin(page, study)
    page.locator("[data-stage] textarea").fill("A fern.")
    go_on(page)
    page.wait_for_url("**/finish/")
    page.evaluate(
        """name => localStorage.setItem(`touchstone.${name}.draft.1`, '"left over"')""",
        page.locator("[data-finish]").get_attribute("data-queue"),
    )
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))
    page.locator("html.has-script").wait_for()
    nothing_kept(page)


def test_text_abandoned_for_good_is_swept_by_the_next_page(page: Page) -> None:
    begin(page, a_study_of("text"))
    page.locator("[data-stage] textarea").press_sequentially("half a")
    assert len(page.evaluate(KEPT)) == 1
    page.clock.set_fixed_time("2035-01-01T00:00:00Z")
    begin(page, a_study_of("text"))
    page.locator("html.has-script").wait_for()
    nothing_kept(page)


def test_answer_that_is_not_sent_yet_outlives_the_sweep(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("text", items=ONE))
    address = page.url
    page.route("**/save/", lambda route: route.abort())
    page.locator("[data-stage] textarea").fill("A fern.")
    go_on(page)
    page.locator("[data-status=waiting]").wait_for()
    begin(page, a_study_of("choice"))
    page.unroute("**/save/")
    page.goto(address)
    saved(page)
