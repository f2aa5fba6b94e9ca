"""A researcher follows a study in a browser: it is brought up to date, tables are sorted, an item is adjudicated."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from annotation.models import Job, Study
from annotation.releases.models import Adjudication
from tests.browser.test_admin import DESK, PHONE, found_on, sign_in
from tests.factories import per_assignment_done
from tests.integration.annotation.releases.exports.test_exports import a_crowd_of
from tests.integration.researchers import a_judged_study, a_released_study, a_researcher

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DRAWN = "document.querySelectorAll('[data-vega]').length === document.querySelectorAll('[data-drawn]').length"


def all_drawn(page: Page) -> None:
    """Every figure of the page, which are drawn as they come into view."""
    page.evaluate("document.querySelectorAll('details:not(.t-plot-table)').forEach((one) => (one.open = true))")
    for figure in page.locator("[data-vega]").all():
        figure.scroll_into_view_if_needed()
    page.wait_for_function(DRAWN)


def test_watch_is_brought_up_to_date_and_keeps_the_place_and_the_focus(page: Page) -> None:
    study, _ = a_judged_study(people=2)
    sign_in(page, study)
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(reverse("agreement:watch", args=[study.uuid]))
    done = page.locator("[data-part=places] dd").first
    expect(done).to_contain_text("20")
    all_drawn(page)
    page.get_by_role("link", name="See the people").focus()
    page.evaluate("scrollTo(0, 300)")
    place = page.evaluate("scrollY")
    per_assignment_done(study, number=70)
    expect(done).to_contain_text("30")
    expect(page.get_by_role("link", name="See the people")).to_be_focused()
    assert page.evaluate("scrollY") == place
    page.wait_for_function(DRAWN)


def test_people_are_sorted_by_a_heading_and_lead_to_their_answers_by_keyboard(page: Page) -> None:
    study, _, _ = a_released_study()
    sign_in(page, study)
    page.goto(reverse("agreement:people", args=[study.uuid]))
    page.locator("#everybody summary").click()
    page.get_by_role("link", name="Checks failed").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Checks failed")).to_have_attribute("aria-sort", "descending")
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("excluded")
    first.get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answers in the order in which they were given").wait_for()
    expect(page.locator(".t-row-bad").first).to_contain_text("failed")


@pytest.mark.parametrize("script", [True, False])
def test_an_item_is_adjudicated_with_and_without_script(script: Any, browser: Browser, live_server: Any) -> None:
    study, _, client = a_released_study()
    context = browser.new_context(base_url=live_server.url, java_script_enabled=script)
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(reverse("agreement:items", args=[study.uuid]))
    page.locator("tbody th a").first.click()
    page.get_by_label("Answer from 0 to 100").fill("140")
    page.get_by_label("Why").fill("read it twice")
    page.get_by_role("button", name="Save the answer").click()
    expect(page.get_by_text("Please give a number from 0 to 100.")).to_be_visible()
    expect(page.get_by_label("Answer from 0 to 100")).to_have_value("140")
    expect(page.get_by_label("Why")).to_have_value("read it twice")
    page.get_by_label("Answer from 0 to 100").fill("40")
    page.get_by_role("button", name="Save the answer").click()
    expect(page.get_by_text("Your answer is saved.")).to_be_visible()
    assert Adjudication.objects.get().number == 40
    context.close()


def decided_items() -> list[tuple[str, str | None]]:
    return list(Adjudication.objects.order_by("pk").values_list("item__item_id", "label"))


def test_contested_items_are_decided_by_keys_alone(page: Page) -> None:
    study = a_crowd_of("choice")
    Study.objects.filter(pk=study.pk).update(owner=a_researcher())
    sign_in(page, study)
    page.goto(reverse("agreement:adjudicate", args=[study.uuid]))
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    first = page.locator("#shown").text_content()
    page.keyboard.press("2")
    expect(page.get_by_label("=blue")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    assert decided_items() == [(first, "=blue")]
    page.keyboard.press("u")
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    assert decided_items() == [(first, "=blue"), (first, None)]
    page.keyboard.press("s")
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    page.keyboard.press("w")
    page.keyboard.type("us 1")  # letters and digits of a reason are no keys
    expect(page.get_by_label("Why")).to_have_value("us 1")
    page.get_by_role("button", name="Switch keys off").click()
    page.keyboard.press("b")
    page.keyboard.press("3")
    expect(page.locator("input[type=radio]:checked")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Switch keys on")).to_be_visible()


def test_a_digit_is_typed_where_the_answer_is_a_number(page: Page) -> None:
    study = a_crowd_of("slider")
    Study.objects.filter(pk=study.pk).update(owner=a_researcher())
    sign_in(page, study)
    page.goto(reverse("agreement:adjudicate", args=[study.uuid]))
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    assert Adjudication.objects.get().number == 40


def test_people_are_gone_through_by_keys(page: Page) -> None:
    study, _, _ = a_released_study()
    sign_in(page, study)
    page.goto(reverse("agreement:people", args=[study.uuid]))
    rows = page.locator("[data-row]:visible")
    page.keyboard.press("j")
    expect(rows.nth(0).get_by_role("link").first).to_be_focused()
    page.keyboard.press("j")
    expect(rows.nth(1).get_by_role("link").first).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0).get_by_role("link").first).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answers in the order in which they were given").wait_for()


def addresses(study: Study) -> list[str]:
    person, item = study.participations.earliest("pk"), study.items.targets().earliest("pk")
    return [
        *(reverse(f"agreement:{name}", args=[study.uuid]) for name in ("watch", "people", "items", "adjudicate")),
        reverse("agreement:person", args=[study.uuid, person.pseudonym]),
        reverse("agreement:item", args=[study.uuid, item.uuid]),
    ]


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_nothing_once_figures_are_drawn(
    viewport: Any, scheme: Any, browser: Browser, live_server: Any
) -> None:
    study, _, _ = a_released_study()
    options: Any = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    context = browser.new_context(base_url=live_server.url, **options)
    page = context.new_page()
    sign_in(page, study)
    problems = []
    for address in addresses(study):
        page.goto(address)
        all_drawn(page)
        problems += found_on(page)
    context.close()
    assert problems == []


def test_every_job_of_a_page_is_followed(page: Page) -> None:
    """Results: the analysis stays where it is, and the drawing of the figures, further down, begins."""
    study, _release, _ = a_released_study()
    report = study.jobs.get(kind="report")
    Job.objects.create(study=study, kind="analyse")
    sign_in(page, study)
    page.goto(reverse("agreement:results", args=[study.uuid]))
    expect(page.locator("[data-job]")).to_have_count(2)
    Job.objects.filter(pk=report.pk).update(status="running", attempts=1, progress=0.5)
    expect(page.locator(f"[data-job-id='{report.uuid}']")).to_have_attribute("data-job-status", "running")
