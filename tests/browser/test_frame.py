"""In MTurk's frame, where the page is a stranger's and cookies are blocked."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from annotation.models import Judgment
from tests.browser.people import until
from tests.integration.annotation.answering.views.people import a_study_of

# A page of the wide world may not reach this machine unless a person lets it: the test's server is one on this machine.
LOOPBACK = ["local-network-access"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PARAMETERS = "workerId=W1&assignmentId=A1&hitId=H1&turkSubmitTo=https://www.mturk.com"


def test_whole_journey_works_in_mturks_frame_and_hands_in_there(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider", platform="mturk", items=[{"item_id": "1", "fields": {"thing": "fern"}}])
    context = browser.new_context(permissions=LOOPBACK)
    page = context.new_page()
    handed_in: list[str] = []

    def mturk(route: Route) -> None:
        if route.request.method == "POST":
            handed_in.append(route.request.post_data or "")
            route.fulfill(body="<p>handed in</p>", content_type="text/html")
        else:
            address = f"{live_server.url}/take/{study.slug}/?{PARAMETERS}"
            route.fulfill(body=f'<iframe src="{address}" width="800" height="700">', content_type="text/html")

    context.route("https://www.mturk.com/**", mturk)
    page.goto("https://www.mturk.com/task")
    frame = page.frame_locator("iframe")
    # By keyboard: on a busy machine Chromium drops a click on another site's frame that it hasn't drawn yet.
    frame.locator("main form button").press("Enter")
    frame.locator("button[value=yes]").press("Enter")
    frame.locator("main form button:not([value])").press("Enter")
    frame.locator(".has-script").wait_for()
    frame.locator("input[type=range]").press("End")
    frame.locator("[data-status=saved]").wait_for()
    frame.locator("[data-stage] button[type=submit]").press("Enter")
    frame.get_by_role("button", name="Submit").press("Enter")
    frame.get_by_role("button", name="Submit to MTurk").press("Enter")
    expect(frame.get_by_text("handed in")).to_be_visible()
    assert handed_in == ["assignmentId=A1&code=DONE123"]
    assert Judgment.objects.get().number == 100.0
    assert context.cookies() == []
    context.close()


def test_no_other_page_may_frame_it(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider", platform="mturk")
    context = browser.new_context(permissions=LOOPBACK)
    page = context.new_page()
    address = f"{live_server.url}/take/{study.slug}/?{PARAMETERS}"
    context.route(
        "https://evil.example/**",
        lambda route: route.fulfill(body=f'<iframe src="{address}">', content_type="text/html"),
    )
    page.goto("https://evil.example/")
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.reload()
    until(page, lambda: any("frame-ancestors" in text for text in refused), "the page let itself be framed")
    expect(page.frame_locator("iframe").locator("main form button")).to_have_count(0)
    context.close()
