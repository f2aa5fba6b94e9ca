"""Answers survive a cut network, a reload, the back button, a second tab, another device and impatience."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from annotation.entry.links import make_open_link
from annotation.models import Judgment, Participation
from tests.browser.people import (
    another,
    begin,
    entry,
    go_on,
    line,
    number_shown,
    put,
    question_shown,
    saved,
    stored,
    until,
)
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_network_cut_says_so_calmly_and_sends_by_itself_when_it_is_back(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    browser_context.set_offline(True)
    put(page, 0.2)
    expect(page.get_by_role("status").last).to_contain_text("No connection")
    expect(page.locator("[data-status=saved]")).to_have_count(0)
    assert not Judgment.objects.exists()
    browser_context.set_offline(False)
    saved(page)
    assert len(stored()) == 1


def test_whole_assignment_can_be_done_without_network_and_finish_waits_for_it(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    browser_context.set_offline(True)
    for share in (0.1, 0.2, 0.3):
        put(page, share)
        go_on(page)
    expect(page.get_by_role("status").last).to_contain_text("still being sent")
    assert "/finish/" not in page.url
    browser_context.set_offline(False)
    page.wait_for_url("**/finish/")
    assert [round(number or 0, -1) for number in stored()] == [10, 20, 30]


def test_leaving_the_last_question_without_network_waits_for_it(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}]))
    put(page, 0.2)
    saved(page)
    browser_context.set_offline(True)
    go_on(page)
    expect(page.get_by_role("status").last).to_contain_text("will continue by itself")
    browser_context.set_offline(False)
    page.wait_for_url("**/finish/")


def test_browser_that_is_wrong_about_the_network_keeps_nobody(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })")
    begin(page, a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}]))
    put(page, 0.2)
    saved(page)
    go_on(page)
    page.wait_for_url("**/finish/")


def test_answer_that_was_not_sent_survives_a_reload(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    page.route("**/save/", lambda route: route.abort())
    put(page, 0.3)
    page.locator("[data-status=waiting]").wait_for()
    value = line(page).input_value()
    page.unroute("**/save/")
    page.reload()
    expect(line(page)).to_have_js_property("value", value)
    until(page, lambda: stored() == [float(value)], "the answer kept in the browser was not sent")


def test_server_that_is_out_of_order_is_asked_again(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    replies = [503, 500]

    def reply(route: Route) -> None:
        route.fulfill(status=replies.pop(), body="{}") if replies else route.continue_()

    page.route("**/save/", reply)
    put(page, 0.3)
    page.locator("[data-status=waiting]").wait_for()
    expect(page.locator("[data-status=paused]")).to_contain_text("can't save anything at the moment")
    saved(page)
    assert len(stored()) == 1


def test_reply_that_was_lost_makes_no_second_answer(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    lost = [True]

    def lose_first_reply(route: Route) -> None:
        route.fetch()
        route.abort() if lost.pop() else route.continue_()
        lost.append(False)

    page.route("**/save/", lose_first_reply)
    put(page, 0.3)
    saved(page)
    assert Judgment.objects.count() == 1


def test_reload_stays_at_the_same_question_with_its_answer(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.9)
    go_on(page)
    put(page, 0.2)
    saved(page)
    question, value = question_shown(page), line(page).input_value()
    page.reload()
    assert (question_shown(page), number_shown(page)) == (question, "2 of 3")
    expect(line(page)).to_have_js_property("value", value)
    expect(line(page)).not_to_have_attribute("data-untouched", "")


def test_back_button_shows_the_answer_and_forward_returns(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.9)
    value, first = line(page).input_value(), question_shown(page)
    go_on(page)
    second = question_shown(page)
    page.go_back()
    assert question_shown(page) == first
    expect(line(page)).to_have_js_property("value", value)
    page.go_forward()
    assert question_shown(page) == second


def test_second_tab_and_other_device_resume_in_the_same_order(
    page: Page, browser: Browser, browser_context: BrowserContext, live_server: Any
) -> None:
    study = a_study_of("slider")
    begin(page, study, person="two-tabs")
    order = [question_shown(page)]
    put(page, 0.9)
    go_on(page)
    order.append(question_shown(page))
    saved(page)
    elsewhere = browser.new_context(base_url=live_server.url)
    for context in (browser_context, elsewhere):
        tab = context.new_page()
        tab.goto(entry(study, "two-tabs"))
        tab.locator("main form button").click()
        assert (number_shown(tab), question_shown(tab)) == ("2 of 3", order[1])
        tab.locator("[data-turn='1']").click()
        assert question_shown(tab) == order[0]
    elsewhere.close()
    assert Participation.objects.count() == 1


def test_answer_changed_in_one_tab_and_then_in_another_keeps_the_last(
    page: Page, browser_context: BrowserContext
) -> None:
    begin(page, a_study_of("slider"))
    other = browser_context.new_page()
    other.goto(page.url)
    put(page, 0.1)
    saved(page)
    put(other, 0.9)
    saved(other)
    assert Judgment.objects.count() == 2
    assert (stored()[0] or 0) > 80


def test_impatience_changes_nothing(page: Page) -> None:
    begin(page, a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}]))
    put(page, 0.9)
    page.locator("[data-stage] button[type=submit]").dblclick()
    page.wait_for_url("**/finish/")
    page.locator("main form button").dblclick()
    page.wait_for_url("**/done/")
    expect(page.locator("[data-code]")).to_have_text("DONE123")
    assert Judgment.objects.count() == 1
    page.go_back()
    page.wait_for_url("**/done/")


def test_half_a_text_survives_a_reload_without_counting_as_an_answer(page: Page) -> None:
    begin(page, a_study_of("text"))
    page.locator("textarea").press_sequentially("Two fe")
    page.reload()
    expect(page.locator("textarea")).to_have_value("Two fe")
    assert not Judgment.objects.exists()
    page.locator("textarea").fill("Two ferns")
    go_on(page)
    saved(page)
    assert Judgment.objects.get().text == "Two ferns"


def test_refused_answer_says_why_and_is_not_sent_for_ever(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider"))
    Participation.objects.update(status=Participation.Status.REJECTED)
    put(page, 0.3)
    expect(page.get_by_role("status").last).to_contain_text("closed")
    assert not Judgment.objects.exists()


def test_answer_given_just_before_leaving_arrives(page: Page) -> None:
    begin(page, a_study_of("slider"))
    put(page, 0.9)
    page.goto("about:blank")
    until(page, lambda: len(stored()) == 1, "the answer did not leave with the page")


def test_handing_in_waits_for_what_another_tab_has_left(browser_context: BrowserContext) -> None:
    page = another(browser_context)
    begin(page, a_study_of("slider", items=[{"item_id": "one", "fields": {"thing": "fern"}}]))
    line(page).press("Home")
    saved(page)
    page.route("**/save/", lambda route: route.abort())
    line(page).press("End")
    page.locator("[data-status=waiting]").wait_for()
    address = page.url
    page.goto(address.replace("/1/", "/finish/"))
    page.locator("main form button").click()
    page.locator("[data-status=waiting]").wait_for()
    page.unroute("**/save/")
    page.wait_for_url("**/done/")
    assert stored() == [100.0]


def test_open_link_opened_again_offers_to_go_on(page: Page) -> None:
    study = a_study_of("slider", platform="direct")
    link = f"/join/{make_open_link(study=study, capacity=None).token}/"
    page.goto(link)
    expect(page.get_by_text("That was me")).to_be_hidden()
    page.locator("main form button").click()
    page.locator("button[value=yes]").click()
    page.locator("main form button:not([value])").click()
    page.wait_for_url(re.compile(r"/a/[^/]+/\d+/$"))  # loaded, and its script with it
    put(page, 0.9)
    go_on(page)
    saved(page)
    page.goto(link)
    page.get_by_text("That was me").click()
    assert number_shown(page) == "2 of 3"
    assert Participation.objects.count() == 1


def test_survey_code_is_taken_up_again_in_the_browser_that_began_with_it_alone(browser_context: BrowserContext) -> None:
    study = a_study_of("slider", platform="sona")
    page = another(browser_context)
    page.goto(f"/take/{study.slug}/?survey_code=4711")
    expect(page.get_by_text("That was me")).to_be_hidden()
    page.locator("main form button").click()
    page.locator("button[value=yes]").click()
    page.wait_for_url(re.compile(r"/instructions/$"))

    page.goto(f"/take/{study.slug}/?survey_code=4712")
    expect(page.get_by_text("That was me")).to_be_hidden()
    page.goto(f"/take/{study.slug}/?survey_code=4711")
    page.get_by_text("That was me").click()
    page.wait_for_url(re.compile(r"/instructions/$"))
    assert Participation.objects.count() == 1
