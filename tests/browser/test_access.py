"""axe finds nothing on any page, in light and in dark, on a phone and on a desk; nothing overflows a phone."""

import datetime as dt
import re
from typing import Any, Literal

import pytest
from axe_core_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from agreement.kinds.registry import QUESTION_KINDS
from annotation.entry.links import make_open_link
from annotation.models import Assignment, ComprehensionQuestion, EndQuestion, Label, Participation, Study
from tests.browser.people import begin, entry
from tests.integration.annotation.answering.views.people import a_picture, a_study_of, links_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1280, height=800)
LOOKS: tuple[tuple[ViewportSize, Literal["dark", "light"]], ...] = ((PHONE, "dark"), (DESK, "light"))
KINDS = list(QUESTION_KINDS)


def look(page: Page) -> None:
    """Runs axe, best practices included, and checks that nothing hangs out of the page."""
    page.wait_for_load_state("load")
    found = Axe().run(page)["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def looks(browser: Browser, live_server: Any) -> list[Page]:
    return [
        browser.new_context(
            base_url=live_server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
        ).new_page()
        for viewport, scheme in LOOKS
    ]


def a_study_with_everything(kind: str, **changes: Any) -> Study:
    items = [
        {"item_id": name, "image": a_picture(), "fields": {"thing": name, "alternative_text": "a red field"}}
        for name in ("fern", "brick")
    ]
    return a_study_of(kind, items=items, **changes)


@pytest.mark.parametrize("kind", KINDS)
def test_questions_of_each_kind(kind: str, browser: Browser, live_server: Any) -> None:
    study = a_study_with_everything(kind, items_per_page=2)
    for label in Label.objects.all():
        Label.objects.filter(pk=label.pk).update(swatch="#c81e1e")
    phone, desk = looks(browser, live_server)
    begin(phone, study)
    look(phone)
    begin(desk, study)
    desk.locator("[data-stage] button[type=submit]").click()
    expect(desk.get_by_text("Please answer this question first.").first).to_be_visible()
    look(desk)
    phone.context.close()
    desk.context.close()


def test_pages_around_the_questions(browser: Browser, live_server: Any) -> None:
    study = a_study_of("choice", items=[{"item_id": "one", "fields": {"thing": "fern"}}], contact="lab@example.org")
    ComprehensionQuestion.objects.create(
        study=study, position=1, text="What?", right_answer="This", wrong_answers="That"
    )
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old?", options="18\n19")
    EndQuestion.objects.create(study=study, position=2, name="tongue", text="Which languages?")
    for page in looks(browser, live_server):
        for address in ("/", "/take/no-such-study/", "/no-such-page/", entry(study)):
            page.goto(address)
            look(page)
        page.locator("main form button").click()
        look(page)
        page.locator("button[value=yes]").click()
        look(page)
        page.locator("main form button:not([value])").click()
        look(page)
        page.get_by_label("That").check()
        page.locator("main form button").click()
        look(page)
        page.get_by_label("This").check()
        page.locator("main form button").click()
        page.get_by_label("red").check()
        page.locator("[data-stage] button[type=submit]").click()
        page.wait_for_url(re.compile("/finish/$"))
        look(page)
        page.locator("main form button").click()
        page.locator("summary").click()
        look(page)
        page.goto(links_of(Participation.objects.latest("pk"))["withdrawal"])
        look(page)
        page.locator("main form button").click()
        look(page)
        page.context.close()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_pages_on_which_something_is_wrong(language: str, browser: Browser, live_server: Any) -> None:
    """A text that is too long, a deadline that is near or over, questions left open on the last page."""
    study = a_study_of("list", items_per_page=2, language=language)
    for page in looks(browser, live_server):
        begin(page, study)
        page.locator("[data-stage] textarea").first.fill("x" * 260)
        page.locator("[data-stage] button[type=submit]").click()
        expect(page.locator("[data-stage] .problem:visible")).to_have_count(2)
        look(page)
        address = page.url
        for minutes in (4, -4):
            Assignment.objects.update(expires_at=timezone.now() + dt.timedelta(minutes=minutes))
            page.goto(address)
            expect(page.locator("[data-warning] .notice")).to_be_visible()
            look(page)
        page.goto(address.replace("/1/", "/finish/"))
        expect(page.locator(".links:visible a")).to_have_count(3)
        look(page)
        page.context.close()


def test_offer_to_go_on(browser: Browser, live_server: Any) -> None:
    study = a_study_of("slider", platform="direct")
    link = f"/join/{make_open_link(study=study, capacity=None).token}/"
    for page in looks(browser, live_server):
        page.goto(link)
        page.locator("main form button").click()
        page.locator("button[value=yes]").wait_for()
        page.goto(link)
        expect(page.get_by_role("button", name="That was not me")).to_be_visible()
        look(page)
        page.context.close()


def test_arabic_reads_from_the_right(browser: Browser, live_server: Any) -> None:
    study = a_study_with_everything("slider", language="ar", low_label="مختلف", high_label="متشابه")
    for page in looks(browser, live_server):
        begin(page, study)
        assert page.locator("html").get_attribute("dir") == "rtl"
        low, high = page.locator(".ends bdi").first.bounding_box(), page.locator(".ends bdi").nth(1).bounding_box()
        assert low is not None
        assert high is not None
        assert low["x"] > high["x"]
        look(page)
        page.context.close()


def test_targets_are_large_enough_for_a_finger(browser: Browser, live_server: Any) -> None:
    page = looks(browser, live_server)[0]
    begin(page, a_study_with_everything("choice"))
    for target in page.locator("[data-stage] label, [data-stage] button:visible, [data-stage] a:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, target.inner_text()
    page.context.close()


def test_colours_forced_by_the_person_are_kept(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(base_url=live_server.url, forced_colors="active", viewport=PHONE)
    page = context.new_page()
    begin(page, a_study_of("slider"))
    page.locator("input[type=range]").press("End")
    look(page)
    context.close()


def test_first_page_weighs_at_most_40_kb_and_asks_no_other_host(page: Page, live_server: Any) -> None:
    study = a_study_of("slider", items=[{"item_id": str(k), "fields": {"thing": str(k)}} for k in range(20)])
    weights: dict[str, int] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.loadingFinished", lambda event: weights.update({event["requestId"]: event["encodedDataLength"]})
    )
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto(entry(study))
    page.wait_for_load_state("networkidle")
    assert 0 < sum(weights.values()) <= 40_000
    weights.clear()
    begin(page, study)
    page.wait_for_load_state("networkidle")
    assert sum(weights.values()) <= 60_000  # four pages, uncompressed here
    assert hosts == {live_server.url.split("/")[2]}
