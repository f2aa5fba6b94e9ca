"""The results of a study in a browser: how tall and full of numbers the page may be, its first screen, its terms."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.jobs import run_job
from annotation.models import Item, Job, Label, Study
from annotation.pages.result_views import PARTS
from annotation.releases.actions.analysing import clean_and_release
from annotation.simulating.crowds import simulate
from annotation.studies.study_life import change_status
from tests.browser.test_admin import DESK, PHONE, found_on
from tests.integration.annotation.answering.views.several import ask
from tests.integration.researchers import a_researcher, signed_in
from tools.page_counts import SIZES, count_page, watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN, PHONE_SCREENS = 900, 844 * 1.5


def a_study_with_results(kind: str) -> Study:
    """Of twenty items and a dozen people, three of them careless, with its report drawn; `four` asks four questions."""
    first = "slider" if kind == "slider" else "choice"
    scale = {"scale_low": 0, "scale_high": 100} if first == "slider" else {}
    study = Study.objects.create(
        slug=f"results-{kind}", title="What colour has it?", question="What colour has a {thing}?", kind=first,
        question_name="colour", owner=a_researcher(), judgments_per_item=4, items_per_assignment=10, consent="ok",
        seed=4, **scale,
    )  # fmt: skip
    if first == "choice":
        values = enumerate(("red", "green", "blue"), 1)
        Label.objects.bulk_create(Label(study=study, value=v, display_text=v, position=p) for p, v in values)
    if kind == "four":
        ask(study, 2, "choice", ("light", "dark"))
        ask(study, 3, "slider")
        ask(study, 4, "choice", ("no", "yes"))
    things = [{"item_id": f"thing-{k:02}", "fields": {"thing": f"thing {k}"}} for k in range(20)]
    Item.objects.bulk_create(Item(study=study, position=k, **thing) for k, thing in enumerate(things, 1))
    study = change_status(study=study, status=Study.Status.LIVE, by=study.owner)
    simulate(study=study, workers=12, careless=3, seed=4)
    clean_and_release(study=study, rules="own-bounds", replicates=50, by=study.owner)
    for job in Job.objects.filter(study=study, kind="report", status="queued"):
        run_job(job.pk)
    return study


def context_of(study: Study, browser: Browser, live_server: Any, **options: Any) -> BrowserContext:
    """A browser in which the study's owner is signed in."""
    assert study.owner is not None
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **options)
    cookie = signed_in(study.owner).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return context


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).last.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.parametrize("kind", ["slider", "choice", "four"])
def test_results_say_the_answer_first_and_stay_short(kind: str, browser: Browser, live_server: Any) -> None:
    study = a_study_with_results(kind)
    address = reverse("agreement:results", args=[study.uuid])
    for size, (width, height) in SIZES.items():
        context = context_of(study, browser, live_server, viewport={"width": width, "height": height})
        page = context.new_page()
        watch(page)
        counts = count_page(page, address)
        tallest, screen = (2_500, SCREEN) if size == "desk" else (4_500, PHONE_SCREENS)
        assert counts.height <= tallest, (size, counts)
        assert counts.numbers <= 60, (size, counts)
        assert counts.html <= 300_000, (size, counts)
        assert counts.shift == 0, (size, counts)
        assert 0 < counts.picture < (700 if size == "desk" else screen), (size, counts)
        assert page.locator("[data-vega], canvas").count() == 0, "pictures are drawn by the server"
        for selector in ("#verdict", ".t-next .t-primary", ".t-four dd"):
            assert bottom(page, selector) <= screen, (size, selector)
        figures = page.locator(".t-four dd a").all_inner_texts()
        first_screen = " ".join(page.locator(".t-verdict :is(h3, .t-caveat, .t-next, .t-four)").all_inner_texts())
        assert len(figures) in (3, 4)
        once = [len(re.findall(rf"(?<![\d.]){re.escape(figure)}(?!\d)", first_screen)) for figure in figures]
        assert once == [1] * len(figures), (figures, first_screen)
        if kind == "four":
            lines = page.get_by_role("list", name="The questions of this study").get_by_role("listitem")
            expect(lines).to_have_count(4)
            expect(lines.first).to_contain_text("weakest of 4")
        context.close()


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_on_any_page_of_the_results(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    study = a_study_with_results("slider")
    context = context_of(study, browser, live_server, viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    problems = []
    for name in ("results", "analyse", *PARTS):
        page.goto(reverse(f"agreement:{name}", args=[study.uuid]))
        problems += found_on(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
    context.close()
    assert problems == []


def test_terms_explain_themselves_and_bars_lead_to_their_items_without_script(
    browser: Browser, live_server: Any
) -> None:
    study = a_study_with_results("choice")
    context = context_of(study, browser, live_server, java_script_enabled=False)
    page = context.new_page()
    page.goto(reverse("agreement:results", args=[study.uuid]))
    button = page.locator(".t-verdict .t-term-button").first
    sentence = page.locator(".t-verdict .t-term-box").first
    expect(sentence).to_be_hidden()
    button.focus()
    button.press("Enter")
    expect(sentence).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#figure-judgment-distribution summary").click()
    page.locator("#figure-judgment-distribution").get_by_role("link", name="green").first.click()
    expect(page.get_by_text("Items of which somebody answered “green”.")).to_be_visible()
    page.get_by_role("link", name="Show all items").click()
    page.wait_for_url(re.compile(r"/items/\?$|/items/$"))
    for part in PARTS:
        page.goto(reverse("agreement:results", args=[study.uuid]))
        page.locator(".t-parts").get_by_role("link", name=PARTS[part][0], exact=True).click()
        page.wait_for_url(re.compile(rf"/{part}/"))
        expect(page.get_by_text("Gold release 1 of")).to_be_visible()
    context.close()
